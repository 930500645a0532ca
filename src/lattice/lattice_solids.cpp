#include "lattice/lattice_solids.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/eight.h"
#include "core/symmetric_eigen.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

/// Fraction of the largest stable step of an intact lattice that is taken (docs/theory/lattice.md, "Time
/// step", has what was measured): particles that are pressed on each other without docking add to the
/// stiffness. At ω Δt = 1.4 the fastest vibration takes 4.5 steps.
constexpr double safety = 0.7;

/// Of that: rotations make the lattice nonlinear. Where it vibrates after an impact, ω Δt above 1 feeds its
/// fastest modes.
constexpr double nonlinear = 0.6;

/// Implicit steps may be so many times as long, as those of elastic bodies (elastic/frequency_bound.cpp).
constexpr double implicit_steps = 50;

/// Stable steps in which the docking rate of a free lattice point falls from its maximum to zero, unless a
/// material gives the time: κ of [WHP06] in units of the step. A point that the fastest vibration opens for
/// half of its period keeps nine tenths of its rate.
constexpr double steps_to_undock = 20;

template <class Work>
void measure(double& seconds, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds what forces on sites accelerate their rows by.
void accelerate(const Device& device, const LatticeSites& sites, View<const Vec3f> forces,
                View<Vec3f> acceleration) {
    launch<site_grain>(
        device, sites.size(),
        [=, row = View<const Index>(sites.row), mass = View<const float>(sites.mass)](Index s) {
            if (row[s] != LatticeSites::vacant) acceleration[row[s]] += forces[s] / mass[s];
        });
}

}  // namespace

LatticeSolids::LatticeSolids(const std::vector<Material>& materials, KernelName contact_kernel,
                             double support, int dimensions, double spacing, std::uint64_t seed,
                             bool implicit)
    : materials_(materials),
      implicit_(implicit),
      contact_{contact_kernel, support, dimensions},
      dimensions_(dimensions),
      spacing_(spacing),
      rest_volume_(rest_volume(contact_kernel, support, dimensions, Lattice::closest, spacing)),
      steepest_(VolumePressure::steepest(contact_, spacing)),
      docking_(dimensions, seed),
      stiffness_(docking_.points(), dimensions, spacing),
      moments_(moments_of_sets(docking_.points(), dimensions)) {
    for (const Material& material : materials_)
        fuses_.push_back(!(material.solid.docking_rate > 0) && !material.heat.melting_point);
}

/// Continuum moduli of the lattice (nearest neighbours, Poisson's ratio 0): E = √3 k in 2D, 2√2 k/D in 3D. A
/// bond that is pulled like the continuum around it carries the stress on k D/E.
void LatticeSolids::find_constants() {
    const double d = spacing_;
    const double bond_area = dimensions_ == 2 ? d / std::sqrt(3.0) : d * d / (2 * std::sqrt(2.0));
    constants_.assign(materials_.size(), {});
    damped_ = breakable_ = tears_ = false;
    for (std::size_t m = 0; m < materials_.size(); ++m) {
        const SolidSettings& solid = materials_[m].solid;
        if (std::isinf(sites_.lightest[m])) continue;
        LatticeConstants& out = constants_[m];
        const double k = solid.young_modulus * bond_area / d;
        const double reach = (solid.reach > 0 ? solid.reach : dimensions_ == 2 ? 1.5 : 1.3) * d;
        out.stiffness = static_cast<float>(k);
        out.damping = static_cast<float>(0.5 * k * solid.damping);
        out.reach2 = static_cast<float>(reach * reach);
        out.pressed = static_cast<float>(VolumePressure::stiffness * solid.young_modulus /
                                         materials_[m].density * steepest_ * steepest_);
        damped_ |= solid.damping > 0;
        if (!(solid.docking_rate > 0)) continue;
        breakable_ = true;
        const double time = solid.docking_time > 0 ? solid.docking_time
                                                   : steps_to_undock * stable_step(out, sites_.lightest[m]);
        out.docking_rate = static_cast<float>(solid.docking_rate);
        out.rate_change = static_cast<float>(solid.docking_rate / time);
        const bool tears = solid.break_stress > 0;
        tears_ |= tears;
        out.breaking_pull = tears ? static_cast<float>(solid.break_stress * bond_area)
                                  : std::numeric_limits<float>::infinity();
    }
}

