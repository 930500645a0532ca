#include "fluid/implicit_viscosity.h"

#include <cmath>
#include <utility>

#include "core/conjugate_gradient.h"
#include "core/rigid_fit.h"
#include "fluid/forces.h"

namespace thixo {

namespace {

/// More than this means that something else is wrong; what is left of the error is then accepted.
constexpr int most_iterations = 200;

Packed4 packed(const Vec3f& a, float w) { return {a.x, a.y, a.z, w}; }

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

/// Takes the rigid motion of all rows out of directions of search. Viscosity does not act on it, and without walls it is no part of the solution; so
/// however early the iteration ends, momentum and angular momentum stay (a deflation of conjugate gradients, Nicolaides 1987).
class RigidMotionFilter {
public:
    RigidMotionFilter(const Device& device, View<const float> m, const Packed4* x) : m_(m), x_(x) {
        center_ = reduce(
            device, size(), RigidFit{},
            [=](Index i) {
                RigidFit of;
                of.add(double{m[i]}, at(x[i]), {});
                return of;
            },
            together);
        if (center_.mass > 0) center_.first = center_.first / center_.mass;
    }

    /// The motion that w · vector has on average, with the masses for weights.
    template <class Vector>
    RigidMotion of(const Device& device, const Vector& vector) const {
        const RigidFit fit = reduce(
            device, size(), RigidFit{},
            [=, m = m_, x = x_, c = center_.first](Index i) {
                RigidFit one;
                one.add(double{m[i]}, at(x[i]) - c, double{m[i]} * to_double(vector(i)));
                return one;
            },
            together);
        return fit.motion(thinnest);
    }
    Vec3f at_row(const RigidMotion& motion, Index i) const {
        return to_float(motion.at(at(x_[i]) - center_.first));
    }

private:
    /// Rows in a line have no inertia about it.
    static constexpr double thinnest = 1e-6;

    static Vec3d at(const Packed4& x) { return {double{x.x}, double{x.y}, double{x.z}}; }
    static RigidFit together(RigidFit a, const RigidFit& b) {
        a.mass += b.mass;
        a.first += b.first;
        a.second += b.second;
        a.momentum += b.momentum;
        a.angular_momentum += b.angular_momentum;
        return a;
    }
    Index size() const { return static_cast<Index>(m_.size()); }

    View<const float> m_;
    const Packed4* x_;
    RigidFit center_;
};

/// As conjugate_gradient takes it: solution, residual, direction of search (w: inverse of the diagonal) and its product.
template <class ViscosityMatrix>
struct ViscousSystem {
    const Device& device;
    ViscosityMatrix matrix;
    View<Vec3f> v, r;
    View<Packed4> search;
    View<Vec3f> product;
    double target;                    ///< of rᵀz
    const RigidMotionFilter* filter;  ///< none where walls take momentum

    Index rows() const { return static_cast<Index>(v.size()); }

    bool converged(double rz) const { return !(rz > target); }
    double multiply() const {
        launch(device, rows(),
               [*this](Index i) { product[i] = matrix.times(EightLanes{}, search.data(), i); });
        return reduce_sum(device, rows(), [search = search, product = product](Index i) {
            return double{search[i].x} * product[i].x + double{search[i].y} * product[i].y +
                   double{search[i].z} * product[i].z;
        });
    }
    double advance(double alpha) const {
        const auto step = static_cast<float>(alpha);
        return reduce_sum(device, rows(), [*this, step](Index i) {
            v[i] += step * Vec3f{search[i].x, search[i].y, search[i].z};
            r[i] -= step * product[i];
            return norm2(to_double(r[i])) * double{search[i].w};
        });
    }
    void turn(double beta) const {
        const auto z = [r = r, search = search](Index i) { return search[i].w * r[i]; };
        const RigidMotion rigid = filter ? filter->of(device, z) : RigidMotion{};
        launch(device, rows(), [*this, z, rigid, keep = static_cast<float>(beta)](Index i) {
            const Packed4 s = search[i];
            Vec3f direction = z(i) + keep * Vec3f{s.x, s.y, s.z};
            if (filter) direction = direction - filter->at_row(rigid, i);
            search[i] = packed(direction, s.w);
        });
    }
    /// The first direction.
    void begin() const {
        launch(device, rows(), [*this](Index i) { search[i] = packed({}, search[i].w); });
        turn(0);
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
            search[i] = packed(v[i], 1 / matrix.diagonal(EightLanes{}, i, dimensions));
        });
        launch(device, n, [=, motion = state.motion](Index i) {
            r[i] = m[i] * v[i] - matrix.times(EightLanes{}, search.data(), i);
            if (!motion.empty()) r[i] += matrix.wall_weight(i) * motion[i].pull;
        });
        const auto in_scale = [=](Index i) { return double{search[i].w}; };
        const double size = reduce_sum(
            device, n, [=](Index i) { return double{m[i]} * m[i] * norm2(to_double(v[i])) * in_scale(i); });
        const double rz =
            reduce_sum(device, n, [=](Index i) { return norm2(to_double(r[i])) * in_scale(i); });
        const RigidMotionFilter filter(device, m, state.records.position_volume());
        ViscousSystem<std::remove_cvref_t<decltype(matrix)>> system{device,
                                                                    matrix,
                                                                    v,
                                                                    r,
                                                                    search,
                                                                    product,
                                                                    tolerance_ * tolerance_ * size,
                                                                    state.motion.empty() ? &filter : nullptr};
        if (!system.converged(rz)) system.begin();
        iterations_ = conjugate_gradient(system, rz, most_iterations);
    });
}

std::size_t ImplicitViscosity::bytes() const {
    return search_.capacity() * sizeof(Packed4) +
           (residual_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           friction_.capacity() * sizeof(float);
}

}  // namespace thixo
