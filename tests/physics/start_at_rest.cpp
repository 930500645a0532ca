#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/settle.h"
#include "sim/statistics.h"
#include "unit/core/generators.h"

using namespace thixo;

// Random fills of random containers at random spacings, released at rest: nothing may jump.

namespace {

constexpr double g = 9.81;

/// A container, what fills it up to the depth, and the volume of that.
struct Vessel {
    std::string name;
    Obstacle container;
    Shape shape;
    double volume, depth;
};

double any(Stream& random, double low, double high) {
    return random.real(static_cast<float>(low), static_cast<float>(high));
}

Vessel any_box(Stream& random, int dimensions) {
    const Vec3d size{any(random, 0.2, 0.4), any(random, 0.15, 0.3), any(random, 0.2, 0.35)};
    const Vec3d low{any(random, -1, 1), any(random, -1, 1), dimensions == 2 ? 0 : any(random, -1, 1)};
    const Vec3d high = low + size;
    return {"box",
            {.name = "tank", .shape = Box{low, {high.x, high.y + 0.5, high.z}}, .inside = true},
            Box{low, high},
            size.x * size.y * (dimensions == 2 ? 1 : size.z),
            size.y};
}

Vessel any_cylinder(Stream& random, int dimensions) {
    const double radius = any(random, 0.1, 0.2), depth = any(random, 0.15, 0.3);
    const double area = dimensions == 2 ? 2 * radius : std::numbers::pi * radius * radius;
    return {"cylinder",
            {.name = "can", .shape = Cylinder{{0, 0, 0}, {0, depth + 0.5, 0}, radius}, .inside = true},
            Cylinder{{0, 0, 0}, {0, depth, 0}, radius},
            area * depth,
            depth};
}

/// The lower part of a sphere (in 2D of a circle), filled by a box that the container cuts.
Vessel any_bowl(Stream& random, int dimensions) {
    const double r = any(random, 0.18, 0.25), d = any(random, 0.8, 1.2) * r, angle = std::acos((r - d) / r);
    return {
        "bowl",
        {.name = "bowl", .shape = Sphere{{0, r, 0}, r}, .inside = true},
        Box{{-r, 0, -r}, {r, d, r}},
        dimensions == 2 ? r * r * (angle - std::sin(2 * angle) / 2) : std::numbers::pi * d * d * (r - d / 3),
        d};
}

/// The volume (2D: area) of a container up to the height y, on a fine grid.
double volume_below(const Shape& shape, const Vec3d& low, const Vec3d& high, double y, int dimensions) {
    const int n = dimensions == 2 ? 400 : 100, layers = dimensions == 2 ? 1 : n;
    const Vec3d step{(high.x - low.x) / n, (y - low.y) / n, dimensions == 2 ? 1 : (high.z - low.z) / n};
    double count = 0;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            for (int c = 0; c < layers; ++c) {
                const Vec3d x{low.x + (a + 0.5) * step.x, low.y + (b + 0.5) * step.y,
                              dimensions == 2 ? 0 : low.z + (c + 0.5) * step.z};
                count += signed_distance(shape, x, dimensions).distance < 0;
            }
    return count * step.x * step.y * step.z;
}

/// A container that is cut out of a box of liquid at the depth d.
Vessel cut(std::string name, Shape shape, const Vec3d& low, const Vec3d& high, double d, int dimensions) {
    return {std::move(name),
            {.name = "vessel", .shape = shape, .inside = true},
            Box{low, {high.x, low.y + d, high.z}},
            volume_below(shape, low, high, low.y + d, dimensions),
            d};
}

/// A box that stands on an edge.
Vessel any_tilted_box(Stream& random, int dimensions) {
    const double a = any(random, 0.2, 0.3), angle = any(random, 0.3, 1.2);
    const double half = 0.5 * a, reach = half * (std::cos(angle) + std::sin(angle));
    const Shape shape(Box{{-half, -half, -half}, {half, half, half}},
                      {.rotate = Rotation({0, 0, angle * 180 / std::numbers::pi})});
    return cut("tilted box", shape, {-reach, -reach, -half}, {reach, reach, half},
               any(random, 0.9, 1.3) * reach, dimensions);
}

/// A shape of which distances are sampled on a grid, as those of meshes are, with an overhang.
Vessel any_bunny(Stream& random, int dimensions) {
    const double h = any(random, 0.4, 0.5);
    return cut("bunny", Bunny{h}, {-h, 0, -h}, {h, h, h}, any(random, 0.35, 0.5) * h, dimensions);
}

/// What a fill does when it is released; speeds in √(g d), the gain in ½ m g d.
struct Outcome {
    double mass_error = 0, density_error = 0, mean_speed = 0, top_speed = 0, gain = 0;
};

Outcome release(const Model& model, const Object& object, const Vessel& fill) {
    ParticleTable particles = populate(model, {object}, nullptr, {}, Start::rest);
    settle(model, {object}, particles);
    Simulation sim(model, std::move(particles));
    const Statistics start = gather_statistics(sim);
    const double scale = std::sqrt(g * fill.depth), energy = 0.5 * start.mass * g * fill.depth;
    Outcome out{.mass_error = start.mass / (1000 * fill.volume) - 1};
    for (const float rho : sim.particles().density)
        out.density_error = std::max(out.density_error, rho / 1000. - 1);
    for (int frame = 1; frame <= 30; ++frame) {
        sim.advance_frame(frame / 30., never);
        const Statistics now = gather_statistics(sim);
        for (const Vec3f& v : sim.particles().velocity)
            out.top_speed = std::max(out.top_speed, norm(v) / scale);
        out.mean_speed = std::max(out.mean_speed, std::sqrt(2 * now.kinetic / now.mass) / scale);
        out.gain =
            std::max(out.gain, (now.kinetic + now.potential - start.kinetic - start.potential) / energy);
    }
    return out;
}

void try_fill(const Vessel& fill, int dimensions, const Method& method, Lattice lattice, double turn,
              double spacing) {
    const double c = 20 * std::sqrt(g * fill.depth);
    Model model = weightless(dimensions, spacing, liquid(c, 5e-3 * 1000 * c * 2 * spacing));
    model.gravity = {0, -g, 0};
    method.choose(model.solver);
    model.obstacles = {fill.container};
    Object object = filled(fill.shape);
    object.lattice = lattice;
    object.orientation = Rotation({0, 0, turn * 180 / std::numbers::pi});
    const Outcome out = release(model, object, fill);
    INFO(dimensions, "D ", fill.name, ", ", std::string(method.name), ", lattice ", static_cast<int>(lattice),
         " turned by ", turn, ", ", fill.depth / spacing, " layers: mass ", out.mass_error, ", density ",
         out.density_error, ", speed ", out.mean_speed, ", at most ", out.top_speed, ", gain ", out.gain);
    CHECK(std::abs(out.mass_error) < 0.005);
    CHECK(out.density_error < 0.01);
    CHECK(out.gain < 0.01);
    // Of every single particle, also in edges and corners, from the first frame on.
    CHECK(out.top_speed < 0.05);
}

}  // namespace

