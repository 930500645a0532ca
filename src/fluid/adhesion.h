#pragma once

#include <vector>

#include "fluid/constants.h"
#include "fluid/contact_angle.h"
#include "fluid/fluid_state.h"
#include "fluid/surface_tension.h"
#include "particles/material.h"

namespace thixo {

float cosine_of(const ContactAngle& contact);

/// What liquids wet. With c = Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ over the particles and walls that have a contact angle with the
/// liquid, and c₀ its value one spacing from a solid at rest, a particle touches them by u = min(1, c/c₀);
/// `SurfaceTension` turns its normals to the angle there, and presses liquid against them with the air.
/// Solids made of particles get the opposite of what their liquids get.
class Adhesion {
public:
    Adhesion(const std::vector<Material>& materials, const std::vector<ContactAngle>& angles,
             const Discretisation& discretisation);

    bool empty() const { return pairs_.empty() && !walls_; }

    /// Finds what each row of liquid touches, and adds what air on the dry side of solids presses them with.
    /// `air` is that of `SurfaceTension`.
    void add(const Device& device, const FluidState& state, View<const FluidConstants> constants, float air,
             View<Vec3f> acceleration);

    /// Of each row, as of the last forces.
    View<const Wetting> wetting() const { return wetting_; }
    float gamma_at_rest() const { return gamma_at_rest_; }  ///< c₀

    /// Gives solids what surface tension gives to liquids that wet them, so that both together keep their
    /// momentum. A surface pulls at a solid along the line where it ends, and air presses on it from the side
    /// that is dry. The pull is that of the rows that touch; as it follows from their curvature, which has
    /// errors, and the surface ends beyond them, what is left of the liquid's sum is divided among all rows
    /// of the line, at most twice the tension of a line as long as theirs. `tension` is σ/ρ₀ of each
    /// material.
    void react(const Device& device, const FluidState& state, View<const FluidConstants> constants,
               const SurfaceTension& surface, View<const float> tension, View<Vec3f> acceleration);

    std::size_t bytes() const {
        return (code_.capacity() + press_.capacity()) * sizeof(float) +
               wetting_.capacity() * sizeof(Wetting) + reaction_.capacity() * sizeof(Packed4);
    }

    /// Rows with the code `self` and those with the code `other` adhere.
    struct Pair {
        float self, other;
        float cosine;
    };

private:
    double spacing_;
    float gamma_at_rest_;
    std::vector<float> tension_;  ///< σ of each material, N/m
    std::vector<Pair> pairs_;     ///< both ways
    bool walls_ = false;          ///< an obstacle is among the solids
    std::vector<float> code_;     ///< of each row: the number of its material, plus ½ for solids
    std::vector<Wetting> wetting_;
    std::vector<float> press_;  ///< 2 p_air, Pa, of each row of liquid; 0 of solids
    std::vector<Packed4>
        reaction_;  ///< force per volume that a row of liquid has from the solids that it wets, over their c
};

}  // namespace thixo
