#include <doctest/doctest.h>

#include <string>

#include "unit/core/generators.h"
#include "unit/elastic/body.h"

using namespace thixo;

namespace {

struct Case {
    const char* name;
    SolidModel model;
    StrainMeasure strain;
    int dimensions = 3;
};

constexpr Case every_model[] = {
    {"green", SolidModel::green, StrainMeasure::green},
    {"corotated", SolidModel::corotated, StrainMeasure::linear},
    {"corotated, Green's strain", SolidModel::corotated, StrainMeasure::green},
    {"mls", SolidModel::mls, StrainMeasure::linear},
    {"mls, Green's strain", SolidModel::mls, StrainMeasure::green},
    {"corrected", SolidModel::corrected, StrainMeasure::linear},
    {"corrected, Green's strain", SolidModel::corrected, StrainMeasure::green},
    {"corotated in 2D", SolidModel::corotated, StrainMeasure::linear, 2},
    {"mls in 2D", SolidModel::mls, StrainMeasure::linear, 2},
    {"corrected in 2D", SolidModel::corrected, StrainMeasure::linear, 2},
    {"corrected in 2D, Green's strain", SolidModel::corrected, StrainMeasure::green, 2},
};

Body cube(const Case& c, int n = 6) {
    return Body(jelly(c.model, c.strain), block_points(n, n, c.dimensions == 2 ? 1 : n), c.dimensions);
}

/// Sends every particle somewhere near an affine image of its place.
void shake(Body& body, int dimensions, std::uint64_t seed) {
    Stream random(seed);
    body.deform([&](const Vec3d& x) {
        const Vec3d bent{1.1 * x.x + 0.2 * x.y + 0.3 * x.x * x.y, 0.9 * x.y - 0.1 * x.x,
                         1.05 * x.z + 0.2 * x.x * x.z};
        Vec3d jitter = to_double(random.point(-0.01f, 0.01f));
        if (dimensions == 2) jitter.z = 0;
        const Vec3d moved = rotation_about({0, 0, 1}, 0.7) * bent + jitter;
        return dimensions == 2 ? moved : rotation_about({1, 0, 0}, 0.5) * moved;
    });
}

Vec3d total(const std::vector<Vec3d>& forces) {
    Vec3d out{};
    for (const Vec3d& f : forces) out += f;
    return out;
}

Vec3d torque(const Body& body, const std::vector<Vec3d>& forces) {
    Vec3d out{};
    for (Index i = 0; i < body.size(); ++i) out += cross(to_double(body.particles.position[i]), forces[i]);
    return out;
}

double mean_square(const std::vector<Vec3d>& forces) {
    double out = 0;
    for (const Vec3d& f : forces) out += norm2(f) / static_cast<double>(forces.size());
    return out;
}

double sum_of_sizes(const std::vector<Vec3d>& forces) {
    double out = 0;
    for (const Vec3d& f : forces) out += norm(f);
    return out;
}

/// How far forces are from −dU/dx, in the largest force.
double gradient_error(Body& body, int dimensions) {
    const std::vector<Vec3d> forces = body.forces();
    const float h = 0x1p-12f;  // 0.24 mm: 1/400 of the spacing
    double worst = 0;
    for (Index i = 0; i < body.size(); i += 7) {
        Vec3f& x = body.particles.position[i];
        for (float Vec3f::*axis : {&Vec3f::x, &Vec3f::y, &Vec3f::z}) {
            if (dimensions == 2 && axis == &Vec3f::z) continue;
            const float here = x.*axis;
            const auto energy_at = [&](float place) {
                x.*axis = place;
                body.forces();
                return body.elastic.energy(body.device);
            };
            const double above = energy_at(here + h), below = energy_at(here - h);
            x.*axis = here;
            const double along = static_cast<double>(here + h) - static_cast<double>(here - h);
            const Vec3d& f = forces[i];
            const double force = axis == &Vec3f::x ? f.x : axis == &Vec3f::y ? f.y : f.z;
            worst = std::max(worst, std::abs(force + (above - below) / along));
        }
    }
    return worst / largest(forces);
}

constexpr double bend_radius = 8 * Body::spacing;

/// Rolled up along x around an axis that is parallel to z: lengths are kept.
Vec3d rolled(const Vec3d& x) {
    const double angle = x.x / bend_radius;
    return {bend_radius * std::sin(angle), x.y + bend_radius * (std::cos(angle) - 1), x.z};
}

/// A layer or a rod that is curved while nothing is deformed, of bending stiffness 1.
Body curved(SolidModel model, int wide, int dimensions = 3) {
    Material material = jelly(model);
    material.solid.bending = 1;
    std::vector<Vec3d> points = block_points(16, 1, wide);
    for (Vec3d& x : points) x = rolled(x);
    return Body(material, points, dimensions);
}

}  // namespace

