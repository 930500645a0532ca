#include "collide/body_friction.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "collide/impact_zones.h"
#include "core/accelerated_jacobi.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

// tests/physics/body_friction.cpp compares blocks on slopes with Coulomb's law and pins `relaxation`; the
// limits and tolerances of the iteration may be far coarser (docs/theory/constants.md).

/// A limit. What slides after so many iterations slides until the next step.
constexpr int most_friction_iterations = 30;

/// Tolerance in spacings: sliding of a sticking pair in a step. In a hundred thousand steps it is one.
constexpr float speed_tolerance = 1e-5f;

/// Between bodies that answer as a whole: change of the impulses in an iteration, relative to what they may
/// be.
constexpr double answered_tolerance = 0.01;

/// Couples make a surface follow its impulses by about a fifth more than those alone.
constexpr float relaxation = 0.8f;

/// Largest fraction of the normal speed that is absorbed in a step: half of what would stop it, from where
/// on an explicit step would reverse it.
constexpr float most_absorbed = 0.5f;

/// Links nearly in one line cannot take a couple about it. Blocks and sheets are above 0.7.
constexpr double least_roundness = 0.2;

Vec3f sliding(const ContactState& state, Index a, Index b, const Vec3f& normal) {
    const Vec3f u = state.v(a) - state.v(b);
    return u - dot(u, normal) * normal;
}

/// Moments of impulses u × y on the ends y of links, by u: Σ (|y|² I − y yᵀ).
Mat3d moments_of(const ContactPairs& pairs, const ContactState& state, Index a) {
    Mat3d sum{};
    for (Index k = pairs.link_begin[a]; k < pairs.link_begin[a + 1]; ++k) {
        const Vec3d y = to_double(state.x(pairs.linked[k]) - state.x(a));
        sum += identity<double>() * norm2(y) - outer(y, y);
    }
    return sum;
}

/// Their inverse, or nothing.
Mat3f lever_of(const Mat3d& moments, int dimensions) {
    const double mean = trace(moments) / 3;
    if (!(mean > 0)) return {};
    // In the plane all couples are about z.
    if (dimensions == 2) return identity<float>() * static_cast<float>(1 / moments.z.z);
    if (determinant(moments) < least_roundness * mean * mean * mean) return {};
    return to_float(inverse_of_symmetric(moments));
}

}  // namespace

BodyFriction::BodyFriction(const std::vector<Material>& materials, const Discretisation& discretisation)
    : discretisation_(discretisation), spacing_(static_cast<float>(discretisation.spacing)) {
    for (const Material& material : materials) {
        density_.push_back(static_cast<float>(material.density));
        friction_.push_back(static_cast<float>(material.solid.friction));
        sound_speed_.push_back(static_cast<float>(material.liquid.sound_speed));
        any_ |= material.solid.friction > 0;
    }
}

/// Computes the normal impulses; returns whether there are any.
bool BodyFriction::press(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
                         View<const float> pushed, double kick, const ContactState& state) {
    rubs_.resize(pairs.other.size());
    count_.resize(pairs.size());
    pressed_.resize(pairs.size());
    const auto stiffness = [&particles, this](Index i) {
        const float s = particles.density[i] / density_[particles.material[i]];
        return particles.pressure[i] / (s * s);
    };
    const auto volume = [&particles, this](Index i) {
        return particles.mass[i] / density_[particles.material[i]];
    };
    return with_kernel(discretisation_, [&](const auto& kernel) {
        const auto find = [&, span = static_cast<float>(kick)](Index a) {
            Vec3f sum{};
            Index count = 0;
            const Index i = pairs.row[a];
            for (Index k = pairs.begin[a]; k < pairs.begin[a + 1]; ++k) {
                const Index b = pairs.other[k], j = pairs.row[b];
                const Vec3f x = state.x(a) - state.x(b);
                const float r = norm(x), p = stiffness(i) + stiffness(j);
                const float most = span * (volume(i) * volume(j)) * p * -kernel.derivative(r) + pushed[k];
                if (!(most > 0 && r > 0) || both_held(state, a, b)) continue;
                rubs_[pairs.begin[a] + count++] = {b, x / r, most, {}, {}};
                sum += (most / r) * x;
            }
            count_[a] = count;
            pressed_[a] = sum;
            return count;
        };
        return reduce_max(device, pairs.size(), Index{0}, find) > 0;
    });
}

