#include "elastic/elastic_bodies.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/marks.h"
#include "core/rotation.h"
#include "elastic/elastic_energy.h"
#include "sph/influence_radius.h"

namespace thixo {

namespace {

/// Rᵀ x = x + 2 (v × (v × x) − w v × x) / |q|²: q need not be a unit quaternion.
Vec3d turned_back(const Quaternion<double>& q, const Vec3d& x) {
    const Vec3d a = cross(q.v, x);
    return x + (cross(q.v, a) - q.w * a) * (2 / (norm2(q.v) + q.w * q.w));
}

}  // namespace

ElasticBodies::ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                             KernelName contact_kernel, double support, int dimensions, double spacing)
    : materials_(materials),
      integrator_(methods.elasticity),
      support_(support),
      spacing_(spacing),
      undeformed_(materials, methods, contact_kernel, support, dimensions, spacing),
      forces_(materials, dimensions, Fracture(materials).by_stress()),
      fracture_(materials) {
    yields_ = ElasticState::has_plastic_strains(materials);
}

void ElasticBodies::create(const Device& device, ParticleTable& particles, const Neighbours& neighbours) {
    Index count = 0;
    for (Index i = 0; i < particles.size(); ++i)
        particles.elastic_index[i] =
            particles.phase[i] == Phase::elastic &&
                    materials_[particles.material[i]].solid.model != SolidModel::lattice
                ? count++
                : no_index;
    std::vector<Index> link_counts(count);
    std::vector<ReferenceLink> links;
    const auto h = static_cast<float>(support_);
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.elastic_index[i] == no_index) continue;
        const std::size_t first = links.size();
        for (const Index j : neighbours.of(i)) {
            const Vec3f X = particles.position[j] - particles.position[i];
            if (particles.elastic_index[j] != no_index && particles.object[j] == particles.object[i] &&
                norm2(X) < h * h)
                links.push_back({particles.elastic_index[j], X});
        }
        std::sort(links.begin() + static_cast<std::ptrdiff_t>(first), links.end(),
                  [](const ReferenceLink& a, const ReferenceLink& b) { return a.neighbour < b.neighbour; });
        link_counts[particles.elastic_index[i]] = static_cast<Index>(links.size() - first);
    }
    ElasticState start;
    start.link_counts = std::move(link_counts);
    start.links = std::move(links);
    restore(device, particles, start);
}

void ElasticBodies::restore(const Device& device, const ParticleTable& particles, const ElasticState& state) {
    reference_.assign(state.link_counts, state.links);
    columns_ = {};
    undeformed_.clear();
    resize();
    std::vector<Index> all(reference_.size());
    std::iota(all.begin(), all.end(), Index{0});
    forces_.read(device, particles, columns_);
    read_particles(device, particles, all);
    refresh(device);
    undeformed_.restore_softness(device, state.softness, columns_, reference_);
    std::copy(state.rotations.begin(), state.rotations.end(), columns_.rotation.begin());
    for (Index s = 0; s < state.tangents.size() && !columns_.tangent.empty(); ++s) {
        const SavedTangent& saved = state.tangents[s];
        Tangent& tangent = columns_.tangent[s / lane_count];
        set_lane(tangent.rotation, s % lane_count, Quaternion<double>{to_double(saved.axis), saved.w});
        tangent.stiffness[s % lane_count] = saved.stiffness;
        tangent.damping[s % lane_count] = saved.damping;
    }
    for (Index s = 0; s < state.plastic_strains.size(); ++s) {
        set_lane(columns_.plastic[s / lane_count].strain, s % lane_count, state.plastic_strains[s].full());
        columns_.plastic[s / lane_count].hourglass[s % lane_count] = state.hourglass[s];
    }
}

ElasticState ElasticBodies::state() const {
    ElasticState out{reference_.counts(),   reference_.links(), columns_.rotation, {}, {}, {},
                     undeformed_.softness()};
    out.rotations.resize(reference_.size());
    for (Index s = 0; s < reference_.size() && !columns_.tangent.empty(); ++s) {
        const Tangent& tangent = columns_.tangent[s / lane_count];
        const Index l = s % lane_count;
        const Quaternion<double> turn = lane(tangent.rotation, l);
        out.tangents.push_back(
            {to_float(turn.v), static_cast<float>(turn.w), tangent.stiffness[l], tangent.damping[l]});
    }
    for (Index s = 0; s < reference_.size() && !columns_.plastic.empty(); ++s) {
        const Sym3<Lanes>& strain = columns_.plastic[s / lane_count].strain;
        out.plastic_strains.push_back(Sym3f(lane(strain.full(), s % lane_count)));
        out.hourglass.push_back(columns_.plastic[s / lane_count].hourglass[s % lane_count]);
    }
    return out;
}

