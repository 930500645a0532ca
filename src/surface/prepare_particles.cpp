#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/symmetric_eigen.h"
#include "sph/neighbours.h"
#include "surface/field.h"

namespace thixo {

namespace {

/// The kernel of Müller et al. 2003 (poly6) needs no root: (1 − q²)³, whose integral over the ball is 64π/315.
constexpr double poly6_constant = 315 / (64 * std::numbers::pi);

/// Directions are told from neighbours within three spacings: two would leave particles of a flat surface with too few.
constexpr float covariance_radii = 6;

/// Yu & Turk 2013, eq. 6: positions are moved by this part of the way to the mean of their neighbours.
constexpr double center_smoothing = 0.9;
constexpr int least_neighbours = 16;  ///< N_ε
constexpr double lone_stretch = 0.4;  ///< k_n; 0.5 in the paper. A single particle has its own volume then
/// Variance of a full neighbourhood in each direction, in squares of its radius: ∫r⁴(1−r³)dr / 3∫r²(1−r³)dr.
constexpr double full_variance = 0.15;

struct Fill {
    View<const Vec3f> position;
    View<const float> radius, volume;
    Neighbours lists;
    View<float> filling, neighbours;

    void operator()(Index i) const {
        float sum = static_cast<float>(poly6_constant) * volume[i] / cubed(support_radii * radius[i]);
        Index near = 0;
        for (const Index j : lists.of(i)) {
            const float r2 = norm2(position[j] - position[i]), support = support_radii * radius[j];
            const float u = 1 - r2 / (support * support);
            if (u > 0) sum += static_cast<float>(poly6_constant) * volume[j] / cubed(support) * cubed(u);
            const float own = support_radii * radius[i];
            near += r2 < own * own ? 1 : 0;
        }
        filling[i] = sum;
        neighbours[i] = static_cast<float>(near);
    }
    static float cubed(float a) { return a * a * a; }
};

/// Yu & Turk 2013, eq. 6–16: the kernel of each particle is stretched along its neighbourhood,
///   C = Σ w (xⱼ−x̄)(xⱼ−x̄)ᵀ/Σ w = R Σ Rᵀ,   w = 1 − (|xᵢⱼ|/rᵢ)³,   G = R Σ̃⁻¹ Rᵀ/H.
/// Neighbours count by their volume: many small particles weigh no more than a large one in their place.
struct Stretch {
    View<const Vec3f> position;
    View<const float> radius, volume;
    Neighbours lists;
    View<Vec3f> offset;
    View<Sym3f> metric;

    void operator()(Index i) const {
        const Vec3d x = to_double(position[i]);
        const double reach = covariance_radii * double{radius[i]},
                     support = support_radii * double{radius[i]};
        double weights = volume[i], near_weights = volume[i];
        Vec3d sum{}, near_sum{};
        Mat3d squares{};
        int count = 0;
        for (const Index j : lists.of(i)) {
            const Vec3d d = to_double(position[j]) - x;
            const double r = norm(d);
            if (r >= reach) continue;
            ++count;
            const double q = r / reach, w = volume[j] * (1 - q * q * q);
            weights += w;
            sum += w * d;
            squares += outer(w * d, d);
            if (r >= support) continue;
            const double p = r / support, near = volume[j] * (1 - p * p * p);
            near_weights += near;
            near_sum += near * d;
        }
        offset[i] = to_float(near_sum / near_weights);
        Vec3d stretch{lone_stretch, lone_stretch, lone_stretch};
        Mat3d axes = identity<double>();
        if (count >= least_neighbours) {
            const Vec3d mean = sum / weights;
            const SymmetricEigen eigen = symmetric_eigen(squares * (1 / weights) - outer(mean, mean));
            const double scale = 1 / (full_variance * reach * reach), least = eigen.values.x / most_stretch;
            stretch = {scale * eigen.values.x, scale * std::max(eigen.values.y, least),
                       scale * std::max(eigen.values.z, least)};
            axes = eigen.vectors;
        }
        const double size = anisotropic_radii * double{radius[i]};
        const auto inverse_square = [&](double s) { return 1 / (s * size * s * size); };
        const Mat3d a = outer(inverse_square(stretch.x) * axes.x, axes.x) +
                        outer(inverse_square(stretch.y) * axes.y, axes.y) +
                        outer(inverse_square(stretch.z) * axes.z, axes.z);
        metric[i] = Sym3f(to_float(a));
    }
};

/// Smoothed positions. The mean δ of the neighbours lies deeper inside for a whole layer of particles at the surface; moved there, matter would
/// shrink by 0.37 spacings on each side. What the neighbours have in common is therefore taken off:
///   x̄ᵢ = xᵢ + λ (δᵢ − Σⱼ wᵢⱼ δⱼ/Σⱼ wᵢⱼ).
struct SmoothCenter {
    View<const Vec3f> position, offset;
    View<const float> radius, volume;
    Neighbours lists;
    View<Vec3f> center;

    void operator()(Index i) const {
        const float support = support_radii * radius[i];
        Vec3f sum = volume[i] * offset[i];
        float weights = volume[i];
        for (const Index j : lists.of(i)) {
            const float q = norm(position[j] - position[i]) / support;
            if (q >= 1) continue;
            const float w = volume[j] * (1 - q * q * q);
            weights += w;
            sum += w * offset[j];
        }
        center[i] = position[i] + static_cast<float>(center_smoothing) * (offset[i] - sum / weights);
    }
};

}  // namespace

FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method) {
    const auto n = static_cast<Index>(particles.position.size());
    FieldParticles out;
    const float reach = method == SurfaceMethod::anisotropic ? covariance_radii : support_radii;
    std::vector<float> supports(n);
    launch(device, n, [=, radius = particles.radius, support = View(supports)](Index i) {
        support[i] = reach * radius[i];
    });
    NeighbourSearch search;
    search.set_skin(0);
    out.order = search.sort(device, particles.position, supports);

    out.position.resize(n);
    out.radius.resize(n);
    out.volume.resize(n);
    launch(device, n,
           [from = particles, order = View<const Index>(out.order), x = View(out.position),
            r = View(out.radius), v = View(out.volume), support = View(supports), reach](Index k) {
               const Index i = order[k];
               x[k] = from.position[i];
               r[k] = from.radius[i];
               v[k] = from.volume.empty() ? 8 * r[k] * r[k] * r[k] : from.volume[i];
               support[k] = reach * r[k];
           });
    search.build(device, out.position, supports);

    out.filling.resize(n);
    out.neighbours.resize(n);
    launch(device, n, Fill{out.position, out.radius, out.volume, search.view(), out.filling, out.neighbours});
    if (method == SurfaceMethod::anisotropic) {
        out.center.resize(n);
        out.metric.resize(n);
        std::vector<Vec3f> offset(n);
        launch(device, n, Stretch{out.position, out.radius, out.volume, search.view(), offset, out.metric});
        launch(device, n,
               SmoothCenter{out.position, offset, out.radius, out.volume, search.view(), out.center});
    }
    return out;
}

}  // namespace thixo
