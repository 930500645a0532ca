#include <doctest/doctest.h>

#include "unit/core/near.h"
#include "unit/elastic/statics.h"

using namespace thixo;

TEST_CASE("a bar that is pulled has the modulus and the Poisson ratio of its material") {
    for (const double nu : {0., 0.3, 0.45}) {
        INFO("Poisson ratio " << nu);
        Material material = jelly();
        material.solid.poisson_ratio = nu;
        const Tension t = pull(material, 20, 5, 5);
        CHECK(t.modulus == near(1, 0.01));
        CHECK(std::abs(t.poisson - nu) < 0.01);
    }
    const Tension fine = pull(jelly(), 32, 8, 8);
    CHECK(fine.modulus == near(1, 0.005));
    CHECK(std::abs(fine.poisson - 0.3) < 0.005);
}

TEST_CASE("in 2D bodies are in plane strain") {
    const Tension t = pull(jelly(), 24, 6, 1, 2);
    CHECK(t.modulus == near(1 / (1 - 0.3 * 0.3), 0.01));
    CHECK(t.poisson == near(0.3 / (1 - 0.3), 0.03));
}

TEST_CASE("the models of the papers are as soft as they were found to be") {
    // 16 × 5 × 5, ν = 0, cosine, H = 2 ℓ, V̄ = m/ρ: 0.88 without the factor ½ of [BIT09, eq. 16].
    Material material = jelly(SolidModel::corotated);
    material.solid.poisson_ratio = 0;
    material.solid.hourglass = 0;
    CHECK(std::abs(pull(material, 16, 5, 5).modulus - 0.88) < 0.04);
    // [SSP07, eq. 11] makes particles at the surface larger than they are.
    material.solid.model = SolidModel::mls;
    CHECK(pull(material, 16, 5, 5).modulus > 1.1);
    CHECK(pull(material, 32, 10, 10).modulus < 1.1);
}

TEST_CASE("a cantilever bends as beam theory says, the better the finer") {
    const double coarse = bend(jelly(), 20, 5, 5), fine = bend(jelly(), 32, 8, 8);
    CHECK(coarse == near(1, 0.15));
    CHECK(fine == near(1, 0.10));
    CHECK(std::abs(fine - 1) < std::abs(coarse - 1));
    CHECK(bend(jelly(), 32, 8, 1, 2) == near(1, 0.10));
    CHECK(bend(jelly(), 64, 16, 1, 2) == near(1, 0.05));
}

TEST_CASE("what the strain does not see is resisted") {
    // A layer-by-layer zigzag has no strain but at its ends.
    const auto energy_of_zigzag = [](double hourglass) {
        Material material = jelly();
        material.solid.hourglass = hourglass;
        Body body(material, block_points(8, 8, 8));
        const double dx = Body::spacing;
        body.deform([&](const Vec3d& x) {
            const int layer = static_cast<int>(std::lround(x.x / dx + 3.5));
            return Vec3d{x.x, x.y + (layer % 2 ? 1e-3 : -1e-3) * dx, x.z};
        });
        body.forces();
        return body.elastic.energy(body.device);
    };
    CHECK(energy_of_zigzag(0.5) > 3 * energy_of_zigzag(0));
}

TEST_CASE("sheets stretch in plane stress, rods like rods") {
    const Tension sheet = pull(jelly(), 24, 1, 8), rod = pull(jelly(), 24, 1, 1);
    CHECK(sheet.modulus == near(1, 0.01));
    CHECK(std::abs(sheet.poisson - 0.3) < 0.01);
    CHECK(rod.modulus == near(1, 0.01));
    const Tension strip = pull(jelly(), 24, 1, 1, 2);
    CHECK(strip.modulus == near(1 / (1 - 0.3 * 0.3), 0.01));
}

TEST_CASE("layers and rods with bending 1 bend like a plate or a beam one spacing thick") {
    Material material = jelly();
    material.solid.bending = 1;
    // Shear does not matter at this slenderness. All of the last held layer bends with the free ones: it
    // belongs to the length.
    const int free = 40;
    const double longer = std::pow((free + 0.5) / (free - 0.5), 3);
    CHECK(bend(material, free, 1, 1) / longer == near(1, 0.03));
    CHECK(bend(material, free, 1, 1, 2) / longer == near(1, 0.03));
    CHECK(bend(material, free, 1, 8) / longer == near(1, 0.10));
    material.solid.bending = 10;
    CHECK(bend(material, free, 1, 8) / longer == near(0.1, 0.15));
}

