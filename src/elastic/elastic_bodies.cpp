#include "elastic/elastic_bodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "elastic/rotation.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

Mat3f inverse(const Mat3d& a) {
    const double d = determinant(a);
    if (!(d > 0)) return {};
    return to_float(transposed(Mat3d{cross(a.y, a.z) / d, cross(a.z, a.x) / d, cross(a.x, a.y) / d}));
}

Mat3f sum(const Mat3<Lanes>& a) { return {sum(a.x), sum(a.y), sum(a.z)}; }

}  // namespace

ElasticBodies::ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                             KernelName contact_kernel, double support, int dimensions, double spacing)
    : materials_(materials),
      methods_(methods),
      contact_kernel_(contact_kernel),
      support_(support),
      dimensions_(dimensions),
      spacing_(spacing),
      fracture_(materials) {
    for (const Material& material : materials_) {
        const double e = material.solid.young_modulus, nu = material.solid.poisson_ratio;
        const double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
        constants_.push_back({static_cast<float>(lambda), static_cast<float>(mu),
                              static_cast<float>(material.solid.hourglass * e),
                              std::sqrt((lambda + 2 * mu) / material.density)});
    }
}

void ElasticBodies::create(const Device& device, ParticleTable& particles, const Neighbours& neighbours) {
    Index slots = 0;
    for (Index i = 0; i < particles.size(); ++i)
        particles.slot[i] = particles.phase[i] == Phase::elastic ? slots++ : no_slot;
    std::vector<Index> count(slots);
    std::vector<ReferenceLink> links;
    const auto h = static_cast<float>(support_);
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.slot[i] == no_slot) continue;
        const std::size_t first = links.size();
        for (const Index j : neighbours.of(i)) {
            const Vec3f X = particles.position[j] - particles.position[i];
            if (particles.slot[j] != no_slot && particles.object[j] == particles.object[i] &&
                norm2(X) < h * h)
                links.push_back({particles.slot[j], X});
        }
        std::sort(links.begin() + static_cast<std::ptrdiff_t>(first), links.end(),
                  [](const ReferenceLink& a, const ReferenceLink& b) { return a.neighbour < b.neighbour; });
        count[particles.slot[i]] = static_cast<Index>(links.size() - first);
    }
    reference_.assign(std::move(count), links);
    find_rows(device, particles);
    prepare(device);
    number_bodies(reference_.view(), row_, particles, lineage_);
}

void ElasticBodies::restore(const Device& device, const ParticleTable& particles, const ElasticState& state) {
    reference_.assign(state.link_counts, state.links);
    lineage_ = state.lineage;
    find_rows(device, particles);
    prepare(device);
}

ElasticState ElasticBodies::state() const { return {reference_.counts(), reference_.links(), lineage_}; }

void ElasticBodies::find_rows(const Device& device, const ParticleTable& particles) {
    const Index n = reference_.size();
    row_.resize(n);
    material_.resize(n);
    position_volume_.resize(n + 1);
    position_volume_[n] = {};
    launch(device, particles.size(),
           [slot = View<const std::uint32_t>(particles.slot), x = View<const Vec3f>(particles.position),
            material = View<const std::uint16_t>(particles.material), m = View<const float>(particles.mass),
            constants = View<const Material>(materials_), row = View(row_), slot_material = View(material_),
            out = View(position_volume_)](Index i) {
               const std::uint32_t s = slot[i];
               if (s == no_slot) return;
               row[s] = i;
               slot_material[s] = material[i];
               out[s] = {x[i].x, x[i].y, x[i].z, m[i] / static_cast<float>(constants[material[i]].density)};
           });
}

void ElasticBodies::prepare(const Device& device) {
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        reference_.weigh(device, [=](Index, const ReferenceLink& link) {
            return -kernel.gradient_over_distance(norm(link.X));
        });
    });
    const Index n = reference_.size();
    fracture_.prepare(device, material_);
    share_.resize(n);
    correction_.resize(n);
    rotation_.resize(n);
    stress_.assign(3 * (n + 1), {});
    energy_.resize(n);
    std::vector<Index> all(n);
    std::iota(all.begin(), all.end(), Index{0});
    refresh(device, all);
}

