#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "body/lineage.h"
#include "unit/core/generators.h"
#include "unit/elastic/body.h"

using namespace thixo;

namespace {

/// Elastic and liquid particles that change places; rows stay where they are.
struct Melt {
    static constexpr double spacing = Body::spacing, support = Body::support;

    std::vector<Material> materials;
    ParticleTable particles;
    ElasticBodies elastic;
    NeighbourSearch search;
    Lineage lineage;
    Device device{2};

    /// Object 0 is what `solid` says; the rest is liquid.
    Melt(const Material& material, const std::vector<Vec3d>& points, const std::vector<bool>& solid)
        : materials{material},
          elastic(materials, {KernelName::cosine}, KernelName::cubic_spline, support, 3, spacing) {
        const double volume = rest_volume(KernelName::cubic_spline, support, 3, Lattice::cubic, spacing);
        particles.resize(static_cast<Index>(points.size()));
        for (Index i = 0; i < particles.size(); ++i) {
            particles.id[i] = i;
            particles.position[i] = to_float(points[i]);
            particles.mass[i] = static_cast<float>(material.density * volume);
            particles.radius[i] = static_cast<float>(spacing / 2);
            particles.phase[i] = solid[i] ? Phase::elastic : Phase::liquid;
        }
        list();
        elastic.create(device, particles, search.view());
        number_bodies(connectivity(), particles, lineage);
    }

    /// Lists of the particles as they are. Rows would be sorted: ids keep their names.
    void list() {
        const std::vector<float> supports(particles.size(), static_cast<float>(support));
        particles.permute(device, search.sort(device, particles.position, supports));
        search.build(device, particles.position, supports);
    }
    Connectivity connectivity() const {
        return [this](Index row, const std::function<void(Index)>& visit) {
            elastic.visit_links(particles, row, visit);
        };
    }

    template <class Which>
    std::vector<Index> rows_where(const Which& which) const {
        std::vector<Index> out;
        for (Index i = 0; i < particles.size(); ++i) {
            if (which(particles.id[i])) out.push_back(i);
        }
        return out;
    }
    template <class Which>
    void freeze(const Which& which) {
        const std::vector<Index> rows = rows_where(which);
        for (const Index i : rows) particles.phase[i] = Phase::elastic;
        BodyMerge merge(particles, rows, search.view(), 1.5 * spacing);
        elastic.unite_frames(device, particles, merge, search.view(), {});
        elastic.join(device, particles, rows, merge, search.view(), {});
        std::vector<std::uint32_t> all(last_body(lineage));
        std::iota(all.begin(), all.end(), 1u);
        renumber_bodies(connectivity(), all, {1, 1}, particles, lineage);
    }
    template <class Which>
    void melt(const Which& which) {
        const std::vector<Index> rows = rows_where(which);
        elastic.leave(device, particles, rows);
        for (const Index i : rows) {
            particles.phase[i] = Phase::liquid;
            particles.body[i] = 0;
        }
    }
    template <class Place>
    void move(const Place& place) {
        for (Vec3f& x : particles.position) x = to_float(place(to_double(x)));
    }

    /// N, by id.
    std::vector<Vec3d> forces() {
        std::vector<Vec3f> a(particles.size());
        elastic.add_forces(device, particles, a);
        std::vector<Vec3d> out(particles.size());
        for (Index i = 0; i < particles.size(); ++i)
            out[particles.id[i]] = to_double(a[i]) * double{particles.mass[i]};
        return out;
    }
};

std::vector<bool> all_of(std::size_t count, bool value) { return std::vector<bool>(count, value); }

Vec3d bend(const Vec3d& X) { return {X.x + 0.1 * X.x * X.y, 1.02 * X.y, X.z - 0.2 * X.x * X.z}; }

double difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, norm(a[i] - b[i]));
    return out;
}

const SolidModel models[] = {SolidModel::corrected, SolidModel::corotated, SolidModel::mls,
                             SolidModel::green};

}  // namespace