void LatticeSolids::create(const Device& device, ParticleTable& particles, View<const Mat3d> orientations) {
    LatticeState state;
    for (Index i = 0; i < particles.size(); ++i) {
        const bool here = particles.phase[i] == Phase::elastic &&
                          materials_[particles.material[i]].solid.model == SolidModel::lattice;
        particles.lattice_index[i] = here ? static_cast<std::uint32_t>(state.rotations.size()) : no_index;
        if (!here) continue;
        // Until bodies are numbered, those of one object may dock on each other.
        particles.body[i] = particles.object[i] + 1u;
        const Mat3d& turn = orientations[particles.object[i]];
        const Quaternion<double> q = quaternion(turn);
        const Vec3f v = to_float(q.v);
        state.deformations.push_back(to_float(turn));
        state.rotations.push_back({v.x, v.y, v.z, static_cast<float>(q.w)});
    }
    restore(device, particles, state);
    docking_.mark_all_fresh();
}

void LatticeSolids::restore(const Device& device, const ParticleTable& particles, const LatticeState& state) {
    const auto n = static_cast<Index>(state.rotations.size());
    sites_.row.assign(n, vacant);
    sites_.blocks.clear();
    docking_.clear();
    follow_sites(device, particles);
    for (Index s = 0; s < n; ++s) {
        SiteBlock& block = sites_.blocks[s / lane_count];
        const Index l = s % lane_count;
        const Packed4 q = state.rotations[s];
        set_lane(block.deformation, l, state.deformations[s]);
        block.rotation.v.x[l] = q.x;
        block.rotation.v.y[l] = q.y;
        block.rotation.v.z[l] = q.z;
        block.rotation.w[l] = q.w;
    }
    docking_.restore(state.rates, state.docked);
}

void LatticeSolids::follow_sites(const Device& device, const ParticleTable& particles) {
    sites_.read(device, particles, materials_);
    find_constants();
    sites_.resize_frames();
    docking_.resize(sites_.size(), breakable_, tears_);
    motion_.resize(sites_.size());
    x_.assign(sites_.size() + 1, padding_record);
    v_.assign(sites_.size() + 1, {});
    sums_.resize(sites_.size());
    loads_.resize(sites_.size() + 1);
    pushes_.resize(sites_.size());
}

void LatticeSolids::leave(const Device& device, ParticleTable& particles, View<const Index> rows) {
    if (rows.empty()) return;
    for (const Index row : rows) {
        sites_.row[particles.lattice_index[row]] = vacant;
        particles.lattice_index[row] = no_index;
        particles.contact_slack[row] = 0;
        particles.rim[row] = 0;
    }
    docking_.leave(device, sites_);
    follow_sites(device, particles);
}

void LatticeSolids::join(const Device& device, ParticleTable& particles, View<const Index> rows,
                         const Neighbours& neighbours) {
    if (rows.empty()) return;
    const std::vector<Index> sites = sites_.take(static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < sites.size(); ++k) particles.lattice_index[rows[k]] = sites[k];
    follow_sites(device, particles);
    docking_.mark_fresh(sites);
    for (const Index s : sites) sites_.softness[s] = 1;
    sites_.give_frames(particles, rows, neighbours, static_cast<float>(contact_.support));

    for (const Index i : rows) {
        const Index s = particles.lattice_index[i];
        for (const Index j : neighbours.of(i)) {
            const std::uint32_t other = particles.lattice_index[j];
            if (other == no_index) continue;
            const float reach2 =
                std::max(constants_[sites_.material[s]].reach2, constants_[sites_.material[other]].reach2);
            if (!(norm2(particles.position[j] - particles.position[i]) < reach2)) continue;
            docking_.add_touching(s, other);
            if (!docking_.is_fresh(other)) docking_.add_touching(other, s);
        }
    }
}

