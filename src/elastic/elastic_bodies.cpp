#include "elastic/elastic_bodies.h"

#include <algorithm>

#include "elastic/rotation.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

Index whole_blocks(Index slots) { return (slots + lane_count - 1) / lane_count * lane_count; }

}  // namespace

ElasticBodies::ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                             KernelName contact_kernel, double support, int dimensions, double spacing)
    : materials_(materials),
      methods_(methods),
      contact_kernel_(contact_kernel),
      support_(support),
      dimensions_(dimensions),
      spacing_(spacing),
      fracture_(materials) {}

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
    restore(device, particles, {std::move(count), std::move(links), {}, {}, {}});
    number_bodies(reference_.view(), row_, particles, lineage_);
}

void ElasticBodies::restore(const Device& device, const ParticleTable& particles, const ElasticState& state) {
    reference_.assign(state.link_counts, state.links);
    read_particles(device, particles);
    survey_materials();
    fracture_.prepare(device, material_);
    lineage_ = state.lineage;
    refresh(device);
    rotation_.assign(whole_blocks(reference_.size()), {0, 0, 0, 1});
    std::copy(state.rotations.begin(), state.rotations.end(), rotation_.begin());
    for (Index s = 0; s < state.plastic_strains.size(); ++s) {
        Sym3<Lanes>& to = plastic_[s / lane_count].strain;
        const Sym3f& from = state.plastic_strains[s];
        for (int k = 0; k < 6; ++k) (&to.xx)[k][s % lane_count] = (&from.xx)[k];
    }
}

ElasticState ElasticBodies::state() const {
    ElasticState out{reference_.counts(), reference_.links(), rotation_, {}, lineage_};
    out.rotations.resize(reference_.size());
    for (Index s = 0; s < reference_.size() && !plastic_.empty(); ++s) {
        const Sym3<Lanes>& from = plastic_[s / lane_count].strain;
        Sym3f& to = out.plastic_strains.emplace_back();
        for (int k = 0; k < 6; ++k) (&to.xx)[k] = (&from.xx)[k][s % lane_count];
    }
    return out;
}

void ElasticBodies::read_particles(const Device& device, const ParticleTable& particles) {
    const Index n = reference_.size();
    material_.resize(n);
    mass_.resize(n);
    radius_.resize(n);
    cell_.resize(n);
    volume_.resize(n);
    share_.resize(n);
    own_slope_.resize(n);
    stiffness_.resize(n);
    frequency_.resize(n);
    row_.resize(n);
    x_.resize(whole_blocks(n));
    body_.resize(n);
    exerted_.resize(n);
    pack(device, particles);
    launch(device, n, [this, &particles](Index s) {
        material_[s] = particles.material[row_[s]];
        mass_[s] = particles.mass[row_[s]];
        radius_[s] = particles.radius[row_[s]];
    });
    measure_cells();
}

void ElasticBodies::pack(const Device& device, const ParticleTable& particles) {
    if (damped_) v_.resize(reference_.size());
    launch(device, particles.size(),
           [slot = View<const std::uint32_t>(particles.slot), x = View<const Vec3f>(particles.position),
            low = View<const Vec3f>(particles.position_low), v = View<const Vec3f>(particles.velocity),
            body = View<const std::uint32_t>(particles.body), damped = damped_, row = View(row_),
            x_out = View(x_), body_out = View(body_), v_out = View(v_)](Index i) {
               const std::uint32_t s = slot[i];
               if (s == no_slot) return;
               row[s] = i;
               x_out[s] = {{x[i].x, x[i].y, x[i].z, 0}, {low[i].x, low[i].y, low[i].z, 0}};
               body_out[s] = body[i];
               if (damped) v_out[s] = {v[i].x, v[i].y, v[i].z, 0};
           });
}

void ElasticBodies::add_forces(const Device& device, const ParticleTable& particles,
                               View<Vec3f> acceleration) {
    if (empty()) return;
    pack(device, particles);
    turn_ = body_rotations();
    respond(device);
    // Far from what a body was taken for, for instance at the start, once more.
    std::vector<Mat3f> now = body_rotations();
    if (!std::equal(now.begin(), now.end(), turn_.begin(),
                    [](const Mat3f& a, const Mat3f& b) { return norm2(a - b) < 0.1f * 0.1f; })) {
        turn_ = std::move(now);
        respond(device);
    }
    exert(device, particles, acceleration);
}

bool ElasticBodies::break_links(const Device& device, ParticleTable& particles, double time) {
    if (empty() || !fracture_.possible()) return false;
    pack(device, particles);
    fracture_.take_stresses(device, stress_);
    const std::vector<CutLink> cut = reference_.cut(device, fracture_.overloaded(places()));
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

Vec3f ElasticBodies::acceleration(const ParticleTable& particles, Index row) const {
    const std::uint32_t s = particles.slot[row];
    if (s == no_slot) return {};
    return force_on(reference_.view(), exerted_.data(), turn_[body_[s]], s) / particles.mass[row];
}

std::size_t ElasticBodies::bytes() const {
    return reference_.bytes() + fracture_.bytes() + lineage_.capacity() * sizeof(BodyOrigin) +
           (v_.capacity() + rotation_.capacity()) * sizeof(Packed4) + x_.capacity() * sizeof(Place) +
           turn_.capacity() * sizeof(Mat3f) + body_.capacity() * sizeof(std::uint32_t) +
           blocks_.capacity() * sizeof(SlotBlock) + mass_moment_.capacity() * sizeof(Sym3<Lanes>) +
           stress_.capacity() * sizeof(Sym3f) + plastic_.capacity() * sizeof(PlasticBlock) +
           exerted_.capacity() * sizeof(Exerted) + response_.capacity() * sizeof(Response) +
           stiffness_links_.bytes() + row_.capacity() * sizeof(Index) +
           material_.capacity() * sizeof(std::uint16_t) +
           (mass_.capacity() + radius_.capacity() + cell_.capacity() + volume_.capacity() +
            share_.capacity() + frequency_.capacity()) *
               sizeof(float);
}

}  // namespace thixo