TEST_CASE("the step that is called stable is, and not much shorter than need be") {
    for (const SolidModel model : {SolidModel::corrected, SolidModel::mls, SolidModel::corotated}) {
        for (const auto& points :
             {block_points(6, 6, 6), block_points(8, 1, 8), block_points(10, 1, 1), block_points(2, 2, 2)}) {
            Material material = jelly(model);
            material.solid.bending = 2;
            Body body(material, points);
            body.forces();
            // Power iteration on M⁻¹K.
            const Index n = body.size();
            std::vector<Packed4> u(n);
            for (Index s = 0; s < n; ++s)
                u[s] = {float(s % 3) - 0.9f, float(s % 5) - 2.1f, float(s % 7) - 2.9f, 0};
            double frequency = 0;
            for (int k = 0; k < 200; ++k) {
                std::vector<Vec3f> f(n);
                body.elastic.apply_stiffness(body.device, 1, 0, u, f);
                double size = 0;
                for (const Vec3f& a : f) size += norm2(to_double(a));
                frequency = std::sqrt(std::sqrt(size) / body.particles.mass[0]);
                for (Index s = 0; s < n; ++s) {
                    const Vec3f a = f[s] / static_cast<float>(std::sqrt(size));
                    u[s] = {a.x, a.y, a.z, 0};
                }
            }
            CHECK(body.stable_step() * frequency < 2 * 0.81);
            CHECK(body.stable_step() * frequency > 2 * 0.2);
        }
    }
}

TEST_CASE("the linear operator follows damping and links as they change") {
    Material material = jelly();
    material.solid.damping = 1e-3;
    Body body(material, block_points(6, 4, 4));
    body.forces();
    const Index n = body.size();
    std::vector<Packed4> u(n);
    for (Index s = 0; s < n; ++s) u[s] = {s < n / 2 ? 0.f : 1.f, 0, 0, 0};
    std::vector<Vec3f> stiff(n), both(n);
    const auto size = [](const std::vector<Vec3f>& f) {
        double sum = 0;
        for (const Vec3f& a : f) sum += norm2(to_double(a));
        return std::sqrt(sum);
    };
    body.elastic.apply_stiffness(body.device, 1, 0, u, stiff);
    body.elastic.apply_stiffness(body.device, 2, 500, u, both);
    for (Index s = 0; s < n; ++s) CHECK(norm(both[s] - 2.5f * stiff[s]) < 1e-5 * size(stiff));
    // Halves that nothing joins do not feel each other.
    body.elastic.links().filter(body.device, [=](Index s, const ReferenceLink& link) {
        return (s < n / 2) == (link.neighbour < n / 2);
    });
    body.elastic.refresh(body.device);
    body.elastic.apply_stiffness(body.device, 2, 500, u, both);
    CHECK(size(stiff) > 0);
    CHECK(size(both) == 0);
}

TEST_CASE("stress is that of Hooke's law, turned with the body") {
    Material material = jelly();
    material.solid.break_stress = 1;
    Body body(material, block_points(5, 5, 5));
    const double e = 1e5, nu = 0.3;
    body.deform([&](const Vec3d& x) {
        return exact_turn() * Vec3d{1.01 * x.x, (1 - 0.01 * nu) * x.y, (1 - 0.01 * nu) * x.z};
    });
    body.forces();
    REQUIRE(body.elastic.stresses().size() == body.size());
    for (const Sym3f& sigma : body.elastic.stresses()) {
        CHECK(sigma.xx == near(0.01 * e, 1e-3));
        CHECK(std::abs(sigma.yy) < 1e-3 * 0.01 * e);
        CHECK(std::abs(sigma.xy) < 1e-3 * 0.01 * e);
    }
}

TEST_CASE("what is soft gives way to shear, and keeps its volume") {
    for (const int dimensions : {2, 3}) {
        const auto energy = [&](float stiffness, const Mat3d& deformation) {
            Body body(jelly(), block_points(6, 6, dimensions == 2 ? 1 : 6), dimensions);
            body.elastic.soften(body.device, std::vector<float>(body.size(), stiffness));
            body.deform([&](const Vec3d& x) { return deformation * x; });
            body.forces();
            return body.elastic.energy(body.device);
        };
        Mat3d squeeze = identity<double>() * 0.99, shear = identity<double>();
        if (dimensions == 2) squeeze.z.z = 1;
        shear.x.y = shear.y.x = 0.01;
        CHECK(energy(1e-3f, squeeze) == near(energy(1, squeeze), 1e-3));
        CHECK(energy(1e-3f, shear) == near(1e-3 * energy(1, shear), 1e-3));
    }
}
