#include "surface/active.h"

#include <algorithm>
#include <cmath>

#include "surface/halo.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"

namespace thixo {

namespace {

constexpr double tension_radii =
    0.02;  ///< β, in squares of the radius: bumps as long as a spacing are halved
constexpr double inflation_rate = 0.5;  ///< part of the missing volume that is made up for in a frame
constexpr double farthest_radii = 0.6;  ///< from the surface of the density

/// First and second differences of a node, in cells.
struct Derivatives {
    Vec3f backward, forward, central;
    float curvature;  ///< κ |∇φ|

    Derivatives(const Halo& h, int x, int y, int z) {
        const float c = h.at(x, y, z);
        const float xm = h.at(x - 1, y, z), xp = h.at(x + 1, y, z), ym = h.at(x, y - 1, z),
                    yp = h.at(x, y + 1, z), zm = h.at(x, y, z - 1), zp = h.at(x, y, z + 1);
        backward = {c - xm, c - ym, c - zm};
        forward = {xp - c, yp - c, zp - c};
        central = 0.5f * (backward + forward);
        const Vec3f second{xp - 2 * c + xm, yp - 2 * c + ym, zp - 2 * c + zm};
        const float xy = h.at(x + 1, y + 1, z) - h.at(x + 1, y - 1, z) - h.at(x - 1, y + 1, z) +
                         h.at(x - 1, y - 1, z),
                    xz = h.at(x + 1, y, z + 1) - h.at(x + 1, y, z - 1) - h.at(x - 1, y, z + 1) +
                         h.at(x - 1, y, z - 1),
                    yz = h.at(x, y + 1, z + 1) - h.at(x, y + 1, z - 1) - h.at(x, y - 1, z + 1) +
                         h.at(x, y - 1, z - 1);
        const Vec3f& g = central;
        const float g2 = norm2(g), length = std::sqrt(g2);
        const float sum = g.x * g.x * (second.y + second.z) + g.y * g.y * (second.x + second.z) +
                          g.z * g.z * (second.x + second.y) -
                          0.5f * (g.x * g.y * xy + g.x * g.z * xz + g.y * g.z * yz);
        // Curvatures below that of a cell are not resolved.
        curvature = g2 > 0 ? std::clamp(sum / g2, -2 * length, 2 * length) : 0;
    }

    /// |∇φ| seen from where the surface comes from.
    float upwind(bool outwards) const {
        const auto part = [&](float b, float f) {
            const float from_low = outwards ? std::max(b, 0.f) : std::min(b, 0.f),
                        from_high = outwards ? std::min(f, 0.f) : std::max(f, 0.f);
            return std::max(from_low * from_low, from_high * from_high);
        };
        return std::sqrt(part(backward.x, forward.x) + part(backward.y, forward.y) +
                         part(backward.z, forward.z));
    }
};

/// Trilinear, up to a cell away from a node.
float sample(const Halo& h, int x, int y, int z, const Vec3f& offset) {
    const auto split = [](float o, int& node) {
        const float c = std::clamp(o, -1.f, 1.f), low = c < 0 ? -1.f : 0.f;
        node += static_cast<int>(low);
        return c - low;
    };
    const float u = split(offset.x, x), v = split(offset.y, y), w = split(offset.z, z);
    const auto along = [&](int j, int k) { return (1 - u) * h.at(x, j, k) + u * h.at(x + 1, j, k); };
    const auto across = [&](int k) { return (1 - v) * along(y, k) + v * along(y + 1, k); };
    return (1 - w) * across(z) + w * across(z + 1);
}

struct MoveBlock {
    const SurfaceField* field;
    View<const BlockBits> band;
    View<const float> target;
    float tracking, tension, inflation;  ///< in cells and one step
    View<float> out;

