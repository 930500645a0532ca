#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/launch.h"
#include "core/marks.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "geometry/pose.h"
#include "particles/material.h"
#include "particles/table.h"
#include "rigid/rigid_body.h"
#include "rigid/rigid_regrouping.h"
#include "rigid/rigid_state.h"
#include "rigid/rigid_surface.h"
#include "sph/discretisation.h"
#include "sph/half_space.h"
#include "sph/neighbours.h"

namespace thixo {

/// Rigid bodies, one for each rigid cluster [SSP07, eq. 18–20]. Forces are gathered from the particles,
/// bodies move, and positions and velocities of the particles follow exactly:
///
///     F = Σᵢ mᵢ aᵢ,   τ = Σᵢ rᵢ × mᵢ aᵢ,   xᵢ = x̄ + R Xᵢ,   vᵢ = V + ω × rᵢ
///
/// A solver that changes velocities of single particles gives their bodies the momentum and angular momentum
/// of the change (`project_velocities`).
class RigidBodies {
public:
    RigidBodies(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Makes the bodies those of the rigid clusters in the table; rows are in the order of the last `locate`.
    /// Bodies with the same particles stay as they are; the others are assembled anew, with the momentum and
    /// angular momentum of their particles, and keep the frame of the first of these. Rows get the velocities
    /// of their bodies. `neighbours` must hold the pairs within bodies.
    void regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours);
    /// The same where the rows are known that are in a body now and were in none before.
    void regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours,
                 View<const Index> newcomers);

    /// Rows that were in another body, or in none, before the last `regroup`, or are in none now.
    View<const Index> moved() const { return moved_; }

    /// Restores a saved state.
    void restore(const Device& device, const ParticleTable& particles);
    const RigidState& state() const { return state_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit_state(self.state_, visit);
    }

    /// Finds the rows of the members, after rows have changed their order.
    void locate(const Device& device, const ParticleTable& particles);

    bool empty() const { return state_.bodies.empty(); }
    View<const RigidBody> bodies() const { return state_.bodies; }
    View<RigidBody> bodies() { return state_.bodies; }
    View<const RigidMember> members() const { return state_.members; }
    View<const Index> rows() const { return row_; }  ///< of each member
    View<const Index> body_of_member() const { return body_; }

    /// Acceleration of a body and rate of its spin by the gathered forces, m/s², rad/s²; 0 if it is
    /// kinematic.
    struct Rate {
        Vec3d linear, angular;
    };
    Rate rate(Index body) const;

    /// R of each row, as a quaternion; zero for those that are not rigid.
    std::vector<Packed4> frames_of_rows(Index rows) const;

    /// Turns the frames of the rigid clusters of bodies, by number: X ← C X, R ← R Cᵀ.
    void turn_frames(const ParticleTable& particles, const std::map<std::uint32_t, Mat3d>& turns);

    /// Adds what the same body contributes to the compression of a row. Walls do not press on rigid rows:
    /// their contacts are solved for.
    void add_own_compression(const Device& device, View<WallTerm> walls, View<WallMotion> motion) const;

    /// Sums up the accelerations of each body's rows, and replaces them by those of its rigid motion.
    void gather_forces(const Device& device, View<Vec3f> acceleration);

    /// Accelerates the bodies for `span` s by the gathered forces, and scatters the velocities.
    void kick(const Device& device, double span, ParticleTable& particles);

    /// Velocity of each body behind the last kick, m/s.
    View<const Vec3d> kicked() const { return kicked_; }

    /// Gives the rows the velocities of their bodies.
    void scatter_velocities(const Device& device, ParticleTable& particles);

    /// Projects the velocities of the rows on rigid motions: bodies get the momentum of all changes since
    /// velocities were last scattered, and the result is scattered.
    void project_velocities(const Device& device, ParticleTable& particles);

    /// The same among solvers' records, (x, ·), (V⁰v, ·) of each row: velocities become those of the rigid
    /// motion with the same momentum and angular momentum. A projection that is orthogonal in the kinetic
    /// energy: it never adds any. Returns velocities and spins of the bodies.
    struct Velocity {
        Vec3d linear, spin;
    };
    std::vector<Velocity> project_records(const Device& device, View<Packed4> records) const;
    /// Gives the rows the velocities of such motions.
    void scatter_records(const Device& device, View<const Velocity> motion, View<Packed4> records) const;

    /// Adds to what was gathered, N and N m.
    void add_force(Index body, const Vec3d& force, const Vec3d& torque);
    /// Changes the motions of free bodies; rows follow with the next `scatter_velocities`.
    void change_velocity(Index body, const Velocity& change);

    /// Gives kinematic bodies the velocity of their motion from one pose to another in dt (s); with dt = 0
    /// that of the moment.
    void prescribe_motion(View<const Pose> from, View<const Pose> to, double dt);

    /// A body is kinematic if one of its particles is. One that was released gets the momentum of its rows.
    void update_kinematic(const Device& device, const ParticleTable& particles);

    /// Moves the bodies, and their rows with them. Released bodies start with the momentum of their rows.
    void advance(const Device& device, double dt, ParticleTable& particles);

    /// Nothing of a body may move farther than `distance` (m) in a step, to which `gain` (m/s²) adds, nor
    /// any body turn by more than a fraction of a radian.
    void limit_time_step(double distance, TimeStepLimit& limit, double gain = 0) const;

    std::size_t bytes() const;

private:
    /// Members of one body that are summed up together.
    struct Block {
        Index body, begin, end;
    };
    struct Momentum {
        Vec3d linear, angular;
    };
    /// A body as its members read it.
    struct Frame {
        Mat3d turn;
        Vec3d center, velocity, spin;

        Vec3d arm(const RigidMember& member) const { return turn * member.place; }
        Vec3d velocity_at(const Vec3d& r) const { return velocity + cross(spin, r); }
    };

    std::vector<Frame> frames() const;
    void list_members();
    std::vector<std::uint32_t> kinematic_ids(const ParticleTable& particles) const;
    std::vector<Index> find_newcomers(const Device& device, const ParticleTable& particles) const;
    /// Fills in new members, and gives all rows the velocities of their bodies. Returns which members are
    /// new.
    Marks update_members(const Device& device, const RigidRegrouping& regrouping, ParticleTable& particles);

    /// Σ over the members of each body of momentum(member) and r × momentum(member); the same bits for any
    /// number of threads.
    template <class Value>
    std::vector<Momentum> sum(const Device& device, View<const Frame> frame, const Value& momentum) const;

    std::vector<Material> materials_;
    double spacing_;
    RigidSurface surface_;

    RigidState state_;
    std::vector<Index> row_, body_;     ///< row and body of each member
    std::vector<Index> member_of_row_;  ///< as of the last `regroup`
    std::vector<Index> moved_;
    std::vector<Block> blocks_;
    std::vector<Vec3f> scattered_;   ///< velocity of each member
    std::vector<Momentum> applied_;  ///< force and torque on each body, N, N m
    std::vector<Vec3d> kicked_;      ///< velocity of each body behind the last kick, m/s
};

}  // namespace thixo
