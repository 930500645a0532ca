#include <doctest/doctest.h>

#include <algorithm>

#include "unit/lattice/crystal.h"

using namespace thixo;

namespace {

std::vector<Index> rows_of(const Crystal& c, const std::vector<std::uint32_t>& ids) {
    std::vector<Index> out;
    for (const std::uint32_t id : ids) out.push_back(c.row_of(id));
    return out;
}

void melt(Crystal& c, const std::vector<std::uint32_t>& ids) {
    const std::vector<Index> rows = rows_of(c, ids);
    c.solids.leave(c.device, c.particles, rows);
    for (const Index i : rows) c.particles.body[i] = 0;
    c.solids.collect(c.device, c.particles, c.search.view());
}

/// All of it is one body afterwards.
void freeze(Crystal& c, const std::vector<std::uint32_t>& ids) {
    c.solids.join(c.device, c.particles, rows_of(c, ids), c.search.view());
    for (Index i = 0; i < c.size(); ++i)
        c.particles.body[i] = c.particles.lattice_index[i] == no_index ? 0 : 1;
    c.solids.collect(c.device, c.particles, c.search.view());
}

std::vector<std::uint32_t> every_third(const Crystal& c) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t id = 1; id < c.size(); id += 3) out.push_back(id);
    return out;
}

float strongest(Crystal& c) {
    float out = 0;
    for (const Vec3f& a : c.accelerations()) out = std::max(out, norm(a));
    return out;
}

Material breaking(int dimensions) {
    Material out = crystal(dimensions);
    out.solid.docking_rate = 100;
    out.solid.docking_time = 1;
    return out;
}

}  // namespace

TEST_CASE("what melts and freezes again where it was is as it was, however the solid is turned") {
    for (const int dimensions : {2, 3}) {
        const Mat3d turn = rotation_about(dimensions == 2 ? Vec3d{0, 0, 1} : Vec3d{1, 2, -1}, 0.7);
        Crystal c(breaking(dimensions), block_points(dimensions, 3.2), dimensions, turn);
        const Index bonds = c.bonds();
        const std::vector<std::uint32_t> some = every_third(c);
        melt(c, some);
        CHECK(c.bonds() < bonds);
        for (const Index i : rows_of(c, some)) CHECK(c.particles.lattice_index[i] == no_index);
        CHECK(strongest(c) < 1e-5f);
        for (const std::uint16_t rim : c.particles.rim) CHECK(rim == 0);  // holes are no cracks
        c.last_step = 0.3;
        c.steps = 1;
        freeze(c, some);
        CHECK(strongest(c) < 1e-5f);
        CHECK(c.bonds() == bonds);
        CHECK(c.parts() == 1);
        // Sites that were given back are taken first.
        CHECK(c.solids.rows().size() == c.size());
        // It holds: rates are those of the start.
        for (int k = 0; k < 20; ++k) c.step(0.05);
        CHECK(c.bonds() == bonds);
    }
}

TEST_CASE("solids grow from nothing, and all of it may melt") {
    Crystal c(crystal(3), block_points(3, 2.2), 3);
    std::vector<std::uint32_t> all;
    for (std::uint32_t id = 0; id < c.size(); ++id) all.push_back(id);
    melt(c, all);
    CHECK(strongest(c) == 0);
    TimeStepLimit limit;
    c.solids.limit_time_step(limit);
    CHECK(limit.seconds > 1e30);
    freeze(c, all);
    CHECK(strongest(c) < 1e-5f);
    CHECK(c.parts() == 1);
}

TEST_CASE("a particle that joins is connected with all particles it touches before the docking") {
    Crystal c(crystal(2), lattice_box(2, 6, 2.7), 2);
    std::vector<std::uint32_t> middle;
    for (Index i = 0; i < c.size(); ++i)
        if (std::abs(c.particles.position[i].x) < 1.1f) middle.push_back(c.particles.id[i]);
    melt(c, middle);
    c.accelerations();
    CHECK(c.parts() == 2 + static_cast<int>(middle.size()));
    c.solids.join(c.device, c.particles, rows_of(c, middle), c.search.view());
    CHECK(c.parts() == 1);
}

TEST_CASE("softer sites pull less") {
    Crystal c(crystal(3), block_points(3, 2.2), 3);
    c.deform([](const Vec3d& x) { return 1.01 * x; });
    const float full = strongest(c);
    c.solids.soften(c.device, std::vector<float>(c.size(), 0.25f));
    CHECK(strongest(c) == doctest::Approx(0.25 * full));
}
