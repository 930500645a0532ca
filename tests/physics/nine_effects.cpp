// The nine effects of [SSP07, table 1].

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "physics/bodies.h"
#include "physics/methods.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05, melting = 50;

/// Wax that melts at 50 °C; rigid or elastic below that.
Material wax(ColdState cold, double freezing = melting) {
    Material out{.name = cold == ColdState::rigid ? "stone wax" : "jelly wax", .density = 1000};
    out.liquid = {.sound_speed = 20, .viscosity = 5};
    out.solid = {.cold = cold, .young_modulus = 1e5, .damping = 2e-3};
    out.heat.melting_point = melting;
    out.heat.freezing_point = freezing;
    return out;
}

Phase phase_of(ColdState cold) { return cold == ColdState::rigid ? Phase::rigid : Phase::elastic; }

struct Stage {
    Model model;
    std::vector<Object> objects;

    /// No gravity: what happens is what the effect does.
    Stage(const Method& method, std::vector<Material> materials) {
        method.choose(model.solver);
        model.particles.spacing = spacing;
        model.gravity = {};
        model.materials = std::move(materials);
    }
    void fall() {
        model.gravity = {0, -9.81, 0};
        model.obstacles = {{.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}, .friction = 0.5}};
    }
    void add(const std::string& material, Phase phase, const Box& box, double temperature = 20,
             Vec3d velocity = {}) {
        objects.push_back({.name = material,
                           .material = material,
                           .phase = phase,
                           .temperature = temperature,
                           .velocity = velocity,
                           .shape = box});
    }
    /// What comes within the region gets a temperature.
    void bring(const Box& region, double temperature, double start, double stop) {
        model.heaters.push_back({.name = "heater",
                                 .region = region,
                                 .temperature = temperature,
                                 .response = 0.001,
                                 .start = start,
                                 .stop = stop});
    }
    Simulation begin() const { return {model, populate(model, objects)}; }
};

void run(Simulation& sim, double end) {
    while (sim.clock().time < end) sim.step(end);
}

/// Largest change of a distance between particles of an object that are within a few spacings at the start,
/// m.
double deformation(const ParticleTable& before, const ParticleTable& after, int object) {
    std::vector<Vec3f> start(before.size()), now(before.size());
    std::vector<bool> counts(before.size());
    for (Index i = 0; i < before.size(); ++i) {
        start[before.id[i]] = before.position[i];
        counts[before.id[i]] = before.object[i] == object;
        now[after.id[i]] = after.position[i];
    }
    double most = 0;
    for (std::size_t a = 0; a < start.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const double d = norm(start[a] - start[b]);
            if (counts[a] && counts[b] && d < 3 * spacing)
                most = std::max(most, std::abs(norm(now[a] - now[b]) - d));
        }
    }
    return most;
}

/// Reference neighbours of the particles of one object, and how many of them are of another one.
struct Links {
    Index own = 0, strange = 0, least = 1000;
};

Links links_of(const Simulation& sim, int object) {
    Links out;
    const ParticleTable& p = sim.particles();
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != object) continue;
        Index count = 0;
        sim.elastic().visit_links(p, i, [&](Index j) {
            ++count;
            ++(p.object[j] == object ? out.own : out.strange);
        });
        out.least = std::min(out.least, count);
    }
    return out;
}

const Box left{{-0.4, 0, -0.2}, {0, 0.4, 0.2}}, right{{0, 0, -0.2}, {0.4, 0.4, 0.2}};

void rigids(const Method& method) {
    Stage stage(method, {wax(ColdState::rigid)});
    stage.fall();
    stage.add("stone wax", Phase::rigid, {{-0.2, 0.3, -0.2}, {0.2, 0.7, 0.2}});
    stage.objects[0].angular_velocity = {1, 0, 2};
    Simulation sim = stage.begin();
    const ParticleTable before = sim.particles();
    run(sim, 1);
    CHECK(gather_statistics(sim).bodies == 1);
    CHECK(gather_statistics(sim).rigid == before.size());
    CHECK(links_of(sim, 0).own == 0);
    CHECK(deformation(before, sim.particles(), 0) < 1e-6);
    const Census end = census(sim.particles(), 0);
    CHECK(end.low.y > 0.4 * spacing);
    CHECK(end.low.y < 0.7 * spacing);
}

