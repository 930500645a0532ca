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

/// The rigid motion of all rows. Viscosity does not act on it: the exact solution keeps momentum and angular
/// momentum, and an iteration that ends early does not. What it changed of them is taken back at the end. The
/// error that is left is orthogonal to rigid motions, which the system's matrix multiplies by the masses
/// alone: its norm becomes smaller by that.
class MotionOfAll {
public:
    MotionOfAll(const Device& device, View<const float> m, const Packed4* x, View<const Vec3f> v)
        : m_(m), x_(x), v_(v) {
        center_ = sum(device, {}, [](Index) { return Vec3d{}; });
        if (center_.mass > 0) center_.first = center_.first / center_.mass;
        before_ = sum_now(device);
    }

    /// What was added to the motion since this was made.
    RigidMotion change(const Device& device) const {
        RigidFit fit = sum_now(device);
        fit.momentum -= before_.momentum;
        fit.angular_momentum -= before_.angular_momentum;
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

    template <class Velocity>
    RigidFit sum(const Device& device, const Vec3d& origin, const Velocity& velocity) const {
        return reduce(
            device, static_cast<Index>(m_.size()), RigidFit{},
            [=, m = m_, x = x_](Index i) {
                RigidFit one;
                one.add(double{m[i]}, at(x[i]) - origin, double{m[i]} * velocity(i));
                return one;
            },
            together);
    }
    RigidFit sum_now(const Device& device) const {
        return sum(device, center_.first, [v = v_](Index i) { return to_double(v[i]); });
    }

    View<const float> m_;
    const Packed4* x_;
    View<const Vec3f> v_;
    RigidFit center_, before_;
};

/// As conjugate_gradient takes it: solution, residual, direction of search (w: inverse of the diagonal) and
/// its product.
template <class ViscosityMatrix>
struct ViscousSystem {
    const Device& device;
    ViscosityMatrix matrix;
    View<Vec3f> v, r;
    View<Packed4> search;
    View<Vec3f> product;
    double target;  ///< of rᵀz

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
        launch(device, rows(), [*this, keep = static_cast<float>(beta)](Index i) {
            const Packed4 s = search[i];
            search[i] = packed(s.w * r[i] + keep * Vec3f{s.x, s.y, s.z}, s.w);
        });
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
        launch(device, n, [=](Index i) { search[i] = packed(search[i].w * r[i], search[i].w); });
        const auto in_scale = [=](Index i) { return double{search[i].w}; };
        const double size = reduce_sum(
            device, n, [=](Index i) { return double{m[i]} * m[i] * norm2(to_double(v[i])) * in_scale(i); });
        const double rz =
            reduce_sum(device, n, [=](Index i) { return norm2(to_double(r[i])) * in_scale(i); });
        ViscousSystem<std::remove_cvref_t<decltype(matrix)>> system{
            device, matrix, v, r, search, product, tolerance_ * tolerance_ * size};
        const MotionOfAll motion(device, m, state.records.position_volume(), v);
        iterations_ = conjugate_gradient(system, rz, most_iterations);
        if (iterations_ == 0 || !state.motion.empty()) return;  // walls take momentum
        launch(device, n,
               [&motion, v, change = motion.change(device)](Index i) { v[i] -= motion.at_row(change, i); });
    });
}

std::size_t ImplicitViscosity::bytes() const {
    return search_.capacity() * sizeof(Packed4) +
           (residual_.capacity() + product_.capacity()) * sizeof(Vec3f) +
           friction_.capacity() * sizeof(float);
}

}  // namespace thixo
