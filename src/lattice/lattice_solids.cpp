#include "lattice/lattice_solids.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/eight.h"
#include "core/symmetric_eigen.h"
#include "lattice/docked.h"

namespace thixo {

namespace {

/// Fraction of the largest stable step of an intact lattice that is taken (docs/theory/lattice.md, "Time step"): particles that are pressed
/// on each other without docking add to the stiffness.
constexpr double safety = 0.7;

/// Of that: rotations make the lattice nonlinear. Where it vibrates after an impact, ω Δt above 1 feeds its fastest modes.
constexpr double nonlinear = 0.6;

/// Stable steps in which the docking rate of a free lattice point falls from its maximum to zero, unless a material gives the time: κ of
/// [WHP06] in units of the step.
constexpr double steps_to_undock = 20;

template <class Work>
void measure(double& seconds, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

LatticeSolids::LatticeSolids(const std::vector<Material>& materials, KernelName contact_kernel,
                             double support, int dimensions, double spacing, std::uint64_t seed)
    : materials_(materials),
      contact_kernel_(contact_kernel),
      support_(support),
      dimensions_(dimensions),
      spacing_(spacing),
      seed_(seed),
      points_(dimensions),
      moments_(moments_of_sets(points_, dimensions)) {
    for (const Material& material : materials_)
        fuses_.push_back(!(material.solid.docking_rate > 0) && !material.heat.melting_point);
}

/// Continuum moduli of the lattice (nearest neighbours, Poisson's ratio 0): E = √3 k in 2D, 2√2 k/D in 3D. A bond that is pulled
/// like the continuum around it carries the stress on k D/E.
void LatticeSolids::find_constants() {
    const double d = spacing_;
    const double bond_area = dimensions_ == 2 ? d / std::sqrt(3.0) : d * d / (2 * std::sqrt(2.0));
    constants_.assign(materials_.size(), {});
    damped_ = breakable_ = tears_ = false;
    for (std::size_t m = 0; m < materials_.size(); ++m) {
        const SolidSettings& solid = materials_[m].solid;
        if (std::isinf(lightest_[m])) continue;
        LatticeConstants& out = constants_[m];
        const double k = solid.young_modulus * bond_area / d;
        const double reach = (solid.reach > 0 ? solid.reach : dimensions_ == 2 ? 1.5 : 1.3) * d;
        out.stiffness = static_cast<float>(k);
        out.damping = static_cast<float>(0.5 * k * solid.damping);
        out.reach2 = static_cast<float>(reach * reach);
        damped_ |= solid.damping > 0;
        if (!(solid.docking_rate > 0)) continue;
        breakable_ = true;
        const double time =
            solid.docking_time > 0 ? solid.docking_time : steps_to_undock * stable_step(out, lightest_[m]);
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
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{1});
    any_fresh_ = true;
}

void LatticeSolids::restore(const Device& device, const ParticleTable& particles, const LatticeState& state) {
    const auto n = static_cast<Index>(state.rotations.size());
    row_.assign(n, vacant);
    blocks_.clear();
    rates_.clear();
    docked_.clear();
    begin_.clear();
    read_particles(device, particles);
    find_constants();
    resize_sites(n);
    for (Index s = 0; s < n; ++s) {
        SiteBlock& block = blocks_[s / lane_count];
        const Index l = s % lane_count;
        const Packed4 q = state.rotations[s];
        set_lane(block.deformation, l, state.deformations[s]);
        block.rotation.v.x[l] = q.x;
        block.rotation.v.y[l] = q.y;
        block.rotation.v.z[l] = q.z;
        block.rotation.w[l] = q.w;
    }
    std::copy(state.rates.begin(), state.rates.end(), rates_.begin());
    std::copy(state.docked.begin(), state.docked.end(), docked_.begin());
}

/// Makes room for so many sites; new ones are unturned, hold no particle and have no candidates.
void LatticeSolids::resize_sites(Index n) {
    SiteBlock unturned{};
    for (Index l = 0; l < lane_count; ++l) set_lane(unturned.deformation, l, identity<float>());
    unturned.rotation.w = spread<Lanes>(1.f);
    blocks_.resize(whole_blocks(n) / lane_count, unturned);
    rates_.resize(breakable_ ? std::size_t{n} * points_.count() + lane_count : 0, 0);
    docked_.resize(std::size_t{n} * points_.lanes(), no_index);
    softness_.resize(n, 1.f);
    fresh_.resize(n, 0);
    motion_.resize(n);
    contact_sum_.resize(n);
    torn_.resize(tears_ ? n : 0);
    lost_.resize(breakable_ ? n : 0);
    begin_.resize(n + 1, begin_.empty() ? 0 : begin_.back());
    near_begin_.resize(n + 1);
    near_count_.resize(n);
}

LatticeState LatticeSolids::state() const {
    LatticeState out;
    for (Index s = 0; s < size(); ++s) {
        const SiteBlock& block = blocks_[s / lane_count];
        const Index l = s % lane_count;
        const Quaternion<Lanes>& q = block.rotation;
        out.deformations.push_back(lane(block.deformation, l));
        out.rotations.push_back({q.v.x[l], q.v.y[l], q.v.z[l], q.w[l]});
    }
    if (breakable_) out.rates.assign(rates_.begin(), rates_.end() - lane_count);
    out.docked = docked_;
    return out;
}

void LatticeSolids::read_particles(const Device& device, const ParticleTable& particles) {
    id_.resize(size());
    material_.resize(size());
    mass_.resize(size());
    volume_.resize(size());
    x_.assign(size() + 1, padding_record);
    v_.assign(size() + 1, {});
    find_rows(device, particles);
    lightest_.assign(materials_.size(), std::numeric_limits<double>::infinity());
    for (Index s = 0; s < size(); ++s) {
        const Index i = row_[s];
        // Where no particle is, any finite numbers will do.
        id_[s] = material_[s] = 0;
        mass_[s] = 1;
        volume_[s] = 0;
        if (i == vacant) continue;
        id_[s] = particles.id[i];
        material_[s] = particles.material[i];
        mass_[s] = particles.mass[i];
        volume_[s] = static_cast<float>(mass_[s] / materials_[material_[s]].density);
        lightest_[material_[s]] = std::min(lightest_[material_[s]], double{mass_[s]});
    }
}

void LatticeSolids::find_rows(const Device& device, const ParticleTable& particles) {
    launch(device, particles.size(),
           [site = View<const std::uint32_t>(particles.lattice_index), row = View(row_)](Index i) {
               if (site[i] != no_index) row[site[i]] = i;
           });
}

void LatticeSolids::pack(const Device& device, const ParticleTable& particles, std::vector<Packed4>& to_x,
                         std::vector<Packed4>& to_v) const {
    launch(device, size(),
           [row = View<const Index>(row_), x = View<const Vec3f>(particles.position),
            v = View<const Vec3f>(particles.velocity), volume = View<const float>(volume_),
            x_out = View(to_x), v_out = View(to_v)](Index s) {
               if (row[s] == vacant) return;
               const Vec3f &x_here = x[row[s]], &v_here = v[row[s]];
               x_out[s] = {x_here.x, x_here.y, x_here.z, volume[s]};
               v_out[s] = {v_here.x, v_here.y, v_here.z, 0};
           });
}

LatticeSolids::DockingPairs LatticeSolids::docking_pairs(const ParticleTable& particles) const {
    return {particles.lattice_index, particles.body, particles.object, particles.material, fuses_};
}

void LatticeSolids::collect(const Device& device, const ParticleTable& particles, const Neighbours& all) {
    if (empty()) return;
    find_rows(device, particles);
    const DockingPairs may_dock = docking_pairs(particles);
    const View<const Index> row(row_);
    const View<std::size_t> begin(begin_);
    launch(device, size(), [=](Index s) {
        Index count = 0;
        if (row[s] == vacant) {
            begin[s + 1] = 0;
            return;
        }
        for (const Index j : all.of(row[s])) count += may_dock(row[s], j);
        begin[s + 1] = whole_blocks(count);
    });
    for (Index s = 0; s < size(); ++s) begin_[s + 1] += begin_[s];
    candidates_.resize(begin_.back());
    launch(device, size(),
           [=, site = View<const std::uint32_t>(particles.lattice_index), n = size(),
            out = View(candidates_)](Index s) {
               if (row[s] == vacant) return;
               std::size_t next = begin[s];
               for (const Index j : all.of(row[s]))
                   if (may_dock(row[s], j)) out[next++] = site[j];
               while (next < begin[s + 1]) out[next++] = n;
           });
}

void LatticeSolids::dock(const Device& device, ParticleTable& particles, double dt, std::uint64_t step) {
    if (empty()) return;
    measure(times_.assignment, [&] {
        pack(device, particles, x_, v_);
        assign(device, particles, dt, step);
    });
    measure(times_.matching, [&] { match(device, x_, v_, blocks_, motion_); });
    if (!any_fresh_) return;
    std::fill(fresh_.begin(), fresh_.end(), std::uint8_t{0});
    any_fresh_ = false;
    touching_.clear();
}

void LatticeSolids::add_forces(const Device& device, const ParticleTable&, View<Vec3f> acceleration) {
    if (empty()) return;
    measure(times_.force, [&] {
        exert(device, acceleration);
        if (tears_) tear(device);
    });
}

bool LatticeSolids::holds(Index s, Index other) const {
    const Docked docked{docked_.data(), points_.lanes()};
    return docked.point(s, other) < points_.count() || docked.point(s, other | failed_draw) < points_.count();
}

bool LatticeSolids::collect_may_split(const ParticleTable& particles, std::vector<std::uint32_t>& may_split) {
    bool any = false;
    for (Index s = 0; s < lost_.size(); ++s) {
        if (lost_[s] == 0) continue;
        lost_[s] = 0;
        any = true;
        const std::uint32_t body = particles.body[row_[s]];
        if (std::find(may_split.begin(), may_split.end(), body) == may_split.end()) may_split.push_back(body);
    }
    return any;
}

/// Symplectic Euler is stable while (ω Δt)² + 2 c Δt ≤ 4, with the highest frequency ω² = 9 k/m (hexagonal) or 16 k/m (cubic closest
/// packed) and the highest damping rate c = (z + 1) β/m. Longer steps than 1/c would turn motion around instead of damping it
/// [WHP06, sec. 3.5].
double LatticeSolids::stable_step(const LatticeConstants& constants, double mass) const {
    const double omega2 = (dimensions_ == 2 ? 9 : 16) * double{constants.stiffness} / mass;
    const double c = (points_.count() + 1) * double{constants.damping} / mass;
    const double wave = 4 / (c + std::sqrt(c * c + 4 * omega2));
    return std::min(safety * wave, c > 0 ? 1 / c : wave);
}

void LatticeSolids::limit_time_step(TimeStepLimit& limit) const {
    for (std::size_t m = 0; m < constants_.size(); ++m) {
        if (std::isinf(lightest_[m])) continue;
        limit.tighten(nonlinear * stable_step(constants_[m], lightest_[m]),
                      [&] { return fmt::format("lattice of `{}`", materials_[m].name); });
    }
}

Sym3f LatticeSolids::strain(Index site) const {
    // R of the forces belongs to Σ x lᵀ and not to A: where lattice points are free they differ, so it is not used here.
    const Mat3d a = to_double(lane(blocks_[site / lane_count].deformation, site % lane_count));
    const SymmetricEigen square = symmetric_eigen(a * transposed(a));
    const auto stretch = [](const Vec3d& axis, double value) {
        return outer(axis, axis) * (std::sqrt(value) - 1);
    };
    return Sym3f(to_float(stretch(square.vectors.x, square.values.x) +
                          stretch(square.vectors.y, square.values.y) +
                          stretch(square.vectors.z, square.values.z)));
}

std::size_t LatticeSolids::bytes() const {
    const auto of = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
    return of(row_) + of(id_) + of(material_) + of(mass_) + of(volume_) + of(blocks_) + of(rates_) +
           of(begin_) + of(candidates_) + of(x_) + of(v_) + of(near_begin_) + of(near_) + of(near_count_) +
           of(docked_) + of(softness_) + of(fresh_) + of(motion_) + of(contact_sum_) + of(torn_) + of(lost_) +
           of(moments_);
}

}  // namespace thixo