void elastics(const Method& method) {
    Stage stage(method, {wax(ColdState::elastic)});
    stage.fall();
    stage.add("jelly wax", Phase::elastic, {{-0.2, 0.3, -0.2}, {0.2, 0.7, 0.2}});
    Simulation sim = stage.begin();
    const ParticleTable before = sim.particles();
    double most = 0;
    while (sim.clock().time < 1.5) {
        sim.step(1.5);
        if (sim.clock().step % 20 == 0) most = std::max(most, deformation(before, sim.particles(), 0));
    }
    CHECK(gather_statistics(sim).bodies == 1);
    CHECK(links_of(sim, 0).least >= 7);  // at corners
    CHECK(most > 0.1 * spacing);
    // At rest its weight, ρ g h = 4 % of E below, is all that is left.
    CHECK(deformation(before, sim.particles(), 0) < 0.06 * 3 * spacing);
}

void rigid_elastics(const Method& method) {
    Stage stage(method, {wax(ColdState::rigid, 30)});
    stage.add("stone wax", Phase::rigid, {{-0.4, 0, -0.1}, {0.4, 0.2, 0.1}});
    stage.bring({{0, -1, -1}, {2, 1, 1}}, 32, 0, 0.02);
    stage.model.gravity = {0, -9.81, 0};
    Simulation sim = stage.begin();
    run(sim, 0.02);
    sim.step(0.021);  // phases change when a step begins
    const ParticleTable before = sim.particles();
    Statistics state = gather_statistics(sim);
    CHECK(state.bodies == 1);
    CHECK(state.rigid == state.elastic);
    CHECK(sim.rigid().bodies().size() == 1);
    // Rigid particles near elastic ones are linked to them, others have no links.
    Index at_interface = 0;
    for (Index i = 0; i < before.size(); ++i)
        at_interface += before.phase[i] == Phase::rigid && before.elastic_index[i] != no_index;
    CHECK(at_interface >= 4 * 4);
    CHECK(at_interface < state.rigid);
    run(sim, 0.4);
    state = gather_statistics(sim);
    CHECK(state.bodies == 1);
    CHECK(state.rigid == state.elastic);
    CHECK(deformation(before, sim.particles(), 0) < 2 * spacing);  // they hold together as they fall
}

void fluids(const Method& method) {
    Stage stage(method, {wax(ColdState::elastic)});
    stage.fall();
    stage.add("jelly wax", Phase::liquid, {{-0.2, 0, -0.2}, {0.2, 0.4, 0.2}}, 80);
    Simulation sim = stage.begin();
    run(sim, 0.6);
    const Census end = census(sim.particles(), 0);
    CHECK(gather_statistics(sim).bodies == 0);
    CHECK(links_of(sim, 0).own == 0);
    CHECK(end.high.x - end.low.x > 0.6);
    CHECK(end.high.y < 0.35);
}

void melt(const Method& method, ColdState cold) {
    const Material material = wax(cold);
    Stage stage(method, {material});
    stage.fall();
    stage.add(material.name, phase_of(cold), {{-0.2, 0, -0.2}, {0.2, 0.4, 0.2}});
    stage.bring({{-1, -1, -1}, {1, 1, 1}}, 80, 0.2, 1);
    Simulation sim = stage.begin();
    run(sim, 0.2);
    CHECK(gather_statistics(sim).bodies == 1);
    CHECK(census(sim.particles(), 0).high.y > 0.35);
    run(sim, 0.8);
    CHECK(gather_statistics(sim).bodies == 0);
    CHECK(gather_statistics(sim).liquid == sim.particles().size());
    CHECK(links_of(sim, 0).own == 0);
    CHECK(sim.rigid().empty());
    CHECK(census(sim.particles(), 0).high.y < 0.35);
    CHECK(sim.lineage().back().event == BodyEvent::melted);
}

void melts(const Method& method) {
    melt(method, ColdState::elastic);
    melt(method, ColdState::rigid);
}

void freeze(const Method& method, ColdState cold) {
    const Material material = wax(cold);
    Stage stage(method, {material});
    stage.fall();
    stage.add(material.name, Phase::liquid, {{-0.2, 0, -0.2}, {0.2, 0.4, 0.2}}, 80);
    stage.bring({{-1, -1, -1}, {1, 1, 1}}, 20, 0.15, 1);
    Simulation sim = stage.begin();
    run(sim, 0.2);
    const ParticleTable then = sim.particles();
    const Statistics state = gather_statistics(sim);
    CHECK(state.liquid == 0);
    CHECK(state.bodies >= 1);
    CHECK(sim.lineage().back().particles > 0.9 * then.size());
    if (cold == ColdState::elastic) {
        CHECK(links_of(sim, 0).own > 10 * then.size());
    } else {
        CHECK(sim.rigid().bodies().size() == state.bodies);
    }
    run(sim, 1);
    CHECK(deformation(then, sim.particles(), 0) < (cold == ColdState::rigid ? 1e-6 : 0.4 * spacing));
}

void solidifies(const Method& method) {
    freeze(method, ColdState::elastic);
    freeze(method, ColdState::rigid);
}

