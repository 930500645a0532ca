#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "skin/grip.h"
#include "skin/point_grid.h"

namespace thixo {

/// Weights of carriers: (1 − (r/R)²)³ within the support R, in spacings. Beyond it they are zero.
inline constexpr double carrier_support = 2.2;
inline double carrier_weight(double distance2, double radius) {
    const double q = 1 - distance2 / (radius * radius);
    return q > 0 ? q * q * q : 0;
}

/// The motion of the matter around a particle since the start: x = A X + b.
struct AffineMotion {
    Vec3f x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  ///< rows of A
    Vec3f b{};                                 ///< m; X and x are relative to `Carriers::origin`
};

/// What an object's particles fill.
enum class CarrierKind {
    solid,  ///< space
    layer   ///< a sheet or a line, one particle thick
};

/// The particles of one object at the start, in material coordinates; skins refer to them by number.
class Carriers {
public:
    /// `position` at the start, m. `spacing` (m) of the object.
    Carriers(std::vector<Vec3d> position, double spacing, CarrierKind kind = CarrierKind::solid);

    Index size() const { return static_cast<Index>(rest().size()); }
    const std::vector<Vec3d>& rest() const { return grid_.points(); }  ///< relative to the origin
    const Vec3d& origin() const { return origin_; }
    const PointGrid& grid() const { return grid_; }
    double spacing() const { return spacing_; }
    CarrierKind kind() const { return kind_; }
    double support() const { return carrier_support * spacing_; }

    /// What the positions of the carriers around say of one of them.
    struct Fit {
        Mat3d a = identity<double>();
        double residual = 0;   ///< of the positions, relative to the distances, squared
        Mat3d across{};        ///< projection on the directions in which there are no neighbours
        bool complete = true;  ///< there are neighbours in all directions
    };

    /// Aᵢ of each carrier from the positions x of the carriers of the same piece, with how firmly they hold
    /// it and how far they are trusted as κⱼ:
    ///
    ///     Aᵢ = (Σⱼ κⱼ wᵢⱼ xⱼᵢ Xⱼᵢᵀ) (Σⱼ κⱼ wᵢⱼ Xⱼᵢ Xⱼᵢᵀ)⁻¹
    ///
    /// [WHP06, eq. 17, 18] with the motion since the start in place of the lattice's, so that what was
    /// re-assigned or has yielded is included, and saved particles are enough. Where neighbours lie in a
    /// plane or on a line, the directions across take part in the motion of carriers next to them; in sheets
    /// and rods they are turned along.
    std::vector<Fit> fits(const Device& device, View<const Vec3f> position, const SkinGrip& grip,
                          const std::vector<float>& trust = {}) const;

    /// x = A X + b of a carrier that is at x.
    AffineMotion motion(Index i, const Vec3f& x, const Mat3d& a) const {
        return {to_float(a.x), to_float(a.y), to_float(a.z),
                to_float(to_double(x) - origin_ - a * rest()[i])};
    }

    /// A residual (not squared) above which a neighbourhood is no longer one piece of matter: that of a cubic
    /// lattice whose halves, on both sides of a plane next to the carrier, have moved apart by the support
    /// radius. Neighbours across are out of reach then.
    double torn_residual() const;

    /// visit(j, w) for each neighbour of a carrier at the start.
    template <class Visit>
    void for_each_neighbour(Index i, const Visit& visit) const {
        for (Index k = first_[i]; k < first_[i + 1]; ++k) visit(others_[k], double{weight_[k]});
    }

private:
    void complete(const Device& device, const SkinGrip& grip, std::vector<Fit>& fits) const;
    Fit fit(Index i, View<const Vec3f> position, const SkinGrip& grip, const std::vector<float>& trust) const;

    double spacing_;
    CarrierKind kind_;
    Vec3d origin_;
    PointGrid grid_;
    std::vector<Index> first_, others_;  ///< neighbours of each at the start
    std::vector<float> weight_;
};

}  // namespace thixo
