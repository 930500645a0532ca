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
#include "sph/discretisation.h"
#include "sph/half_space.h"
#include "sph/neighbours.h"

namespace thixo {

/// A particle of a rigid body.
struct RigidMember {
    std::uint32_t id;
    float mass;           ///< kg
    float volume;         ///< V⁰, m³
    float share;          ///< what its own body adds to its compression; V⁰ W(0) is not part of it
    std::uint32_t outer;  ///< 1: it is at the surface
    std::uint32_t flat;   ///< 1: in the middle of a flat part of it
    std::uint32_t faces;  ///< how many flat parts it belongs to: along edges two, at corners three
    Vec3f normal[3];      ///< of those, out of the body, in its own frame
    Vec3d place;          ///< in the body's own frame, from its centre, m
};

/// What rigid bodies remember from one step to the next; saved in checkpoints.
struct RigidState {
    std::vector<RigidBody> bodies;     ///< by number
    std::vector<RigidMember> members;  ///< body after body, each by id

    template <class Visit>
    void for_each_field(Visit&& visit) {
        visit(bodies, "rigid_bodies");
        visit(members, "rigid_members");
    }
};

/// What moves rigidly: one body for each number in the column `part` [SSP07, eq. 18–20]. Forces are gathered
/// from the particles, bodies move, and positions and velocities of the particles follow exactly:
///
///     F = Σᵢ mᵢ aᵢ,   τ = Σᵢ rᵢ × mᵢ aᵢ,   xᵢ = x̄ + R Xᵢ,   vᵢ = V + ω × rᵢ
///
/// Whoever changes velocities of single particles gives their bodies the momentum and angular momentum of the change (`take`).
class RigidBodies {
public:
    RigidBodies(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// Takes up the bodies as the parts of the rows say; these are where they were when `locate` was last called. Bodies whose
    /// particles are the same stay as they are; the others are assembled anew, with the momentum and angular momentum of their
    /// particles, and keep the frame that the first of these had. Rows get the velocities of their bodies. `neighbours` must hold
    /// the pairs within bodies.
    void regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours);
    /// The same where it is known which rows are in a body that were in none before.
    void regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours,
                 View<const Index> newcomers);

    /// Rows that were in another body, or in none, before the last `regroup`, or are in none now.
    View<const Index> moved() const { return moved_; }

    /// Takes up a saved state.
    void restore(const Device& device, const ParticleTable& particles, RigidState state);
    const RigidState& state() const { return state_; }

    /// Finds the rows of the members, after rows have changed their order.
    void locate(const Device& device, const ParticleTable& particles);

    bool empty() const { return state_.bodies.empty(); }
    View<const RigidBody> bodies() const { return state_.bodies; }
    View<RigidBody> bodies() { return state_.bodies; }
    View<const RigidMember> members() const { return state_.members; }
    View<const Index> rows() const { return row_; }  ///< of each member
    View<const Index> body_of_member() const { return owner_; }

    /// R of each row, as a quaternion; zero for those that are not rigid.
    std::vector<Packed4> frames_of_rows(Index rows) const;

    /// Gives the rigid parts of bodies, by number, other frames of their own: X ← C X, R ← R Cᵀ.
    void turn_frames(const ParticleTable& particles, const std::map<std::uint32_t, Mat3d>& turns);

    /// What its own body adds to the compression of a row. Walls do not press on rigid rows: contact is dealt with by itself.
    void add_shares(const Device& device, View<WallTerm> walls, View<WallMotion> motion) const;

    /// Sums up the accelerations of each body's rows, and replaces them by those of its rigid motion.
    void gather(const Device& device, View<Vec3f> acceleration);

    /// Accelerates the bodies for a while (s), and gives their rows the velocities.
    void kick(const Device& device, double span, ParticleTable& particles);

    /// Gives the rows the velocities of their bodies.
    void impose(const Device& device, ParticleTable& particles);

    /// Gives the bodies what the rows' velocities have changed by since they were imposed, and imposes the outcome.
    void take(const Device& device, ParticleTable& particles);

    /// The same among solvers' records, (x, ·), (V⁰v, ·) of each row: velocities become those of the rigid motion with the same
    /// momentum and angular momentum. A projection that is orthogonal in the kinetic energy: it never adds any.
    void bind(const Device& device, View<Packed4> records) const;

    /// Leads the bodies that something holds from one pose of it to another, in dt (s); with none at the velocity of the moment.
    void lead(View<const Pose> from, View<const Pose> to, double dt);