void ElasticBodies::resize() {
    const Index n = reference_.size();
    columns_.resize(n, yields_, integrator_ == ElasticIntegrator::implicit);
    undeformed_.resize(n);
    forces_.resize(n);
}

void ElasticBodies::read_particles(const Device& device, const ParticleTable& particles,
                                   View<const Index> indices) {
    launch(device, static_cast<Index>(indices.size()), [this, &particles, indices](Index k) {
        const Index s = indices[k];
        const Index row = columns_.row[s];
        const bool there = row != vacant;
        // An index that no particle has gets harmless numbers.
        columns_.material[s] = there ? particles.material[row] : std::uint16_t{0};
        columns_.mass[s] = there ? particles.mass[row] : 1.f;
        columns_.contact_volume[s] =
            columns_.mass[s] / static_cast<float>(materials_[columns_.material[s]].density);
        columns_.radius[s] = there ? particles.radius[row] : static_cast<float>(0.5 * spacing_);
    });
    undeformed_.measure_cells(columns_, indices);
    set_plastic_limits(indices);
    fracture_.prepare(device, columns_.material);
}

void ElasticBodies::set_plastic_limits(View<const Index> indices) {
    if (!yields_) return;
    const auto limit = [](double value) {
        return value > 0 ? static_cast<float>(value) : std::numeric_limits<float>::infinity();
    };
    for (const Index s : indices) {
        const SolidSettings& solid = materials_[columns_.material[s]].solid;
        PlasticBlock& block = columns_.plastic[s / lane_count];
        block.elastic_limit[s % lane_count] = limit(solid.elastic_limit);
        block.plastic_limit[s % lane_count] = limit(solid.plastic_limit);
    }
}

void ElasticBodies::refresh(const Device& device) {
    std::vector<Index> all(reference_.size());
    std::iota(all.begin(), all.end(), Index{0});
    refresh(device, all);
}

void ElasticBodies::refresh(const Device& device, View<const Index> touched) {
    undeformed_.refresh(device, columns_, touched, reference_);
    linear_.invalidate();
}

void ElasticBodies::soften(const Device& device, View<const float> stiffness) {
    if (undeformed_.soften(device, stiffness, columns_, reference_)) linear_.invalidate();
}

void ElasticBodies::add_forces(const Device& device, const ParticleTable& particles,
                               View<Vec3f> acceleration) {
    if (empty()) return;
    forces_.read(device, particles, columns_);
    forces_.compute(device, reference_.view(), undeformed_, columns_);
    forces_.add_to(device, reference_.view(), columns_, particles.mass, acceleration);
}

LinearResponse ElasticBodies::respond_linearly(const Device& device, double a, double b,
                                               View<const Packed4> displacement) {
    return linear_.respond(device, reference_.view(), undeformed_.blocks(), columns_.tangent,
                           {.stiffness = a, .damping = damped() ? b : 0}, displacement);
}

void ElasticBodies::apply_stiffness(const Device& device, double a, double b,
                                    View<const Packed4> displacement, View<Vec3f> force) {
    const LinearResponse response = respond_linearly(device, a, b, displacement);
    launch(device, reference_.size(), [=](Index s) { force[s] = response.force(s); });
}

double ElasticBodies::energy(const Device& device) const {
    return elastic_energy(device, reference_.view(), undeformed_, columns_, forces_.positions());
}

ElasticLedger ElasticBodies::evaluate(const Device& device, const ParticleTable& particles,
                                      View<Vec3f> acceleration) const {
    if (empty()) return {};
    ElasticForces forces = forces_;
    ElasticColumns columns = columns_;
    forces.read(device, particles, columns);
    forces.compute(device, reference_.view(), undeformed_, columns);
    forces.add_to(device, reference_.view(), columns, particles.mass, acceleration);
    return {elastic_energy(device, reference_.view(), undeformed_, columns, forces.positions()),
            elastic_compression(device, reference_.view(), undeformed_, columns, forces.positions())};
}

Vec3f ElasticBodies::acceleration(const ParticleTable& particles, Index row) const {
    const std::uint32_t s = particles.elastic_index[row];
    if (s == no_index) return {};
    return forces_.force(reference_.view(), columns_, s) / particles.mass[row];
}

