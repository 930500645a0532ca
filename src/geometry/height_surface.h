#pragma once

#include <filesystem>
#include <string_view>
#include <variant>
#include <vector>

#include "core/vec.h"
#include "geometry/formula.h"
#include "geometry/signed_distance.h"

namespace thixo {

/// Brightness of a picture, 0 black to 1 white; row by row from the top.
struct GreyImage {
    int width = 0, height = 0;
    std::vector<float> pixels;
};

/// An 8 or 16 bit PNG or PGM; colours count by their brightness. Throws InputError that names the file.
GreyImage load_grey_image(const std::filesystem::path& file);

/// The same from the bytes of a file, whose name the caller adds to what is wrong with it.
GreyImage parse_grey_image(const std::string& bytes);

/// The ground y = h(x, z) within a box, solid below without end. Beyond the sides of the box it goes on as it
/// is at the border; beyond its bottom and top it is cut flat.
///
/// An image lies in the box as seen from above, x to the right and z towards the viewer: black at the bottom
/// of the box, white at its top, the centres of the outermost pixels on its sides. Between pixels heights are
/// blended by quadratic B-splines, so that slopes have no jumps.
class HeightSurface {
public:
    /// A formula of x and z, all in metres. Throws InputError if it has no finite value somewhere in the box.
    HeightSurface(const Formula& formula, const Vec3d& min, const Vec3d& max);
    HeightSurface(GreyImage image, const Vec3d& min, const Vec3d& max);

    double height(double x, double z) const;

    /// `dimensions` = 2 measures in the plane z = 0. The nearest of some points around is improved along
    /// tangent planes: exact to rounding near the surface; far from a rough ground the search may miss the
    /// nearest point, which slightly overestimates the distance.
    SignedDistance at(const Vec3d& x, int dimensions) const;

    const Vec3d& min() const { return min_; }
    const Vec3d& max() const { return max_; }

private:
    struct Ground {
        double height, along_x, along_z;  ///< m, and its slopes
    };
    struct Foot {
        double x, z, distance2;
        Ground ground;
    };

    void check_finite() const;
    void take_heights();
    double height_about(double x, double z) const;
    double raw_height(double x, double z) const;
    Ground ground(double x, double z, int dimensions) const;
    Foot foot(const Vec3d& x, double u, double w, int dimensions) const;
    Foot survey(const Vec3d& x, double reach, int dimensions) const;
    Foot nearest(const Vec3d& x, double u, double w, int dimensions) const;

    std::variant<Formula, GreyImage> source_;
    Vec3d min_, max_;
    double step_;                 ///< m, for slopes
    std::vector<float> heights_;  ///< m, on a lattice of the box: good enough to begin a search with
};

}  // namespace thixo
