#include "surface/field.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/simd.h"
#include "surface/stretch_eigenvalue.h"

namespace thixo {

namespace {

constexpr Lanes lane_numbers{0, 1, 2, 3, 4, 5, 6, 7};

inline void add(float* sums, Lanes value) {
    const Lanes total = load(sums) + value;
    std::memcpy(sums, &total, sizeof total);
}

// A method sums `sums` numbers per node from the particles in reach and makes φ of them. Lengths are in cells, and d = xⱼ − x points
// from the node to the particle. A particle adds to eight nodes of a row at a time.

/// φ = (iso − Σⱼ Vⱼ W(x−xⱼ, Hⱼ)) s. Vⱼ = mⱼ/ρⱼ = Vⱼ⁰/fillingⱼ, so that drops of few particles do not vanish. s makes a distance of
/// it: across a flat surface the sum falls by 1.23 in the length H.
struct DensitySum {
    static constexpr int sums = 1;
    View<const float> weight, support;
    float slope;  ///< s, m

    struct Particle {
        Vec3f x, reach;
        float weight, k;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        const float h = support[row] * inverse_cell;
        return {x, {h, h, h}, weight[row], 1 / (h * h)};
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{});
        add(out, p.weight * (u * u * u));
    }
    Lanes value(const float* in, float, float) const { return (iso_filling - load(in)) * slope; }
};

/// [Yu & Turk 2013, eq. 11]: φ = (iso − Σⱼ Vⱼ det(Gⱼ) P(|Gⱼ(x − x̄ⱼ)|)) s.
struct AnisotropicSum {
    static constexpr int sums = 1;
    View<const float> weight;
    View<const Sym3f> metric;
    View<const Reach> reach;
    float cell;
    float slope;

    struct Particle {
        Vec3f x, reach;
        float weight;
        Sym3f a;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        const float c2 = cell * cell;
        Sym3f a = metric[row];
        for (float* e : {&a.xx, &a.yy, &a.zz, &a.xy, &a.xz, &a.yz}) *e *= c2;
        return {x, reach[row] * inverse_cell, weight[row], a};
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (p.a.yy * dy * dy + p.a.zz * dz * dz + 2 * p.a.yz * dy * dz);
        const float along = 2 * (p.a.xy * dy + p.a.xz * dz);
        const Lanes u = larger(rest - dx * (p.a.xx * dx + along), Lanes{});
        add(out, p.weight * (u * u * u));
    }
    Lanes value(const float* in, float, float) const { return (iso_filling - load(in)) * slope; }
};

/// [Zhu & Bridson 2005], for particles of several sizes: φ = |x − x̄| − R̄, x̄ = Σ xⱼWⱼ/ΣWⱼ, R̄ = Σ RⱼWⱼ/ΣWⱼ. Kernels are not normalised:
/// a particle counts by its volume then, whatever its size.
struct MeanSum {
    static constexpr int sums = 5;
    View<const float> radius;

    struct Particle {
        Vec3f x, reach;
        float size, k;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const;
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{}), w = u * u * u;
        add(out, w);
        add(out + block_nodes, w * dx);
        add(out + 2 * block_nodes, w * dy);
        add(out + 3 * block_nodes, w * dz);
        add(out + 4 * block_nodes, w * p.size);
    }
    Lanes value(const float* in, float cell, float outside) const {
        const Lanes s = load(in);
        const LaneMask reached = s > least_weight;
        const Lanes inverse = 1 / larger(s, spread<Lanes>(least_weight));
        const Vec3<Lanes> mean{load(in + block_nodes) * inverse, load(in + 2 * block_nodes) * inverse,
                               load(in + 3 * block_nodes) * inverse};
        const Lanes phi = square_root(norm2(mean)) - load(in + 4 * block_nodes) * inverse;
        return reached ? phi * cell : spread<Lanes>(outside);
    }
    static constexpr float least_weight = 1e-12f;
};

/// Influence radius and radius of a single drop, in radii. At a flat surface the mean is 0.246 influence radii inside, a drop of a
/// particle's volume 8r³ has the radius 1.24 r: with this pair both have the right volume.
constexpr float influence_radii = 5, drop_radii = 1.24f;