    void operator()(Index b) const {
        const BlockGrid& grid = field->grid;
        const float* old = field->block(b);
        float* next = &out[std::size_t{block_nodes} * b];
        std::copy_n(old, block_nodes, next);
        if (!band[b].any()) return;
        const auto cell = static_cast<float>(grid.cell());
        const Halo phi(grid, b, field->outside, field->inside, [&](Index n) { return field->block(n); });
        const Halo goal(grid, b, field->outside, field->inside,
                        [&](Index n) { return target.data() + std::size_t{block_nodes} * n; });
        for (int z = 0; z < block_width; ++z)
            for (int y = 0; y < block_width; ++y)
                for (int x = 0; x < block_width; ++x) {
                    if (!band[b].at(x, y, z)) continue;
                    const Derivatives d(phi, x, y, z);
                    const float here = phi.at(x, y, z), g2 = norm2(d.central);
                    // The closest point of the surface: x − φ∇φ/|∇φ|².
                    const Vec3f to_surface = g2 > 0.01f * cell * cell ? (-here / g2) * d.central : Vec3f{};
                    const float outwards = inflation - tracking * sample(goal, x, y, z, to_surface) / cell;
                    const float value = here - outwards * d.upwind(outwards > 0) + tension * d.curvature;
                    next[(z * block_width + y) * block_width + x] =
                        std::clamp(value, field->inside, field->outside);
                }
    }
};

}  // namespace

void advance(const Device& device, SurfaceField& field, View<const BlockBits> band, View<const float> target,
             const ActiveFlow& flow, double time) {
    const double cell = field.grid.cell();
    const double farthest = reduce_max(device, static_cast<Index>(target.size()), 0.0,
                                       [&](Index i) { return std::abs(double{target[i]}); });
    const double speed = flow.tracking * farthest + std::abs(flow.inflation);
    const double longest = 1 / std::max({2 * speed / cell, 6 * flow.tension / (cell * cell), 1 / time});
    const int steps = static_cast<int>(std::ceil(time / longest - 1e-9));
    const double dt = time / steps;
    std::vector<float> next(field.values.size());
    for (int k = 0; k < steps; ++k) {
        launch<4>(device, field.grid.size(),
                  MoveBlock{&field, band, target, static_cast<float>(flow.tracking * dt),
                            static_cast<float>(flow.tension * dt / (cell * cell)),
                            static_cast<float>(flow.inflation * dt / cell), next});
        field.values.swap(next);
    }
}

void track(const Device& device, const std::optional<ActiveState>& last, SurfaceField& field,
           View<const BlockBits> band, double volume, double radius) {
    if (!last || last->cell != field.grid.cell()) return;
    const std::vector<float> target = field.values;
    const BlockGrid before(device, last->cell, last->places);
    launch<small_grain>(device, field.grid.size(), [&](Index b) {
        const Index source = before.find(field.grid.place(b));
        if (source == no_block) return;
        for (int node = 0; node < block_nodes; ++node) {
            if (!band[b].at(node % block_width, node / block_width % block_width,
                            node / (block_width * block_width)))
                continue;
            field.values[std::size_t{block_nodes} * b + static_cast<std::size_t>(node)] =
                last->values[std::size_t{block_nodes} * source + static_cast<std::size_t>(node)];
        }
    });
    const auto stay_close = [&] {
        const auto limit = static_cast<float>(farthest_radii * radius);
        launch(device, static_cast<Index>(field.values.size()),
               [limit, goal = View<const float>(target), phi = View(field.values)](Index i) {
                   phi[i] = std::clamp(phi[i], goal[i] - limit, goal[i] + limit);
               });
    };
    stay_close();
    const Extents now = extents(device, polygonise(device, field, 0, false).mesh);
    ActiveFlow flow{.tension = tension_radii * radius * radius};
    if (now.area > 0)
        flow.inflation =
            std::clamp(inflation_rate * (volume - now.volume) / now.area, -0.1 * radius, 0.1 * radius);
    advance(device, field, band, target, flow, 1);
    stay_close();
}

ActiveState state_of(const SurfaceField& field) {
    ActiveState state{.cell = field.grid.cell(), .places = {}, .values = field.values};
    for (Index b = 0; b < field.grid.size(); ++b) state.places.push_back(field.grid.place(b));
    return state;
}

}  // namespace thixo