TEST_CASE("a body that particles left is as if they had never been there") {
    const std::vector<Vec3d> points = block_points(6, 4, 4);
    const auto goes = [&](std::uint32_t id) { return points[id].x > 0 && points[id].y > 0; };
    std::vector<bool> stays;
    for (std::uint32_t id = 0; id < points.size(); ++id) stays.push_back(!goes(id));
    for (const SolidModel model : models) {
        Melt melted(jelly(model), points, all_of(points.size(), true)), never(jelly(model), points, stays);
        melted.melt(goes);
        for (Melt* melt : {&melted, &never}) melt->move(bend);
        const std::vector<Vec3d> expected = never.forces();
        CHECK(largest(expected) > 1);
        CHECK(difference(melted.forces(), expected) < 1e-4 * largest(expected));
        for (Index i = 0; i < points.size(); ++i)
            CHECK((melted.particles.elastic_index[i] == no_index) == goes(melted.particles.id[i]));
    }
}

TEST_CASE("what freezes in place makes the body whole") {
    const std::vector<Vec3d> points = block_points(6, 4, 4);
    for (const SolidModel model : models) {
        Melt whole(jelly(model), points, all_of(points.size(), true)),
            grown(jelly(model), points, all_of(points.size(), true));
        // Some go and come back, in two lots.
        grown.melt([&](std::uint32_t id) { return points[id].x > 0; });
        grown.freeze([&](std::uint32_t id) { return points[id].x > 0 && points[id].z > 0; });
        grown.freeze([&](std::uint32_t id) { return points[id].x > 0 && points[id].z < 0; });
        for (Melt* melt : {&whole, &grown}) melt->move(bend);
        const std::vector<Vec3d> expected = whole.forces();
        CHECK(difference(grown.forces(), expected) < 1e-4 * largest(expected));
    }
}

TEST_CASE("bodies that were turned differently and grow together are without stress, and turn without any") {
    // Two blocks side by side, with a layer of liquid between them.
    const std::vector<Vec3d> points = block_points(9, 4, 4);
    const auto bridge = [&](std::uint32_t id) { return std::abs(points[id].x) < 0.6 * Melt::spacing; };
    std::vector<bool> solid;
    for (std::uint32_t id = 0; id < points.size(); ++id) solid.push_back(!bridge(id));
    Material material = jelly();
    material.solid.elastic_limit = 10;  // there are plastic strains to be turned
    Melt melt(material, points, solid);
    CHECK(melt.lineage.size() == 2);
    // The right one is turned by a right angle about x, on which the lattice falls onto itself.
    const double angle = std::acos(0.0);
    for (int k = 1; k <= 10; ++k) {
        for (Index i = 0; i < melt.particles.size(); ++i) {
            const Vec3d X = points[melt.particles.id[i]];
            if (X.x > 0.6 * Melt::spacing)
                melt.particles.position[i] = to_float(rotation_about({1, 0, 0}, 0.1 * k * angle) * X);
        }
        melt.forces();
    }
    melt.list();
    melt.freeze(bridge);
    CHECK(count_bodies(melt.particles) == 1);
    CHECK(melt.lineage.back().event == BodyEvent::merged);

    const double force = 1e5 * 0.01 * Melt::spacing * Melt::spacing;  // E ε ℓ² at 1 % of strain
    CHECK(largest(melt.forces()) < 1e-3 * force);
    melt.move([](const Vec3d& x) { return rotation_about({0, 0, 1}, 0.3) * x; });
    CHECK(largest(melt.forces()) < 1e-3 * force);
    melt.move([](const Vec3d& x) { return Vec3d{1.01 * x.x, x.y, x.z}; });
    CHECK(largest(melt.forces()) > 0.1 * force);
}

