#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "sph/kernels.h"
#include "unit/core/near.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

std::vector<std::string> split(std::string line) {
    line.pop_back();  // the line's end
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
}

/// Three particles, too far apart to feel each other.
Simulation three_particles() {
    Model model;
    model.gravity = {0, -10, 0};
    model.particles.spacing = 0.1;
    model.materials = {water(),
                       {.name = "wax", .density = 800, .liquid = {}, .heat = {.specific_heat = 2000}}};
    ParticleTable p;
    p.resize(3);
    p.id = {0, 1, 2};
    p.mass = {2, 1, 4};
    p.radius = {0.05f, 0.05f, 0.05f};
    p.position = {{1, 2, 3}, {-5, 1, 0}, {0, 20, 4}};
    p.velocity = {{1, 0, 0}, {0, 2, 0}, {0, -1, 3}};
    p.temperature = {10, 40, -20};
    p.latent = {0, 300, 0};
    p.material = {0, 1, 1};
    p.phase = {Phase::liquid, Phase::elastic, Phase::rigid};
    return {model, std::move(p), Device{2}};
}

}  // namespace

TEST_CASE("the ledger's columns have their names, in their order") {
    CHECK(statistics_header() ==
          "frame,time,steps,particles,liquid,elastic,rigid,bodies,mass,px,py,pz,lx,ly,lz,kinetic,potential,"
          "elastic_energy,heat,t_min,t_mean,t_max,density_error,solid_density_error,dt_min,dt_max,neighbours,"
          "wall_seconds,hash\n");
    const std::vector<std::string> names = split(statistics_header());
    CHECK(split(statistics_row({}, 0)).size() == names.size());
}

TEST_CASE("a row has each number in its column") {
    Statistics s;
    s.frame = 1, s.time = 2, s.steps = 3, s.particles = 4, s.liquid = 5, s.elastic = 6, s.rigid = 7,
    s.bodies = 8;
    s.mass = 9, s.momentum = {10, 11, 12}, s.angular_momentum = {13, 14, 15};
    s.kinetic = 16, s.potential = 17, s.elastic_energy = 18, s.heat = 19, s.t_min = 20, s.t_mean = 21,
    s.t_max = 22;
    s.density_error = 23, s.solid_density_error = 24, s.dt_min = 25, s.dt_max = 26, s.neighbours = 27,
    s.hash = 0x1d;
    const std::vector<std::string> cells = split(statistics_row(s, 28));
    for (std::size_t k = 0; k < 27; ++k) CHECK(cells[k] == std::to_string(k + 1));
    CHECK(cells[27] == "28.0000");
    CHECK(cells[28] == "000000000000001d");
}

TEST_CASE("numbers in a row lose nothing") {
    Statistics s;
    s.time = 1 / 3., s.mass = 1e-300, s.kinetic = 123456789.123456789;
    const std::vector<std::string> cells = split(statistics_row(s, 0));
    CHECK(std::stod(cells[1]) == s.time);
    CHECK(std::stod(cells[8]) == s.mass);
    CHECK(std::stod(cells[15]) == s.kinetic);
}

TEST_CASE("totals of a hand-made table") {
    const Simulation sim = three_particles();
    const Statistics s = gather_statistics(sim);
    CHECK(s.particles == 3);
    CHECK(s.liquid == 1);
    CHECK(s.elastic == 1);
    CHECK(s.rigid == 1);
    CHECK(s.mass == 7);
    CHECK(s.momentum == Vec3d{2, 2 - 4, 12});
    // m x × v: 2 (1,2,3)×(1,0,0) + (−5,1,0)×(0,2,0) + 4 (0,20,4)×(0,−1,3)
    CHECK(s.angular_momentum == Vec3d{0 + 0 + 4 * (60 + 4), 6, -4 - 10});
    CHECK(s.kinetic == 0.5 * (2 * 1 + 1 * 4 + 4 * 10));
    CHECK(s.potential == 10 * (2 * 2 + 1 * 1 + 4 * 20));
    CHECK(s.heat == 2 * 4186. * 10 + 1 * (2000. * 40 + 300) + 4 * 2000. * -20);
    CHECK(s.t_min == -20);
    CHECK(s.t_mean == 10);
    CHECK(s.t_max == 40);
    CHECK(s.neighbours == 0);
    CHECK(s.hash == state_hash(sim));
    CHECK(s.density_error == 0);  // alone, a particle of 2 kg is far from its rest density
}

TEST_CASE("the density error is the mean over liquid particles of what is above rest") {
    Model model;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    const double w0 = Kernel<CubicSpline, double>(0.2, 3).value(0.);
    ParticleTable p;
    p.resize(4);
    const auto mass = [&](double relative) { return static_cast<float>(relative * 1000 / w0); };
    p.mass = {mass(1.2), mass(0.7), mass(1.3), mass(1.6)};
    p.phase[3] = Phase::rigid;
    for (Index i = 0; i < 4; ++i) {
        p.id[i] = i;
        p.radius[i] = 0.05f;
        p.position[i] = {static_cast<float>(i), 0, 0};
    }
    const Statistics s = gather_statistics(Simulation(model, std::move(p), Device{1}));
    CHECK(s.density_error == near((0.2 + 0 + 0.3) / 3, 1e-4));
}

TEST_CASE("the ledger's clock and an empty table") {
    Simulation sim = Splash(0.1, 2).simulation();
    sim.advance_frame(0.02, never);
    const Statistics s = gather_statistics(sim);
    CHECK(s.frame == 1);
    CHECK(s.time == 0.02);
    CHECK(s.steps == sim.clock().step);
    CHECK(s.dt_min <= s.dt_max);
    CHECK(s.dt_min * static_cast<double>(s.steps) <= 0.02 * (1 + 1e-9));
    CHECK(s.dt_max * static_cast<double>(s.steps) >= 0.02 * (1 - 1e-9));

    Model model;
    model.materials = {water()};
    const Statistics empty = gather_statistics(Simulation(model, ParticleTable{}, Device{1}));
    std::vector<std::string> cells = split(statistics_row(empty, 0));
    cells.pop_back();  // the hash, of the clock too
    for (const std::string& cell : cells) CHECK(cell.find_first_not_of("0.") == std::string::npos);
}

TEST_CASE("neighbours are counted within the support, not within the skin") {
    Model model;
    model.dimensions = 2;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    ParticleTable p;
    p.resize(3);
    p.id = {0, 1, 2};
    for (Index i = 0; i < 3; ++i) p.radius[i] = 0.05f, p.mass[i] = 1;
    p.position = {{0, 0, 0}, {0.19f, 0, 0}, {0.40f, 0, 0}};  // the second pair is 0.21 apart
    CHECK(Simulation(model, std::move(p), Device{1}).mean_neighbours() == near(2. / 3));
}
