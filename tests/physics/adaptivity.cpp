#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/tank.h"
#include "sim/statistics.h"
#include "sph/calibration.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double g = 9.81, depth = 0.24, c = 25;

Model pool(double spacing, PressureMethod pressure, DensityMethod density) {
    Model model = weightless(2, spacing, liquid(c, 50));
    model.gravity = {0, -g, 0};
    model.solver.pressure = pressure;
    model.solver.density = density;
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {depth, 2 * depth, 1}}, .inside = true}};
    return model;
}

/// Three bands of liquid, the lowest of particles four times as large as the uppermost.
ParticleTable bands(const Model& model) {
    ParticleTable p;
    const double fine = model.particles.spacing;
    const double volume =
        rest_volume(model.solver.kernel, model.particles.support * fine, 2, Lattice::cubic, fine);
    double y = 0;
    for (const double size : {4., 2., 1.}) {
        const double spacing = size * fine;
        for (const double top = y + depth / 3; y < top - 1e-9; y += spacing) {
            for (double x = 0.5 * spacing; x < depth; x += spacing) {
                const Index i = p.size();
                p.resize(i + 1);
                p.id[i] = i;
                p.position[i] = to_float(Vec3d{x, y + 0.5 * spacing, 0});
                p.radius[i] = static_cast<float>(0.5 * spacing);
                p.mass[i] = static_cast<float>(1000 * volume * size * size);
                p.density[i] = 1000;
            }
        }
    }
    return p;
}

double mean_speed(const ParticleTable& p) {
    double sum = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        sum += p.mass[i] * norm(p.velocity[i]);
        mass += p.mass[i];
    }
    return sum / mass;
}

/// The pressure between two heights over what the liquid above weighs.
double relative_pressure(const ParticleTable& p, double low, double high) {
    double found = 0, expected = 0, top = 0;
    for (Index i = 0; i < p.size(); ++i) top = std::max(top, double{p.position[i].y + p.radius[i]});
    for (Index i = 0; i < p.size(); ++i) {
        const double y = p.position[i].y;
        if (y < low || y > high) continue;
        found += p.mass[i] * p.pressure[i];
        expected += p.mass[i] * 1000 * g * (top - y);
    }
    return found / expected;
}

/// E = Σ m (½ v² + k (ln(ρ/ρ₀) + ρ₀/ρ − 1))   [notes on DC99, eq. 1]
double energy(const ParticleTable& p, double k) {
    double sum = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const double s = p.density[i];
        sum += p.mass[i] * (0.5 * norm2(to_double(p.velocity[i])) + k * (std::log(s) + 1 / s - 1));
    }
    return sum;
}

/// The ball of 373 particles with which the integration was chosen: radius 4, spacing, stiffness and density 1.
Simulation ball(double viscosity, double scale) {
    Model model;
    model.gravity = {};
    model.particles = {.spacing = 1, .support = 2};
    model.solver.kernel = KernelName::spiky;
    model.solver.density = DensityMethod::continuity;
    model.solver.viscosity = ViscosityMethod::artificial;
    model.solver.tension = true;
    model.solver.time_step_scale = scale;
    model.materials = {{.name = "water",
                        .density = 1,
                        .liquid = {.sound_speed = 1, .artificial_viscosity = viscosity},
                        .heat = {}}};
    Object body = filled(Sphere{{0, 0, 0}, 4.01});
    body.lattice = Lattice::closest;
    ParticleTable p = populate(model, {body});
    Vec3d center{};
    for (const Vec3f& x : p.position) center += to_double(x) / p.size();
    for (Index i = 0; i < p.size(); ++i)
        p.velocity[i] = to_float(-0.05 * (to_double(p.position[i]) - center));
    return {model, p};
}

}  // namespace

TEST_CASE("still water of particles over a factor of four in size stays still") {
    for (const auto pressure : {PressureMethod::state_equation, PressureMethod::tait}) {
        for (const auto density : {DensityMethod::continuity, DensityMethod::summation}) {
            const Model model = pool(depth / pick(48, 96), pressure, density);
            Simulation sim(model, bands(model));
            double found = 0, fastest = 0;
            constexpr int frames = 60;
            for (int frame = 1; frame <= frames; ++frame) {
                REQUIRE(sim.advance_frame(0.01 * frame, never));
                fastest = std::max(fastest, mean_speed(sim.particles()));
                if (frame > frames / 2)
                    found += relative_pressure(sim.particles(), 0.2 * depth, 0.8 * depth) / (frames / 2);
            }
            INFO("pressure ", static_cast<int>(pressure), ", density ", static_cast<int>(density),
                 ": relative pressure ", found, ", speeds ", fastest, " and then ",
                 mean_speed(sim.particles()));
            CHECK(found == near(1, 0.05));
            CHECK(mean_speed(sim.particles()) < 0.002 * c);
            for (const Vec3f& x : sim.particles().position)
                CHECK(x.y < depth + 0.5 * model.particles.spacing);
        }
    }
}

