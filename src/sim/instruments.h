#pragma once

#include <cstdint>
#include <vector>

#include "collide/walls.h"
#include "core/state.h"
#include "particles/table.h"
#include "rigid/contact.h"
#include "sim/model.h"
#include "sim/stepper.h"

namespace thixo {

/// What a probe of a force has gathered since the last frame.
struct ImpulseSum {
    Vec3d impulse;          ///< N s
    Vec3d angular_impulse;  ///< N m s, about the probe's `at`
    double seconds = 0;
};

/// Probes of forces: impulses between matter and obstacles, and between matter and what holds it, added up
/// over a frame. The force of a moment would be that of the last step alone, in which a body that rests on
/// the ground may just not touch it.
///
/// Rows are added in their order, which is the same for any number of threads.
class Instruments {
public:
    explicit Instruments(const Model& model);

    bool watch_walls() const { return walls_; }
    bool watch_holds() const { return holds_; }
    void begin_frame();

    /// What the pressure of walls gave rows, `push` (m/s), against ∇γ; and what moved them out of walls,
    /// with friction: the change from `before` (m/s).
    void add_walls(const Walls& walls, View<const WallTerm> terms, View<const float> push,
                   View<const Vec3f> before, const Rows& rows, const ParticleTable& particles, double reach);
    /// Contacts of rigid bodies with walls in a step of dt (s). `members`: row of each particle of rigid
    /// bodies.
    void add_rigid(const Walls& walls, View<const ContactMemory> contacts, View<const Index> rows,
                   const ParticleTable& particles, double dt);
    /// `acceleration` (m/s²) that forces would give kinematic rows, over their steps.
    void add_holds(View<const Vec3f> acceleration, const ParticleTable& particles, const Rows& rows,
                   const StepLengths& lengths);
    void advance(double dt);

    /// By probe of the model; of those that are no probes of forces, nothing.
    const std::vector<ImpulseSum>& sums() const { return sums_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("probes", self.sums_, StateOrder::listed);
    }

private:
    /// What a probe of a force listens to.
    struct Subject {
        std::int64_t obstacle = -1;
        std::uint32_t first_hold = 0, holds = 0;  ///< numbers of prescribed motions, from 1
    };

    void add_to_obstacle(std::uint32_t obstacle, const Vec3d& impulse, const Vec3d& x);

    std::vector<Probe> probes_;
    std::vector<Subject> subjects_;
    std::vector<ImpulseSum> sums_;
    bool walls_ = false, holds_ = false;
};

}  // namespace thixo
