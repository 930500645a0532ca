#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/permute.h"
#include "core/simd.h"
#include "core/symmetric_eigen.h"
#include "surface/field.h"
#include "surface/row_ranges.h"

namespace thixo {

namespace {

/// The kernel of Müller et al. 2003 (poly6) needs no root: (1 − q²)³, whose integral over the ball is
/// 64π/315.
constexpr double support_poly6 = 315 / (64 * std::numbers::pi);

/// Directions come from neighbours within three spacings: two would leave particles of a flat surface with
/// too few.
constexpr float covariance_radii = 6;

/// Yu & Turk 2013, eq. 6: positions are moved by this part of the way to the mean of their neighbours.
constexpr double center_smoothing = 0.9;
constexpr int least_neighbours = 16;  ///< N_ε
constexpr double lone_stretch = 0.4;  ///< k_n; 0.5 in the paper. A single particle has its own volume then
/// Variance of a full neighbourhood in each direction, in squares of its radius: ∫r⁴(1−r³)dr / 3∫r²(1−r³)dr.
constexpr double full_variance = 0.15;

/// Of a complete neighbourhood, within two spacings.
constexpr float deep_neighbours = 32;

/// Columns of the rows with room for whole lanes behind the last one.
struct Columns {
    std::vector<float> x, y, z, volume;

    Columns(const Device& device, View<const Vec3f> position, View<const float> v)
        : x(position.size() + lane_count), y(x.size()), z(x.size()), volume(x.size()) {
        launch(device, static_cast<Index>(position.size()), [=, this](Index i) {
            x[i] = position[i].x;
            y[i] = position[i].y;
            z[i] = position[i].z;
            volume[i] = v[i];
        });
    }
};

/// Eight rows from j on, seen from row i: d = xⱼ − xᵢ. Rows behind `end` have no volume.
struct Candidates {
    Vec3<Lanes> d;
    Lanes r2, volume;
    LaneMask valid;