TEST_CASE("a split in still water hardly changes the pressure") {
    Model model = pool(depth / 24, PressureMethod::tait, DensityMethod::continuity);
    const std::vector<Object> water{filled(Box{{0, 0, 0}, {depth, depth, 1}})};
    Simulation before(model, populate(model, water));
    REQUIRE(before.advance_frame(1.5, never));
    // The same liquid, of which the particles now pass for large ones.
    Model finer = model;
    finer.particles.spacing /= std::sqrt(7.);
    ParticleTable table = before.particles();
    const auto near_middle = [](const Vec3f& x) {
        return std::abs(x.x - 0.5f * depth) + std::abs(x.y - 0.5f * depth);
    };
    Index row = 0;
    for (Index i = 0; i < table.size(); ++i)
        if (near_middle(table.position[i]) < near_middle(table.position[row])) row = i;
    const double p = table.pressure[row];
    const Vec3f place = table.position[row];
    CHECK(p == near(1000 * g * (depth - place.y), 0.05));
    {
        NeighbourSearch search;
        std::vector<float> supports;
        for (const float radius : table.radius) supports.push_back(4 * radius);
        (void)search.sort({1}, table.position, supports);  // they are in order
        search.build({1}, table.position, supports);
        const std::vector<WallTerm> walls(table.size());
        const std::vector<std::uint8_t> delicate(table.size());
        const Sizing sizing({.coarsest = 4, .refine = {}, .simplify = {}}, model.materials,
                            model.solver.kernel, 2 * finer.particles.spacing, 2, finer.particles.spacing);
        std::uint64_t next_id = table.size();
        Splitter(sizing, model.materials, 1)
            .split({table, search.view(), supports, walls, delicate}, {row}, 0, next_id);
    }
    REQUIRE(table.size() == before.particles().size() + 6);
    Simulation after(finer, table);
    const auto worst = [&](double reach) {
        double sum = 0, weight = 0, most = 0;
        for (Index i = 0; i < after.particles().size(); ++i) {
            if (norm(after.particles().position[i] - place) > reach) continue;
            const double here = 1000 * g * (place.y - after.particles().position[i].y);
            sum += after.particles().mass[i] * (after.particles().pressure[i] + -here);
            weight += after.particles().mass[i];
            most = std::max(most, std::abs(after.particles().pressure[i] - here - p));
        }
        return std::pair(std::abs(sum / weight - p) / p, most / p);
    };
    const auto at_once = worst(2 * model.particles.spacing);
    REQUIRE(after.advance_frame(0.3, never));
    const auto later = worst(2 * model.particles.spacing);
    INFO("at once: mean ", at_once.first, ", most ", at_once.second, "; later: mean ", later.first, ", most ",
         later.second);
    CHECK(at_once.first < 0.02);
    CHECK(at_once.second < 0.02);
    CHECK(later.first < 0.02);
}

TEST_CASE("a pulsating ball keeps its energy, and loses it to viscosity as it should") {
    Simulation free = ball(0, 1);
    CHECK(free.particles().size() == 373);
    const double start = energy(free.particles(), 1);
    double last = 0;
    while (free.clock().time < 200) free.step(1e9);
    for (int k = 0; k < 50; ++k) {
        free.step(1e9);
        last += energy(free.particles(), 1) / 50;
    }
    Vec3d momentum{};
    double size = 0;
    for (Index i = 0; i < free.particles().size(); ++i) {
        momentum += double{free.particles().mass[i]} * to_double(free.particles().velocity[i]);
        size += free.particles().mass[i] * norm(free.particles().velocity[i]);
    }
    INFO("energy ", last / start, ", momentum ", norm(momentum) / size);
    CHECK(last / start == near(1, 0.08));
    CHECK(norm(momentum) < 1e-4 * size);

    Simulation viscous = ball(0.5, 1);
    while (viscous.clock().time < 40) viscous.step(40);
    INFO("viscous: ", energy(viscous.particles(), 1) / start);
    CHECK(energy(viscous.particles(), 1) / start == near(0.063, 0.2));
}
