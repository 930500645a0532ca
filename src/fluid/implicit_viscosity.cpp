#include "fluid/implicit_viscosity.h"

#include <cmath>

#include "sph/kernels.h"

namespace thixo {

namespace {

/// More than this means that something else is wrong; what is left of the error is then accepted.
constexpr int most_iterations = 200;

/// m v − Δt F(v) without the walls' own motion: the product of the system's matrix with v.
template <class W>
struct Matrix {
    W kernel;
    Neighbours neighbours;
    const Packed4* position_volume;
    const float* friction;
    float factor;     ///< 2(d+2) Δt
    float softening;  ///< h²/100
    float dt;
    View<const float> m;
    float wall_friction;
    View<const WallMotion> motion;

    /// Weight of xᵢⱼ xᵢⱼᵀ in the block of a pair, positive.
    Lanes weight(const PackedLanes& other, Lanes r2, float own, const Index* j) const {
        return -0.5f * (own + gather(friction, j)) * other.w *
               kernel.gradient_over_distance(square_root(r2)) / (r2 + softening);
    }

    float wall_weight(Index i) const { return dt * position_volume[i].w * wall_friction * friction[i]; }
    float walls(Index i) const { return motion.empty() ? 0.f : wall_weight(i) * motion[i].drag; }

    Vec3f times(const Packed4* vectors, Index i) const {
        const Packed4 a = position_volume[i], b = vectors[i];
        const Vec3f own{b.x, b.y, b.z};
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(own);
        Vec3<Lanes> pull{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            const Vec3<Lanes> xij = x - other.xyz;
            pull += xij * (weight(other, norm2(xij), friction[i], j) * dot(v - gather(vectors, j).xyz, xij));
        });
        return (m[i] + walls(i)) * own + factor * a.w * sum(pull);
    }

    /// A third of the trace of the diagonal block (in 2D half of it).
    float diagonal(Index i, int dimensions) const {
        const Packed4 a = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z});
        Lanes trace{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            const Lanes r2 = norm2(x - other.xyz);
            trace += weight(other, r2, friction[i], j) * smaller(r2, spread<Lanes>(1e10f));
        });
        return m[i] + walls(i) + factor * a.w * sum(trace) / static_cast<float>(dimensions);
    }
};

}  // namespace

ImplicitViscosity::ImplicitViscosity(double tolerance, KernelName kernel, double support, int dimensions)
    : tolerance_(tolerance), kernel_(kernel), support_(support), dimensions_(dimensions) {}

void ImplicitViscosity::solve(const Device& device, const FluidState& state, const Fluid& fluid, double dt) {
    ParticleTable& particles = state.particles;
    const Index n = particles.size();
    search_.resize(n + 1);
    residual_.resize(n);
    product_.resize(n);
    friction_.resize(n + 1);
    search_[n] = {};
    const View search(search_);
    const View r(residual_), product(product_), v(particles.velocity);
    const View<const float> m(particles.mass);
    launch(device, n,
           [friction = fluid.friction(particles), out = View(friction_)](Index i) { out[i] = friction(i); });
    const auto pack = [](const Vec3f& a, float w) { return Packed4{a.x, a.y, a.z, w}; };

    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        const Matrix matrix{kernel,
                            state.neighbours,
                            fluid.position_volume(),
                            friction_.data(),
                            static_cast<float>(2 * (dimensions_ + 2) * dt),
                            static_cast<float>(0.0025 * support_ * support_),
                            static_cast<float>(dt),
                            m,
                            fluid.wall_friction(),
                            state.motion};
        // r = b − A v with b = m v* + what moving walls give, starting from v = v*.
        launch(device, n, [=, dimensions = dimensions_](Index i) {
            search[i] = pack(v[i], 1 / matrix.diagonal(i, dimensions));
        });
        launch(device, n, [=, motion = state.motion](Index i) {
            r[i] = m[i] * v[i] - matrix.times(search.data(), i);
            if (!motion.empty()) r[i] += matrix.wall_weight(i) * motion[i].pull;
        });
        launch(device, n, [=](Index i) { search[i] = pack(search[i].w * r[i], search[i].w); });
        const auto in_scale = [=](Index i) { return double{search[i].w}; };
        const double size = reduce_sum(
            device, n, [=](Index i) { return double{m[i]} * m[i] * norm2(to_double(v[i])) * in_scale(i); });
        double rz = reduce_sum(device, n, [=](Index i) { return norm2(to_double(r[i])) * in_scale(i); });
        const double target = tolerance_ * tolerance_ * size;
        for (iterations_ = 0; rz > target && iterations_ < most_iterations; ++iterations_) {
            launch(device, n, [=](Index i) { product[i] = matrix.times(search.data(), i); });
            const double curvature = reduce_sum(device, n, [=](Index i) {
                return double{search[i].x} * product[i].x + double{search[i].y} * product[i].y +
                       double{search[i].z} * product[i].z;
            });
            const auto step = static_cast<float>(rz / curvature);
            const double next = reduce_sum(device, n, [=](Index i) {
                v[i] += step * Vec3f{search[i].x, search[i].y, search[i].z};
                r[i] -= step * product[i];
                return norm2(to_double(r[i])) * in_scale(i);
            });
            const auto keep = static_cast<float>(next / rz);
            rz = next;
            launch(device, n, [=](Index i) {
                const Packed4 s = search[i];
                search[i] = pack(s.w * r[i] + keep * Vec3f{s.x, s.y, s.z}, s.w);
            });
        }
    });
}

std::size_t ImplicitViscosity::bytes() const {
    return search_.capacity() * sizeof(Packed4) +
           (residual_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           friction_.capacity() * sizeof(float);
}

}  // namespace thixo
