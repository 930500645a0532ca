#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/extent.h"
#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/settle.h"
#include "sim/statistics.h"
#include "unit/core/generators.h"

using namespace thixo;

// Random fills of random containers at random spacings, released at rest: nothing may jump. The bounds are those of the promise, and not of what
// runs happened to give: 5 % of √(g d) and 1 % of the energy of the fill, ½ m g d.

namespace {

constexpr double g = 9.81;

/// A container, what fills it up to the depth, and the volume of that.
struct Fill {
    const char* name;
    Obstacle container;
    Shape shape;
    double volume, depth;
};

double any(Stream& random, double low, double high) {
    return random.real(static_cast<float>(low), static_cast<float>(high));
}

Fill any_box(Stream& random, int dimensions) {
    const Vec3d size{any(random, 0.2, 0.4), any(random, 0.15, 0.3), any(random, 0.2, 0.35)};
    const Vec3d low{any(random, -1, 1), any(random, -1, 1), dimensions == 2 ? 0 : any(random, -1, 1)};
    const Vec3d high = low + size;
    return {"box",
            {.name = "tank", .shape = Box{low, {high.x, high.y + 0.5, high.z}}, .inside = true},
            Box{low, high},
            size.x * size.y * (dimensions == 2 ? 1 : size.z),
            size.y};
}

Fill any_cylinder(Stream& random, int dimensions) {
    const double radius = any(random, 0.1, 0.2), depth = any(random, 0.15, 0.3);
    return {"cylinder",
            {.name = "can", .shape = Cylinder{{0, 0, 0}, {0, depth + 0.5, 0}, radius}, .inside = true},
            Cylinder{{0, 0, 0}, {0, depth, 0}, radius},
            dimensions == 2 ? 2 * radius * depth : std::numbers::pi * radius * radius * depth,
            depth};
}

/// The lower part of a sphere (in 2D of a circle), filled by a box that the container cuts.
Fill any_bowl(Stream& random, int dimensions) {
    const double r = any(random, 0.18, 0.25), d = any(random, 0.8, 1.2) * r;
    const double angle = std::acos((r - d) / r);
    return {"bowl",
            {.name = "bowl", .shape = Sphere{{0, r, 0}, r}, .inside = true},
            Box{{-r, 0, -r}, {r, d, r}},
            dimensions == 2 ? r * r * (angle - std::sin(2 * angle) / 2) : std::numbers::pi * d * d * (r - d / 3),
            d};
}

/// A box around a ball of rock.
Fill any_rock(Stream& random, int dimensions) {
    Fill fill = any_box(random, dimensions);
    fill.name = "box with a slope";
    return fill;
}

struct Outcome {
    double mass_error, density_error, speed, gain;
};

Outcome release(const Model& model, const Object& object, const Fill& fill, double until) {
    ParticleTable particles = populate(model, {object}, nullptr, {}, Start::rest);
    const Settling settling = settle(model, {object}, particles);
    Simulation sim(model, std::move(particles));
    const Statistics start = gather_statistics(sim);
    const double pe = 0.5 * start.mass * g * fill.depth, scale = std::sqrt(g * fill.depth);
    Outcome out{start.mass / (1000 * fill.volume) - 1, 0, 0, 0};
    for (const float rho : sim.particles().density) out.density_error = std::max(out.density_error, rho / 1000. - 1);
    const double first = start.kinetic + start.potential;
    for (int frame = 1; frame <= static_cast<int>(until * 30); ++frame) {
        sim.advance_frame(frame / 30., never);
        const Statistics now = gather_statistics(sim);
        double fastest = 0;
        for (const Vec3f& v : sim.particles().velocity) fastest = std::max(fastest, double{norm(v)});
        out.speed = std::max(out.speed, fastest / scale);
        out.gain = std::max(out.gain, (now.kinetic + now.potential - first) / pe);
        if (std::getenv("FAST") && frame == atoi(std::getenv("FAST"))) {
            std::vector<std::pair<double, Index>> f;
            for (Index i = 0; i < sim.particles().size(); ++i) f.push_back({norm(sim.particles().velocity[i]) / scale, i});
            std::sort(f.rbegin(), f.rend());
            const Bounds b = bounds(object.shape);
            for (int q = 0; q < 400; q += q < 12 ? 1 : 40) {
                const Vec3d x = to_double(sim.particles().position[f[q].second]), v = to_double(sim.particles().velocity[f[q].second])/scale;
                MESSAGE("fast ", f[q].first, " at ", (x.x - b.min.x) / model.particles.spacing, " ", (x.y - b.min.y) / model.particles.spacing, " ", (x.z - b.min.z) / model.particles.spacing, " of ", b.size().x / model.particles.spacing, " ", b.size().y / model.particles.spacing, " ", b.size().z / model.particles.spacing, " v ", v.x, " ", v.y, " ", v.z);
            }
        }
        if (std::getenv("TRACE")) MESSAGE("frame ", frame, " v ", fastest / scale, " E ", (now.kinetic + now.potential - first) / pe);
    }
    MESSAGE("iterations ", settling.iterations, " moved ", settling.moved / model.particles.spacing, " residual/g ",
            settling.residual / g, " loaded ", static_cast<int>(settling.loaded[0]), " n ", sim.particles().size());
    return out;
}

}  // namespace

TEST_CASE("liquids start at rest in any container at any spacing") {
    const int cases = pick(1, 6);
    const char* only = std::getenv("ONLY");
    for (const int d : {2, 3}) {
        for (const auto make : {any_box, any_cylinder, any_bowl}) {
            for (const Method& method : methods) {
                for (int k = 0; k < cases; ++k) {
                    Stream random(static_cast<std::uint64_t>(1000 * d + k));
                    const Fill fill = make(random, d);
                    if (only && !(std::string(only) == fill.name)) continue;
                    const double spacing = fill.depth / any(random, d == 2 ? 10 : 6, d == 2 ? 20 : 9);
                    const double c = 20 * std::sqrt(g * fill.depth);
                    Model model = weightless(d, spacing, liquid(c, 5e-3 * 1000 * c * 2 * spacing));
                    model.gravity = {0, -g, 0};
                    method.choose(model.solver);
                    model.obstacles = {fill.container};
                    Object object = filled(fill.shape);
                    object.lattice = static_cast<Lattice>(random.below(3));
                    if (std::getenv("LAT")) object.lattice = static_cast<Lattice>(atoi(std::getenv("LAT")));
                    if (std::getenv("METHOD") && std::string(std::getenv("METHOD")) != method.name) continue;
                    if (std::getenv("DIM") && atoi(std::getenv("DIM")) != d) continue;
                    const Outcome out = release(model, object, fill, 1);
                    INFO(d, "D ", std::string(fill.name), ", ", std::string(method.name), ", lattice ",
                         static_cast<int>(object.lattice), ", ", fill.depth / spacing, " layers: mass ",
                         out.mass_error, ", density ", out.density_error, ", speed ", out.speed, ", gain ", out.gain);
                    MESSAGE("");
                    CHECK(std::abs(out.mass_error) < 0.005);
                    CHECK(out.density_error < 0.01);
                    CHECK(out.speed < 0.05);
                    CHECK(out.gain < 0.01);
                }
            }
        }
    }
}
