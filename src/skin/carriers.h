#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "skin/point_grid.h"

namespace thixo {

/// Weights of carriers: (1 − (r/R)²)³ within the support R, in spacings. Beyond it they are zero.
inline constexpr double carrier_support = 2.2;
inline double carrier_weight(double distance2, double radius) {
    const double q = 1 - distance2 / (radius * radius);
    return q > 0 ? q * q * q : 0;
}

/// Body number of a carrier that carries nothing: liquid, gone, or torn from its neighbours.
inline constexpr int no_body = 0;

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
    double support() const { return carrier_support * spacing_; }

    /// A and b of each carrier of a body from the positions x of carriers of the same body:
    ///
    ///     Aᵢ = (Σⱼ wᵢⱼ xⱼᵢ Xⱼᵢᵀ) (Σⱼ wᵢⱼ Xⱼᵢ Xⱼᵢᵀ)⁻¹,   bᵢ = xᵢ − Aᵢ Xᵢ
    ///
    /// [WHP06, eq. 17, 18] with the motion since the start in place of the lattice's, so that what was
    /// re-assigned or has yielded is included, and saved particles are enough. Where neighbours lie in a plane
    /// or on a line, the directions across take part in the motion of carriers next to them; in sheets and rods
    /// they are turned along.
    ///
    /// Carriers whose neighbours have moved so differently that they are no longer one piece of matter leave
    /// their bodies before; so do bodies of less than four particles.
    void motions(const Device& device, View<const Vec3f> position, std::vector<int>& body,
                 std::vector<AffineMotion>& out) const;

    /// Carriers within 1.5 spacings, then and now, of matter that no body carries any more. The surface of that matter is made with them, so that it overlaps the
    /// skin. `present`: of each carrier, whether its particle still exists.
    std::vector<std::uint8_t> next_to_uncovered(View<const Vec3f> position, View<const int> body,
                                                View<const std::uint8_t> present) const;

private:
    struct Fit {
        Mat3d a = identity<double>();
        double residual = 0;   ///< of the positions, relative to the distances, squared
        Mat3d across{};        ///< projection on the directions in which there are no neighbours
        bool complete = true;  ///< there are neighbours in all directions
    };
    void complete(const Device& device, View<const int> body, std::vector<Fit>& fits) const;
    Fit fit(Index i, View<const Vec3f> position, View<const int> body) const;
    void fit_all(const Device& device, View<const Vec3f> position, View<const int> body,
                 std::vector<Fit>& fits) const;
    static std::vector<int> without_damaged(const std::vector<Fit>& fits, const std::vector<int>& body);

    double spacing_;
    CarrierKind kind_;
    Vec3d origin_;
    PointGrid grid_;
    std::vector<Index> first_, others_;  ///< neighbours of each at the start
    std::vector<float> weight_;
};

}  // namespace thixo