bool ElasticBodies::break_links(const Device& device, const ParticleTable& particles,
                                std::vector<std::uint32_t>& may_split) {
    if (empty() || !fracture_.possible()) return false;
    forces_.read(device, particles, columns_);
    fracture_.take_stresses(device, forces_.stresses());
    return follow_cut(device, particles, reference_.cut(device, fracture_.overloaded(forces_.places())),
                      may_split);
}

bool ElasticBodies::cut_links(const Device& device, const ParticleTable& particles, const CutPlane& cut,
                              std::vector<std::uint32_t>& may_split) {
    if (empty()) return false;
    const auto crosses = [&](Index s, const ReferenceBlock& block) {
        LaneMask out{};
        if (columns_.row[s] == vacant) return out;
        const Vec3f& x = particles.position[columns_.row[s]];
        for (Index l = 0; l < lane_count; ++l) {
            // Unused entries name the index itself.
            const Index other = block.neighbour[l];
            if (other != s && cut.separates(x, particles.position[columns_.row[other]])) out[l] = -1;
        }
        return out;
    };
    return follow_cut(device, particles, reference_.cut(device, crosses), may_split);
}

bool ElasticBodies::follow_cut(const Device& device, const ParticleTable& particles,
                               const std::vector<CutLink>& cut, std::vector<std::uint32_t>& may_split) {
    if (cut.empty()) return false;
    std::vector<Index> touched;
    for (const CutLink& link : cut) {
        if (touched.empty() || touched.back() != link.index) touched.push_back(link.index);
        // While both ends of every removed link have a neighbour in common, there is a path around each.
        if (!reference().share_neighbour(link.index, link.neighbour))
            may_split.push_back(particles.body[columns_.row[link.index]]);
    }
    refresh(device, touched);
    return true;
}

/// Each index around the rows, but the first, is linked to one before it: then all of them are connected with
/// the first.
bool ElasticBodies::holds_without(const Device& device, const ParticleTable& particles,
                                  View<const Index> rows) const {
    std::vector<Index> indices;
    for (const Index row : rows) indices.push_back(particles.elastic_index[row]);
    const std::vector<Index> around = reference_.with_neighbours(device, indices);
    std::vector<std::uint8_t> stays(reference_.size());
    for (const Index s : around) stays[s] = 1;
    for (const Index s : indices) stays[s] = 0;
    const Reference reference = reference_.view();
    int firsts = 0;
    for (std::size_t k = 0; k < around.size() && firsts < 2; ++k) {
        if (k + prefetch_ahead < around.size()) reference.prefetch_linked(around[k + prefetch_ahead]);
        const Index s = around[k];
        if (stays[s] && !reference.any_neighbour(s, [&](Index other) { return other < s && stays[other]; }))
            ++firsts;
    }
    return firsts == 1;
}

std::vector<Index> ElasticBodies::leave(const Device& device, ParticleTable& particles,
                                        View<const Index> rows) {
    if (rows.empty()) return {};
    std::vector<Index> left;
    for (const Index row : rows) left.push_back(particles.elastic_index[row]);
    std::vector<Index> touched = reference_.with_neighbours(device, left);
    reference_.detach(device, left, touched);
    for (const Index row : rows) {
        columns_.row[particles.elastic_index[row]] = vacant;
        columns_.body[particles.elastic_index[row]] = 0;
        particles.elastic_index[row] = no_index;
        particles.contact_slack[row] = 0;
        particles.position_low[row] = {};  // which only elastic particles have
    }
    read_particles(device, particles, left);
    refresh(device, touched);
    return touched;
}