void ElasticBodies::refresh(const Device& device, View<const Index> slots) {
    const auto n = static_cast<Index>(slots.size());
    const Reference reference = reference_.view();
    const View<const Packed4> xv(position_volume_);
    with_kernel(contact_kernel_, support_, dimensions_, [&](const auto& kernel) {
        launch(device, n, [=, out = View(share_)](Index k) {
            const Index s = slots[k];
            double share = 0;
            for (Index l = 0; l < reference.count(s); ++l) {
                const ReferenceLink link = reference.link(s, l);
                share += double{xv[link.neighbour].w} * kernel.value(norm(link.X));
            }
            out[s] = static_cast<float>(std::min(share, 1 - double{xv[s].w} * kernel.value(0.f)));
        });
    });
    launch(device, n, [=, flat = dimensions_ == 2, out = View(correction_)](Index k) {
        Mat3d moment{};
        if (flat) moment.z.z = 1;
        reference.for_each_block(slots[k], [&](const ReferenceBlock& block) {
            for (Index l = 0; l < lane_count; ++l) {
                const Vec3d X{block.x[l], block.y[l], block.z[l]};
                moment += outer(X, X) * (double{block.weight[l]} * xv[block.neighbour[l]].w);
            }
        });
        out[slots[k]] = inverse(moment);
    });
}

bool ElasticBodies::break_links(const Device& device, ParticleTable& particles, double time) {
    if (empty() || !fracture_.possible()) return false;
    find_rows(device, particles);
    const std::vector<CutLink> cut = reference_.cut(device, fracture_.overloaded(position_volume_.data()));
    if (cut.empty()) return false;
    std::vector<Index> touched;
    std::vector<std::uint32_t> suspects;
    for (const CutLink& link : cut) {
        if (touched.empty() || touched.back() != link.slot) touched.push_back(link.slot);
        // As long as both ends of every link that went have a neighbour in common, there is a way around each.
        if (!reference().share_neighbour(link.slot, link.neighbour))
            suspects.push_back(particles.body[row_[link.slot]]);
    }
    refresh(device, touched);
    if (!suspects.empty()) part_bodies(reference(), row_, suspects, time, particles, lineage_);
    return true;
}

void ElasticBodies::add_forces(const Device& device, const ParticleTable& particles,
                               View<Vec3f> acceleration) {
    if (empty()) return;
    find_rows(device, particles);
    const Index n = reference_.size();
    const Reference reference = reference_.view();
    const Packed4* xv = position_volume_.data();
    launch(device, n,
           [=, flat = dimensions_ == 2, material = View<const std::uint16_t>(material_),
            constants = View<const Constants>(constants_), correction = View<const Mat3f>(correction_),
            rotation = View(rotation_), stress = View(stress_), energy = View(energy_),
            keep_stress = fracture_.stress_sink()](Index s) {
               const Packed4 self = xv[s];
               const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
               Mat3<Lanes> a{};
               reference.for_each_block(s, [&](const ReferenceBlock& block) {
                   const PackedLanes other = gather(xv, block.neighbour);
                   a += outer(other.xyz - x, block.X() * (block.w() * other.w));
               });
               const Constants& c = constants[material[s]];
               Mat3f J = sum(a) * correction[s];
               if (flat) J.z.z = 1;
               const Mat3f R = closest_rotation(J);
               rotation[s] = R;
               const Mat3f strain = symmetric_part(transposed(R) * J) - identity<float>();
               const Mat3f sigma = strain * (2 * c.mu) + identity<float>() * (c.lambda * trace(strain));
               keep_stress(s, sigma);
               energy[s] = self.w * (c.mu * norm2(strain) + 0.5f * c.lambda * trace(strain) * trace(strain));
               const Mat3f q = R * sigma * correction[s] - J * c.hourglass;
               stress[3 * s] = {q.x.x, q.x.y, q.x.z, c.hourglass};
               stress[3 * s + 1] = {q.y.x, q.y.y, q.y.z, 0};
               stress[3 * s + 2] = {q.z.x, q.z.y, q.z.z, 0};
           });
    launch(device, n,
           [=, stress = stress_.data(), row = View<const Index>(row_),
            m = View<const float>(particles.mass)](Index s) {
               const Packed4 self = xv[s], qx = stress[3 * s], qy = stress[3 * s + 1], qz = stress[3 * s + 2];
               const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
               Vec3<Lanes> force{};
               reference.for_each_block(s, [&](const ReferenceBlock& block) {
                   const PackedLanes other = gather(xv, block.neighbour);
                   const PackedLanes jx = gather<3>(stress, block.neighbour),
                                     jy = gather<3>(stress + 1, block.neighbour),
                                     jz = gather<3>(stress + 2, block.neighbour);
                   const Vec3<Lanes> X = block.X(), dx = other.xyz - x;
                   const Lanes kappa = jx.w + qx.w, w = block.w() * other.w;
                   const auto row_of = [&](const Packed4& i, const Vec3<Lanes>& j) {
                       return dot(Vec3<Lanes>{j.x + i.x, j.y + i.y, j.z + i.z}, X);
                   };
                   force += Vec3<Lanes>{row_of(qx, jx.xyz) + kappa * dx.x, row_of(qy, jy.xyz) + kappa * dx.y,
                                        row_of(qz, jz.xyz) + kappa * dx.z} *
                            w;
               });
               acceleration[row[s]] += sum(force) * (self.w / m[row[s]]);
           });
}