/// Two blocks, each of wax that is rigid or elastic.
Stage two_blocks(const Method& method, ColdState one, ColdState other, const Box& first, const Box& second,
                 double approach = 0) {
    std::vector<Material> materials{wax(one)};
    if (other != one) materials.push_back(wax(other));
    Stage stage(method, std::move(materials));
    stage.add(wax(one).name, phase_of(one), first, 20, {approach, 0, 0});
    stage.add(wax(other).name, phase_of(other), second, 20, {-approach, 0, 0});
    return stage;
}

void distinction(const Method& method) {
    for (const ColdState one : {ColdState::elastic, ColdState::rigid}) {
        for (const ColdState other : {ColdState::elastic, ColdState::rigid}) {
            // Pressed together, then they fly apart again.
            Stage stage = two_blocks(method, one, other, {{-0.45, 0, -0.2}, {-0.05, 0.4, 0.2}},
                                     {{0.05, 0, -0.2}, {0.45, 0.4, 0.2}}, 0.5);
            for (Material& material : stage.model.materials) material.solid.restitution = 0.5;
            Simulation sim = stage.begin();
            double nearest = 1;
            while (sim.clock().time < 0.6) {
                sim.step(0.6);
                nearest = std::min(nearest, distance_between(sim.particles(), 0, 1));
            }
            CHECK(gather_statistics(sim).bodies == 2);
            CHECK(nearest < 1.3 * spacing);  // they touched
            CHECK(nearest > 0.5 * spacing);
            CHECK(links_of(sim, 0).strange == 0);
            CHECK(links_of(sim, 1).strange == 0);
            // They part: they touched at a distance of one spacing.
            CHECK(distance_between(sim.particles(), 0, 1) > (1 + 0.5 / method.leeway()) * spacing);
        }
    }
}

void merging(const Method& method) {
    for (const ColdState one : {ColdState::elastic, ColdState::rigid}) {
        for (const ColdState other : {ColdState::elastic, ColdState::rigid}) {
            Stage stage = two_blocks(method, one, other, left, right);
            stage.bring({{-0.1, -1, -1}, {0.1, 1, 1}}, 60, 0.01, 0.03);
            stage.bring({{-2, -1, -1}, {2, 1, 1}}, 20, 0.03, 0.06);
            Simulation sim = stage.begin();
            CHECK(gather_statistics(sim).bodies == 2);
            run(sim, 0.07);
            CHECK(gather_statistics(sim).bodies == 1);
            CHECK(gather_statistics(sim).liquid == 0);
            const bool links = one == ColdState::elastic || other == ColdState::elastic;
            CHECK((links_of(sim, 0).strange > 0) == links);
            CHECK(sim.rigid().bodies().size() ==
                  (one == ColdState::elastic && other == ColdState::elastic ? 0u : 1u));
        }
    }
}

void splitting(const Method& method) {
    for (const ColdState cold : {ColdState::elastic, ColdState::rigid}) {
        Material material = wax(cold);
        material.liquid.viscosity = 0;  // which keeps angular momentum only nearly
        Stage stage(method, {material});
        stage.add(material.name, phase_of(cold), {{-0.5, 0, -0.1}, {0.5, 0.2, 0.1}});
        stage.objects[0].angular_velocity = {0, 0, 1};
        stage.bring({{-0.1, -1, -1}, {0.1, 1, 1}}, 60, 0.01, 0.03);
        Simulation sim = stage.begin();
        const Statistics before = gather_statistics(sim);
        CHECK(before.bodies == 1);
        run(sim, 0.1);
        const Statistics after = gather_statistics(sim);
        CHECK(after.bodies == 2);
        CHECK(after.liquid > 0);
        CHECK(after.mass == before.mass);
        CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-5 * norm(before.angular_momentum));
        // No link leads from one to the other.
        const ParticleTable& p = sim.particles();
        for (Index i = 0; i < p.size(); ++i)
            sim.elastic().visit_links(p, i, [&](Index j) { CHECK(p.body[i] == p.body[j]); });
        CHECK(sim.lineage().back().event == BodyEvent::came_off);
    }
}

struct Effect {
    std::string name;
    std::function<void(const Method&)> show;
};

const Effect effects[] = {
    {"rigids", rigids},           {"elastics", elastics}, {"rigid-elastics", rigid_elastics},
    {"fluids", fluids},           {"melting", melts},     {"solidification", solidifies},
    {"distinction", distinction}, {"merging", merging},   {"splitting", splitting}};

}  // namespace

TEST_CASE("the nine effects") {
    for (const Method& method : {methods[0], fast_preset}) {
        for (const Effect& effect : effects) {
            INFO(effect.name, ", ", std::string(method.name));
            effect.show(method);
        }
    }
}