TEST_CASE("a layer or a rod that is made curved is at rest, however it is turned") {
    // Bending stress times the area of a particle is a hundredth of this.
    const double e_dx2 = 1e5 * Body::spacing * Body::spacing;
    for (const SolidModel model : {SolidModel::corotated, SolidModel::mls, SolidModel::corrected}) {
        for (const int wide : {12, 1}) {
            Body body = curved(model, wide);
            CHECK(largest(body.forces()) < 1e-4 * e_dx2);
            CHECK(body.elastic.energy(body.device) < 1e-5 * e_dx2 * Body::spacing);
            const Mat3d turn = rotation_about({1, 2, 3}, 2);
            body.deform([&](const Vec3d& x) { return turn * x; });
            CHECK(largest(body.forces()) < 3e-4 * e_dx2);
        }
        Body strip = curved(model, 1, 2);
        CHECK(largest(strip.forces()) < 1e-4 * e_dx2);
    }
}

TEST_CASE("a curved layer that is flattened holds the energy of a plate, a rod that of a beam") {
    for (const int wide : {16, 1}) {
        Body body = curved(SolidModel::corrected, wide);
        const auto energy_where = [&](double height) {
            body.deform([&](const Vec3d& x) {
                const double s = bend_radius * std::asin(x.x / bend_radius), k = height / bend_radius;
                return k == 0 ? Vec3d{s, 0, x.z} : Vec3d{std::sin(s * k) / k, (std::cos(s * k) - 1) / k, x.z};
            });
            body.forces();
            return body.elastic.energy(body.device);
        };
        const double l = Body::spacing, e = wide > 1 ? 1e5 / (1 - 0.09) : 1e5;
        const double plate = 0.5 * e * l * l * l / 12 / (bend_radius * bend_radius) * 16 * l * wide * l;
        CHECK(energy_where(1) < 1e-4 * plate);
        // The two particles at either end, a quarter of all, have neighbours on one side, and see half of a
        // bend.
        const double flat = energy_where(0);
        CHECK(flat / plate > 0.75);
        CHECK(flat / plate < 1.1);
        // Layers know the side to which they are curved, rods do not.
        if (wide > 1) CHECK(energy_where(-1) / flat == doctest::Approx(4).epsilon(0.15));
    }
}

TEST_CASE("forces on a curved layer are the gradient of the energy and turn nothing") {
    for (const int wide : {12, 1}) {
        Body body = curved(SolidModel::corrected, wide);
        shake(body, 3, 9);
        const std::vector<Vec3d> forces = body.forces();
        CHECK(norm(total(forces)) < 1e-6 * sum_of_sizes(forces));
        CHECK(norm(torque(body, forces)) < 1e-5 * sum_of_sizes(forces));
        CHECK(gradient_error(body, 3) < 1e-3);
    }
}

TEST_CASE("a body at rest feels nothing") {
    for (const Case& c : every_model) {
        INFO(std::string(c.name));
        Body body = cube(c);
        const double e_dx2 = 1e5 * Body::spacing * Body::spacing;
        CHECK(largest(body.forces()) < 1e-6 * e_dx2);
        CHECK(body.elastic.energy(body.device) < 1e-10 * e_dx2 * Body::spacing);
    }
}