TEST_CASE("freezing onto a deformed body does not push particles away") {
    const std::vector<Vec3d> points = block_points(6, 4, 4);
    std::vector<bool> solid;
    for (const Vec3d& X : points) solid.push_back(X.x < 0);
    Melt melt(jelly(), points, solid);
    melt.move(bend);
    const std::vector<Vec3d> before = melt.forces();
    const double energy = melt.elastic.energy(melt.device);
    melt.list();
    melt.freeze([&](std::uint32_t id) { return points[id].x > 0; });
    const std::vector<Vec3d> after = melt.forces();
    Vec3d sum{};
    for (const Vec3d& f : after) sum += f;
    CHECK(norm(sum) < 1e-4 * largest(after));
    CHECK(melt.elastic.energy(melt.device) < energy);
    CHECK(largest(after) < 1.5 * largest(before));
}

TEST_CASE("a state with vacant slots can be taken up again") {
    const std::vector<Vec3d> points = block_points(6, 4, 4);
    Melt melt(jelly(), points, all_of(points.size(), true));
    melt.melt([](std::uint32_t id) { return id % 5 == 0; });
    melt.move(bend);
    ElasticBodies anew(melt.materials, {KernelName::cosine}, KernelName::cubic_spline, Melt::support, 3,
                       Melt::spacing);
    anew.restore(melt.device, melt.particles, melt.elastic.state());
    std::vector<Vec3f> one(points.size()), other(points.size());
    melt.elastic.add_forces(melt.device, melt.particles, one);
    anew.add_forces(melt.device, melt.particles, other);
    CHECK(one == other);
    // Particles that freeze next get the same slots in both.
    const std::vector<Index> rows = melt.rows_where([](std::uint32_t id) { return id % 10 == 0; });
    for (const Index i : rows) melt.particles.phase[i] = Phase::elastic;
    BodyMerge merge(melt.particles, rows, melt.search.view(), 1.5 * Melt::spacing);
    ParticleTable copy = melt.particles;
    melt.elastic.join(melt.device, melt.particles, rows, merge, melt.search.view(), {});
    anew.join(melt.device, copy, rows, merge, melt.search.view(), {});
    CHECK(copy.elastic_index == melt.particles.elastic_index);
}

TEST_CASE("what is surely connected without some rows is so, and a front is found that way") {
    CHECK(rc::check([] {
        const int side = *rc::gen::inRange(2, 6);
        const std::vector<Vec3d> points = block_points(side, side, side);
        Stream random(static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20)));
        Melt solid(Material{}, points, all_of(points.size(), true));
        // Holes of all sizes; whether the rows around them are connected, by definition.
        const Index fifths = random.below(4) + 1;
        std::vector<bool> leaves(points.size());
        for (std::size_t k = 0; k < leaves.size(); ++k) leaves[k] = random.below(5) < fifths;
        const std::vector<Index> rows = solid.rows_where([&](std::uint32_t id) { return leaves[id]; });
        std::vector<Index> around;
        for (const Index i : rows) {
            solid.elastic.visit_links(solid.particles, i, [&](Index j) {
                if (!leaves[solid.particles.id[j]]) around.push_back(j);
            });
        }
        if (!solid.elastic.holds_without(solid.device, solid.particles, rows)) return;
        RC_ASSERT(!around.empty());
        solid.melt([&](std::uint32_t id) { return leaves[id]; });
        std::vector<bool> reached(points.size());
        std::vector<Index> open{around[0]};
        reached[around[0]] = true;
        while (!open.empty()) {
            const Index i = open.back();
            open.pop_back();
            solid.elastic.visit_links(solid.particles, i, [&](Index j) {
                if (!reached[j]) open.push_back(j);
                reached[j] = true;
            });
        }
        for (const Index i : around) RC_ASSERT(reached[i]);
    }));

    const std::vector<Vec3d> bar = block_points(9, 3, 3);
    const auto holds_without = [&](const auto& leaves) {
        Melt solid(Material{}, bar, all_of(bar.size(), true));
        return solid.elastic.holds_without(
            solid.device, solid.particles,
            solid.rows_where([&](std::uint32_t id) { return leaves(bar[id].x / Melt::spacing); }));
    };
    CHECK(holds_without([](double x) { return x < -2.5; }));
    CHECK(!holds_without([](double x) { return std::abs(x) < 1.5; }));  // two pieces are left
    CHECK(!holds_without([](double) { return true; }));                 // nothing is
}
