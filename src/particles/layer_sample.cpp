#include "particles/layer_sample.h"

#include <algorithm>
#include <cmath>

#include "particles/scatter.h"

namespace thixo {

namespace {

std::size_t count_along(double length, double pitch) {
    return static_cast<std::size_t>(std::max(1L, std::lround(length / pitch)));
}

/// Cells of about spacing²; those of triangles are wider than high, with every other row half a cell ahead.
LayerSample cover(const RectangleSheet& sheet, const Placement& place, Lattice lattice, double spacing) {
    const double width = place.scale * sheet.width, depth = place.scale * sheet.depth;
    const bool staggered = lattice != Lattice::cubic;
    const double stretch = staggered ? std::sqrt(2 / std::sqrt(3.0)) : 1;
    const std::size_t nx = count_along(width, spacing * stretch), nz = count_along(depth, spacing / stretch);
    LayerSample sample{{}, width * depth / static_cast<double>(nx * nz)};
    for (int layer = 0; layer < sheet.layers; ++layer) {
        const double y = (layer - 0.5 * (sheet.layers - 1)) * spacing;
        for (std::size_t k = 0; k < nz; ++k) {
            const double ahead = !staggered ? 0.5 : k % 2 == 0 ? 0.25 : 0.75;
            for (std::size_t i = 0; i < nx; ++i) {
                const Vec3d off{((static_cast<double>(i) + ahead) / static_cast<double>(nx) - 0.5) * width, y,
                                ((static_cast<double>(k) + 0.5) / static_cast<double>(nz) - 0.5) * depth};
                sample.points.push_back(place.to_world(sheet.center) + place.rotate.apply(off));
            }
        }
    }
    return sample;
}

LayerSample string(const Polyline& rod, double spacing) {
    const double length = measure(rod);
    const std::size_t count = count_along(length, spacing);
    const double pitch = length / static_cast<double>(count);
    std::vector<double> lengths;
    for (std::size_t k = 0; k < count; ++k) lengths.push_back((static_cast<double>(k) + 0.5) * pitch);
    return {points_along(rod, lengths), pitch};
}

}  // namespace

LayerSample sample_layer(const Shape& shape, Lattice lattice, double spacing, std::uint64_t seed,
                         const Device& device) {
    if (const auto* sheet = std::get_if<RectangleSheet>(&shape.kind))
        return cover(*sheet, shape.placement, lattice, spacing);
    Layer layer = layer_of(shape);
    if (const auto* rod = std::get_if<Polyline>(&layer)) return string(*rod, spacing);
    const double total = measure(layer);
    const std::size_t count = count_along(total, spacing * spacing);
    return {scatter(std::get<TriangleMesh>(std::move(layer)), count, seed, device),
            total / static_cast<double>(count)};
}

double estimated_layer_particles(const Shape& shape, double spacing) {
    const double all = measure(layer_of(shape));
    if (is_rod(shape)) return all / spacing;
    const auto* sheet = std::get_if<RectangleSheet>(&shape.kind);
    return all / (spacing * spacing) * (sheet ? sheet->layers : 1);
}

}  // namespace thixo