/// From N to μ N along the normal of the surface.
void BodyFriction::limit(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
                         const ContactState& state) {
    give_.resize(pairs.size());
    launch(device, pairs.size(), [this, &particles, &pairs, &state](Index a) {
        const auto mu = [&](Index b) { return friction_[particles.material[pairs.row[b]]]; };
        float total = 0;
        for (Index k = 0; k < count_[a]; ++k) {
            Rub& pair = rubs_[pairs.begin[a] + k];
            const Vec3f apart = pressed_[a] - pressed_[pair.other];
            const float length = norm(apart);
            const Vec3f m = length > 0 ? apart / length : pair.n;
            pair.most *= std::sqrt(mu(a) * mu(pair.other)) * std::max(0.f, dot(pair.n, m));
            pair.n = m;
            total += pair.most;
        }
        give_[a] = state.velocity[a].w * total;
    });
}

/// mᵢ c Δt/ℓ is ρ₀c ℓ² Δt.
void BodyFriction::absorb(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
                          const ContactState& state, double dt) {
    const float way = 0.5f * static_cast<float>(dt) / spacing_;
    launch(device, pairs.size(), [this, &particles, &pairs, &state, way](Index a) {
        const auto c = [&](Index b) { return sound_speed_[particles.material[pairs.row[b]]]; };
        for (Index k = 0; k < count_[a]; ++k) {
            Rub& pair = rubs_[pairs.begin[a] + k];
            if (!(pair.most > 0)) continue;
            const Index b = pair.other;
            const float fraction = std::min(most_absorbed, way * (c(a) + c(b))),
                        apart = dot(state.v(a) - state.v(b), pair.n),
                        along = -fraction * (pair.most / (give_[a] + give_[b])) * apart;
            pair.absorb = std::clamp(along, -pair.most, pair.most) * pair.n;
        }
    });
}

void BodyFriction::weigh_links(const Device& device, const ContactPairs& pairs, const ContactState& state) {
    lever_.resize(pairs.size());
    launch(device, pairs.size(), [this, &pairs, &state](Index a) {
        lever_[a] =
            give_[a] > 0 ? lever_of(moments_of(pairs, state, a), discretisation_.dimensions) : Mat3f{};
    });
}

/// One step of Jacobi on all impulses. Its length μN/(wᵢ Sᵢ + wⱼ Sⱼ) with w = 1/m and S = Σ μN never
/// overshoots, for Σᵢ wᵢ |Σⱼ Jᵢⱼ|² ≤ Σᵢ wᵢ Sᵢ Σⱼ Jᵢⱼ²/(μN)ᵢⱼ, and lets all pairs of a particle reach their
/// limits together. Returns the largest sliding speed of sticking pairs (m/s).
float BodyFriction::rub(const Device& device, const ContactPairs& pairs, const ContactState& state) {
    return reduce_max(device, pairs.size(), 0.f, [this, &pairs, &state](Index a) {
        float fastest = 0;
        Vec3f sum{}, moment{};
        for (Index k = 0; k < count_[a]; ++k) {
            Rub& pair = rubs_[pairs.begin[a] + k];
            if (!(pair.most > 0)) continue;
            const Index b = pair.other;
            const float give = give_[a] + give_[b];
            Vec3f next = pair.impulse - (relaxation * pair.most / give) * sliding(state, a, b, pair.n);
            const float length = norm(next);
            if (length > pair.most) next *= pair.most / length;
            fastest = std::max(fastest, norm(next - pair.impulse) * give / pair.most);
            pair.impulse = next;
            sum += next + pair.absorb;
            moment -= 0.5f * cross(state.x(a) - state.x(b), next + pair.absorb);
        }
        sum_[a] = sum;
        couple_[a] = lever_[a] * moment;
        return fastest;
    });
}

