#include "fluid/implicit_viscosity.h"

#include <cmath>
#include <utility>

#include "fluid/forces.h"

namespace thixo {

namespace {

/// More than this means that something else is wrong; what is left of the error is then accepted.
constexpr int most_iterations = 200;

/// m v − Δt F(v) without the walls' motion: the product of the system's matrix with v.
template <class Pairs>
struct Matrix {
    Pairs pairs;
    const float* friction;
    float factor;     ///< 2(d+2) Δt
    float softening;  ///< h²/100
    float dt;
    View<const float> m;
    float wall_friction;
    View<const WallMotion> motion;

    /// Weight of xᵢⱼ xᵢⱼᵀ in the block of a pair, positive.
    template <class Pair>
    auto weight(const Pair& pair, float own) const {
        return -0.5f * (own + pair.of(friction)) * pair.volume * pair.gradient() / softened(pair, softening);
    }

    float wall_weight(Index i) const { return dt * pairs.self(i).w * wall_friction * friction[i]; }
    float walls(Index i) const { return motion.empty() ? 0.f : wall_weight(i) * motion[i].drag; }

    template <class Width>
    Vec3f times(const Width& width, const Packed4* vectors, Index i) const {
        using Real = typename Width::Real;
        const Packed4 own = vectors[i];
        const Vec3<Real> v = spread_vector<Real>(own);
        Vec3<Real> pull{};
        pairs.for_each(width, i, [&](const auto& pair) {
            pull += pair.x * (weight(pair, friction[i]) * dot(v - pair.of(vectors).xyz, pair.x));
        });
        return (m[i] + walls(i)) * Vec3f{own.x, own.y, own.z} + factor * pairs.self(i).w * width.sum(pull);
    }

    /// A third of the trace of the diagonal block (in 2D half of it).
    template <class Width>
    float diagonal(const Width& width, Index i, int dimensions) const {
        using Real = typename Width::Real;
        Real trace{};
        pairs.for_each(width, i, [&](const auto& pair) {
            trace += weight(pair, friction[i]) * smaller(pair.r2, spread<Real>(1e10f));
        });
        return m[i] + walls(i) + factor * pairs.self(i).w * width.sum(trace) / static_cast<float>(dimensions);
    }
};

}  // namespace

ImplicitViscosity::ImplicitViscosity(double tolerance, const Discretisation& discretisation)
    : tolerance_(tolerance),
      dimensions_(discretisation.dimensions),
      softening_(static_cast<float>(pair_softening * discretisation.support * discretisation.support)) {}

void ImplicitViscosity::solve(const Device& device, const FluidState& state, const RowFriction& friction,
                              float wall_friction, double dt) {
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
    launch(device, n, [friction, out = View(friction_)](Index i) { out[i] = friction(i); });
    const auto pack = [](const Vec3f& a, float w) { return Packed4{a.x, a.y, a.z, w}; };

    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        const Matrix matrix{pairs,
                            std::as_const(friction_).data(),
                            static_cast<float>(2 * (dimensions_ + 2) * dt),
                            softening_,
                            static_cast<float>(dt),
                            m,
                            wall_friction,
                            state.motion};
        // r = b − A v with b = m v* + what moving walls give, starting from v = v*.
        launch(device, n, [=, dimensions = dimensions_](Index i) {
            search[i] = pack(v[i], 1 / matrix.diagonal(EightLanes{}, i, dimensions));
        });
        launch(device, n, [=, motion = state.motion](Index i) {
            r[i] = m[i] * v[i] - matrix.times(EightLanes{}, search.data(), i);
            if (!motion.empty()) r[i] += matrix.wall_weight(i) * motion[i].pull;
        });
        launch(device, n, [=](Index i) { search[i] = pack(search[i].w * r[i], search[i].w); });
        const auto in_scale = [=](Index i) { return double{search[i].w}; };
        const double size = reduce_sum(
            device, n, [=](Index i) { return double{m[i]} * m[i] * norm2(to_double(v[i])) * in_scale(i); });
        double rz = reduce_sum(device, n, [=](Index i) { return norm2(to_double(r[i])) * in_scale(i); });
        const double target = tolerance_ * tolerance_ * size;
        for (iterations_ = 0; rz > target && iterations_ < most_iterations; ++iterations_) {
            launch(device, n, [=](Index i) { product[i] = matrix.times(EightLanes{}, search.data(), i); });
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
