#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "physics/methods.h"
#include "physics/rigid.h"
#include "physics/water_level.h"
#include "sim/settle.h"

using namespace thixo;

namespace {

struct Float {
    std::string name;
    Shape shape;  ///< about the origin
    double half_width, height;
    bool turns = false;  ///< it does not float upright, and has to turn over
};

std::vector<Float> shapes(int d) {
    return {{"block", Box{{-0.15, -0.1, -0.15}, {0.15, 0.1, 0.15}}, 0.15, 0.2},
            {"cylinder",
             d == 2 ? Shape(Sphere{{0, 0, 0}, 0.12}) : Shape(Cylinder{{0, 0, -0.15}, {0, 0, 0.15}, 0.12}),
             0.15, 0.24},
            {"bunny", Shape(Bunny{0.3}, {.translate = {0, -0.15, 0}}), 0.2, 0.3, true}};
}

/// A tank of water, 0.12 m deeper than the body is high, and the body.
struct Pool {
    Model model;
    std::vector<Object> objects;
    double width, depth;

    Pool(int dimensions, const Float& body_in_it, bool is_rigid, const Method& method,
         double relative_density, double spacing, double low)
        : model(weightless(dimensions, spacing, liquid(body_in_it.turns ? 40 : 20, 1))),
          width(2 * (body_in_it.half_width + 6 * spacing)),
          depth(body_in_it.height + 0.12) {
        model.gravity = {0, -9.81, 0};
        method.choose(model.solver);
        // With the twenty neighbours of 2 ℓ a pool at rest is nearly a crystal: it does not let a body turn
        // over that is a tenth lighter.
        if (body_in_it.turns) {
            model.solver.kernel = KernelName::wendland_c2;
            model.particles.support = 3;
        }
        model.materials.push_back(is_rigid ? wood(1000 * relative_density)
                                           : rubber(2e5, 1000 * relative_density));
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

bool is_over(const Census& body, const Vec3d& x, bool flat) {
    return x.x > body.low.x && x.x < body.high.x && (flat || (x.z > body.low.z && x.z < body.high.z));
}

/// The volume of the body below the level of the water, in that which the water displaces by the weight of
/// the body and of the water that lies on it: a body whose back rises above the water by less than a particle
/// has a layer of them on it, up to 3 % of its weight.
double submerged(const ParticleTable& p, const Pool& pool) {
    const double l = pool.model.particles.spacing;
    const bool flat = pool.model.dimensions == 2;
    const Census body = census(p, 0);
    const double level = water_level(p, pool.model, body, 0.5 * pool.width, 0.5 * pool.depth);
    const double density = pool.model.materials[1].density;
    double under = 0, carried = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const double wet = part_beyond((level - p.position[i].y) / l);
        if (p.object[i] == 0) {
            under += p.mass[i] / density * wet;
            carried += p.mass[i];
        } else if (is_over(body, to_double(p.position[i]), flat)) {
            carried += p.mass[i] * (1 - wet);
        }
    }
    return under * 1000 / carried;
}

void check_depth(int dimensions, const Float& shape, bool is_rigid, const Method& method,
                 double relative_density, double spacing) {
    const Pool pool(dimensions, shape, is_rigid, method, relative_density, spacing,
                    shape.height + 0.12 - relative_density * shape.height);
    Simulation sim = pool.start();
    double sum = 0;
    const int frames = shape.turns ? 160 : 40;
    for (int frame = 1; frame <= frames; ++frame) {
        sim.advance_frame(frame / 20., never);
        if (frame > frames / 2) sum += submerged(sim.particles(), pool) / (frames / 2);
    }
    INFO(dimensions, "D ", std::string(is_rigid ? "rigid " : "elastic "), shape.name, " of ",
         1000 * relative_density, " kg/m³, ", std::string(method.name), ", spacing ", spacing, ": ", sum,
         " of what Archimedes says is under water");
    // Ragged bodies are 2 to 4 % too deep with `tait`: their outermost particles have less pressure than the
    // water beside them. That is open (docs/theory/rigid.md).
    CHECK(std::abs(sum - 1) < (shape.turns && !method.incompressible() ? 0.06 : 0.03));
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
            for (const double relative_density : {0.6, 1.5}) {
                const double spacing = 0.025;
                const Pool pool(2, shapes(2)[0], is_rigid, method, relative_density, spacing, 0);
                Simulation sim = pool.start();
                const double start = census(sim.particles(), 0).low.y;
                sim.advance_frame(1, never);
                const double end = census(sim.particles(), 0).low.y;
                INFO(std::string(method.name), std::string(is_rigid ? ", rigid" : ", elastic"), ", ",
                     1000 * relative_density, " kg/m³: from ", start, " to ", end);
                // Water gets below what it lifts; what is heavier lies on the floor, and stays.
                CHECK(start == doctest::Approx((relative_density < 1 ? 2.5 : 0.5) * spacing).epsilon(0.05));
                if (relative_density < 1)
                    CHECK(end > start + 2 * spacing);
                else
                    CHECK(std::abs(end - start) < 0.2 * spacing);
            }
        }
    }
}