MeanSum::Particle MeanSum::particle(Index row, const Vec3f& x, float inverse_cell) const {
    const float r = radius[row] * inverse_cell, h = influence_radii * r;
    return {x, {h, h, h}, drop_radii * r, 1 / (h * h)};
}

/// [SSP07, eq. 22–26]: φ = |x − x̄| − R̄ f. f falls from 1 to 0 where the largest eigenvalue of G = ∂x̄/∂x grows: there x̄ moves faster
/// than x, between particles that have nothing to do with each other.
///   G = (M − (x̄−x) gᵀ)/S,   S = ΣWⱼ,   g = Σ∇Wⱼ,   M = Σ d ∇Wⱼᵀ,   ∇Wⱼ = 6 (1−q²)² d/H²
struct EigenvalueSum {
    static constexpr int sums = 14;
    MeanSum mean;

    using Particle = MeanSum::Particle;
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        return mean.particle(row, x, inverse_cell);
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        MeanSum::add_row(p, dx, dy, dz, out);
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{}), slope = (6 * p.k) * u * u;
        const Vec3<Lanes> gradient{slope * dx, slope * dy, slope * dz};
        out += 5 * block_nodes;
        add(out, gradient.x);
        add(out + block_nodes, gradient.y);
        add(out + 2 * block_nodes, gradient.z);
        add(out + 3 * block_nodes, gradient.x * dx);
        add(out + 4 * block_nodes, gradient.y * dy);
        add(out + 5 * block_nodes, gradient.z * dz);
        add(out + 6 * block_nodes, gradient.x * dy);
        add(out + 7 * block_nodes, gradient.x * dz);
        add(out + 8 * block_nodes, gradient.y * dz);
    }
    Lanes value(const float* in, float cell, float outside) const {
        Lanes phi = mean.value(in, cell, outside);
        for (Index l = 0; l < lane_count; ++l) {
            const auto sum = [&](int k) { return in[k * block_nodes + l]; };
            const float s = sum(0);
            if (!(s > MeanSum::least_weight)) continue;
            const Vec3f to_mean = Vec3f{sum(1), sum(2), sum(3)} / s, g{sum(5), sum(6), sum(7)};
            const Mat3f m{
                {sum(8), sum(11), sum(12)}, {sum(11), sum(9), sum(13)}, {sum(12), sum(13), sum(10)}};
            const float f = solenthaler_factor(largest_real_eigenvalue((m - outer(to_mean, g)) * (1 / s)));
            phi[l] += (1 - f) * cell * sum(4) / s;
        }
        return phi;
    }
};

template <class Method>
struct EvaluateBlocks {
    const BlockGrid* grid;
    View<const Vec3f> position;
    Method method;
    float cell, outside;
    View<float> values;

    void operator()(Index b) const {
        alignas(64) float sums[Method::sums * block_nodes] = {};
        for (const Index row : grid->particles(b)) add_particle(row, b, sums);
        for (int node = 0; node < block_nodes; node += static_cast<int>(lane_count)) {
            const Lanes phi = method.value(sums + node, cell, outside);
            std::memcpy(&values[std::size_t{block_nodes} * b + static_cast<std::size_t>(node)], &phi,
                        sizeof phi);
        }
    }

    void add_particle(Index row, Index b, float* sums) const {
        const typename Method::Particle p = method.particle(row, grid->local(b, position[row]), 1 / cell);
        const auto low = [](float x, float reach) {
            return std::max(0, static_cast<int>(std::ceil(x - reach)));
        };
        const auto high = [](float x, float reach) {
            return std::min(block_width - 1, static_cast<int>(std::floor(x + reach)));
        };
        const int y0 = low(p.x.y, p.reach.y), y1 = high(p.x.y, p.reach.y);
        const int z0 = low(p.x.z, p.reach.z), z1 = high(p.x.z, p.reach.z);
        if (low(p.x.x, p.reach.x) > high(p.x.x, p.reach.x)) return;
        const Lanes dx = p.x.x - lane_numbers;
        for (int z = z0; z <= z1; ++z)
            for (int y = y0; y <= y1; ++y)
                Method::add_row(p, dx, p.x.y - static_cast<float>(y), p.x.z - static_cast<float>(z),
                                sums + (z * block_width + y) * block_width);
    }
};

