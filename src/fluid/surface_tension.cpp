#include "fluid/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// Rounds of smoothing. Each spreads by about half a spacing: what is smoother than some spacings is not touched, the
/// roughness of the particles is gone.
constexpr int rounds = 6;

/// Inside, n is nothing but rounding, which must not tell how a surface is bent. Where sizes meet it is more: H |n| is up to 0.5, and
/// 1 in the outermost layer of a lattice.
template <class Sizes>
float nothing(const Sizes& sizes, Index i, float rounding) {
    if constexpr (Sizes::mixed)
        return 0.5f * sizes.of(i).inverse_support();
    else
        return rounding;
}

/// In that of the model's particles.
template <class Sizes>
float size_of(const Sizes& sizes, Index i) {
    if constexpr (Sizes::mixed)
        return sizes.of(i).scale();
    else
        return 1;
}

/// nᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
template <class Sizes>
struct Normal {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const float* group;
    View<const WallTerm> walls;
    View<Vec3f> rough;
    View<Packed4> smooth;

    void operator()(Index i) const {
        const Packed4 self = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        const auto& w = sizes.of(i);
        Vec3<Lanes> sums{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            const Vec3<Lanes> xij = x - other.xyz;
            const Lanes volume = gather(group, j) == group[i] ? other.w : Lanes{};
            sums += xij * (volume * w.with(j).gradient_over_distance(square_root(norm2(xij))));
        });
        const Vec3f n = rough[i] = sum(sums) + walls[i].gradient;
        smooth[i] = {n.x, n.y, n.z, 0};
    }
};

/// n̄ᵢ ← Σⱼ V⁰ⱼ Wᵢⱼ n̄ⱼ / Σⱼ V⁰ⱼ Wᵢⱼ, self included
template <class Sizes>
struct SmoothNormal {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const float* group;
    const Packed4* before;
    View<Packed4> after;

    void operator()(Index i) const {
        const Packed4 self = position_volume[i], own = before[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        const auto& w = sizes.of(i);
        Vec3<Lanes> sums{};
        Lanes weights{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            Lanes weight = gather(group, j) == group[i] ? other.w : Lanes{};
            weight *= w.with(j).value(square_root(norm2(x - other.xyz)));
            sums += gather(before, j).xyz * weight;
            weights += weight;
        });
        const float weight = self.w * w.self();
        const Vec3f n = (sum(sums) + weight * Vec3f{own.x, own.y, own.z}) / (sum(weights) + weight);
        after[i] = {n.x, n.y, n.z, 0};
    }
};

/// kᵢ = (d−1) Σⱼ wᵢⱼ (Nᵢ − Nⱼ)·yᵢⱼ / Σⱼ wᵢⱼ yᵢⱼ²
template <class Sizes>
struct Curvature {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const float* group;
    const Packed4* surface;
    const float* outermost;
    float directions;  ///< d − 1
    float spacing;     ///< m
    View<float> curvature;

    void operator()(Index i) const {
        curvature[i] = 0;
        const Packed4 self = position_volume[i], own = surface[i];
        if (outermost[i] == 0) return;
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z}), n = spread(Vec3f{own.x, own.y, own.z});
        const auto& w = sizes.of(i);
        Lanes turn{}, stretch{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j), theirs = gather(surface, j);
            const Vec3<Lanes> to = other.xyz - x, along = to - n * dot(n, to);
            const Lanes volume = gather(group, j) == group[i] ? other.w * gather(outermost, j) : Lanes{};
            const Lanes weight = volume * w.with(j).value(square_root(norm2(to)));
            turn += weight * dot(n - theirs.xyz, along);
            stretch += weight * norm2(along);
        });
        if (sum(stretch) <= 0) return;
        // A surface bent more than particles are apart is beyond them.
        const float most = 1 / (spacing * size_of(sizes, i));
        const float k = std::clamp(sum(turn) / sum(stretch), -most, most);
        // Particles lie half a spacing below the surface.
        curvature[i] = directions * k / (1 + 0.5f * k / most);
    }
};

/// kᵢ ← Σⱼ wᵢⱼ kⱼ / Σⱼ wᵢⱼ, self included
template <class Sizes>
struct SmoothCurvature {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const float* group;
    const float* outermost;
    const float* before;
    View<float> after;

    void operator()(Index i) const {
        const Packed4 self = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        const auto& w = sizes.of(i);
        Lanes sums{}, weights{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            Lanes weight = gather(group, j) == group[i] ? other.w * gather(outermost, j) : Lanes{};
            weight *= w.with(j).value(square_root(norm2(x - other.xyz)));
            sums += weight * gather(before, j);
            weights += weight;
        });
        const float weight = self.w * outermost[i] * w.self(), total = sum(weights) + weight;
        after[i] = total > 0 ? (sum(sums) + weight * before[i]) / total : 0.f;
    }
};

}  // namespace

