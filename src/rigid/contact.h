#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/mat3.h"
#include "core/view.h"

namespace thixo {

/// A participant of contacts: a rigid body, or a particle of an elastic one, which has no spin.
struct Mover {
    double inverse_mass = 0;        ///< 0: it gives way to no_mover
    Mat3d inverse_inertia{};        ///< in the world
    Vec3d center;                   ///< m
    Vec3d velocity, spin;           ///< m/s, rad/s, in the middle of the step, or at its end
    Vec3d acceleration, spin_rate;  ///< by forces, m/s², rad/s²
    bool corrects = true;           ///< whether overlap may be resolved by shifting it
    bool late = false;              ///< velocities are those of the end of the step, by forces alone
    bool carried = false;           ///< a contact that lasts acts on it: found by the solver

    Vec3d impulse, angular_impulse;  ///< that the solver found, N s, N m s
    Vec3d shift, turn;               ///< m/s, rad/s: what resolves overlap; not kept after the step

    Vec3d velocity_at(const Vec3d& arm) const { return velocity + cross(spin, arm); }
};

inline constexpr std::uint32_t no_mover = 0xffffffff;

/// A place where a body touches, or is about to touch, another mover or a wall.
struct Contact {
    std::uint32_t a = 0, b = no_mover;  ///< movers; without b it is a wall
    std::uint32_t id = 0,
                  other = 0;  ///< particle of a; particle of b, or the wall's number from the top down
    Vec3d normal;             ///< unit vector, from b to a
    Vec3d point;              ///< m
    double gap = 0;           ///< m; below 0 they overlap
    Vec3d drive;              ///< velocity of the wall, m/s
    double friction = 0, restitution = 0;
};

/// Impulses of a contact in the last step: the warm start of the next. Saved in checkpoints.
struct ContactMemory {
    std::uint32_t id, other;
    Vec3d impulse;  ///< N s, on a, over the length of the step: N
};

struct ContactSettings {
    double spacing;  ///< m
    double slow;     ///< m/s: below this speed contacts do not bounce
    int least_iterations = 8, most_iterations = 100;
    double error = 1e-5;  ///< change of a contact's speed at which iterations end, relative to the fastest
};

/// Any two directions that make a right-handed frame with n.
std::array<Vec3d, 2> tangents(const Vec3d& n);

/// Contacts that hold a body as well as all of them would: of each pair of movers (or mover and wall), and of
/// each direction of the normal, the deepest one and those that lie farthest out. Sorted by their particles.
std::vector<Contact> reduced(std::vector<Contact> contacts, double spacing, View<const Mover> movers);

/// Impulses at the contacts, by projected Gauss–Seidel in the order given:
///
///     n·u + max(gap, 0)/Δt ≥ 0  ⊥  λₙ ≥ 0,     |λₜ| ≤ μ λₙ,  λₜ against the sliding,   u: velocity of a relative to b
///
/// then restitution where bodies meet faster than `slow`. The contact closes at the time τ of the step, at
/// which the approach is w:
///
///     g + u₀ τ + ½ a τ² = 0,   w = u₀ + a τ,   u₀ = n·u* − ½ a Δt
///
/// with the approach n·u* in the middle of the step and its rate a; of movers whose velocities are those of
/// the end of the step − a Δt in place of − ½ a Δt. The impulse acts at τ: n·u = n·u* − (1 + e) w, and what
/// it changes of velocities did not act before, so positions are shifted by −τ Δv. The result does not depend
/// on where in a step bodies meet. Then, apart from the momentum, shifts take overlap away (split impulses,
/// Guendelman et al. 2003 in spirit). Returns the number of iterations.
int solve_contacts(View<const Contact> contacts, const ContactSettings& settings, double dt,
                   std::vector<ContactMemory>& memory, View<Mover> movers);

}  // namespace thixo
