#pragma once

#include <cstdint>
#include <vector>

#include "core/rigid_fit.h"
#include "elastic/elastic_bodies.h"
#include "elastic/rigid_parts.h"

namespace thixo {

/// The rigid motions of free elastic bodies at the positions of one step: what gives solutions that end
/// before they are exact the momentum and the angular momentum that they lack.
class BodyMomentum {
public:
    /// `mass` is that of each index; bodies with an index of mass 0 that is in no rigid part have
    /// kinematic particles, and no motion to be given.
    void prepare(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                 View<const float> mass, const RigidParts& rigid);

    /// Adds to `solution`, and to that of the rigid parts, the rigid motion of each body whose momentum and
    /// angular momentum are those of `missing` (N s or N, of each index) and of the parts' residuals.
    void give(const Device& device, View<const Vec3f> missing, View<Vec3f> solution, RigidRows& rigid);

    /// The motion that was given to an index last.
    Vec3f given(Index s) const {
        return body_[s] == not_free ? Vec3f{} : to_float(motion_[body_[s]].at(to_double(arm_[s])));
    }

    Twist given_to_part(Index k) const;

    std::size_t bytes() const;

private:
    struct Body {
        double mass = 0;
        Mat3d inverse_inertia{};
    };
    static constexpr std::uint32_t not_free = ~0u;

    std::vector<std::uint32_t> body_;  ///< of each index, or `not_free`
    std::vector<Vec3f> arm_;           ///< from the centre of mass, m
    struct Part {
        std::uint32_t body;
        Vec3d arm;  ///< of its centre
    };
    std::vector<Body> bodies_;
    std::vector<Part> parts_;
    std::vector<RigidMotion> motion_;  ///< about the centre of mass
};

}  // namespace thixo