SurfaceTension::SurfaceTension(KernelName name, double support, int dimensions, double spacing)
    : kernel_(name), support_(support), dimensions_(dimensions), spacing_(spacing) {
    // A flat surface of the lattice at rest, layer by layer: |n| is what the missing half would have added, and is smoothed
    // as the particles' is.
    const double volume = rest_volume(name, support, dimensions, Lattice::cubic, spacing);
    const int reach = static_cast<int>(std::ceil(support / spacing)), count = reach * (rounds + 2);
    std::vector<double> layers(count), weights(2 * reach + 1);
    with_kernel(name, support, dimensions, [&](const auto& kernel) {
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, spacing, dimensions, support)) {
            const auto r = static_cast<float>(norm(v));
            const int up = static_cast<int>(std::lround(v.y / spacing));
            weights[up + reach] += volume * kernel.value(r);
            for (int k = 0; k < up; ++k) layers[k] -= volume * kernel.derivative(r) * v.y / r;
        }
    });
    for (int round = 0; round < rounds; ++round) {
        const std::vector<double> before = layers;
        for (int k = 0; k < count; ++k) {
            double sum = 0, total = 0;
            for (int o = std::max(-k, -reach); o <= reach && k + o < count; ++o) {
                sum += weights[o + reach] * before[k + o];
                total += weights[o + reach];
            }
            layers[k] = sum / total;
        }
    }
    const double sum = std::accumulate(layers.begin(), layers.end(), 0.0);
    scale_ = static_cast<float>(std::pow(spacing, dimensions - 1) / (volume * sum));
}

void SurfaceTension::add(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                         View<const WallTerm> walls, const Packed4* position_volume,
                         View<const float> inverse_support, View<const float> tension,
                         View<Vec3f> acceleration) {
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    group_.resize(n + 1);
    rough_.resize(n);
    for (std::vector<Packed4>* record : {&smooth_, &other_}) record->resize(n + 1);
    for (std::vector<float>* k : {&outermost_, &curvature_, &other_curvature_}) k->resize(n + 1);
    group_[n] = -1;
    // Solids are nobody's own: liquids have a surface against them, they have none themselves.
    launch(device, n, [=, phase = View<const Phase>(particles.phase), out = View(group_)](Index i) {
        out[i] = phase[i] == Phase::liquid ? static_cast<float>(material[i]) : -1.f;
    });
    const float* group = group_.data();
    with_sizes(kernel_, support_, dimensions_, inverse_support, [&](const auto& sizes) {
        launch(device, n,
               Normal{sizes, neighbours, position_volume, group, walls, View(rough_), View(smooth_)});
        for (int round = 0; round < rounds; ++round) {
            launch(device, n,
                   SmoothNormal{sizes, neighbours, position_volume, group, smooth_.data(), View(other_)});
            smooth_.swap(other_);
        }
        launch(device, n,
               [sizes, noise = static_cast<float>(1e-3 / spacing_), surface = View(smooth_),
                rough = View<const Vec3f>(rough_), outermost = View(outermost_)](Index i) {
                   const Vec3f a{surface[i].x, surface[i].y, surface[i].z};
                   const float length = norm(a);
                   const Vec3f unit = length > 0 ? a / length : Vec3f{};
                   surface[i] = {unit.x, unit.y, unit.z, length};
                   outermost[i] = std::max(0.f, dot(rough[i], unit) - nothing(sizes, i, noise));
               });
        launch(
            device, n,
            Curvature{sizes, neighbours, position_volume, group, smooth_.data(), outermost_.data(),
                      static_cast<float>(dimensions_ - 1), static_cast<float>(spacing_), View(curvature_)});
        for (int round = 0; round < rounds; ++round) {
            launch(device, n,
                   SmoothCurvature{sizes, neighbours, position_volume, group, outermost_.data(),
                                   curvature_.data(), View(other_curvature_)});
            curvature_.swap(other_curvature_);
        }
    });
    launch(device, n, [=, this](Index i) {
        if (group_[i] >= 0) acceleration[i] += this->acceleration(i, tension[material[i]]);
    });
}

Vec3f SurfaceTension::acceleration(Index i, float tension) const {
    const Packed4& surface = smooth_[i];
    return Vec3f{surface.x, surface.y, surface.z} * (tension * scale_ * surface.w * curvature_[i]);
}

std::size_t SurfaceTension::bytes() const {
    return (group_.capacity() + outermost_.capacity() + curvature_.capacity() + other_curvature_.capacity()) *
               sizeof(float) +
           (smooth_.capacity() + other_.capacity()) * sizeof(Packed4) + rough_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