TEST_CASE("rigid motion of a body is no deformation, but for `green`") {
    // Also far from the origin, where `float` resolves 10⁻⁵ of a spacing.
    for (const Case& c : every_model) {
        if (c.model == SolidModel::green) continue;
        for (const int n : {3, 4, 5, 8}) {
            Body stretched = cube(c, n);
            stretched.deform([](const Vec3d& x) { return Vec3d{1.01 * x.x, x.y, x.z}; });
            const double at_one_percent = mean_square(stretched.forces());
            for (const Vec3d& shift : {Vec3d{}, Vec3d{10, -7, 0}}) {
                for (const Vec3d& axis : {Vec3d{0, 0, 1}, Vec3d{1, 2, 3}}) {
                    if (c.dimensions == 2 && axis.x != 0) continue;
                    for (const double degrees : {30., 90., 180.}) {
                        Body body = cube(c, n);
                        const Mat3d turn = rotation_about(axis, degrees * std::acos(-1.) / 180);
                        body.deform([&](const Vec3d& x) { return turn * x + shift; });
                        const double ratio = std::sqrt(mean_square(body.forces()) / at_one_percent);
                        INFO(std::string(c.name), ", ", n, " across, ", degrees, " degrees, at ", shift.x);
                        CHECK(ratio < 1e-5);
                    }
                }
            }
        }
    }
}

TEST_CASE("`green` takes a rotation for a deformation, as the paper that mends it says") {
    // The strain that 30 degrees make at a face is 0.092 (cosine kernel, H = 2 ℓ).
    Body body = cube(every_model[0]);
    body.deform([](const Vec3d& x) { return Vec3d{1.01 * x.x, x.y, x.z}; });
    const double at_one_percent = largest(body.forces());
    const Mat3d r = rotation_about({0, 0, 1}, std::acos(-1.) / 6);
    body.deform([&](const Vec3d& x) { return r * x; });
    CHECK(largest(body.forces()) > at_one_percent);
}

TEST_CASE("forces add up to nothing") {
    for (const Case& c : every_model) {
        INFO(std::string(c.name));
        Body body = cube(c);
        shake(body, c.dimensions, 3);
        const std::vector<Vec3d> forces = body.forces();
        CHECK(norm(total(forces)) < 1e-6 * sum_of_sizes(forces));
    }
}

TEST_CASE("corrected forces are the gradient of the energy and turn nothing") {
    for (const Case& c : every_model) {
        if (c.model != SolidModel::corrected) continue;
        INFO(std::string(c.name));
        Body body = cube(c, 5);
        shake(body, c.dimensions, 4);
        const std::vector<Vec3d> forces = body.forces();
        CHECK(norm(torque(body, forces)) < 2e-6 * sum_of_sizes(forces) * 0.25);
        CHECK(gradient_error(body, c.dimensions) < 2e-4);
    }
}

TEST_CASE("forces of `green` are the gradient of the energy") {
    Body body = cube(every_model[0], 5);
    shake(body, 3, 5);
    CHECK(gradient_error(body, 3) < 2e-4);
}

TEST_CASE("bodies of several materials and models keep momentum") {
    const std::vector<Vec3d> points = block_points(6, 5, 4);
    std::vector<std::uint16_t> material;
    for (std::size_t k = 0; k < points.size(); ++k) material.push_back(static_cast<std::uint16_t>(k * 7 % 4));
    std::vector<Material> materials;
    for (const SolidModel model :
         {SolidModel::green, SolidModel::corotated, SolidModel::mls, SolidModel::corrected}) {
        materials.push_back(jelly(model));
        materials.back().solid.young_modulus *= static_cast<double>(materials.size());
    }
    Body body(materials, material, points, 3, {KernelName::cosine});
    CHECK(largest(body.forces()) < 1e-6 * 4e5 * Body::spacing * Body::spacing);
    shake(body, 3, 6);
    const std::vector<Vec3d> forces = body.forces();
    CHECK(norm(total(forces)) < 1e-6 * sum_of_sizes(forces));
    // One model throughout, other moduli: the energy still has the forces for its gradient.
    for (Material& m : materials) m.solid.model = SolidModel::corrected;
    Body other(materials, material, points, 3, {KernelName::cosine});
    shake(other, 3, 7);
    CHECK(norm(torque(other, other.forces())) < 2e-6 * sum_of_sizes(other.forces()) * 0.25);
    CHECK(gradient_error(other, 3) < 2e-4);
}

