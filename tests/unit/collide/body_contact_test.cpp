#include "collide/body_contact.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/impact_zones.h"
#include "core/random.h"
#include "sph/kernels.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr float spacing = 0.1f, support = 0.2f;

/// From 0 to 1.
float uniform(std::uint64_t seed, std::uint32_t id, std::uint32_t k) {
    return to_unit(random_words(seed, id, k, Purpose::test)[0]);
}

struct Ledger {
    Vec3d momentum, spin;
    double energy = 0, motion = 0;
};

Ledger ledger(const ParticleTable& p) {
    Ledger sum;
    for (Index i = 0; i < p.size(); ++i) {
        const double m = p.mass[i];
        const Vec3d x = to_double(p.position[i]), v = to_double(p.velocity[i]);
        sum.momentum += m * v;
        sum.spin += m * cross(x, v);
        sum.energy += 0.5 * m * norm2(v);
        sum.motion += m * norm(v);
    }
    return sum;
}

void add(ParticleTable& p, const Vec3f& x, const Vec3f& v, std::uint16_t object, float mass = 1) {
    const Index i = p.size();
    p.resize(i + 1);
    p.id[i] = i;
    p.position[i] = x;
    p.velocity[i] = v;
    p.mass[i] = mass;
    p.phase[i] = Phase::elastic;
    p.object[i] = object;
}

/// Two particles of one object, as they were at the start.
struct Link {
    std::uint32_t a, b;  ///< ids
    float length;        ///< m
};

/// Contact between the particles of different objects. Rows come into the order of the lists.
struct ContactStep {
    Device device{1};
    NeighbourSearch search;
    BodyContact contact{{Material{}}, {KernelName::cubic_spline, support, 3, spacing}};

    explicit ContactStep(ParticleTable& p, const std::vector<Link>& links = {}) {
        const std::vector<float> supports(p.size(), support);
        p.permute(device, search.sort(device, p.position, supports));
        search.build(device, p.position, supports);
        search.filter(device, [object = View<const std::uint16_t>(p.object)](Index i, Index j) {
            return object[i] != object[j];
        });
        contact.collect(device, p, search.view());
        RestLinks rest;
        const auto row_of = [&](std::uint32_t id) {
            return static_cast<Index>(std::find(p.id.begin(), p.id.end(), id) - p.id.begin());
        };
        for (const Index row : contact.rows()) {
            for (const Link& link : links) {
                if (link.a != p.id[row] && link.b != p.id[row]) continue;
                rest.other.push_back(row_of(link.a == p.id[row] ? link.b : link.a));
                rest.length.push_back(link.length);
            }
            rest.begin.push_back(static_cast<Index>(rest.other.size()));
        }
        contact.link(rest);
    }

    bool solve(ParticleTable& p, double dt) { return contact.solve(device, p, p.mass, dt, dt); }
};

double nearest_after(const ParticleTable& p, double dt) {
    double nearest = 1e30;
    for (Index i = 0; i < p.size(); ++i) {
        for (Index j = 0; j < i; ++j) {
            if (p.object[i] != p.object[j])
                nearest = std::min<double>(
                    nearest, nearest_approach(p.position[i] - p.position[j], p.velocity[i] - p.velocity[j],
                                              static_cast<float>(dt)));
        }
    }
    return nearest;
}

/// A square of one layer in y = 0, and a lump of random particles that flies at it.
ParticleTable lump_over_sheet(std::uint64_t seed, float speed) {
    ParticleTable p;
    for (int a = -6; a <= 6; ++a) {
        for (int b = -6; b <= 6; ++b)
            add(p, Vec3f{static_cast<float>(a), 0, static_cast<float>(b)} * spacing, {}, 0);
    }
    for (std::uint32_t k = 0; k < 60; ++k) {
        const auto coordinate = [&](std::uint32_t axis) {
            return uniform(seed, k, axis) * 6 * spacing - 3 * spacing;
        };
        const Vec3f x{coordinate(0), spacing + std::abs(coordinate(1)), coordinate(2)};
        add(p, x, {coordinate(3) * 10, -speed, coordinate(4) * 10}, 1, 0.2f + 3 * static_cast<float>(k % 3));
    }
    return p;
}

}  // namespace

TEST_CASE("the nearest approach of two straight ways") {
    CHECK(nearest_approach({1, 0, 0}, {-2, 0, 0}, 0.25f) == doctest::Approx(0.5));
    CHECK(nearest_approach({1, 0.3f, 0}, {-2, 0, 0}, 10) == doctest::Approx(0.3));
    CHECK(nearest_approach({1, 0, 0}, {2, 0, 0}, 10) == doctest::Approx(1));
    CHECK(nearest_approach({1, 0, 0}, {}, 10) == doctest::Approx(1));
}

