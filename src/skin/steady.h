#pragma once

#include <vector>

#include "skin/carriers.h"

namespace thixo {

/// Motions without single carriers that are out of their places, as a blow leaves them in a lattice: the skin
/// would be folded by them.
struct SteadyMotion {
    std::vector<Carriers::Fit> fits;
    std::vector<Vec3f> position;
};

/// A carrier is trusted by how far it is from where its neighbours would have it, x̄ᵢ = Σⱼ κⱼ wᵢⱼ (xⱼ + Aⱼ
/// (Xᵢ − Xⱼ)) / Σⱼ κⱼ wᵢⱼ: fully up to 0.3 spacings, not at all beyond 0.9. Fits are repeated with what is
/// trusted, and what is not goes where its neighbours would have it. Affine motions are left alone, as are
/// smooth ones: they are off by their curvature, of second order. `fits` of all carriers, trusted alike, are
/// what is begun with; `holds` says which carriers are looked at.
SteadyMotion steady_motion(const Device& device, const Carriers& carriers, View<const Vec3f> position,
                           const SkinGrip& grip, View<const std::uint8_t> holds,
                           std::vector<Carriers::Fit> fits);

}  // namespace thixo
