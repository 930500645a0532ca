#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/half_space.h"
#include "sph/kernels.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr KernelName kernel_names[] = {KernelName::spiky, KernelName::poly6, KernelName::cubic_spline,
                                       KernelName::wendland_c2, KernelName::cosine};
constexpr double spacing = 0.1, support = 0.2;
const Vec3f up{0, 1, 0};

struct Sums {
    double value = 0;  ///< Σ V⁰ W
    double slope = 0;  ///< y component of Σ V⁰ ∇W
};

/// Kernel sums of a particle half a spacing above a wall, over the fluid above the wall.
Sums over_resting_fluid(KernelName name, int d) {
    const double volume = rest_volume(name, support, d, Lattice::cubic, spacing);
    return with_kernel(name, support, d, [&](const auto& w) {
        Sums sums;
        for (const Vec3d& p : lattice_around_origin(Lattice::cubic, spacing, d, support)) {
            if (p.y < -0.5 * spacing) continue;
            const auto r = static_cast<float>(norm(p));
            sums.value += volume * double{w.value(r)};
            sums.slope -= volume * double{w.gradient_over_distance(r)} * p.y;
        }
        return sums;
    });
}

/// Γ(d) of the header by brute force: planes of matter, integrated in polar coordinates.
double gamma(KernelName name, int d, double distance) {
    const double weight = rest_volume(name, support, d, Lattice::cubic, spacing) * spacing /
                          cell_volume(Lattice::cubic, spacing, d);
    return with_kernel(name, support, d, [&](const auto& w) {
        double sum = 0;
        for (double z = distance + 0.5 * spacing; z < support; z += spacing) {
            constexpr int n = 20000;
            const double step = support / n;
            for (int k = 0; k < n; ++k) {
                const double t = (k + 0.5) * step;
                const auto r = static_cast<float>(std::hypot(z, t));
                sum += step * double{w.value(r)} * (d == 2 ? 2 : 2 * std::numbers::pi * t);
            }
        }
        return weight * sum;
    });
}

}  // namespace

TEST_CASE("a wall completes the density of a lattice that rests against it, and balances its pressure") {
    for (const KernelName name : kernel_names) {
        for (const int d : {2, 3}) {
            const HalfSpaceIntegral integral({name, support, d, spacing});
            const Sums fluid = over_resting_fluid(name, d);
            CAPTURE(static_cast<int>(name));
            CAPTURE(d);
            for (const WallForm form : {WallForm::energy, WallForm::impulses}) {
                const WallTerm wall = integral.at(0.05f, up, form);
                CHECK(std::abs(fluid.value + wall.gamma - 1) < 0.01);
                // At uniform pressure p the fluid pushes with −2 p Σ V⁰ ∇W and the wall with −p ∇γ.
                const double tolerance = name == KernelName::wendland_c2 ? 0.01 : 0.05;
                CHECK(std::abs(2 * fluid.slope + wall.gradient.y) < tolerance * std::abs(2 * fluid.slope));
                // The second layer feels next to nothing of the wall.
                CHECK(integral.at(0.15f, up, form).gamma == 0);
            }
        }
    }
}

TEST_CASE("the boundary volume is the sum over layers of matter, steepened twofold") {
    for (const KernelName name : {KernelName::wendland_c2, KernelName::poly6, KernelName::spiky}) {
        for (const int d : {2, 3}) {
            const HalfSpaceIntegral integral({name, support, d, spacing});
            for (const double distance : {-0.05, 0.0, 0.02, 0.05, 0.07, 0.09}) {
                // Tables of 512 entries: interpolating errs by (H/256)²/8 γ''.
                const double expected = gamma(name, d, 2 * distance - 0.5 * spacing);
                const double found = integral.at(static_cast<float>(distance), up).gamma;
                CHECK(std::abs(found - expected) < 2e-3 * expected + 1e-5);
            }
        }
    }
}