TEST_CASE("two particles that meet head-on stop at the soft distance, with their momentum") {
    ParticleTable p;
    add(p, {-0.06f, 0, 0}, {4, 1, 0}, 0, 1);
    add(p, {0.06f, 0, 0}, {-8, 1, 0}, 1, 2);
    ContactStep contacts(p);
    const Ledger before = ledger(p);
    const double dt = 0.01;
    REQUIRE(contacts.solve(p, dt));
    const Ledger after = ledger(p);
    CHECK(norm(after.momentum - before.momentum) < 1e-6 * before.motion);
    CHECK(norm(after.spin - before.spin) < 1e-6);
    CHECK(after.energy < before.energy);
    // They may still use up their gap of 0.12 − 0.085 m.
    CHECK(std::abs(nearest_after(p, dt) - 0.085) < 0.01 * spacing);
}

TEST_CASE(
    "what is too close comes apart by a fifth of the overlap in a step, a hundredth of a spacing at most") {
    for (const float depth : {0.03f, 0.2f}) {
        const float gap = (0.85f - depth) * spacing;
        ParticleTable p;
        add(p, {-gap / 2, 0, 0}, {}, 0);
        add(p, {gap / 2, 0, 0}, {}, 1);
        ContactStep contacts(p);
        const double dt = 0.01;
        REQUIRE(contacts.solve(p, dt));
        const double apart = dt * double{norm(p.velocity[1] - p.velocity[0])} / double{spacing};
        CAPTURE(depth);
        CHECK(apart == near(std::min(0.2 * double{depth}, 0.01), 0.02));
    }
}

TEST_CASE("particles that stay apart, separate or are liquid are left alone") {
    const auto changed = [](float gap, float speed, Phase phase) {
        ParticleTable p;
        add(p, {-gap / 2, 0, 0}, {speed, 0, 0}, 0);
        add(p, {gap / 2, 0, 0}, {-speed, 0, 0}, 1);
        p.phase[0] = phase;
        return ContactStep(p).solve(p, 0.01);
    };
    CHECK(changed(0.12f, 4, Phase::elastic));
    CHECK_FALSE(changed(0.12f, 1, Phase::elastic));
    CHECK_FALSE(changed(0.12f, -4, Phase::elastic));
    CHECK_FALSE(changed(0.12f, 4, Phase::liquid));
    CHECK_FALSE(changed(0.3f, 4, Phase::elastic));
}

TEST_CASE("a stretched surface keeps others farther away") {
    ParticleTable p;
    add(p, {-0.08f, 0, 0}, {2, 0, 0}, 0);
    add(p, {0.08f, 0, 0}, {-2, 0, 0}, 1);
    // Out of reach of all others, and half as far again from the first one as before.
    add(p, {-0.08f, 0.3f, 0}, {2, 0, 0}, 0);
    REQUIRE(ContactStep(p, {{0, 2, 0.2f}}).solve(p, 0.01));
    CHECK(std::abs(nearest_after(p, 0.01) - 1.5 * 0.085) < 0.01 * spacing);
}

TEST_CASE("a link near contact pairs is not stretched further, and transfers its momentum to both ends") {
    const float reached = 0.16f;
    const auto meet = [&](float partner, float speed) {
        ParticleTable p;
        add(p, {0, 0, 0}, {0, 1, 0}, 0, 1);
        add(p, {reached, 0, 0}, {speed, 1, 0}, 0, 3);
        add(p, {partner, 0.17f, 0}, {0, 1, 0}, 1);
        const double dt = 0.01;
        const Ledger before = ledger(p);
        const bool solved = ContactStep(p, {{0, 1, spacing}}).solve(p, dt);
        const Ledger after = ledger(p);
        CHECK(norm(after.momentum - before.momentum) < 1e-6 * before.motion);
        CHECK(norm(after.spin - before.spin) < 1e-6);
        CHECK(after.energy <= before.energy);
        for (Index i = 0; i < p.size(); ++i) p.position[i] += static_cast<float>(dt) * p.velocity[i];
        const auto at = [&](std::uint32_t id) {
            return p
                .position[static_cast<std::size_t>(std::find(p.id.begin(), p.id.end(), id) - p.id.begin())];
        };
        return solved ? norm(at(1) - at(0)) / spacing : 0;
    };
    const ContactLimits limits(spacing, support);
    CHECK(meet(0, 8) == doctest::Approx(limits.soft_stretch).epsilon(0.01));
    CHECK(meet(reached, 8) == doctest::Approx(limits.soft_stretch).epsilon(0.01));
    CHECK(meet(reached, 0.5f) == 0);
    CHECK(meet(reached, -8) == 0);
    CHECK(meet(-0.3f, 8) == 0);
}