    /// Bodies of which somebody still holds a particle are led. One that was let go has the velocities of its rows.
    void follow_holds(const Device& device, const ParticleTable& particles);

    /// Moves the bodies, and puts their rows where they belong, with the velocities that belong there. Those that were let go start
    /// with the velocities that their rows have got.
    void advance(const Device& device, double dt, ParticleTable& particles);

    /// Nothing of a body may move farther than `distance` (m) in a step, nor any body turn by more than a fraction of a radian.
    void limit_time_step(double distance, TimeStepLimit& limit) const;

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
    void divide();
    std::vector<std::uint32_t> holds(const ParticleTable& particles) const;
    /// Rows that changed their bodies since these were last taken up.
    struct Moves {
        std::vector<Index> rows;    ///< all of them
        std::vector<Index> gone;    ///< members that are in their body no longer
        std::vector<Index> come;    ///< rows that are in one now, by body and id
        std::vector<Index> member;  ///< what each of those was before, or `nobody`
    };
    std::vector<Index> find_newcomers(const Device& device, const ParticleTable& particles) const;
    Moves find_moves(const Device& device, const ParticleTable& particles, View<const Index> newcomers) const;
    /// Members that stay side by side: where they were, and where they are now.
    struct Run {
        Index from, to, count;
    };
    /// The rows that are in bodies now, body after body, each by id; and which member each was before, or `nobody`.
    struct Order {
        std::vector<Index> row, known;
        std::vector<Run> runs;        ///< of those that did not move
        std::vector<Index> arrivals;  ///< where those are that have come
    };
    Order reorder(const ParticleTable& particles, const Moves& moves) const;
    /// The bodies before rows moved: bodies of members, and their rows.
    struct Last {
        std::vector<RigidBody> bodies;
        std::vector<Index> owner, row;
    };
    /// What a body has of the one it comes from.
    struct Origin {
        Index body;   ///< which it is, or `nobody`
        Mat3d back;   ///< into its own frame
        Vec3d shift;  ///< of its members' places
    };
    std::vector<Origin> assemble_bodies(const Device& device, const ParticleTable& particles,
                                        View<const Index> known, const Last& last, const Moves& moves);
    void move_members(const Order& order, const Moves& moves);
    Marks take_members(const Device& device, View<const Index> known, View<const Origin> origins,
                       View<const Index> last_owner, ParticleTable& particles);
    /// Who is in a body now, and who came and went since.
    struct Membership {
        View<const Index> rows;
        std::vector<Index> left, joined;
    };
    MassSums sum_up(const Device& device, const ParticleTable& particles, View<const Index> rows) const;
    RigidBody assemble_rows(const Device& device, const ParticleTable& particles, const Membership& now,
                            const RigidBody* origin) const;
    Membership membership(const ParticleTable& particles, View<const Index> rows, View<const Index> known,
                          Index origin, const Last& last, const Moves& moves) const;
    /// Describes the surface of bodies where it has changed: members are `fresh` that have no description yet.
    void find_surface(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                      const Moves& moves, const Marks& fresh);
    void record_rows(const Device& device, const ParticleTable& particles);
    template <class Visit>
    void visit_within(const Neighbours& neighbours, Index i, double reach, const Visit& visit) const;
    void prefetch_after(const Neighbours& neighbours, View<const Index> rows, std::size_t k) const;
    void describe_member(const ParticleTable& particles, const Neighbours& neighbours, Index member);
    void adopt_faces(const ParticleTable& particles, const Neighbours& neighbours, Index member);

    /// Σ over the members of each body of momentum(member) and r × momentum(member); the same bits for any number of threads.
    template <class Value>
    std::vector<Momentum> sum(const Device& device, View<const Frame> frame, const Value& momentum) const;

    std::vector<Material> materials_;
    std::vector<float> specific_volume_;  ///< of each material, m³/kg
    KernelName kernel_;
    double support_;
    int dimensions_;
    double spacing_;

    RigidState state_;
    std::vector<Index> row_, owner_;    ///< row and body of each member
    std::vector<Index> member_of_row_;  ///< as of the last `regroup`
    std::vector<Packed4> records_;      ///< (x, V⁰) of each row then
    std::vector<Index> moved_;
    std::vector<Block> blocks_;
    std::vector<Vec3f> imposed_;     ///< velocity of each member
    std::vector<Momentum> applied_;  ///< force and torque on each body, N, N m
};

}  // namespace thixo
