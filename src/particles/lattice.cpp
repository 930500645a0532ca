#include "particles/lattice.h"

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

/// A lattice as the points (i, j, k) · pitch of a rectangular grid, all of them or those with i + j + k even:
/// cubic, hexagonal (2D) and face-centred cubic (3D) are of this kind. Level hexagonal layers are too, but for
/// every other one being moved along z.
struct Layers {
    Vec3d pitch;
    bool even_only;
    double shift = 0;  // m, of layers with odd j

    bool holds(long i, long j, long k) const { return !even_only || ((i + j + k) & 1) == 0; }
    Vec3d point(long i, long j, long k) const {
        return {static_cast<double>(i) * pitch.x, static_cast<double>(j) * pitch.y,
                static_cast<double>(k) * pitch.z + (j & 1 ? shift : 0)};
    }
};

Layers layers_of(Lattice lattice, double s, int dimensions) {
    if (lattice == Lattice::cubic) return {{s, s, s}, false};
    const double row = s * std::sqrt(3.0) / 2;
    if (dimensions == 2) return {{s / 2, row, s}, true};
    // The hollow between three neighbours of a layer is a third of a row away from two of them.
    if (lattice == Lattice::layered_hexagonal) return {{s / 2, s * std::sqrt(2.0 / 3), row}, true, row / 3};
    const double pitch = s / std::sqrt(2.0);
    return {{pitch, pitch, pitch}, true};
}

}  // namespace

double cell_volume(Lattice lattice, double spacing, int dimensions) {
    const double square = spacing * spacing;
    if (lattice == Lattice::cubic) return dimensions == 2 ? square : square * spacing;
    return dimensions == 2 ? square * std::sqrt(3.0) / 2 : square * spacing / std::sqrt(2.0);
}

std::vector<Vec3d> lattice_around_origin(Lattice lattice, double spacing, int dimensions, double radius) {
    const Layers layers = layers_of(lattice, spacing, dimensions);
    const auto reach = [&](double pitch) { return static_cast<long>(radius / pitch) + 1; };
    const long ni = reach(layers.pitch.x), nj = reach(layers.pitch.y),
               nk = dimensions == 2 ? 0 : reach(layers.pitch.z);
    std::vector<Vec3d> points{{0, 0, 0}};
    for (long k = -nk; k <= nk; ++k) {
        for (long j = -nj; j <= nj; ++j) {
            for (long i = -ni; i <= ni; ++i) {
                if ((i == 0 && j == 0 && k == 0) || !layers.holds(i, j, k)) continue;
                const Vec3d p = layers.point(i, j, k);
                if (norm(p) < radius) points.push_back(p);
            }
        }
    }
    return points;
}

namespace {

/// Whether the lattice can turn with the shape; in 2D it must stay in the plane.
bool turns(const Placement& place, int dimensions) {
    const Vec3d angles = place.rotate.degrees();
    if (angles == Vec3d{}) return false;
    return dimensions == 3 || (angles.x == 0 && angles.y == 0 && place.translate.z == 0);
}

}  // namespace

std::vector<Vec3d> sample(const Shape& shape, Lattice lattice, double spacing, int dimensions,
                          const Device& device) {
    if (turns(shape.placement, dimensions)) {
        const Placement& place = shape.placement;
        Shape upright;
        upright.kind = shape.kind;
        std::vector<Vec3d> points = sample(upright, lattice, spacing / place.scale, dimensions, device);
        for (Vec3d& x : points) x = place.to_world(x);
        return points;
    }
    const Layers layers = layers_of(lattice, spacing, dimensions);
    const Bounds box = bounds(shape);
    const Vec3d size = box.size(), center = box.center();
    // As many layers as leave about half a spacing to either side.
    const auto count = [&](double length, double pitch) {
        return std::max(1L, std::lround((length - spacing) / pitch) + 1);
    };
    const long ni = count(size.x, layers.pitch.x), nj = count(size.y, layers.pitch.y),
               nk = dimensions == 2 ? 1 : count(size.z, layers.pitch.z);
    const Vec3d first{
        center.x - 0.5 * static_cast<double>(ni - 1) * layers.pitch.x,
        center.y - 0.5 * static_cast<double>(nj - 1) * layers.pitch.y,
        dimensions == 2 ? 0
                        : center.z - 0.5 * static_cast<double>(nk - 1) * layers.pitch.z - 0.5 * layers.shift};

    std::vector<Vec3d> points, slice;
    std::vector<std::uint8_t> inside;
    for (long k = 0; k < nk; ++k) {
        slice.clear();
        for (long j = 0; j < nj; ++j)
            for (long i = 0; i < ni; ++i)
                if (layers.holds(i, j, k)) slice.push_back(first + layers.point(i, j, k));
        inside.resize(slice.size());
        launch(device, static_cast<Index>(slice.size()),
               [=, &shape, x = View<const Vec3d>(slice), out = View(inside)](Index i) {
                   out[i] = signed_distance(shape, x[i], dimensions).distance < 0;
               });
        for (std::size_t i = 0; i < slice.size(); ++i)
            if (inside[i]) points.push_back(slice[i]);
    }
    return points;
}

}  // namespace thixo