TEST_CASE("whatever hits a single layer stays out of its holes, and momentum stays") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ParticleTable p = lump_over_sheet(seed, 5 + static_cast<float>(seed * seed));
        double fastest = 0;
        for (const Vec3f& v : p.velocity) fastest = std::max<double>(fastest, norm(v));
        const double dt = 0.1 * support / fastest;
        const Ledger before = ledger(p);
        double nearest = 1e30, first = nearest_after(p, 0);
        for (int step = 0; step < 60; ++step) {
            ContactStep(p).solve(p, dt);
            nearest = std::min(nearest, nearest_after(p, dt));
            for (Index i = 0; i < p.size(); ++i) p.position[i] += static_cast<float>(dt) * p.velocity[i];
        }
        const Ledger after = ledger(p);
        INFO("seed ", seed, ": nearest ", nearest / spacing, " spacings, at the start ", first / spacing);
        CHECK(nearest > std::min(0.7499 * spacing, first - 0.001 * spacing));
        CHECK(norm(after.momentum - before.momentum) < 1e-5 * before.motion);
        CHECK(norm(after.spin - before.spin) < 1e-5 * before.motion);
    }
}

TEST_CASE("a net without any strength is not torn by what hits it") {
    const ContactLimits limits(spacing, support);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ParticleTable p = lump_over_sheet(seed, 5 + static_cast<float>(seed * seed));
        std::vector<Link> links;
        double fastest = 0;
        for (Index i = 0; i < p.size(); ++i) {
            fastest = std::max<double>(fastest, norm(p.velocity[i]));
            for (Index j = 0; j < i; ++j) {
                const float r = norm(p.position[i] - p.position[j]);
                if (p.object[i] == 0 && p.object[j] == 0 && r < 1.5f * spacing)
                    links.push_back({p.id[j], p.id[i], r});
            }
        }
        const double dt = 0.1 * support / fastest;
        const Ledger before = ledger(p);
        const double first = nearest_after(p, 0);
        double nearest = 1e30, excess = -1e30;
        int held = 0;
        std::vector<Vec3f> x(p.size()), way(p.size());
        std::vector<std::uint8_t> meets(p.size());
        for (int step = 0; step < 60; ++step) {
            ContactStep contacts(p, links);
            contacts.solve(p, dt);
            nearest = std::min(nearest, nearest_after(p, dt));
            std::fill(meets.begin(), meets.end(), std::uint8_t{0});
            for (const Index row : contacts.contact.rows()) meets[p.id[row]] = 1;
            for (Index i = 0; i < p.size(); ++i) {
                x[p.id[i]] = p.position[i];
                way[p.id[i]] = static_cast<float>(dt) * p.velocity[i];
                p.position[i] += way[p.id[i]];
            }
            for (const Link& link : links) {
                if (!meets[link.a] && !meets[link.b]) continue;
                // Along its direction it keeps to the limit; across, it may turn.
                const Vec3f now = x[link.b] - x[link.a];
                const double r = norm(now), longer = dot(now, way[link.b] - way[link.a]) / r,
                             limit = limits.hard_stretch * link.length;
                excess = std::max(excess, r + longer - std::max(limit, r));
                held += r + longer > 0.9 * limit;
            }
        }
        const Ledger after = ledger(p);
        INFO("seed ", seed, ": nearest ", nearest / spacing, " spacings, links too long by ", excess);
        CHECK(nearest > std::min(0.7499 * spacing, first - 0.001 * spacing));
        CHECK(held > 0);
        CHECK(excess < 0.001 * spacing);
        CHECK(norm(after.momentum - before.momentum) < 1e-5 * before.motion);
        CHECK(norm(after.spin - before.spin) < 1e-5 * before.motion);
    }
}

TEST_CASE("two whose motion is prescribed exert nothing, on each other or on what is linked with them") {
    ParticleTable p;
    const Vec3f v{0.5f, 0, 0};
    constexpr float immovable = std::numeric_limits<float>::infinity();
    // One of each object is held, closer than the soft distance; the others are linked with the first.
    add(p, {0, 0, 0}, v, 0, immovable);
    add(p, {0, 0.6f * spacing, 0}, v, 1, immovable);
    add(p, {-spacing, 0, 0}, v, 0);
    add(p, {-spacing, 0, spacing}, v, 0);
    add(p, {0, 0, spacing}, v, 0);
    const float edge = spacing, diagonal = std::sqrt(2.f) * spacing;
    ContactStep contacts(p, {{0, 2, edge}, {0, 3, diagonal}, {0, 4, edge}});
    contacts.solve(p, 0.001);
    for (Index i = 0; i < p.size(); ++i) {
        INFO("particle ", p.id[i], ": ", p.velocity[i].x, " ", p.velocity[i].y, " ", p.velocity[i].z);
        CHECK(norm(p.velocity[i] - v) < 1e-6f);
    }
}