    Candidates(const Columns& all, const Vec3f& x, Index j, Index end)
        : d{load(all.x.data() + j) - x.x, load(all.y.data() + j) - x.y, load(all.z.data() + j) - x.z},
          r2(norm2(d)),
          valid(LaneMask{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<std::int32_t>(j) <
                static_cast<std::int32_t>(end)) {
        volume = valid ? load(all.volume.data() + j) : Lanes{};
    }
};

/// Runs row(i, ranges) for every row that is not deep, where ranges hold all rows within `reach` radii of
/// either. Rows of a cell share them.
template <class Row>
void for_each_shell_row(const Device& device, const FieldParticles& p, float reach, const Row& row) {
    struct CellOfLevel {
        Index level, cell;
    };
    std::vector<CellOfLevel> cells;
    for (Index l = 0; l < p.cells.levels().size(); ++l)
        for (Index c = 0; c + 1 < p.cells.levels()[l].cells.size(); ++c) cells.push_back({l, c});
    const std::vector<double> radius = largest_of_levels(p.cells, [&](Index i) { return p.radius[i]; });
    launch<16>(device, static_cast<Index>(cells.size()), [&, reach](Index k) {
        const GridLevel& level = p.cells.levels()[cells[k].level];
        const Index begin = level.cells[cells[k].cell].first, end = level.cells[cells[k].cell + 1].first;
        Vec3d low{1e30, 1e30, 1e30}, high = -low;
        for (Index i = begin; i < end; ++i) {
            if (p.deep[i]) continue;
            const Vec3d x = to_double(p.position[i]);
            low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
        if (low.x > high.x) return;
        thread_local std::vector<RowRange> ranges;
        const double own = radius[cells[k].level];
        find_ranges(
            p.cells, low, high, [&](std::size_t l) { return reach * std::max(own, radius[l]) * 1.0001; },
            ranges);
        for (Index i = begin; i < end; ++i)
            if (!p.deep[i]) row(i, ranges);
    });
}

/// s = Σⱼ Vⱼ W(xᵢⱼ, Hⱼ), and the number of neighbours within the own support.
void find_filling(const Device& device, const Columns& all, FieldParticles& p) {
    const auto n = static_cast<Index>(p.position.size());
    std::vector<float> k(n + lane_count), weight(n + lane_count);  // 1/H², V/H³ of the kernel
    launch(device, n, [&](Index i) {
        const float h = support_radii * p.radius[i];
        k[i] = 1 / (h * h);
        weight[i] = static_cast<float>(support_poly6) * p.volume[i] / (h * h * h);
        p.filling[i] = 1;
        p.neighbours[i] = deep_neighbours;
    });
    for_each_shell_row(device, p, support_radii, [&](Index i, const std::vector<RowRange>& ranges) {
        Lanes sum{}, near{};
        const float own = support_radii * support_radii * p.radius[i] * p.radius[i];
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; j += lane_count) {
                const Candidates c(all, p.position[i], j, end);
                const Lanes u = larger(1 - c.r2 * load(k.data() + j), Lanes{});
                sum += c.valid ? load(weight.data() + j) * (u * u * u) : Lanes{};
                near += ((c.r2 < own) & c.valid) ? Lanes{} + 1.f : Lanes{};
            }
        p.filling[i] = thixo::sum(sum);
        p.neighbours[i] = thixo::sum(near) - 1;  // not itself
    });
}

Sym3f metric_of(const Vec3d& stretch, const Mat3d& axes, double size) {
    const auto inverse_square = [&](double s) { return 1 / (s * size * s * size); };
    return Sym3f(to_float(outer(inverse_square(stretch.x) * axes.x, axes.x) +
                          outer(inverse_square(stretch.y) * axes.y, axes.y) +
                          outer(inverse_square(stretch.z) * axes.z, axes.z)));
}

/// Sums over the neighbourhood of a particle: weights 1 − q³ within three spacings for directions, within two
/// for the mean.
struct Neighbourhood {
    Lanes count{}, weights{}, near_weights{};
    Vec3<Lanes> sum{}, near_sum{};
    Lanes xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    void add(const Candidates& c, float inverse_reach, float inverse_support) {
        const Lanes r = square_root(c.r2), q = r * inverse_reach, s = r * inverse_support;
        const Lanes w = c.volume * larger(1 - q * q * q, Lanes{}),
                    v = c.volume * larger(1 - s * s * s, Lanes{});
        count += w > 0.f ? Lanes{} + 1.f : Lanes{};
        weights += w;
        near_weights += v;
        const Vec3<Lanes> wd{w * c.d.x, w * c.d.y, w * c.d.z};
        sum += wd;
        near_sum += Vec3<Lanes>{v * c.d.x, v * c.d.y, v * c.d.z};
        xx += wd.x * c.d.x, yy += wd.y * c.d.y, zz += wd.z * c.d.z;
        xy += wd.x * c.d.y, xz += wd.x * c.d.z, yz += wd.y * c.d.z;
    }
    Mat3d squares() const {
        const double a = thixo::sum(xy), b = thixo::sum(xz), c = thixo::sum(yz);
        return {{thixo::sum(xx), a, b}, {a, thixo::sum(yy), c}, {b, c, thixo::sum(zz)}};
    }
};

/// Yu & Turk 2013, eq. 6–16: the kernel of each particle is stretched along its neighbourhood,
///   C = Σ w (xⱼ−x̄)(xⱼ−x̄)ᵀ/Σ w = R Σ Rᵀ,   w = 1 − (|xᵢⱼ|/rᵢ)³,   G = R Σ̃⁻¹ Rᵀ/H.
/// Neighbours count by their volume: many small particles weigh no more than a large one in their place.
/// `offset`: to their mean.
void find_stretch(const Device& device, const Columns& all, FieldParticles& p, View<Vec3f> offset) {
    for_each_shell_row(device, p, covariance_radii, [&](Index i, const std::vector<RowRange>& ranges) {
        const float reach = covariance_radii * p.radius[i], support = support_radii * p.radius[i];
        Neighbourhood around;
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; j += lane_count)
                around.add(Candidates(all, p.position[i], j, end), 1 / reach, 1 / support);
        offset[i] = sum(around.near_sum) / sum(around.near_weights);
        const double size = anisotropic_radii * double{p.radius[i]};
        p.metric[i] = metric_of({lone_stretch, lone_stretch, lone_stretch}, identity<double>(), size);
        if (sum(around.count) - 1 < least_neighbours) return;
        const double weights = sum(around.weights);
        const Vec3d mean = to_double(sum(around.sum)) / weights;
        const SymmetricEigen eigen = symmetric_eigen(around.squares() * (1 / weights) - outer(mean, mean));
        const double scale = 1 / (full_variance * double{reach} * reach);
        const double largest = std::min(scale * eigen.values.x, double{longest_stretch});
        if (!(largest > lone_stretch)) return;  // neighbours that are all in one place
        const auto limited = [&](double value) {
            return std::clamp(scale * value, largest / most_stretch, largest);
        };
        p.metric[i] =
            metric_of({largest, limited(eigen.values.y), limited(eigen.values.z)}, eigen.vectors, size);
    });
}

/// Smoothed positions. The mean δ of the neighbours lies deeper inside for a whole layer of particles at the
/// surface; moved there, matter would shrink by 0.37 spacings on each side. What the neighbours have in
/// common is therefore taken off:
///   x̄ᵢ = xᵢ + λ (δᵢ − Σⱼ wᵢⱼ δⱼ/Σⱼ wᵢⱼ).
void smooth_centers(const Device& device, const Columns& all, FieldParticles& p, View<const Vec3f> offset) {
    const auto n = static_cast<Index>(p.position.size());
    const std::size_t room = std::size_t{n} + lane_count;
    std::vector<float> ox(room), oy(room), oz(room);
    launch(device, n, [&](Index i) {
        ox[i] = offset[i].x;
        oy[i] = offset[i].y;
        oz[i] = offset[i].z;
    });
    for_each_shell_row(device, p, support_radii, [&](Index i, const std::vector<RowRange>& ranges) {
        const float inverse = 1 / (support_radii * p.radius[i]);
        Lanes weights{};
        Vec3<Lanes> total{};
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; j += lane_count) {
                const Candidates c(all, p.position[i], j, end);
                const Lanes q = square_root(c.r2) * inverse;
                const Lanes w = c.volume * larger(1 - q * q * q, Lanes{});
                weights += w;
                total +=
                    Vec3<Lanes>{w * load(ox.data() + j), w * load(oy.data() + j), w * load(oz.data() + j)};
            }
        p.center[i] =
            p.position[i] + static_cast<float>(center_smoothing) * (offset[i] - sum(total) / sum(weights));
    });
}

}  // namespace

FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method, const BandParticles& band) {
    const auto n = static_cast<Index>(band.rows.size());
    FieldParticles out;
    out.position.resize(n);
    out.radius.resize(n);
    out.deep = band.deep;
    std::vector<float> supports(n);
    launch(device, n, [&](Index k) {
        out.position[k] = particles.position[band.rows[k]];
        out.radius[k] = particles.radius[band.rows[k]];
        supports[k] = support_radii * out.radius[k];
    });
    const std::vector<Index> order = out.cells.sort(device, out.position, supports);
    permute(device, order, out.position);
    permute(device, order, out.radius);
    permute(device, order, out.deep);
    out.order.resize(n);
    out.volume.resize(n);
    launch(device, n, [&](Index k) {
        out.order[k] = band.rows[order[k]];
        out.volume[k] = particles.volume_of(out.order[k]);
    });

    const Columns columns(device, out.position, out.volume);
    out.filling.resize(n);
    out.neighbours.resize(n);
    find_filling(device, columns, out);
    if (method == SurfaceMethod::anisotropic) {
        std::vector<Vec3f> offset(n);  // 0 where it is deep
        out.center = out.position;
        out.metric.resize(n);
        launch(device, n, [&](Index i) {
            out.metric[i] =
                metric_of({1, 1, 1}, identity<double>(), anisotropic_radii * double{out.radius[i]});
        });
        find_stretch(device, columns, out, offset);
        smooth_centers(device, columns, out, offset);
    }
    return out;
}

FieldParticles prepare_particles(const Device& device, const SurfaceParticles& particles,
                                 SurfaceMethod method) {
    BandParticles all;
    all.rows.resize(particles.position.size());
    all.deep.resize(particles.position.size());
    std::iota(all.rows.begin(), all.rows.end(), Index{0});
    return prepare_particles(device, particles, method, all);
}

}  // namespace thixo