TEST_CASE(
    "with impulses the boundary volume fades less beyond the rest distance, and the push is twice that of "
    "layers") {
    for (const KernelName name : {KernelName::wendland_c2, KernelName::poly6, KernelName::spiky}) {
        for (const int d : {2, 3}) {
            const HalfSpaceIntegral integral({name, support, d, spacing});
            for (const float near_wall : {-0.05f, 0.f, 0.02f, 0.045f}) {
                const WallTerm wall = integral.at(near_wall, up, WallForm::impulses);
                CHECK(wall.gamma == integral.at(near_wall, up).gamma);
                CHECK(wall.gradient == integral.at(near_wall, up).gradient);
            }
            for (const double distance : {0.06, 0.08, 0.1, 0.12}) {
                const double of_layers = 0.5 * spacing + 1.5 * (distance - 0.5 * spacing), h = 1e-3 * spacing;
                const WallTerm wall = integral.at(static_cast<float>(distance), up, WallForm::impulses);
                const double layered = gamma(name, d, of_layers),
                             slope =
                                 (gamma(name, d, of_layers + h) - gamma(name, d, of_layers - h)) / (2 * h);
                CHECK(std::abs(wall.gamma - layered) < 2e-3 * layered + 1e-5);
                CHECK(std::abs(wall.gradient.y - 2 * slope) < 0.02 * std::abs(2 * slope) + 1e-2);
            }
        }
    }
}

TEST_CASE("the gradient is the one of the boundary volume") {
    for (const KernelName name : kernel_names) {
        for (const int d : {2, 3}) {
            const HalfSpaceIntegral integral({name, support, d, spacing});
            const float h = static_cast<float>(support) / 128;
            // Kernels with a tip bend sharply where they pass a layer: differences err by h itself, not h².
            const bool tip = name == KernelName::spiky || name == KernelName::cosine;
            const float tolerance = tip ? 0.04f : 0.01f;
            float steepest = 0;
            for (int k = -120; k < 128; ++k)
                steepest = std::max(steepest, -integral.at(static_cast<float>(k) * h, up).gradient.y);
            for (int k = -120; k < 128; ++k) {
                const float at = (static_cast<float>(k) + 0.3f) * h;
                const float slope = (integral.at(at + h, up).gamma - integral.at(at - h, up).gamma) / (2 * h);
                const Vec3f gradient = integral.at(at, up).gradient;
                CHECK(std::abs(gradient.y - slope) < tolerance * steepest);
                CHECK(gradient.x == 0);
                CHECK(gradient.z == 0);
            }
        }
    }
}

TEST_CASE("the boundary volume falls with the distance and ends within the support") {
    for (const KernelName name : kernel_names) {
        for (const int d : {2, 3}) {
            const HalfSpaceIntegral integral({name, support, d, spacing});
            float former = integral.at(0, up).gamma;
            for (int k = 1; k <= 300; ++k) {
                const WallTerm wall = integral.at(static_cast<float>(support * k / 250), up);
                CHECK(wall.gamma <= former);
                CHECK(wall.gamma >= 0);
                CHECK(wall.gradient.y <= 0);
                former = wall.gamma;
            }
            for (const float far : {0.2f, 0.3f, 1e6f}) {
                CHECK(integral.at(far, up).gamma == 0);
                CHECK(integral.at(far, up).gradient == Vec3f{});
            }
            // Deep inside, the kernel is full of wall: that is the cell's volume over the calibrated one.
            const double full = rest_volume(name, support, d, Lattice::cubic, spacing) /
                                cell_volume(Lattice::cubic, spacing, d);
            for (const float deep : {-0.15f, -0.2f, -1.f, -1e6f})
                CHECK(integral.at(deep, up).gamma == near(full, 0.1));
        }
    }
}

TEST_CASE("the gradient points into the wall, along its normal") {
    const HalfSpaceIntegral integral({KernelName::wendland_c2, support, 3, spacing});
    const Vec3f n = normalized(Vec3f{1, 2, -2});
    const WallTerm wall = integral.at(0.05f, n), level = integral.at(0.05f, up);
    CHECK(wall.gamma == level.gamma);
    CHECK(norm(wall.gradient - level.gradient.y * n) < 1e-5f * norm(wall.gradient));
    CHECK(dot(wall.gradient, n) < 0);
}

