#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "physics/methods.h"
#include "physics/rigid.h"
#include "sim/settle.h"

using namespace thixo;

namespace {

struct Float {
    std::string name;
    Shape shape;  ///< about the origin
    double half_width, height;
    double
        ragged;  ///< surface over volume, 1/m: a tenth of a spacing all around is what was measured beyond 3 % (docs/theory/rigid.md); 0 for smooth shapes
};

std::vector<Float> shapes(int d) {
    return {{"block", Box{{-0.15, -0.1, -0.15}, {0.15, 0.1, 0.15}}, 0.15, 0.2, 0},
            {"cylinder",
             d == 2 ? Shape(Sphere{{0, 0, 0}, 0.12}) : Shape(Cylinder{{0, 0, -0.15}, {0, 0, 0.15}, 0.12}),
             0.15, 0.24, 0},
            {"bunny", Shape(Bunny{0.3}, {.translate = {0, -0.15, 0}}), 0.2, 0.3, d == 2 ? 25. : 35.}};
}

/// A tank of water, 0.12 m deeper than the body is high, and the body.
struct Pool {
    Model model;
    std::vector<Object> objects;
    double width, depth;

    Pool(int dimensions, const Float& body_in_it, bool is_rigid, const Method& method, double share,
         double spacing, double low)
        : model(weightless(dimensions, spacing, liquid(20, 1))),
          width(2 * (body_in_it.half_width + 6 * spacing)),
          depth(body_in_it.height + 0.12) {
        model.gravity = {0, -9.81, 0};
        method.choose(model.solver);
        model.materials.push_back(is_rigid ? wood(1000 * share) : rubber(2e5, 1000 * share));
        model.materials[1].liquid = model.materials[0].liquid;
        const Vec3d corner{-width / 2, 0, -width / 2};
        model.obstacles = {{.name = "tank", .shape = Box{corner, {width / 2, 2, width / 2}}, .inside = true}};
        Shape shape = body_in_it.shape;
        shape.placement.translate.y += low + 0.5 * body_in_it.height;
        objects = {is_rigid ? rigid("float", shape) : body("float", shape),
                   filled(Box{corner, {width / 2, depth, width / 2}})};
    }

    Simulation start() const {
        ParticleTable particles = populate(model, objects, nullptr, {}, Start::rest);
        settle(model, objects, particles);
        return {model, std::move(particles)};
    }
};

double part(double spacings) { return std::clamp(spacings + 0.5, 0.0, 1.0); }

/// The part of the body below the level of the water. The level is that of the weight: the mass above mid-depth, 2.5 spacings and more beside
/// the body, over its area. The outermost layer of a liquid sinks a little into the next one, so that the highest particles are lower.
double submerged(const ParticleTable& p, const Pool& pool) {
    const double l = pool.model.particles.spacing, half = 0.5 * pool.width, y = 0.5 * pool.depth;
    const bool flat = pool.model.dimensions == 2;
    const Census body = census(p, 0);
    const double x0 = std::max(-half, body.low.x - 2.5 * l), x1 = std::min(half, body.high.x + 2.5 * l);
    const double z0 = std::max(-half, body.low.z - 2.5 * l), z1 = std::min(half, body.high.z + 2.5 * l);
    double volume = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] != Phase::liquid) continue;
        const Vec3d x = to_double(p.position[i]);
        const double away =
            std::max({x0 - x.x, x.x - x1, flat ? x0 - x.x : z0 - x.z, flat ? x0 - x.x : x.z - z1});
        volume += p.mass[i] / 1000. * part((x.y - y) / l) * part(away / l);
    }
    const double area = flat ? pool.width - (x1 - x0) : pool.width * pool.width - (x1 - x0) * (z1 - z0);
    const double level = y + volume / area;
    double under = 0, all = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != 0) continue;
        under += p.mass[i] * part((level - p.position[i].y) / l);
        all += p.mass[i];
    }
    return under / all;
}

void check_depth(int dimensions, const Float& shape, bool is_rigid, const Method& method, double share,
                 double spacing) {
    const Pool pool(dimensions, shape, is_rigid, method, share, spacing,
                    shape.height + 0.12 - share * shape.height);
    Simulation sim = pool.start();
    double sum = 0;
    const int frames = 40;
    for (int frame = 1; frame <= frames; ++frame) {
        sim.advance_frame(frame / 20., never);
        if (frame > frames / 2) sum += submerged(sim.particles(), pool) / (frames / 2);
    }
    INFO(dimensions, "D ", std::string(is_rigid ? "rigid " : "elastic "), shape.name, " of ", 1000 * share,
         " kg/m³, ", std::string(method.name), ", spacing ", spacing, ": ", 100 * sum, " % under water");
    CHECK(std::abs(sum / share - 1) < 0.03 + 0.1 * spacing * shape.ragged);
}

}  // namespace

TEST_CASE("blocks, cylinders and bunnies float as deep as Archimedes says, rigid or elastic") {
    for (const int d : {2, 3}) {
        if (d == 3 && !full_size()) continue;
        for (const Float& shape : shapes(d)) {
            for (const bool is_rigid : {true, false}) {
                for (const Method& method : {methods[1], methods[4]}) {  // tait, dfsph
                    check_depth(d, shape, is_rigid, method, 0.9, 0.025);
                    if (d == 2 && full_size()) check_depth(d, shape, is_rigid, method, 0.9, 0.017);
                }
            }
        }
    }
}

TEST_CASE("a light body that starts flush on the floor under water rises") {
    for (const Method& method : {methods[1], methods[4]}) {
        for (const bool is_rigid : {true, false}) {
            for (const double share : {0.6, 1.5}) {
                const double spacing = 0.025;
                const Pool pool(2, shapes(2)[0], is_rigid, method, share, spacing, 0);
                Simulation sim = pool.start();
                const double start = census(sim.particles(), 0).low.y;
                sim.advance_frame(1, never);
                const double end = census(sim.particles(), 0).low.y;
                INFO(std::string(method.name), std::string(is_rigid ? ", rigid" : ", elastic"), ", ",
                     1000 * share, " kg/m³: from ", start, " to ", end);
                // Water gets below what it lifts; what is heavier lies on the floor, and stays.
                CHECK(start == doctest::Approx((share < 1 ? 2.5 : 0.5) * spacing).epsilon(0.05));
                if (share < 1)
                    CHECK(end > start + 2 * spacing);
                else
                    CHECK(std::abs(end - start) < 0.2 * spacing);
            }
        }
    }
}
