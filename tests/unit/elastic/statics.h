#pragma once

#include "unit/elastic/body.h"

namespace thixo {

/// Small displacements of a body under given forces, by conjugate gradients on its linear operator. Rows that
/// are held do not move.
inline std::vector<Vec3d> displacements(Body& body, const std::vector<bool>& held,
                                        const std::vector<Vec3d>& forces) {
    body.forces();  // finds the rotations
    const Index n = body.size();
    const View<const Index> rows = body.elastic.rows();
    const auto apply = [&](const std::vector<Vec3d>& u) {
        std::vector<Packed4> records(n);
        std::vector<Vec3f> out(n);
        for (Index s = 0; s < n; ++s) {
            const Vec3f v = to_float(u[rows[s]]);
            records[s] = {v.x, v.y, v.z, 0};
        }
        body.elastic.apply_stiffness(body.device, 1, 0, records, out);
        std::vector<Vec3d> result(n);
        for (Index s = 0; s < n; ++s)
            if (!held[rows[s]]) result[rows[s]] = -to_double(out[s]);
        return result;
    };
    const auto product = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
        double sum = 0;
        for (Index i = 0; i < n; ++i) sum += dot(a[i], b[i]);
        return sum;
    };
    std::vector<Vec3d> u(n), r(n);
    for (Index i = 0; i < n; ++i)
        if (!held[i]) r[i] = forces[i];
    std::vector<Vec3d> p = r;
    const double start = product(r, r);
    double size = start;
    for (int k = 0; k < 10000 && size > 1e-10 * start; ++k) {
        const std::vector<Vec3d> kp = apply(p);
        const double alpha = size / product(p, kp);
        for (Index i = 0; i < n; ++i) {
            u[i] += alpha * p[i];
            r[i] -= alpha * kp[i];
        }
        const double next = product(r, r);
        for (Index i = 0; i < n; ++i) p[i] = r[i] + (next / size) * p[i];
        size = next;
    }
    return u;
}

struct Tension {
    double modulus;  ///< E_eff / E
    double poisson;  ///< ν_eff
};

/// A bar of lx × n × n particles (n × 1 in 2D) pulled at its ends.
inline Tension pull(const Material& material, int lx, int ny, int nz, int dimensions = 3) {
    Body body(material, block_points(lx, ny, nz), dimensions);
    const Index n = body.size();
    const double end = 0.5 * (lx - 1) * Body::spacing, e = material.solid.young_modulus;
    const double area = dimensions == 2 ? Body::spacing : Body::spacing * Body::spacing;
    std::vector<Vec3d> forces(n);
    for (Index i = 0; i < n; ++i) {
        const double x = body.rest[i].x;
        if (std::abs(x) > end - 0.01) forces[i].x = (x > 0 ? 0.01 : -0.01) * e * area;
    }
    const std::vector<Vec3d> u = displacements(body, std::vector<bool>(n), forces);
    double xx = 0, xu = 0, ss = 0, su = 0;
    for (Index i = 0; i < n; ++i) {
        const Vec3d x = body.rest[i];
        if (std::abs(x.x) > 0.5 * end) continue;
        xx += x.x * x.x;
        xu += x.x * u[i].x;
        ss += x.y * x.y + x.z * x.z;
        su += x.y * u[i].y + x.z * u[i].z;
    }
    return {0.01 / (xu / xx), ss > 0 ? -(su / ss) / (xu / xx) : 0};
}

/// Tip deflection of a bar that is held at one end and bent by forces along y on the other, in that of
/// Timoshenko's beam: `free` particles long, ny thick, nz wide.
inline double bend(const Material& material, int free, int ny, int nz, int dimensions = 3) {
    const double dx = Body::spacing;
    Body body(material, block_points(free + 2, ny, nz), dimensions);
    const Index n = body.size();
    const double end = 0.5 * (free + 1) * dx;
    std::vector<bool> held(n);
    std::vector<Vec3d> forces(n);
    for (Index i = 0; i < n; ++i) {
        held[i] = body.rest[i].x < -end + 1.5 * dx;
        if (body.rest[i].x > end - 0.5 * dx) forces[i].y = 1. / (ny * nz);
    }
    const std::vector<Vec3d> u = displacements(body, held, forces);
    double tip = 0;
    for (Index i = 0; i < n; ++i) tip += dot(u[i], forces[i]);
    // From half-way between the last held and the first free layer to the one that is loaded.
    const double length = (free - 0.5) * dx, height = ny * dx, width = dimensions == 2 ? 1 : nz * dx;
    const double nu = material.solid.poisson_ratio, g = material.solid.young_modulus / (2 * (1 + nu));
    const double e = material.solid.young_modulus / (dimensions == 2 ? 1 - nu * nu : 1);
    const double bending = length * length * length / (3 * e * width * height * height * height / 12);
    return tip / (bending + length / (5. / 6 * g * width * height));
}

}  // namespace thixo
