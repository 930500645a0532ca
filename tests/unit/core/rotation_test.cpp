#include "core/rotation.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "unit/core/generators.h"
#include "unit/core/rotation_about.h"

using namespace thixo;

namespace {

Eigen::Matrix3d eigen(const Mat3d& a) {
    Eigen::Matrix3d out;
    out << a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z;
    return out;
}

/// R = U diag(1, 1, det UVᵀ) Vᵀ, singular values sorted.
Eigen::Matrix3d oracle(const Mat3d& a) {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(eigen(a), Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d d = Eigen::Matrix3d::Identity();
    d(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
    return svd.matrixU() * d * svd.matrixV().transpose();
}

Mat3d any_rotation() {
    Vec3d axis = any_point(-1, 1);
    if (norm(axis) < 0.1) axis = {1, 0, 0};
    return rotation_about(axis, any_real(-3.14, 3.14));
}

/// U diag(a, b, c) Vᵀ
Mat3d any_matrix(double a, double b, double c) {
    return any_rotation() * diagonal(a, b, c) * transposed(any_rotation());
}

bool is_rotation(const Mat3d& r) {
    return norm2(r * transposed(r) - identity<double>()) < 1e-24 && determinant(r) > 0;
}

/// Newton's step for a matrix of which nothing is known.
auto step(const Mat3d& a, const Quaternion<double>& q) { return turn_towards(Mat3d{}, a, q); }

double distance(const Mat3d& a, const Eigen::Matrix3d& b) { return (eigen(a) - b).norm(); }
double distance(const Mat3d& a, const Mat3d& b) { return std::sqrt(norm2(a - b)); }

}  // namespace

TEST_CASE("the closest rotation is that of the singular value decomposition") {
    CHECK(rc::check("any matrix", [] {
        const Mat3d a{any_point(-1, 1), any_point(-1, 1), any_point(-1, 1)};
        const Eigen::JacobiSVD<Eigen::Matrix3d> svd(eigen(a));
        const Eigen::Vector3d s = svd.singularValues();
        const double sign = determinant(a) < 0 ? -1 : 1;
        RC_PRE(s(1) + sign * s(2) > 1e-3);  // it is unique
        const Mat3d r = closest_rotation(a, identity<double>(), false);
        RC_ASSERT(is_rotation(r));
        RC_ASSERT(distance(r, oracle(a)) < 1e-9);
    }));
    CHECK(rc::check("mirrored", [] {
        const Mat3d a = any_matrix(any_real(1, 2), any_real(0.6, 0.9), -any_real(0.1, 0.5));
        const Mat3d r = closest_rotation(a, identity<double>(), false);
        RC_ASSERT(is_rotation(r));
        RC_ASSERT(distance(r, oracle(a)) < 1e-9);
    }));
    CHECK(rc::check("coplanar", [] {
        const Mat3d a = any_matrix(any_real(1, 2), any_real(0.1, 0.9), 0);
        const Mat3d r = closest_rotation(a, identity<double>(), false);
        RC_ASSERT(is_rotation(r));
        RC_ASSERT(distance(r, oracle(a)) < 1e-9);
    }));
}

TEST_CASE("collinear neighbourhoods turn as little as they must") {
    CHECK(rc::check([] {
        const Mat3d u = any_rotation(), v = any_rotation(), last = any_rotation();
        const Mat3d a = outer(u.x, v.x) * any_real(0.1, 2);
        const Mat3d r = closest_rotation(a, last, false);
        RC_ASSERT(is_rotation(r));
        RC_ASSERT(norm(r * v.x - u.x) < 1e-9);
        // The angle from the last rotation is that between the axes.
        const double turned = std::acos(std::min(1., (trace(r * transposed(last)) - 1) / 2));
        const double between = std::acos(std::min(1., dot(last * v.x, u.x)));
        RC_ASSERT(std::abs(turned - between) < 1e-6);
    }));
    const Mat3d turned_round =
        closest_rotation(outer(Vec3d{-1, 0, 0}, Vec3d{1, 0, 0}), identity<double>(), false);
    CHECK(is_rotation(turned_round));
    CHECK(turned_round.x.x == doctest::Approx(-1));
    CHECK(closest_rotation(Mat3d{}, rotation_about({1, 2, 3}, 1), false) == rotation_about({1, 2, 3}, 1));
}

TEST_CASE("in 2D everything turns about z") {
    CHECK(rc::check([] {
        Mat3d a{any_point(-1, 1), any_point(-1, 1), {}};
        a.x.z = a.y.z = 0;
        const Mat3d r = closest_rotation(a, identity<double>(), true);
        RC_ASSERT(is_rotation(r));
        RC_ASSERT(r.z == Vec3d(0, 0, 1));
        // No other angle has a larger tr(RᵀA).
        for (int k = 0; k < 64; ++k)
            RC_ASSERT(trace(transposed(rotation_about({0, 0, 1}, 0.1 * k)) * a) <=
                      trace(transposed(r) * a) + 1e-12);
    }));
}

TEST_CASE("Newton's steps follow a rotation") {
    CHECK(rc::check("two steps for a tenth of a radian at 80 % strain", [] {
        const Mat3d a = any_matrix(any_real(0.9, 1.8), any_real(0.5, 1.2), any_real(0.2, 1));
        const Mat3d r = closest_rotation(a, identity<double>(), false);
        const Mat3d near = rotation_about(any_point(0.1, 1), any_real(-0.1, 0.1)) * r;
        const auto found = step(a, step(a, quaternion(near)).q);
        RC_ASSERT(distance(matrix(found.q), r) < 1e-4);
        const auto again = step(a, found.q);
        RC_ASSERT(bool(again.converged));
        RC_ASSERT(distance(matrix(again.q), r) < 1e-6);
    }));
    CHECK(rc::check("what converged is the closest", [] {
        const Mat3d a = any_matrix(any_real(0.1, 1.8), any_real(-1, 1), any_real(-1, 1));
        auto found = step(a, quaternion(any_rotation()));
        for (int k = 0; k < 8; ++k) found = step(a, found.q);
        if (!found.converged) return;
        const Mat3d best = closest_rotation(a, identity<double>(), false);
        RC_ASSERT(trace(transposed(matrix(found.q)) * a) >= trace(transposed(best) * a) * (1 - 3e-3));
    }));
    CHECK(rc::check("rods", [] {
        const Mat3d u = any_rotation(), turn = rotation_about(any_point(0.1, 1), any_real(-0.1, 0.1));
        const Mat3d a = outer(turn * u.x, Vec3d{1, 0, 0});
        const Mat3d start = transposed(u);  // brings x to u.x
        const auto found = step(a, step(a, quaternion(start)).q);
        RC_ASSERT(bool(found.converged));
        RC_ASSERT(norm(matrix(found.q) * Vec3d{1, 0, 0} - turn * u.x) < 1e-5);
    }));
}

TEST_CASE("half a turn away Newton's step reports that it did not converge") {
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{1, 1, 1}}) {
        const Mat3d a = rotation_about(axis, std::acos(-1.)) * diagonal(1.2, 1., 0.9);
        const auto found = step(a, Quaternion<double>{{0, 0, 0}, 1});
        CHECK(!found.converged);
    }
}

TEST_CASE("quaternions and matrices say the same") {
    CHECK(rc::check([] {
        const Mat3d r = any_rotation();
        RC_ASSERT(distance(matrix(quaternion(r)), r) < 1e-12);
    }));
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Mat3d half = rotation_about(axis, std::acos(-1.));
        CHECK(distance(matrix(quaternion(half)), half) < 1e-12);
    }
}