template <class Method>
SurfaceField evaluate(const Device& device, BlockGrid grid, View<const Vec3f> position, const Method& method,
                      float outside) {
    SurfaceField field{std::move(grid), {}, outside};
    field.values.resize(std::size_t{block_nodes} * field.grid.size());
    launch<4>(device, field.grid.size(),
              EvaluateBlocks<Method>{&field.grid, position, method, static_cast<float>(field.grid.cell()),
                                     outside, field.values});
    return field;
}

std::vector<Reach> cubes(const Device& device, View<const float> radius, float radii) {
    std::vector<Reach> reach(radius.size());
    launch(device, static_cast<Index>(radius.size()), [=, out = View(reach)](Index i) {
        const float h = radii * radius[i];
        out[i] = {h, h, h};
    });
    return reach;
}

constexpr float poly6_constant = static_cast<float>(315 / (64 * std::numbers::pi));

/// Across a flat surface the sum of kernels falls by 1.23 per support radius.
constexpr float steepness = 315.0f / 256;

SurfaceField density_field(const Device& device, const FieldParticles& p, double cell, double memory,
                           float radius) {
    const auto n = static_cast<Index>(p.position.size());
    std::vector<float> weight(n), support(n);
    launch(device, n,
           [r = View<const float>(p.radius), v = View<const float>(p.volume),
            filling = View<const float>(p.filling), w = View(weight), h = View(support)](Index i) {
               h[i] = support_radii * r[i];
               w[i] = poly6_constant * v[i] / (h[i] * h[i] * h[i] * filling[i]);
           });
    const float slope = support_radii * radius / steepness;
    return evaluate(device,
                    BlockGrid(device, cell, p.position, cubes(device, p.radius, support_radii), memory),
                    p.position, DensitySum{weight, support, slope}, iso_filling * slope);
}

SurfaceField anisotropic_field(const Device& device, const FieldParticles& p, double cell, double memory,
                               float radius) {
    const auto n = static_cast<Index>(p.position.size());
    std::vector<float> weight(n);
    std::vector<Reach> reach(n);
    launch(device, n,
           [v = View<const float>(p.volume), metric = View<const Sym3f>(p.metric), w = View(weight),
            out = View(reach)](Index i) {
               // The ellipsoid dᵀA d < 1 ends at √(A⁻¹)ₖₖ along axis k.
               const Mat3d a = to_double(metric[i].full());
               const Mat3d inverse = inverse_of_symmetric(a);
               out[i] = {static_cast<float>(std::sqrt(inverse.x.x)),
                         static_cast<float>(std::sqrt(inverse.y.y)),
                         static_cast<float>(std::sqrt(inverse.z.z))};
               w[i] = static_cast<float>(poly6_constant * v[i] * std::sqrt(determinant(a)));
           });
    const float slope = anisotropic_radii / most_stretch * radius / steepness;
    BlockGrid grid(device, cell, p.center, reach, memory);
    return evaluate(device, std::move(grid), p.center,
                    AnisotropicSum{weight, p.metric, reach, static_cast<float>(cell), slope},
                    iso_filling * slope);
}

}  // namespace

SurfaceField make_field(const Device& device, const FieldParticles& p, SurfaceMethod method, double cell,
                        double memory) {
    const float radius = -reduce_max(device, static_cast<Index>(p.radius.size()), -1e30f,
                                     [&](Index i) { return -p.radius[i]; });
    if (method == SurfaceMethod::density) return density_field(device, p, cell, memory, radius);
    if (method == SurfaceMethod::anisotropic) return anisotropic_field(device, p, cell, memory, radius);
    BlockGrid grid(device, cell, p.position, cubes(device, p.radius, influence_radii), memory);
    const float outside = (influence_radii - drop_radii) * radius;
    const MeanSum mean{p.radius};
    if (method == SurfaceMethod::zhu_bridson)
        return evaluate(device, std::move(grid), p.position, mean, outside);
    return evaluate(device, std::move(grid), p.position, EigenvalueSum{mean}, outside);
}

}  // namespace thixo
