#pragma once

#include <vector>

#include "body/matter.h"
#include "core/launch.h"
#include "sim/forces.h"
#include "sim/stepper.h"

namespace thixo {

/// Velocities and elastic energy at the time of the positions.
struct Synchronised {
    std::vector<Vec3f> velocity;   ///< of each row, m/s
    double elastic_energy = 0;     ///< J
    double solid_compression = 0;  ///< Σ max(0, ρ/ρ₀ − 1) of elastic rows
};

/// What the last step did to velocities. Leapfrog leaves them half a step behind positions; the ledger needs
/// both at one time:
///
///     v(t) = v + ½ Δt (a + s)
///
/// a are the forces, those of elastic and lattice solids at the positions now, all others at those of the
/// last step. s is what solvers and contacts changed beside them, over the length of the kick. Impacts are no
/// forces and do not go on: s is left out where it is more than twice a.
class StepRecord {
public:
    /// Notes the velocities of rigid bodies before the kick (s).
    void begin(const RigidBodies& rigid, double kick);
    /// vᵢ ← vᵢ + Δt aᵢ. Notes the velocities before it, unless rows have steps of their own.
    void kick(const Device& device, const Rows& rows, const StepLengths& lengths, View<const Vec3f> a,
              View<Vec3f> v);
    /// Nothing is known of the rows any more: some came or went.
    void clear() { before_.clear(), bodies_.clear(), known_ = false; }

    /// The length of the steps of each row (s) if they differ, or that of all. With `end_with_step`
    /// velocities of liquids, rigid bodies and implicit elastic bodies are those of the end of the step
    /// already.
    struct Lengths {
        double step = 0;
        View<const float> own = {};
        bool end_with_step = false;
    };
    Synchronised synchronise(const Device& device, const Matter& matter, const Forces& forces,
                             const Lengths& lengths) const;

    template <class Visit>
    void visit_rows(const Visit& visit) {
        visit(before_);
    }
    std::size_t bytes() const { return before_.capacity() * sizeof(Vec3f); }

private:
    void synchronise_rigid(const RigidBodies& rigid, double half_step, View<Vec3f> velocity) const;

    struct Motion {
        Vec3d velocity, angular_momentum;
    };
    std::vector<Vec3f> before_;
    std::vector<Motion> bodies_;
    double kick_ = 0;
    bool known_ = false;
};

}  // namespace thixo
