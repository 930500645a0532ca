#include "core/conjugate_gradient.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// −u'' + c u = b on n points with u = 0 beyond both ends; P is the diagonal.
struct Chain {
    Chain(std::size_t n, double stiffening, double tolerance_of_rz)
        : tolerance(tolerance_of_rz), diagonal(n), b(n), x(n), r(n), p(n), q(n) {
        for (std::size_t i = 0; i < n; ++i) {
            diagonal[i] = 2 + stiffening * static_cast<double>(i);
            b[i] = std::sin(1.0 + static_cast<double>(i * i));
            r[i] = b[i];
            p[i] = r[i] / diagonal[i];
        }
    }

    Vector times(const Vector& a) const {
        Vector out(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            out[i] = diagonal[i] * a[i];
            if (i > 0) out[i] -= a[i - 1];
            if (i + 1 < a.size()) out[i] -= a[i + 1];
        }
        return out;
    }
    Vector preconditioned(Vector a) const {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] /= diagonal[i];
        return a;
    }
    double rz() const { return dot(r, preconditioned(r)); }
    bool converged(double now) const { return now <= tolerance; }

    double residual() const {
        const Vector product = times(x);
        double worst = 0;
        for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::abs(b[i] - product[i]));
        return worst;
    }

    double tolerance;
    Vector diagonal, b, x, r, p, q;
};

struct TwoPasses : Chain {
    using Chain::Chain;

    double multiply() {
        q = times(p);
        return dot(p, q);
    }
    double advance(double alpha) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        return rz();
    }
    void turn(double beta) {
        for (std::size_t i = 0; i < x.size(); ++i) p[i] = r[i] / diagonal[i] + beta * p[i];
    }
};

struct OnePass : Chain {
    using Chain::Chain;

    thixo::DirectionProducts multiply() {
        q = times(p);
        return {dot(p, q), dot(q, preconditioned(q))};
    }
    double advance(double alpha, double beta) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            p[i] = r[i] / diagonal[i] + beta * p[i];
        }
        return rz();
    }
};

}  // namespace

// In exact arithmetic the solution is reached after as many iterations as there are unknowns.
TEST_CASE_TEMPLATE("conjugate gradients solve a system in at most as many iterations as it has unknowns",
                   System, TwoPasses, OnePass) {
    for (const double stiffening : {0.0, 0.3}) {
        System system(40, stiffening, 1e-20);
        const int iterations = thixo::conjugate_gradient(system, system.rz(), 100);
        CHECK(iterations <= 40);
        CHECK(iterations > 1);
        CHECK(system.residual() < 1e-9);
    }
}

TEST_CASE_TEMPLATE("conjugate gradients stop at the limit, and at once when converged", System, TwoPasses,
                   OnePass) {
    System limited(40, 0, 0);
    CHECK(thixo::conjugate_gradient(limited, limited.rz(), 3) == 3);
    System done(40, 0, 1e9);
    CHECK(thixo::conjugate_gradient(done, done.rz(), 100) == 0);
    for (const double x : done.x) CHECK(x == 0);
}
