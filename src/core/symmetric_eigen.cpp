#include "core/symmetric_eigen.h"

#include <cmath>
#include <utility>

namespace thixo {

namespace {

/// Turns the plane of axes p and q so that the element between them vanishes.
void rotate(double (&a)[3][3], Vec3d (&v)[3], int p, int q) {
    if (a[p][q] == 0) return;
    // The smaller of the two angles, tan θ = sign(t)/(|t| + √(1 + t²)) with t = cot 2θ: it converges.
    const double t = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double tangent = (t < 0 ? -1 : 1) / (std::abs(t) + std::sqrt(1 + t * t));
    const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
    const int r = 3 - p - q;
    const double arp = a[r][p], arq = a[r][q];
    a[p][p] -= tangent * a[p][q];
    a[q][q] += tangent * a[p][q];
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    const Vec3d vp = v[p];
    v[p] = c * vp - s * v[q];
    v[q] = s * vp + c * v[q];
}

}  // namespace

SymmetricEigen symmetric_eigen(const Mat3d& m) {
    double a[3][3] = {{m.x.x, m.x.y, m.x.z}, {m.x.y, m.y.y, m.y.z}, {m.x.z, m.y.z, m.z.z}};
    Vec3d v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    // Convergence is quadratic: five sweeps reach rounding for any matrix, and a sweep over zeros costs
    // nothing.
    for (int sweep = 0; sweep < 8; ++sweep) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    const auto sort = [&](int k, int l) {
        if (a[order[k]][order[k]] < a[order[l]][order[l]]) std::swap(order[k], order[l]);
    };
    sort(0, 1);
    sort(0, 2);
    sort(1, 2);
    const Vec3d first = v[order[0]], second = v[order[1]];
    return {{a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]},
            {first, second, cross(first, second)}};
}

}  // namespace thixo
