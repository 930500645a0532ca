#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "sph/kernels.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

/// ∫ g(r) over the ball of radius H by Simpson's rule in t, r = H t²: what is singular at r = 0 becomes
/// smooth.
template <class G>
double integrate(const G& g, double support, int d) {
    constexpr int n = 4000;
    double sum = 0;
    for (int k = 1; k <= n; ++k) {
        const double t = double(k) / n, r = support * t * t;
        const double area = d == 2 ? 2 * pi * r : 4 * pi * r * r;
        sum += (k == n ? 1 : k % 2 == 1 ? 4 : 2) * g(r) * area * 2 * support * t;
    }
    return sum / (3 * n);
}

}  // namespace

TEST_CASE("the viscosity kernel integrates to one and its laplacian is consistent") {
    for (const int d : {2, 3}) {
        for (const double support : {1.0, 0.02, 3.7}) {
            const ViscosityKernel<double> w(support, d);
            CHECK(std::abs(integrate([&](double r) { return w.value(r); }, support, d) - 1) < 1e-7);
            // ½ ∫ x² ∇²W = 1 with x² = r²/d on average: then Σ V (Aⱼ − Aᵢ) ∇²W tends to ∇²A.
            const double moment = integrate([&](double r) { return r * r * w.laplacian(r); }, support, d);
            CHECK(std::abs(moment / (2 * d) - 1) < 1e-7);
            // ∫ ∇²W: the rate that limits the time step, 15/H² in 3D, 40/3/H² in 2D.
            const double rate = integrate([&](double r) { return w.laplacian(r); }, support, d);
            CHECK(rate * support * support == near(d == 2 ? 40. / 3 : 15., 1e-7));
        }
    }
}

TEST_CASE("the viscosity kernel's derivative and laplacian are those of its value") {
    for (const int d : {2, 3}) {
        const double H = 0.7, h = 1e-5 * H;
        const ViscosityKernel<double> w(H, d);
        for (int k = 5; k < 100; ++k) {
            const double r = H * k / 100;
            // W ~ 1/r near zero: differences err by h²/6 W''' ~ (h/r)² W/r.
            const double slope = (w.value(r + h) - w.value(r - h)) / (2 * h);
            const double bend = (w.derivative(r + h) - w.derivative(r - h)) / (2 * h);
            const double scale = w.value(H / 20);
            CHECK(std::abs(w.derivative(r) - slope) < 1e-6 * scale / r);
            CHECK(std::abs(w.laplacian(r) - (bend + (d - 1) * slope / r)) < 1e-5 * scale / (r * r));
        }
    }
}

TEST_CASE("the viscosity kernel is the printed formula, positive, and ends at its support") {
    const double H = 0.7;
    for (int k = 1; k < 100; ++k) {
        const double q = k / 100., r = q * H;
        const ViscosityKernel<double> flat(H, 2), solid(H, 3);
        CHECK(solid.value(r) == near(15 / (2 * pi * H * H * H) * (-q * q * q / 2 + q * q + 1 / (2 * q) - 1)));
        CHECK(flat.value(r) ==
              near(40 / (pi * H * H) * ((q * q - 1) / 4 - (q * q * q - 1) / 9 - std::log(q) / 6)));
        CHECK(solid.laplacian(r) == near(45 / (pi * std::pow(H, 6)) * (H - r)));
        CHECK(flat.laplacian(r) == near(40 / (pi * std::pow(H, 5)) * (H - r)));
        for (const auto& w : {flat, solid}) {
            CHECK(w.value(r) > 0);
            CHECK(w.derivative(r) < 0);
            CHECK(w.laplacian(r) > 0);
        }
    }
    for (const int d : {2, 3}) {
        const ViscosityKernel<double> w(H, d);
        const ViscosityKernel<> single(H, d);
        for (const double r : {H, 1.001 * H, 1e12}) {
            CHECK(w.value(r) == 0);
            CHECK(w.derivative(r) == 0);
            CHECK(w.laplacian(r) == 0);
        }
        CHECK(std::isfinite(w.laplacian(0.)));
        const Lanes r = spread<Lanes>(0.4f);
        CHECK(single.laplacian(r)[5] == near(w.laplacian(double{0.4f}), 1e-5));
        CHECK(single.laplacian(spread<Lanes>(2.f))[0] == 0);
    }
}
