#pragma once

#include <vector>

#include "core/launch.h"
#include "particles/table.h"
#include "rigid/rigid_state.h"

namespace thixo {

/// The position of a row in double precision, where the table has it.
Vec3d exact_position(const ParticleTable& particles, Index row);

/// Rows that changed their rigid clusters: what becomes of the bodies and their members. Work is proportional to the rows that
/// moved where that is possible: members that stay are moved in runs, and masses and momenta follow from those of the rows that
/// came and went.
class RigidRegrouping {
public:
    static constexpr Index none = 0xffffffff;

    /// What a body has of the one it comes from.
    struct Origin {
        Index body;   ///< its index before, or `none`
        Mat3d back;   ///< from the world to its own frame
        Vec3d shift;  ///< of its members' places
    };

    /// Finds the rows that moved. `row` and `body` are those of each member before; `newcomers` are rows in a cluster that are not
    /// members.
    RigidRegrouping(const Device& device, const ParticleTable& particles, const RigidState& state,
                    View<const Index> row, View<const Index> body, View<const Index> newcomers);

    /// All rows that left a body or joined one.
    const std::vector<Index>& moved() const { return moves_.rows; }

    /// Brings members into the new order, and assembles the bodies whose members changed: with the momentum and angular momentum of
    /// their particles. `row` becomes the row of each member; members that came are still to be filled in. A body does not spin
    /// about an axis that its particles are nearer to than `thinnest` (m).
    void apply(double thinnest, std::vector<Index>& row, RigidState& state);

    /// Whether a member of a body belonged to the one that this comes from.
    bool stays(Index member, Index body) const {
        const Index k = order_.known[member];
        return k != none && last_.body[k] == origins_[body].body;
    }
    const Origin& origin(Index body) const { return origins_[body]; }

private:
    struct Moves {
        std::vector<Index> rows;    ///< all rows that moved
        std::vector<Index> gone;    ///< members that left their body
        std::vector<Index> come;    ///< rows that joined one, by body and id
        std::vector<Index> member;  ///< the member that each of those was before, or `none`
    };
    /// Members that stay side by side: where they were, and where they are now.
    struct Run {
        Index from, to, count;
    };
    /// The rows in bodies, body after body, each by id; and which member each was before, or `none`.
    struct Order {
        std::vector<Index> row, known;
        std::vector<Run> runs;        ///< of members that did not move
        std::vector<Index> arrivals;  ///< places of rows that came
    };
    /// The bodies before rows moved; body and row of each member.
    struct Last {
        std::vector<RigidBody> bodies;
        std::vector<Index> body, row;
    };
    /// The rows of a body, and those that left and joined it.
    struct Membership {
        View<const Index> rows;
        std::vector<Index> left, joined;
    };

    Order reorder(const RigidState& state, View<const Index> row, View<const Index> body) const;
    void move_members(std::vector<RigidMember>& members) const;
    void assemble_bodies(double thinnest, View<const Index> row, std::vector<RigidBody>& bodies);
    Membership membership(View<const Index> rows, View<const Index> known, Index origin) const;
    RigidBody assemble_rows(const Membership& now, const RigidBody* origin, double thinnest) const;

    const Device& device_;
    const ParticleTable& particles_;
    View<const Index> body_;
    Moves moves_;
    Order order_;
    Last last_;
    std::vector<Origin> origins_;
};

}  // namespace thixo