void ElasticBodies::apply_stiffness(const Device& device, double a, double, View<const Packed4> displacement,
                                    View<Vec3f> force_out) {
    const Index n = reference_.size();
    const Reference reference = reference_.view();
    const Packed4* xv = position_volume_.data();
    const Packed4* u = displacement.data();
    response_.assign(3 * (n + 1), {});
    launch(device, n,
           [=, flat = dimensions_ == 2, material = View<const std::uint16_t>(material_),
            constants = View<const Constants>(constants_), correction = View<const Mat3f>(correction_),
            rotation = View<const Mat3f>(rotation_), stress = View(response_)](Index s) {
               const Packed4 self = u[s];
               const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
               Mat3<Lanes> sums{};
               reference.for_each_block(s, [&](const ReferenceBlock& block) {
                   const PackedLanes other = gather(u, block.neighbour);
                   sums += outer(other.xyz - x, block.X() * (block.w() * gather(xv, block.neighbour).w));
               });
               const Constants& c = constants[material[s]];
               const Mat3f G = sum(sums) * correction[s];
               const Mat3f R = rotation[s];
               const Mat3f strain = symmetric_part(transposed(R) * G);
               const Mat3f sigma = strain * (2 * c.mu) + identity<float>() * (c.lambda * trace(strain));
               const Mat3f q = R * sigma * correction[s] - G * c.hourglass;
               stress[3 * s] = {q.x.x, q.x.y, q.x.z, c.hourglass};
               stress[3 * s + 1] = {q.y.x, q.y.y, q.y.z, 0};
               stress[3 * s + 2] = {q.z.x, q.z.y, q.z.z, 0};
           });
    launch(device, n, [=, factor = static_cast<float>(a), stress = response_.data()](Index s) {
        const Packed4 self = u[s], qx = stress[3 * s], qy = stress[3 * s + 1], qz = stress[3 * s + 2];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        Vec3<Lanes> force{};
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            const PackedLanes other = gather(u, block.neighbour);
            const PackedLanes jx = gather<3>(stress, block.neighbour),
                              jy = gather<3>(stress + 1, block.neighbour),
                              jz = gather<3>(stress + 2, block.neighbour);
            const Vec3<Lanes> X = block.X(), dx = other.xyz - x;
            const Lanes kappa = jx.w + qx.w, w = block.w() * gather(xv, block.neighbour).w;
            const auto row_of = [&](const Packed4& i, const Vec3<Lanes>& j) {
                return dot(Vec3<Lanes>{j.x + i.x, j.y + i.y, j.z + i.z}, X);
            };
            force += Vec3<Lanes>{row_of(qx, jx.xyz) + kappa * dx.x, row_of(qy, jy.xyz) + kappa * dx.y,
                                 row_of(qz, jz.xyz) + kappa * dx.z} *
                     w;
        });
        force_out[s] = sum(force) * (xv[s].w * factor);
    });
}

double ElasticBodies::energy(const Device& device) const {
    return reduce_sum(device, reference_.size(), [&](Index s) { return energy_[s]; });
}

void ElasticBodies::limit_time_step(TimeStepLimit& limit) const {
    if (methods_.elasticity == ElasticIntegrator::implicit) return;
    std::vector<bool> used(materials_.size());
    for (const std::uint16_t k : material_) used[k] = true;
    for (std::size_t k = 0; k < materials_.size(); ++k) {
        if (!used[k]) continue;
        limit.tighten(0.4 * spacing_ / constants_[k].wave_speed,
                      [&] { return fmt::format("elastic wave in `{}`", materials_[k].name); });
    }
}

std::size_t ElasticBodies::bytes() const {
    return reference_.bytes() + fracture_.bytes() + lineage_.capacity() * sizeof(BodyOrigin) +
           (position_volume_.capacity() + stress_.capacity()) * sizeof(Packed4) +
           correction_.capacity() * sizeof(Mat3f) + row_.capacity() * sizeof(Index) +
           material_.capacity() * sizeof(std::uint16_t) +
           (share_.capacity() + energy_.capacity()) * sizeof(float);
}

}  // namespace thixo