TEST_CASE("walls add up: once behind an edge, fully for opposite walls") {
    const WallTerm none, a{{-3, 0, 0}, 0.3f}, b{{0, -2, 0}, 0.2f}, c{{1, 0, 0}, 0.1f};
    const auto sum = [](WallTerm x, const WallTerm& y) {
        x.add(y);
        return x;
    };
    for (const WallTerm& alone : {sum(a, none), sum(none, a)}) {
        CHECK(alone.gamma == a.gamma);
        CHECK(alone.gradient == a.gradient);
    }
    // Perpendicular: γa + γb − γa γb and its gradient.
    for (const WallTerm& edge : {sum(a, b), sum(b, a)}) {
        CHECK(edge.gamma == near(0.3 + 0.2 - 0.06));
        CHECK(edge.gradient.x == near(-3 * (1 - 0.2)));
        CHECK(edge.gradient.y == near(-2 * (1 - 0.3)));
    }
    // Opposite: nothing is behind both.
    CHECK(sum(a, c).gamma == near(0.4));
    CHECK(sum(a, c).gradient.x == near(-2));
}

TEST_CASE("walls at any angle: between nothing and all of the smaller boundary volume lies behind both") {
    for (int degrees = 0; degrees <= 180; degrees += 5) {
        const auto t = static_cast<float>(degrees * std::numbers::pi / 180);
        for (const float size : {0.1f, 0.4f, 0.9f}) {
            WallTerm a{{-2, 0, 0}, 0.4f};
            const WallTerm b{{-3 * std::cos(t), -3 * std::sin(t), 0}, size};
            a.add(b);
            CHECK(a.gamma <= near(0.4f + size));
            CHECK(a.gamma >= near(std::max(0.4f, size)));
            // Neither wall turns into one that attracts.
            CHECK(dot(a.gradient, Vec3f{-1, 0, 0} + b.gradient / 3.f) > -1e-5f);
        }
    }
}

TEST_CASE("what is behind two walls changes smoothly, and as its derivatives say") {
    for (int degrees = 5; degrees <= 175; degrees += 10) {
        const auto c = static_cast<float>(std::cos(degrees * std::numbers::pi / 180));
        for (const float a : {0.05f, 0.2f, 0.5f, 0.8f}) {
            for (const float b : {0.1f, 0.2f, 0.6f}) {
                CAPTURE(degrees);
                CAPTURE(a);
                CAPTURE(b);
                const BehindBoth both = behind_both(a, b, c), swapped = behind_both(b, a, c);
                CHECK(both.gamma == near(swapped.gamma));
                CHECK(both.by_first == near(swapped.by_second));
                const float h = 1e-3f;
                const float right = behind_both(a + h, b, c).gamma, left = behind_both(a - h, b, c).gamma;
                CHECK(std::abs((right - left) / (2 * h) - both.by_first) < 2e-3f);
                // No jump where both walls are as near: a particle between them would be thrown from one to
                // the other.
                CHECK(std::abs(behind_both(a + h, a, c).by_first - behind_both(a - h, a, c).by_first) < 0.1f);
            }
        }
        // Where both surfaces meet it is the wedge's part of the surroundings.
        CHECK(std::abs(behind_both(0.5f, 0.5f, c).gamma - static_cast<float>(180 - degrees) / 360) < 1e-4f);
    }
}

TEST_CASE("a wall that is there twice counts once") {
    const HalfSpaceIntegral integral({KernelName::wendland_c2, support, 3, spacing});
    for (const float distance : {0.02f, 0.05f, 0.08f}) {
        const WallTerm once = integral.at(distance, up);
        WallTerm twice = once;
        twice.add(once);
        CHECK(twice.gamma == near(once.gamma));
        CHECK(twice.gradient.y == near(once.gradient.y));
    }
}
