#include <doctest/doctest.h>

#include "unit/elastic/body.h"

using namespace thixo;

namespace {

Material brittle(double break_strain, double break_stress, SolidModel model = SolidModel::corrected) {
    Material out = jelly(model);
    out.solid.break_strain = break_strain;
    out.solid.break_stress = break_stress;
    return out;
}

std::uint64_t count_links(const Body& body) {
    std::uint64_t count = 0;
    for (Index s = 0; s < body.elastic.reference().size(); ++s) count += body.elastic.reference().count(s);
    return count;
}

bool mutual(const Body& body) {
    const Reference reference = body.elastic.reference();
    for (Index s = 0; s < reference.size(); ++s) {
        for (Index k = 0; k < reference.count(s); ++k) {
            if (!reference.linked(reference.link(s, k).neighbour, s)) return false;
        }
    }
    return true;
}

/// Stretches what is between x = ±½ spacing.
void pull_apart(Body& body, double gap) {
    body.deform([=](const Vec3d& X) { return X + Vec3d{X.x > 0 ? gap : 0, 0, 0}; });
}

}  // namespace

TEST_CASE("links break beyond the stretch that their material holds, on both sides") {
    std::vector<std::uint32_t> may_split;
    Body body(brittle(0.2, 0), block_points(6, 3, 3));
    const std::uint64_t before = count_links(body);
    pull_apart(body, 0.19 * Body::spacing);
    CHECK(!body.elastic.break_links(body.device, body.particles, may_split));
    CHECK(count_links(body) == before);

    // Along x the links across the middle are now stretched by more than a fifth, the slanted ones are not.
    pull_apart(body, 0.21 * Body::spacing);
    CHECK(body.elastic.break_links(body.device, body.particles, may_split));
    CHECK(count_links(body) == before - 2 * 9);
    CHECK(mutual(body));
    CHECK(may_split.empty());  // there is a way around each
    CHECK(!body.elastic.break_links(body.device, body.particles, may_split));

    pull_apart(body, Body::spacing);
    CHECK(body.elastic.break_links(body.device, body.particles, may_split));
    CHECK(mutual(body));
    CHECK(!may_split.empty());
    for (Index i = 0; i < body.size(); ++i) {
        body.elastic.visit_links(body.particles, i,
                                 [&](Index j) { CHECK((body.rest[i].x < 0) == (body.rest[j].x < 0)); });
    }
}

TEST_CASE("what never breaks holds at any stretch") {
    std::vector<std::uint32_t> may_split;
    Body body(jelly(), block_points(4, 3, 3));
    pull_apart(body, 10);
    CHECK(!body.elastic.break_links(body.device, body.particles, may_split));
}

TEST_CASE("tension breaks the links along it, and spares those across") {
    std::vector<std::uint32_t> may_split;
    // σ = E ε along x, and nothing across.
    const double strain = 0.05, stress = 1e5 * strain;
    const auto stretched = [&](double break_stress) {
        Body body(brittle(0, break_stress), block_points(8, 4, 4));
        body.deform([&](const Vec3d& X) {
            return Vec3d{X.x * (1 + strain), X.y * (1 - 0.3 * strain), X.z * (1 - 0.3 * strain)};
        });
        body.forces();
        return body;
    };
    Body strong = stretched(1.02 * stress);
    CHECK(!strong.elastic.break_links(strong.device, strong.particles, may_split));

    Body weak = stretched(0.98 * stress);
    const std::uint64_t before = count_links(weak);
    CHECK(weak.elastic.break_links(weak.device, weak.particles, may_split));
    CHECK(count_links(weak) == before - 2 * 7 * 16);
    CHECK(mutual(weak));
    const Reference reference = weak.elastic.reference();
    for (Index s = 0; s < reference.size(); ++s) {
        for (Index k = 0; k < reference.count(s); ++k)
            CHECK(norm2(Vec3f{0, reference.link(s, k).X.y, reference.link(s, k).X.z}) > 0);
    }
}

TEST_CASE("indices that lost links are as if made anew") {
    std::vector<std::uint32_t> may_split;
    for (const SolidModel model :
         {SolidModel::corrected, SolidModel::corotated, SolidModel::mls, SolidModel::green}) {
        Body body(brittle(0.2, 0, model), block_points(6, 4, 3));
        body.forces();
        body.deform([](const Vec3d& X) {
            return X + Vec3d{0.5 * X.x * X.x + (X.x > 0 && X.y > 0 ? 0.03 : 0), 0.3 * X.x * X.y, 0};
        });
        CHECK(body.elastic.break_links(body.device, body.particles, may_split));
        ElasticBodies anew(body.materials, {}, KernelName::cubic_spline, Body::support, 3, Body::spacing);
        anew.restore(body.device, body.particles, body.elastic.state());
        std::vector<Vec3f> one(body.size()), other(body.size());
        body.elastic.add_forces(body.device, body.particles, one);
        anew.add_forces(body.device, body.particles, other);
        CHECK(one == other);
        CHECK(std::equal(anew.contact_sums().begin(), anew.contact_sums().end(),
                         body.elastic.contact_sums().begin()));
    }
}
