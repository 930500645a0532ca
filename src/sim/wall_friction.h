#pragma once

#include <vector>

#include "body/matter.h"
#include "sim/body_response.h"
#include "sim/wall_fields.h"

namespace thixo {

/// Coulomb friction of implicit elastic bodies and lattice solids at walls. Friction that stops the touching
/// particles alone, after the step, holds a body of n layers by no more than what one of them weighs; here
/// the body answers as it does to pressure (`BodyResponse`), and impulses are found that stop what touches,
/// or reach μ times those of the walls' pressure:
///
///     |Jᵢ| ≤ μ Nᵢ,   J ⊥ n,   uᵢ = 0 or J = −μ Nᵢ uᵢ/|uᵢ|       (u: sliding velocity behind all impulses)
class WallFriction {
public:
    /// Changes velocities; `push` is the acceleration by the pressure of walls of each row (m/s²), over a
    /// step of dt (s). Returns whether anything touches.
    bool solve(const Device& device, const Walls& walls, View<const float> push, double dt, Matter& matter,
               BodyResponse& response);

    /// Rows whose friction the last step has solved for, and by what that changed their velocities as if they
    /// were free (m/s).
    struct Rubbed {
        Index row;
        Vec3f change;
    };
    View<const Rubbed> rubbed() const { return rubbed_; }
    void clear() { rubbed_.clear(); }

    int iterations() const { return iterations_; }
    std::size_t bytes() const;

private:
    struct Touch {
        Index row = 0;
        Vec3f normal{}, wall_velocity{};
        float most = 0;                       ///< μ N/m, m/s
        float step = 1;                       ///< of Jacobi
        Vec3f impulse{}, ahead{}, applied{};  ///< J/m, m/s
    };
    void find(const Device& device, const Walls& walls, View<const float> push, double dt,
              const Matter& matter, const BodyResponse& response);

    std::vector<Touch> touches_;
    std::vector<Rubbed> rubbed_;
    int iterations_ = 0;
};

}  // namespace thixo