TEST_CASE("liquids start at rest in any container at any spacing") {
    for (const int d : {2, 3}) {
        for (const auto make : {any_box, any_cylinder, any_bowl, any_tilted_box, any_bunny}) {
            for (int k = 0; k < pick(1, 6); ++k) {
                Stream random(static_cast<std::uint64_t>(1000 * d + k));
                const Vessel fill = make(random, d);
                const double layers = any(random, d == 2 ? 10 : 6, d == 2 ? 20 : 9);
                const auto lattice = static_cast<Lattice>(random.below(3));
                const double angle = any(random, 0.1, 1.4);
                std::uint32_t turn = random.below(6);
                for (const Method& method : methods) {
                    // By default each kind of container is tried with two methods, the lattice with one of
                    // them, turned in the other.
                    if (turn++ % 3 != 0 && !full_size()) continue;
                    const bool usual = turn % 2 != 0;
                    try_fill(fill, d, method, usual ? Lattice::cubic : lattice, usual ? angle : 0,
                             fill.depth / layers);
                }
            }
        }
    }
}

TEST_CASE("liquids start at rest where walls meet at any angle") {
    for (int k = 0; k < pick(4, 20); ++k) {
        Stream random(static_cast<std::uint64_t>(500 + k));
        const double half = any(random, 0.2, 0.35), depth = 0.3, radius = any(random, 0.15, 0.4);
        const Vec3d middle{any(random, -0.3, 0.3), -radius * any(random, 0.3, 0.7), 0};
        Model model = weightless(2, any(random, 0.02, 0.032), liquid(30, 5));
        model.gravity = {0, -g, 0};
        methods[k % 2 == 0 ? 1 : 4].choose(model.solver);  // tait, dfsph
        model.obstacles = {{.name = "tank", .shape = Box{{-half, 0, 0}, {half, 1, 0}}, .inside = true},
                           {.name = "hill", .shape = Sphere{middle, radius}}};
        const Object pool = filled(Box{{-half, 0, 0}, {half, depth, 0}});
        const Outcome out =
            release(model, pool, {"a box with a hill", model.obstacles[0], pool.shape, 1, depth});
        INFO("case ", k, ", spacing ", model.particles.spacing, ": speed ", out.top_speed, ", gain ",
             out.gain);
        CHECK(out.top_speed < 0.05);
        CHECK(out.gain < 0.01);
    }
}