/// vᵢ = vᵢ* + (Σⱼ Jᵢⱼ + Σ links (uᵢ + uₖ) × (xᵢ − xₖ))/mᵢ, where u turns the links of a particle by the
/// moment that J lacks.
void BodyFriction::apply(const Device& device, const ContactPairs& pairs, ContactState& state) {
    launch(device, pairs.size(), [this, &pairs, &state](Index a) {
        Vec3f sum = sum_[a];
        for (Index k = pairs.link_begin[a]; k < pairs.link_begin[a + 1]; ++k) {
            const Index b = pairs.linked[k];
            sum += cross(couple_[a] + couple_[b], state.x(a) - state.x(b));
        }
        const float per_mass = state.velocity[a].w;
        const Vec3f v = start_[a] + per_mass * sum;
        state.velocity[a] = {v.x, v.y, v.z, per_mass};
    });
}

bool BodyFriction::solve(const Device& device, const ParticleTable& particles, const ContactPairs& pairs,
                         View<const float> pushed, double kick, double dt, const BodyAnswer& answer,
                         ContactState& state) {
    iterations_ = 0;
    if (!any_ || !press(device, particles, pairs, pushed, kick, state)) return false;
    limit(device, particles, pairs, state);
    absorb(device, particles, pairs, state, dt);
    weigh_links(device, pairs, state);
    sum_.resize(pairs.size());
    couple_.resize(pairs.size());
    start_.resize(pairs.size());
    launch(device, pairs.size(), [this, &state](Index a) { start_[a] = state.v(a); });
    if (answer.begin) answer.begin();
    const float enough = speed_tolerance * spacing_ / static_cast<float>(dt);
    float left = 2 * enough;
    const auto iterate = [&] {
        left = rub(device, pairs, state);
        apply(device, pairs, state);
        ++iterations_;
    };
    if (!answer.change) {
        while (left > enough && iterations_ < most_friction_iterations) iterate();
        return true;
    }
    // Bodies that answer as a whole are heavier than `give_` says: that becomes as much less as the last
    // changes have shown. Both ends of a pair count.
    struct Before {
        Vec3f impulse{}, slide{};
    };
    struct Change {
        Curvature curvature;
        double size = 0, most = 0;  ///< of impulses and of what they may be

        Change operator+(const Change& other) const {
            return {curvature + other.curvature, size + other.size, most + other.most};
        }
    };
    std::vector<Before> last(rubs_.size());
    const auto measure = [&](Index a) {
        Change sum;
        for (Index k = pairs.begin[a]; k < pairs.begin[a] + count_[a]; ++k) {
            const Rub& pair = rubs_[k];
            if (!(pair.most > 0)) continue;
            const Vec3f slide = sliding(state, a, pair.other, pair.n),
                        change = pair.impulse - last[k].impulse;
            const double size2 = double{norm2(change)};
            sum = sum + Change{{double{dot(change, slide - last[k].slide)},
                                size2 * (give_[a] + give_[pair.other]) / pair.most},
                               std::sqrt(size2),
                               double{pair.most}};
            last[k] = {pair.impulse, slide};
        }
        return sum;
    };
    MeasuredStretch stretch;
    double stretched = 1;
    while (left > enough && iterations_ < most_friction_iterations) {
        Change change = reduce(device, pairs.size(), Change{}, measure, std::plus<>());
        if (iterations_ > 0 && !(change.size > answered_tolerance * change.most)) break;
        change.curvature.steps *= stretched;  // as without stretch
        stretch.take(change.curvature);
        const auto factor = static_cast<float>(stretched / stretch.value());
        stretched = stretch.value();
        launch(device, pairs.size(), [=, give = View(give_)](Index a) { give[a] *= factor; });
        iterate();
        answer.change(pairs.row, start_, state.velocity);
    }
    return true;
}

std::size_t BodyFriction::bytes() const {
    return rubs_.capacity() * sizeof(Rub) + count_.capacity() * sizeof(Index) +
           lever_.capacity() * sizeof(Mat3f) + give_.capacity() * sizeof(float) +
           (pressed_.capacity() + sum_.capacity() + couple_.capacity() + start_.capacity()) * sizeof(Vec3f);
}

}  // namespace thixo
