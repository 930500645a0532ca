#include "elastic/elastic_bodies.h"

#include <algorithm>
#include <numeric>

#include "core/eight.h"
#include "core/rotation.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

ElasticBodies::ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                             KernelName contact_kernel, double support, int dimensions, double spacing)
    : materials_(materials),
      methods_(methods),
      contact_kernel_(contact_kernel),
      support_(support),
      dimensions_(dimensions),
      spacing_(spacing),
      fracture_(materials) {
    for (const Material& material : materials) {
        damped_ |= material.solid.damping > 0;
        turned_by_mass_ |= material.solid.model == SolidModel::corotated;
        yields_ |= material.solid.elastic_limit > 0;
    }
}

void ElasticBodies::create(const Device& device, ParticleTable& particles, const Neighbours& neighbours) {
    Index slots = 0;
    for (Index i = 0; i < particles.size(); ++i)
        particles.slot[i] = particles.phase[i] == Phase::elastic &&
                                    materials_[particles.material[i]].solid.model != SolidModel::lattice
                                ? slots++
                                : no_slot;
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
    restore(device, particles, {std::move(count), std::move(links), {}, {}});
}

void ElasticBodies::restore(const Device& device, const ParticleTable& particles, const ElasticState& state) {
    reference_.assign(state.link_counts, state.links);
    row_.clear();
    blocks_.clear();
    rotation_.clear();
    plastic_.clear();
    softness_.clear();
    resize_slots();
    std::vector<Index> all(reference_.size());
    std::iota(all.begin(), all.end(), Index{0});
    pack(device, particles);
    read_slots(device, particles, all);
    refresh(device);
    std::copy(state.rotations.begin(), state.rotations.end(), rotation_.begin());
    for (Index s = 0; s < state.plastic_strains.size(); ++s) {
        set_lane(plastic_[s / lane_count].strain, s % lane_count, state.plastic_strains[s].full());
    }
}

ElasticState ElasticBodies::state() const {
    ElasticState out{reference_.counts(), reference_.links(), rotation_, {}};
    out.rotations.resize(reference_.size());
    for (Index s = 0; s < reference_.size() && !plastic_.empty(); ++s) {
        out.plastic_strains.push_back(Sym3f(lane(plastic_[s / lane_count].strain.full(), s % lane_count)));
    }
    return out;
}

void ElasticBodies::resize_slots() {
    const Index n = reference_.size();
    row_.resize(n, vacant);
    material_.resize(n);
    mass_.resize(n);
    radius_.resize(n);
    contact_volume_.resize(n);
    cell_.resize(n);
    volume_.resize(n);
    share_.resize(n);
    bounds_.resize(n);
    own_bound_.resize(n);
    frequency_.resize(n);
    body_.resize(n);
    exerted_.resize(n);
    x_.resize(whole_blocks(n));
    rotation_.resize(whole_blocks(n), {0, 0, 0, 1});
    blocks_.resize(whole_blocks(n) / lane_count);
    if (turned_by_mass_) mass_moment_.resize(blocks_.size());
    if (!softness_.empty()) {
        softness_.resize(n, 1.f);
        full_.resize(n);
    }
    if (fracture_.by_stress()) stress_.resize(n);
    if (yields_) plastic_.resize(whole_blocks(n) / lane_count);
}

void ElasticBodies::read_slots(const Device& device, const ParticleTable& particles,
                               View<const Index> slots) {
    launch(device, static_cast<Index>(slots.size()), [this, &particles, slots](Index k) {
        const Index s = slots[k];
        const Index row = row_[s];
        // Where nobody is, any numbers do that are none to stumble over.
        material_[s] = row == vacant ? std::uint16_t{0} : particles.material[row];
        mass_[s] = row == vacant ? 1.f : particles.mass[row];
        contact_volume_[s] = mass_[s] / static_cast<float>(materials_[material_[s]].density);
        radius_[s] = row == vacant ? static_cast<float>(0.5 * spacing_) : particles.radius[row];
    });
    measure_cells(slots);
    set_limits(slots);
    fracture_.prepare(device, material_);
}

void ElasticBodies::locate(const Device& device, const ParticleTable& particles) {
    launch(device, particles.size(),
           [slot = View<const std::uint32_t>(particles.slot), row = View(row_)](Index i) {
               if (slot[i] != no_slot) row[slot[i]] = i;
           });
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

bool ElasticBodies::break_links(const Device& device, const ParticleTable& particles,
                                std::vector<std::uint32_t>& may_split) {
    if (empty() || !fracture_.possible()) return false;
    pack(device, particles);
    fracture_.take_stresses(device, stress_);
    const std::vector<CutLink> cut = reference_.cut(device, fracture_.overloaded(places()));
    if (cut.empty()) return false;
    std::vector<Index> touched;
    for (const CutLink& link : cut) {
        if (touched.empty() || touched.back() != link.slot) touched.push_back(link.slot);
        // As long as both ends of every link that went have a neighbour in common, there is a way around each.
        if (!reference().share_neighbour(link.slot, link.neighbour))
            may_split.push_back(particles.body[row_[link.slot]]);
    }
    refresh(device, touched);
    return true;
}

Vec3f ElasticBodies::acceleration(const ParticleTable& particles, Index row) const {
    const std::uint32_t s = particles.slot[row];
    if (s == no_slot) return {};
    return force_on(reference_.view(), exerted_.data(), turn_[body_[s]], s) / particles.mass[row];
}

std::size_t ElasticBodies::bytes() const {
    return reference_.bytes() + fracture_.bytes() + (v_.capacity() + rotation_.capacity()) * sizeof(Packed4) +
           x_.capacity() * sizeof(Place) + turn_.capacity() * sizeof(Mat3f) +
           body_.capacity() * sizeof(std::uint32_t) + blocks_.capacity() * sizeof(SlotBlock) +
           full_.capacity() * (sizeof(Packed4) + sizeof(float)) +
           mass_moment_.capacity() * sizeof(Sym3<Lanes>) + stress_.capacity() * sizeof(Sym3f) +
           plastic_.capacity() * sizeof(PlasticBlock) + exerted_.capacity() * sizeof(Exerted) +
           response_.capacity() * sizeof(Response) + stiffness_links_.bytes() +
           row_.capacity() * sizeof(Index) + material_.capacity() * sizeof(std::uint16_t) +
           (mass_.capacity() + radius_.capacity() + contact_volume_.capacity() + cell_.capacity() +
            volume_.capacity() + share_.capacity() + own_bound_.capacity() + frequency_.capacity()) *
               sizeof(float) +
           bounds_.capacity() * sizeof(StiffnessBound);
}

}  // namespace thixo