LatticeState LatticeSolids::state() const {
    LatticeState out;
    for (Index s = 0; s < sites_.size(); ++s) {
        const SiteBlock& block = sites_.blocks[s / lane_count];
        const Index l = s % lane_count;
        const Quaternion<Lanes>& q = block.rotation;
        out.deformations.push_back(lane(block.deformation, l));
        out.rotations.push_back({q.v.x[l], q.v.y[l], q.v.z[l], q.w[l]});
    }
    out.rates = docking_.rates();
    out.docked = docking_.docked();
    return out;
}

DockingPairs LatticeSolids::docking_pairs(const ParticleTable& particles) const {
    return {particles.lattice_index, particles.body, particles.object, particles.material, fuses_};
}

void LatticeSolids::collect(const Device& device, const ParticleTable& particles, const Neighbours& all) {
    if (empty()) return;
    sites_.find_rows(device, particles);
    docking_.collect(device, particles, sites_, docking_pairs(particles), all);
}

MatchInputs LatticeSolids::match_inputs(const std::vector<Packed4>& x, const std::vector<Packed4>& v) const {
    return {docking_.points(), dimensions_, spacing_,          moments_, constants_,
            damped_,           sites_,      docking_.docked(), x,        v};
}

BondForces LatticeSolids::forces(const std::vector<SiteMotion>& motion, const std::vector<Packed4>& v) const {
    return {.points = docking_.points(),
            .spacing = static_cast<float>(spacing_),
            .docked = {docking_.docked().data(), docking_.points().lanes()},
            .motion = motion.data(),
            .v = v.data(),
            .begin = docking_.near_begin(),
            .near = docking_.near(),
            .near_count = docking_.near_count(),
            .damped = damped_,
            .constants = constants_.data(),
            .material = sites_.material.data()};
}

VolumePressure LatticeSolids::volume_pressure(const std::vector<SiteMotion>& motion,
                                              const std::vector<Packed4>& x) const {
    return {.contact = contact_,
            .begin = docking_.candidates_begin(),
            .candidates = docking_.candidates(),
            .x = x,
            .motion = motion.data(),
            .volume = static_cast<float>(rest_volume_),
            .modulus = VolumePressure::stiffness *
                       static_cast<float>(dimensions_ == 2 ? std::sqrt(3.0) : 2 * std::sqrt(2.0) / spacing_)};
}

double LatticeSolids::energy(const Device& device) const {
    return forces(motion_, v_).energy(device, sites_.size(), spacing_) +
           volume_pressure(motion_, x_).energy(device, sums_);
}

void LatticeSolids::dock(const Device& device, ParticleTable& particles, double dt, std::uint64_t step) {
    if (empty()) return;
    measure(times_.assignment, [&] {
        sites_.pack(device, particles, x_, v_);
        docking_.assign(device, sites_, constants_, contact_, spacing_, x_, dt, step, particles.rim);
    });
    measure(times_.matching,
            [&] { match_neighbourhoods(device, match_inputs(x_, v_), sites_.blocks, motion_); });
    docking_.end_fresh();
    if (!implicit_) return;
    stiffness_.prepare(device, {.sites = sites_,
                                .motion = motion_.data(),
                                .docked = docking_.docked().data(),
                                .near_begin = docking_.near_begin(),
                                .near = docking_.near(),
                                .near_count = docking_.near_count(),
                                .damped = damped_});
}

void LatticeSolids::add_forces(const Device& device, const ParticleTable&, View<Vec3f> acceleration) {
    if (empty()) return;
    measure(times_.force, [&] {
        BondForces bonds = forces(motion_, v_);
        bonds.torn = docking_.torn();
        bonds.add(device, sites_, acceleration);
        const VolumePressure volume = volume_pressure(motion_, x_);
        volume.find_sums(device, sums_);
        pressed_ = volume.find_loads(device, sums_, loads_);
        if (pressed_) {
            volume.find_forces(device, loads_, pushes_);
            accelerate(device, sites_, pushes_, acceleration);
        }
        if (tears_) docking_.tear(device);
    });
}

Vec3f LatticeSolids::acceleration(const ParticleTable& particles, Index row) const {
    const std::uint32_t s = particles.lattice_index[row];
    if (s == no_index) return {};
    const float mass = sites_.mass[s];
    const Vec3f of_bonds = forces(motion_, v_)(s) / mass;
    return pressed_ ? of_bonds + pushes_[s] / mass : of_bonds;
}

