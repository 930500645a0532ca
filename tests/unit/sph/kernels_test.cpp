#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "sph/kernels.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

/// ∫ g over [0, 1] by Simpson's rule; the half is a node, where the cubic spline's pieces meet.
template <class G>
double integrate(const G& g) {
    constexpr int n = 4000;
    double sum = g(0.) + g(1.);
    for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4 : 2) * g(double(k) / n);
    return sum / (3 * n);
}

/// Calls check(kernel, f, name, dimensions, H) for each kernel in double precision, with its shape.
template <class Check>
void for_each_kernel(const Check& check) {
    for (const int d : {2, 3}) {
        for (const double support : {1.0, 0.02, 3.7}) {
            check(Spiky{}, "spiky", d, support);
            check(Poly6{}, "poly6", d, support);
            check(CubicSpline{}, "cubic spline", d, support);
            check(WendlandC2{}, "Wendland C2", d, support);
            check(Cosine{}, "cosine", d, support);
        }
    }
}

double sphere_area(double r, int d) { return d == 2 ? 2 * pi * r : 4 * pi * r * r; }

}  // namespace

TEST_CASE("kernels integrate to one") {
    for_each_kernel([]<class Shape>(Shape, const char* name, int d, double support) {
        const Kernel<Shape, double> w(support, d);
        const double total =
            integrate([&](double q) { return support * sphere_area(q * support, d) * w.value(q * support); });
        CHECK_MESSAGE(std::abs(total - 1) < 1e-10, name, " ", d);
    });
}

TEST_CASE("kernels are positive within their support, fall outwards, and vanish from its edge on") {
    for_each_kernel([]<class Shape>(Shape, const char* name, int d, double support) {
        const Kernel<Shape, double> w(support, d);
        CHECK(w.support() == support);
        for (int k = 0; k < 1000; ++k) {
            const double r = support * k / 1000;
            CHECK_MESSAGE(w.value(r) > 0, name);
            CHECK_MESSAGE(w.derivative(r) <= 0, name);
            CHECK_MESSAGE(w.value(r) > w.value(support * (k + 1) / 1000), name);
        }
        // The cosine kernel's derivative ends on cos(π/2), which rounding makes 6·10⁻¹⁷.
        const double rounding = 1e-15 / std::pow(support, d + 1);
        for (const double factor : {1.0, 1.0001, 2.0, 1e12}) {
            CHECK_MESSAGE(w.value(factor * support) <= (factor > 1 ? 0 : 1e-15 * w.value(0.)), name);
            CHECK_MESSAGE(std::abs(w.derivative(factor * support)) <= rounding, name);
            CHECK_MESSAGE(std::abs(w.gradient_over_distance(factor * support)) <= rounding / support, name);
        }
    });
}

TEST_CASE("derivatives and laplacians are those of the value") {
    for_each_kernel([]<class Shape>(Shape, const char* name, int d, double support) {
        const Kernel<Shape, double> w(support, d);
        // Central differences err by h²/6·f''' or h²/12·f'''' (10³ W(0) at most) and by rounding / h².
        const double h = 1e-4 * support, scale = w.value(0.);
        for (int k = 1; k < 100; ++k) {
            const double r = support * (k + 0.003) / 100;  // beside the joint of the cubic spline
            const double slope = (w.value(r + h) - w.value(r - h)) / (2 * h);
            const double bend = (w.value(r + h) - 2 * w.value(r) + w.value(r - h)) / (h * h);
            CHECK_MESSAGE(std::abs(w.derivative(r) - slope) < 1e-5 * scale / support, name);
            CHECK_MESSAGE(std::abs(w.gradient_over_distance(r) - slope / r) < 1e-5 * scale / support / r,
                          name);
            CHECK_MESSAGE(
                std::abs(w.laplacian(r) - (bend + (d - 1) * slope / r)) < 3e-4 * scale / (support * support),
                name, " ", d, " ", k);
        }
    });
}

TEST_CASE("at zero distance the gradient is finite") {
    for_each_kernel([]<class Shape>(Shape, const char* name, int d, double support) {
        const Kernel<Shape> w(support, d);
        CHECK_MESSAGE(std::isfinite(w.gradient_over_distance(0.f)), name);
        CHECK_MESSAGE(std::isfinite(w.laplacian(0.f)), name);
    });
}

