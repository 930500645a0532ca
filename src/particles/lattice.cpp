#include "particles/lattice.h"

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

/// A lattice as the points (i, j, k) · pitch of a rectangular grid, all of them or those with i + j + k even:
/// cubic, hexagonal (2D) and face-centred cubic (3D) are of this kind. Level hexagonal layers are too, but
/// for every other one being moved along z.
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

Vec3d layer_pitch(Lattice lattice, double spacing, int dimensions) {
    return layers_of(lattice, spacing, dimensions).pitch;
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

/// Size of the box along the axes of the lattice that is around a box of this size.
Vec3d seen_from(const Rotation& orientation, const Vec3d& size) {
    const Vec3d x = orientation.undo({size.x, 0, 0}), y = orientation.undo({0, size.y, 0}),
                z = orientation.undo({0, 0, size.z});
    const auto sum = [](double a, double b, double c) { return std::abs(a) + std::abs(b) + std::abs(c); };
    return {sum(x.x, y.x, z.x), sum(x.y, y.y, z.y), sum(x.z, y.z, z.z)};
}

}  // namespace

std::vector<Vec3d> sample(const Shape& shape, Lattice lattice, double spacing, int dimensions,
                          const Device& device, const Rotation& orientation) {
    if (turns(shape.placement, dimensions)) {
        const Placement& place = shape.placement;
        Shape upright;
        upright.kind = shape.kind;
        std::vector<Vec3d> points =
            sample(upright, lattice, spacing / place.scale, dimensions, device, orientation);
        for (Vec3d& x : points) x = place.to_world(x);
        return points;
    }
    const Layers layers = layers_of(lattice, spacing, dimensions);
    const Bounds box = bounds(shape);
    const Vec3d extent = box.size(),
                size = seen_from(orientation, dimensions == 2 ? Vec3d{extent.x, extent.y, 0} : extent);
    // As many layers as leave about half a spacing to either side.
    const auto count = [&](double length, double pitch) {
        return std::max(1L, std::lround((length - spacing) / pitch) + 1);
    };
    const long ni = count(size.x, layers.pitch.x), nj = count(size.y, layers.pitch.y),
               nk = dimensions == 2 ? 1 : count(size.z, layers.pitch.z);
    const auto half = [](long layers_along, double pitch) {
        return 0.5 * static_cast<double>(layers_along - 1) * pitch;
    };
    Vec3d first =
        box.center() -
        orientation.apply({half(ni, layers.pitch.x), half(nj, layers.pitch.y), half(nk, layers.pitch.z)}) -
        orientation.apply({0, 0, 0.5 * layers.shift});
    if (dimensions == 2) first.z = 0;

    std::vector<Vec3d> points, slice;
    std::vector<std::uint8_t> inside;
    for (long k = 0; k < nk; ++k) {
        slice.clear();
        for (long j = 0; j < nj; ++j)
            for (long i = 0; i < ni; ++i)
                if (layers.holds(i, j, k)) slice.push_back(first + orientation.apply(layers.point(i, j, k)));
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

Mat3d lattice_frame(const Object& object, int dimensions) {
    const auto axis = [&](const Vec3d& a) {
        const Vec3d turned = object.orientation.apply(a);
        const Placement& place = object.shape.placement;
        return turns(place, dimensions) ? place.rotate.apply(turned) : turned;
    };
    return transposed(Mat3d{axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})});
}

std::vector<Mat3d> lattice_frames(const std::vector<Object>& objects, int dimensions) {
    std::vector<Mat3d> frames;
    for (const Object& object : objects) frames.push_back(lattice_frame(object, dimensions));
    return frames;
}

}  // namespace thixo
