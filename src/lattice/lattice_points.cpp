#include "lattice/lattice_points.h"

#include "particles/lattice.h"

namespace thixo {

LatticePoints::LatticePoints(int dimensions) : count_(dimensions == 2 ? 6 : 12) {
    const double row = std::sqrt(3.0) / 2, cubic = std::sqrt(0.5);
    const Vec3d pitch = dimensions == 2 ? Vec3d{0.5, row, 1} : Vec3d{cubic, cubic, cubic};
    inverse_pitch_ = to_float({1 / pitch.x, 1 / pitch.y, dimensions == 2 ? 0 : 1 / pitch.z});
    pitch2_ = dimensions == 2 ? Vec3f{0.25f, 0.75f, 1} : Vec3f{0.5f, 0.5f, 0.5f};
    step_cost_z_ = dimensions == 2 ? 1e6f : pitch2_.z;

    const std::vector<Vec3d> around = lattice_around_origin(Lattice::closest, 1, dimensions, 1.1);
    for (Index s = 0; s < count_; ++s) {
        const Vec3d& l = around[s + 1];  // the first is the origin
        x_[s] = static_cast<float>(l.x);
        y_[s] = static_cast<float>(l.y);
        z_[s] = static_cast<float>(l.z);
        const Vec3d n{std::round(l.x / pitch.x), std::round(l.y / pitch.y), std::round(l.z / pitch.z)};
        number_[static_cast<std::size_t>(table_place(n))] = static_cast<std::uint8_t>(s);
    }
}

namespace {

/// By cofactors.
Mat3d inverse(const Mat3d& a) {
    const Vec3d yz = cross(a.y, a.z), zx = cross(a.z, a.x), xy = cross(a.x, a.y);
    return transposed(Mat3d{yz, zx, xy}) * (1 / dot(a.x, yz));
}

}  // namespace

std::vector<PointMoments> moments_of_sets(const LatticePoints& points, int dimensions) {
    std::vector<PointMoments> out(std::size_t{1} << points.count());
    for (std::size_t set = 0; set < out.size(); ++set) {
        Mat3d moment{};
        if (dimensions == 2) moment.z.z = out_of_plane;
        for (Index s = 0; s < points.count(); ++s) {
            const Vec3d l = to_double(points.point(s));
            if (set >> s & 1) moment += outer(l, l);
        }
        // The determinants of these lattices' Gram matrices are 0, or 1/2 and more (3/4 · 16 in 2D).
        const bool singular = determinant(moment) < 0.25;
        const Mat3d regular = singular ? moment + identity<double>() * 0.01 : moment;
        out[set] = {Sym3f(to_float(moment)), Sym3f(to_float(inverse(regular)))};
    }
    return out;
}

}  // namespace thixo