TEST_CASE("kernels are the printed formulas") {
    const double H = 0.7, H2 = H * H, H3 = H * H2, H4 = H2 * H2;
    for (int k = 0; k < 50; ++k) {
        const double r = H * k / 50, u = H - r, v = H2 - r * r;
        const auto same = [](double a, double b) { CHECK(a == near(b, 1e-12)); };
        same(Kernel<Spiky, double>(H, 3).value(r), 15 / (pi * H3 * H3) * u * u * u);
        same(Kernel<Spiky, double>(H, 2).value(r), 10 / (pi * H4 * H) * u * u * u);
        same(Kernel<Poly6, double>(H, 3).value(r), 315 / (64 * pi * H4 * H4 * H) * v * v * v);
        same(Kernel<Poly6, double>(H, 2).value(r), 4 / (pi * H4 * H4) * v * v * v);
        const double c3 = pi / (8 * H4 * (pi / 3 - 8 / pi + 16 / (pi * pi)));
        const double c2 = 1 / (4 * H3 * (0.5 - 4 / (pi * pi)));
        const double a = pi * r / (2 * H);
        same(Kernel<Cosine, double>(H, 3).value(r), 2 * H * c3 / pi * (1 - std::sin(a)));
        same(Kernel<Cosine, double>(H, 2).value(r), 2 * H * c2 / pi * (1 - std::sin(a)));
        same(Kernel<Cosine, double>(H, 3).derivative(r), -c3 * std::cos(a));
        same(Kernel<Cosine, double>(H, 2).derivative(r), -c2 * std::cos(a));
    }
    // [DC99, eq. 21], h = H/2
    const double h = H / 2, r = 0.3 * H;
    CHECK(Kernel<Spiky, double>(H, 3).value(r) ==
          near(15 / (pi * std::pow(4 * h, 3)) * std::pow(2 - r / h, 3)));
}

TEST_CASE("single precision and lanes give what double precision gives") {
    for_each_kernel([]<class Shape>(Shape, const char* name, int d, double support) {
        const Kernel<Shape, double> exact(support, d);
        const Kernel<Shape> w(support, d);
        const double value = exact.value(0.), slope = value / support, bend = slope / support;
        for (int k = 0; k < 120; k += 8) {
            Lanes r;
            for (int l = 0; l < 8; ++l) r[l] = static_cast<float>(support * (k + l + 0.5) / 100);
            const Lanes values = w.value(r), slopes = w.derivative(r),
                        quotients = w.gradient_over_distance(r), bends = w.laplacian(r);
            for (int l = 0; l < 8; ++l) {
                // W'' of a kernel scaled to one is up to 60, and rounding of q by 6·10⁻⁸ carries over.
                const double x = double{r[l]};
                const auto agree = [&](double a, double b, double scale) {
                    CHECK_MESSAGE(std::abs(a - b) < 2e-5 * scale, name, " ", d, " at ", x / support);
                };
                agree(values[l], exact.value(x), value);
                agree(slopes[l], exact.derivative(x), slope);
                agree(quotients[l], exact.gradient_over_distance(x), slope / x);
                agree(bends[l], exact.laplacian(x), bend * (1 + support / x));
                agree(w.value(r[l]), values[l], value);
                agree(w.derivative(r[l]), slopes[l], slope);
                agree(w.laplacian(r[l]), bends[l], bend * (1 + support / x));
            }
        }
    });
}

TEST_CASE("a kernel's name selects it") {
    const auto at = [](KernelName name) {
        return with_kernel(name, 0.5, 3, [](const auto& w) { return w.value(0.2f); });
    };
    CHECK(at(KernelName::spiky) == Kernel<Spiky>(0.5, 3).value(0.2f));
    CHECK(at(KernelName::poly6) == Kernel<Poly6>(0.5, 3).value(0.2f));
    CHECK(at(KernelName::cubic_spline) == Kernel<CubicSpline>(0.5, 3).value(0.2f));
    CHECK(at(KernelName::wendland_c2) == Kernel<WendlandC2>(0.5, 3).value(0.2f));
    CHECK(at(KernelName::cosine) == Kernel<Cosine>(0.5, 3).value(0.2f));
}
