#pragma once

#include "core/launch.h"
#include "lattice/docking.h"
#include "lattice/lattice_sites.h"

namespace thixo {

/// What a lattice solid does not give way to: beyond a compression of s₀ its own matter has a pressure,
/// whoever is docked on whom. Bonds cannot keep a volume: two lattices that were pressed into each other hold
/// each other, each of them undeformed. The energy follows from positions alone, so that it does not jump
/// where lattice points change hands.
///
///     U = Σᵢ ½ Kᵢ V max(0, sᵢ − s₀)²,   sᵢ = V (W(0) + Σⱼ W(xⱼᵢ))
///     F on i = −Σⱼ (qᵢ + qⱼ) ∇W(xᵢ − xⱼ),   qᵢ = Kᵢ V² max(0, sᵢ − s₀)
///
/// j are the particles that may dock on i, and K is that many times Young's modulus. V is the space of a
/// particle of the undeformed lattice, and not m/ρ₀: an object whose shape is no whole number of layers has
/// heavier particles, and no pressure.
struct VolumePressure {
    static constexpr float stiffness = 5;          ///< K/E
    static constexpr float free_sum = 1 + 0.005f;  ///< s₀

    ContactKernel contact;
    View<const std::size_t> begin;  ///< of the candidates of each site, in whole lanes
    const Index* candidates;
    View<const Packed4> x;  ///< of each site, and far away behind the last
    const SiteMotion* motion;
    float volume;   ///< V, m³
    float modulus;  ///< K of a material with k = 1 N/m

    /// s of each site.
    void find_sums(const Device& device, View<float> sums) const;
    /// q of each site, and 0 behind the last. Returns whether there is any pressure.
    bool find_loads(const Device& device, View<const float> sums, View<float> loads) const;
    /// Force on each site, N.
    void find_forces(const Device& device, View<const float> loads, View<Vec3f> forces) const;
    /// U, J.
    double energy(const Device& device, View<const float> sums) const;

    /// The largest |Σⱼ V ∇W sin(k·xⱼ)| of any wave on the lattice at rest, 1/m: ω² ≤ K/ρ times its square.
    static double steepest(const ContactKernel& contact, double spacing);

private:
    Index size() const { return static_cast<Index>(begin.size()) - 1; }
};

}  // namespace thixo