LatticeSolids::Ledger LatticeSolids::evaluate(const Device& device, const ParticleTable& particles,
                                              View<Vec3f> acceleration) const {
    if (empty()) return {};
    std::vector<Packed4> x = x_, v = v_;
    std::vector<SiteBlock> blocks = sites_.blocks;
    std::vector<SiteMotion> motion = motion_;
    sites_.pack(device, particles, x, v);
    match_neighbourhoods(device, match_inputs(x, v), blocks, motion);
    const BondForces now = forces(motion, v);
    now.add(device, sites_, acceleration);
    const VolumePressure volume = volume_pressure(motion, x);
    std::vector<float> sums(sites_.size()), loads(sites_.size() + 1);
    volume.find_sums(device, sums);
    if (volume.find_loads(device, sums, loads)) {
        std::vector<Vec3f> pushes(sites_.size());
        volume.find_forces(device, loads, pushes);
        accelerate(device, sites_, pushes, acceleration);
    }
    const double compression = reduce_sum(device, sites_.size(), [&](Index s) {
        return sites_.row[s] == vacant ? 0.0 : std::max(0.0, double{sums[s]} - 1);
    });
    return {now.energy(device, sites_.size(), spacing_) + volume.energy(device, sums), compression};
}

bool LatticeSolids::cut_bonds(const Device& device, const ParticleTable& particles, const CutPlane& cut) {
    return docking_.cut(device, particles, sites_, cut);
}

bool LatticeSolids::collect_may_split(const ParticleTable& particles, std::vector<std::uint32_t>& may_split) {
    return docking_.take_lost([&](Index s) {
        const std::uint32_t body = particles.body[sites_.row[s]];
        if (std::find(may_split.begin(), may_split.end(), body) == may_split.end()) may_split.push_back(body);
    });
}

/// Symplectic Euler is stable while (ω Δt)² + 2 c Δt ≤ 4, with the highest frequency ω² = 9 k/m (hexagonal)
/// or 16 k/m (cubic closest packed) and the highest damping rate c = (z + 1) β/m. Longer steps than 1/c would
/// turn motion around instead of damping it [WHP06, sec. 3.5].
double LatticeSolids::stable_step(const LatticeConstants& constants, double mass) const {
    const double omega2 =
        (dimensions_ == 2 ? 9 : 16) * double{constants.stiffness} / mass + double{constants.pressed};
    const double c = (docking_.points().count() + 1) * double{constants.damping} / mass;
    const double wave = 4 / (c + std::sqrt(c * c + 4 * omega2));
    return std::min(safety * wave, c > 0 ? 1 / c : wave);
}

void LatticeSolids::limit_time_step(TimeStepLimit& limit) const {
    for (std::size_t m = 0; m < constants_.size(); ++m) {
        if (std::isinf(sites_.lightest[m])) continue;
        LatticeConstants constants = constants_[m];
        if (implicit_) constants.damping = 0;
        limit.tighten(
            (implicit_ ? implicit_steps : 1) * nonlinear * stable_step(constants, sites_.lightest[m]),
            [&] { return fmt::format("lattice of `{}`", materials_[m].name); });
    }
}

Sym3f LatticeSolids::strain(Index site) const {
    // R of the forces belongs to Σ x lᵀ and not to A: where lattice points are free they differ, so it is not
    // used here.
    const Mat3d a = to_double(lane(sites_.blocks[site / lane_count].deformation, site % lane_count));
    const SymmetricEigen square = symmetric_eigen(a * transposed(a));
    const auto stretch = [](const Vec3d& axis, double value) {
        return outer(axis, axis) * (std::sqrt(value) - 1);
    };
    return Sym3f(to_float(stretch(square.vectors.x, square.values.x) +
                          stretch(square.vectors.y, square.values.y) +
                          stretch(square.vectors.z, square.values.z)));
}

std::size_t LatticeSolids::bytes() const {
    return sites_.bytes() + docking_.bytes() + stiffness_.bytes() +
           bytes_of(x_, v_, motion_, moments_, sums_, loads_, pushes_);
}

}  // namespace thixo
