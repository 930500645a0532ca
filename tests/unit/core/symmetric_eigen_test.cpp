#include "core/symmetric_eigen.h"

#include <doctest/doctest.h>

#include "unit/core/generators.h"

using namespace thixo;

namespace {

double distance(const Mat3d& a, const Mat3d& b) { return std::sqrt(norm2(a - b)); }

void check(const Mat3d& a) {
    const SymmetricEigen e = symmetric_eigen(a);
    const double size = std::sqrt(norm2(a));
    CHECK(e.values.x >= e.values.y);
    CHECK(e.values.y >= e.values.z);
    CHECK(distance(e.vectors * transposed(e.vectors), identity<double>()) < 1e-14);
    CHECK(determinant(e.vectors) > 0.99);
    CHECK(distance(transposed(e.vectors) * diagonal(e.values.x, e.values.y, e.values.z) * e.vectors, a) <=
          1e-14 * size);
}

}  // namespace

TEST_CASE("a symmetric matrix is put together again from its eigenvalues and eigenvectors") {
    CHECK(rc::check([] {
        const Vec3d d = any_point(-1, 1), o = any_point(-1, 1);
        check({{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}});
    }));
}

TEST_CASE("eigenvalues that coincide or vanish are no obstacle") {
    check(Mat3d{});
    check(identity<double>());
    check(diagonal(1., 2., 2.));
    const Vec3d a = normalized(Vec3d{1, 2, 3});
    check(outer(a, a));
    check(identity<double>() - outer(a, a));
    check(outer(a, a) * 1e-30);
}