std::vector<Index> ElasticBodies::join(const Device& device, ParticleTable& particles, View<const Index> rows,
                                       const BodyMerge& merge, const Neighbours& neighbours,
                                       View<const Packed4> rigid_frames) {
    if (rows.empty()) return {};
    std::vector<Index> newcomers, all;  // all: indices of the rows
    for (const Index i : rows) {
        if (particles.elastic_index[i] == no_index) newcomers.push_back(i);
    }
    const std::vector<Index> indices = take_indices(static_cast<Index>(newcomers.size()));
    for (std::size_t k = 0; k < indices.size(); ++k) particles.elastic_index[newcomers[k]] = indices[k];
    for (const Index i : rows) all.push_back(particles.elastic_index[i]);
    resize();
    for (const Index i : newcomers) {
        columns_.row[particles.elastic_index[i]] = i;
        columns_.body[particles.elastic_index[i]] = particles.body[i];
    }
    read_particles(device, particles, indices);
    for (const Index s : indices) {
        if (!yields_) continue;
        set_lane(columns_.plastic[s / lane_count].strain, s % lane_count, Mat3f{});
        columns_.plastic[s / lane_count].hourglass[s % lane_count] = 1;
    }
    undeformed_.harden(indices);
    BodyFrames{particles, neighbours, rigid_frames, support_}.give_rotations(newcomers, columns_);
    for (const Index s : indices) {
        if (columns_.tangent.empty()) break;
        Tangent& tangent = columns_.tangent[s / lane_count];
        set_lane(tangent.rotation, s % lane_count, quaternion_of(columns_.rotation[s]));
        tangent.stiffness[s % lane_count] = tangent.damping[s % lane_count] = 1;
    }

    reference_.add(device, new_links(device, particles, rows, merge, neighbours));
    std::vector<Index> touched = reference_.with_neighbours(device, all);
    refresh(device, touched);
    return touched;
}

/// New links take the state as it is for undeformed, seen in the frames of both ends: Xⱼᵢ = R̄ᵀ xⱼᵢ. [SSP07,
/// fig. 3] Each end finds its own; to the bit both find the opposite.
NewLinks ElasticBodies::new_links(const Device& device, const ParticleTable& particles,
                                  View<const Index> rows, const BodyMerge& merge,
                                  const Neighbours& neighbours) const {
    const Marks joins(particles.size()), others(particles.size());
    for (const Index i : rows) joins.set(i);
    const auto h = static_cast<float>(influence_radius * support_);
    const Reference known = reference_.view();
    const auto find = [&](Index i, ReferenceLink* list) THIXO_ONE_BODY -> Index {
        const Index a = particles.elastic_index[i];
        Index count = 0;
        for (const Index j : neighbours.of(i)) {
            const std::uint32_t b = particles.elastic_index[j];
            if (b == no_index || !(joins[i] || joins[j])) continue;
            const Vec3f x = particles.position[j] - particles.position[i];
            if (!(norm2(x) < h * h) || known.linked_at_either(a, b) || !merge.linkable(i, j)) continue;
            Quaternion<double> mean = quaternion_of(columns_.rotation[a]);
            add_aligned(mean, quaternion_of(columns_.rotation[b]));
            list[count++] = {b, to_float(turned_back(mean, to_double(x)))};
            if (!joins[j]) others.set(j);
        }
        return count;
    };
    NewLinks out;
    const auto add = [&](View<const Index> of_rows) {
        std::vector<Index> indices, most;
        for (const Index i : of_rows) {
            indices.push_back(particles.elastic_index[i]);
            most.push_back(neighbours.count(i));
        }
        out.add(device, indices, most, [&](Index k, ReferenceLink* list) {
            neighbours.prefetch_after(of_rows, k);
            return find(of_rows[k], list);
        });
    };
    add(rows);
    add(others.rows());
    return out;
}

std::vector<Index> ElasticBodies::take_indices(Index count) {
    std::vector<Index> out;
    for (Index s = 0; s < reference_.size() && out.size() < count; ++s) {
        if (columns_.row[s] == vacant) out.push_back(s);
    }
    const Index more = count - static_cast<Index>(out.size()), first = reference_.size();
    reference_.add_indices(more);
    for (Index k = 0; k < more; ++k) out.push_back(first + k);
    return out;
}

FrameTurns ElasticBodies::unite_frames(const Device& device, const ParticleTable& particles,
                                       const BodyMerge& merge, const Neighbours& neighbours,
                                       View<const Packed4> rigid_frames) {
    if (!merge.joins_bodies()) return {};
    const BodyFrames frames{particles, neighbours, rigid_frames, support_};
    FrameTurns turns = frames.turns_to_unite(columns_, merge);
    if (turns.empty()) return {};
    const auto indices = indices_of_bodies(columns_, particles, merge.last_body());
    std::vector<Index> turned;
    for (const auto& [body, turn] : turns) {
        turn_frame(indices[body], turn, columns_, reference_);
        turned.insert(turned.end(), indices[body].begin(), indices[body].end());
    }
    std::sort(turned.begin(), turned.end());
    refresh(device, turned);
    return turns;
}

std::size_t ElasticBodies::bytes() const {
    return columns_.bytes() + reference_.bytes() + undeformed_.bytes() + forces_.bytes() + linear_.bytes() +
           fracture_.bytes();
}

}  // namespace thixo