TEST_CASE("zones of rigid motion leave nothing that crosses, with momentum and angular momentum") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ContactPairs pairs;
        ContactState state;
        const Index n = 40;
        Ledger before, after;
        const auto count = [&](Ledger& sum) {
            for (Index a = 0; a < n; ++a) {
                const double m = 1 / state.velocity[a].w;
                sum.momentum += m * to_double(state.v(a));
                sum.spin += m * cross(to_double(state.x(a)), to_double(state.v(a)));
                sum.energy += 0.5 * m * norm2(to_double(state.v(a)));
            }
        };
        for (Index a = 0; a < n; ++a) {
            const auto number = [&](std::uint32_t k) { return uniform(seed, a, k) - 0.5f; };
            state.position.push_back({number(0) * 0.4f, number(1) * 0.4f, number(2) * 0.4f, 1});
            state.velocity.push_back({number(3), number(4), number(5), 1 / (1.5f + number(6))});
            pairs.row.push_back(a);
            for (Index b = 0; b < n; ++b) {
                if (b % 2 != a % 2) pairs.other.push_back(b);
            }
            pairs.begin.push_back(static_cast<Index>(pairs.other.size()));
            for (const Index b : {(a + 2) % n, (a + n - 2) % n}) {
                pairs.linked.push_back(b);
                pairs.length.push_back(0.1f);
            }
            pairs.link_begin.push_back(static_cast<Index>(pairs.linked.size()));
        }
        count(before);
        const float dt = 0.2f;
        const ContactLimits limits(spacing, support);
        const Index frozen = freeze_zones(Device{1}, pairs, state, limits, dt);
        count(after);
        CHECK(frozen > 1);
        for (Index a = 0; a < n; ++a) {
            for (Index k = pairs.begin[a]; k < pairs.begin[a + 1]; ++k)
                CHECK_FALSE(crosses(state, a, pairs.other[k], limits, dt));
            for (Index k = pairs.link_begin[a]; k < pairs.link_begin[a + 1]; ++k)
                CHECK_FALSE(tears(state, a, pairs.linked[k], pairs.length[k], limits, dt));
        }
        CHECK(norm(after.momentum - before.momentum) < 1e-5);
        CHECK(norm(after.spin - before.spin) < 1e-5);
        CHECK(after.energy <= before.energy);
    }
}

TEST_CASE("friction takes no more from sliding than Coulomb allows, and both momenta stay") {
    // Two slabs, pressed together by their particles' pressure, slide past each other.
    ParticleTable p;
    std::vector<Link> links;
    const float gap = 0.9f * spacing;
    for (int object = 0; object < 2; ++object) {
        for (int k = 0; k < 5 * 2 * 5; ++k) {
            const Vec3f x{static_cast<float>(k % 5), static_cast<float>(k / 5 % 2),
                          static_cast<float>(k / 10)};
            add(p, {x.x * spacing, object == 0 ? -x.y * spacing : x.y * spacing + gap, x.z * spacing},
                {object == 0 ? 0.f : 1.f, 0, 0}, static_cast<std::uint16_t>(object));
        }
    }
    const Material material;
    for (Index i = 0; i < p.size(); ++i) {
        p.density[i] = static_cast<float>(material.density);
        p.pressure[i] = 1e3f;
        for (Index j = 0; j < i; ++j) {
            const float r = norm(p.position[i] - p.position[j]);
            if (p.object[i] == p.object[j] && r < 1.5f * spacing) links.push_back({p.id[j], p.id[i], r});
        }
    }
    const Ledger before = ledger(p);
    ContactStep contacts(p, links);
    // Straight across, what presses a particle is Σ V² 2p |W'| y/r: all that friction may be a fraction of.
    const double dt = 1e-3, volume = 1 / material.density;
    const Kernel<CubicSpline, double> kernel(support, 3);
    double press = 0;
    for (Index i = 0; i < p.size(); ++i) {
        for (Index j = 0; j < p.size(); ++j) {
            const Vec3d x = to_double(p.position[j] - p.position[i]);
            if (p.object[i] == 0 && p.object[j] == 1)
                press -= dt * volume * volume * 2e3 * kernel.derivative(norm(x)) * x.y / norm(x);
        }
    }
    REQUIRE(contacts.solve(p, dt));
    const Ledger after = ledger(p);
    double taken = 0;
    for (Index i = 0; i < p.size(); ++i) taken += p.object[i] == 0 ? p.mass[i] * p.velocity[i].x : 0;
    CHECK(norm(after.momentum - before.momentum) < 1e-6 * before.motion);
    CHECK(norm(after.spin - before.spin) < 1e-6 * before.motion);
    CHECK(after.energy < before.energy);
    // The normal of the surface leans outwards at its rim.
    CHECK(taken == doctest::Approx(material.solid.friction * press).epsilon(0.05));
}