TEST_CASE("neighbourhoods that are turned inside out come back") {
    Body body = cube(every_model[5], 4);
    body.deform([](const Vec3d& x) { return Vec3d{x.x, x.y, -x.z}; });
    const std::vector<Vec3d> mirrored = body.forces();
    CHECK(std::isfinite(largest(mirrored)));
    body.deform([](const Vec3d& x) { return Vec3d{1.2 * x.x, x.y, -0.3 * x.z}; });
    const double energy = (body.forces(), body.elastic.energy(body.device));
    const double dt = 0.1 * body.stable_step();
    for (int k = 0; k < 40; ++k) body.step(dt, [](Index, Vec3f&, Vec3f&) { return true; });
    body.forces();
    CHECK(body.elastic.energy(body.device) < energy);
}

TEST_CASE("the linear operator is the derivative of the forces at rest, and symmetric") {
    for (const Case& c : every_model) {
        INFO(std::string(c.name));
        Body body = cube(c, 4);
        body.forces();
        const Index n = body.size();
        Stream random(8);
        const auto any_field = [&] {
            std::vector<Packed4> out(n);
            for (Packed4& u : out) {
                const Vec3f p = random.point(-1, 1);
                u = {p.x, p.y, c.dimensions == 2 ? 0 : p.z, 0};
            }
            return out;
        };
        const auto response = [&](const std::vector<Packed4>& u) {
            std::vector<Vec3f> out(n);
            body.elastic.apply_stiffness(body.device, 1, 0, u, out);
            return out;
        };
        const auto work = [&](const std::vector<Packed4>& u, const std::vector<Vec3f>& f) {
            double sum = 0;
            for (Index s = 0; s < n; ++s)
                sum += double{u[s].x} * f[s].x + double{u[s].y} * f[s].y + double{u[s].z} * f[s].z;
            return sum;
        };
        const std::vector<Packed4> u = any_field(), v = any_field();
        const std::vector<Vec3f> ku = response(u), kv = response(v);
        CHECK(work(u, ku) < 0);
        CHECK(std::abs(work(u, kv) - work(v, ku)) < 1e-5 * std::abs(work(u, ku)));

        // Rotations change in first order too, but exert nothing at rest by that.
        const float h = 1e-4f;
        for (Index s = 0; s < n; ++s)
            body.particles.position[body.elastic.rows()[s]] += Vec3f{u[s].x, u[s].y, u[s].z} * h;
        const std::vector<Vec3d> forces = body.forces();
        double error = 0, size = 0;
        for (Index s = 0; s < n; ++s) {
            error = std::max(error, norm(forces[body.elastic.rows()[s]] - to_double(ku[s]) * double{h}));
            size = std::max(size, norm(to_double(ku[s])) * h);
        }
        if (c.model != SolidModel::corotated) CHECK(error < 0.02 * size);
    }
}

TEST_CASE("a saved state goes on to the bit") {
    for (const Case& c : every_model) {
        INFO(std::string(c.name));
        Material material = jelly(c.model, c.strain);
        material.solid.elastic_limit = 0.01;
        material.solid.damping = 1e-4;
        Body body(material, block_points(4, 4, c.dimensions == 2 ? 1 : 4), c.dimensions);
        shake(body, c.dimensions, 9);
        body.forces();
        shake(body, c.dimensions, 10);
        Body other = body;
        other.elastic.restore(body.device, body.particles, body.elastic.state());
        CHECK(body.forces() == other.forces());
        CHECK(body.elastic.state().rotations.size() == body.size());
    }
}

TEST_CASE("where links went, what follows from them is as if they had never been there") {
    for (const Case& c : every_model) {
        INFO(std::string(c.name));
        Body body = cube(c, 5);
        const auto keep = [](Index s, const ReferenceLink& link) { return (s + link.neighbour) % 11 != 0; };
        std::vector<Index> touched;
        for (Index s = 0; s < body.size(); ++s) {
            for (Index k = 0; k < body.elastic.reference().count(s); ++k) {
                if (!keep(s, body.elastic.reference().link(s, k))) {
                    touched.push_back(s);
                    break;
                }
            }
        }
        body.elastic.links().filter(body.device, keep);
        body.elastic.refresh(body.device, touched);
        Body other = body;
        other.elastic.restore(body.device, body.particles, body.elastic.state());
        shake(body, c.dimensions, 11);
        shake(other, c.dimensions, 11);
        CHECK(body.forces() == other.forces());
        CHECK(body.stable_step() == other.stable_step());
        CHECK(norm(total(body.forces())) < 1e-6 * sum_of_sizes(body.forces()));
    }
}
