#include "collide/body_contact.h"

#include <algorithm>
#include <cmath>

#include "collide/impact_zones.h"

namespace thixo {

namespace {

/// In spacings: pressure acts from about 1 on, and holds bodies apart as long as they meet gently.
constexpr float soft_distance = 0.85f;

/// In spacings: pairs nearer than this beyond the soft distance take part from the start.
constexpr float attention = 0.5f;

/// In spacings: how far a pair may end within the soft distance.
constexpr float tolerance = 0.005f;

/// What is too near comes apart by this share of the lack a step, but not by more than that many spacings: a gentle push.
constexpr float recovery = 0.2f, most_recovery = 0.01f;

constexpr int most_iterations = 60;

/// In supports: what a step may move a particle, as a rule.
constexpr double usual_way = 0.1;

}  // namespace

BodyContact::BodyContact(double spacing, double support)
    : support_(support),
      spacing_(static_cast<float>(spacing)),
      most_stretch_(static_cast<float>(
          std::max(1.0, (1 - 2 * usual_way) * support / (double{soft_distance} * spacing)))) {}

double BodyContact::longest_way() const {
    // Lists hold all that is within a support when a step begins.
    return 0.5 * (support_ - double{soft_distance} * double{spacing_});
}

void BodyContact::collect(const Device& device, const ParticleTable& particles,
                          const Neighbours& neighbours) {
    const Index n = particles.size();
    const View<const Phase> phase(particles.phase);
    std::vector<Index> strangers(n), member(n);
    launch(device, n, [=, out = View(strangers)](Index i) {
        if (phase[i] == Phase::liquid) return;
        for (const Index j : neighbours.of(i)) out[i] += phase[j] != Phase::liquid;
    });
    pairs_.row.clear();
    pairs_.begin.assign(1, 0);
    for (Index i = 0; i < n; ++i) {
        if (strangers[i] == 0) continue;
        member[i] = pairs_.size();
        pairs_.row.push_back(i);
        pairs_.begin.push_back(pairs_.begin.back() + strangers[i]);
    }
    pairs_.other.resize(pairs_.begin.back());
    launch(device, pairs_.size(),
           [=, row = View<const Index>(pairs_.row), begin = View<const Index>(pairs_.begin),
            number = View<const Index>(member), out = View(pairs_.other)](Index a) {
               Index k = begin[a];
               for (const Index j : neighbours.of(row[a])) {
                   if (phase[j] != Phase::liquid) out[k++] = number[j];
               }
           });
}

void BodyContact::gather_state(const Device& device, const ParticleTable& particles, View<const float> mass,
                               View<const float> stretch) {
    const Index n = pairs_.size();
    state_.position.resize(n);
    state_.velocity.resize(n);
    start_velocity_.resize(n);
    launch(device, n,
           [=, most = most_stretch_, row = View<const Index>(pairs_.row),
            x = View<const Vec3f>(particles.position), v = View<const Vec3f>(particles.velocity),
            position = View(state_.position), velocity = View(state_.velocity),
            start = View(start_velocity_)](Index a) {
               const Index i = row[a];
               position[a] = {x[i].x, x[i].y, x[i].z, std::clamp(stretch[a], 1.f, most)};
               velocity[a] = {v[i].x, v[i].y, v[i].z, 1 / mass[i]};
               start[a] = v[i];
           });
}

BodyContact::Excess BodyContact::find_touches(const Device& device, float dt) {
    touches_.resize(pairs_.other.size());
    touch_count_.resize(pairs_.size());
    const float spacing = spacing_;
    const auto touch = [this, spacing, dt](Index a) {
        Excess excess;
        Index count = 0;
        for (Index k = pairs_.begin[a]; k < pairs_.begin[a + 1]; ++k) {
            const Index b = pairs_.other[k];
            const Vec3f x = state_.x(a) - state_.x(b), v = state_.v(a) - state_.v(b);
            const float r = norm(x),
                        d = soft_distance * spacing * std::max(state_.position[a].w, state_.position[b].w);
            if (!(r > 0) || (r > d + attention * spacing && nearest_approach(x, v, dt) > d)) continue;
            const float gap = r > d ? r - d : -std::min(recovery * (d - r), most_recovery * spacing);
            const Touch found{b, x / r, gap / dt, 0, 0};
            touches_[pairs_.begin[a] + count++] = found;
            excess.depth = std::max(excess.depth, -dt * (dot(found.n, v) + found.bound));
            excess.crosses |= crosses(state_, a, b, spacing, dt);
        }
        touch_count_[a] = count;
        return excess;
    };
    return reduce(device, pairs_.size(), Excess{}, touch, [](const Excess& a, const Excess& b) {
        return Excess{std::max(a.depth, b.depth), a.crosses || b.crosses};
    });
}

/// vᵢ = vᵢ* + Σⱼ λᵢⱼ n/mᵢ
void BodyContact::apply(const Device& device, float Touch::*impulse) {
    launch(device, pairs_.size(), [this, impulse](Index a) {
        Vec3f sum{};
        const Touch* touch = touches_.data() + pairs_.begin[a];
        for (Index k = 0; k < touch_count_[a]; ++k) sum += touch[k].*impulse * touch[k].n;
        const float per_mass = state_.velocity[a].w;
        const Vec3f v = start_velocity_[a] + per_mass * sum;
        state_.velocity[a] = {v.x, v.y, v.z, per_mass};
    });
}

/// The step of Jacobi is 1/(kᵢ/mᵢ + kⱼ/mⱼ) for k pairs of a particle: it bounds the matrix from above, for
/// Σᵢ |Σⱼ λᵢⱼ n|²/mᵢ ≤ Σᵢ kᵢ Σⱼ λᵢⱼ²/mᵢ. Momentum starts anew where it leads uphill (O'Donoghue & Candès 2015).
int BodyContact::iterate(const Device& device, float dt) {
    struct Progress {
        float depth = 0;
        double uphill = 0;
    };
    double t = 1;
    int iterations = 0;
    for (Progress progress{tolerance * spacing_ + 1, 0};
         progress.depth > tolerance * spacing_ && iterations < most_iterations; ++iterations) {
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
        const auto momentum = static_cast<float>((t - 1) / next);
        const auto improve = [this, dt, momentum](Index a) {
            Progress own;
            Touch* touch = touches_.data() + pairs_.begin[a];
            const Vec3f v = state_.v(a);
            const auto stiffness = [this](Index b) {
                return static_cast<float>(touch_count_[b]) * state_.velocity[b].w;
            };
            const float here = stiffness(a);
            for (Index k = 0; k < touch_count_[a]; ++k) {
                Touch& pair = touch[k];
                const float left = dot(pair.n, v - state_.v(pair.other)) + pair.bound;
                const float better = std::max(0.f, pair.ahead - left / (here + stiffness(pair.other)));
                const float change = better - pair.impulse;
                pair.impulse = better;
                pair.ahead = std::max(0.f, better + momentum * change);
                own.depth = std::max(own.depth, -dt * left);
                own.uphill += double{left} * change;
            }
            return own;
        };
        progress =
            reduce(device, pairs_.size(), Progress{}, improve, [](const Progress& a, const Progress& b) {
                return Progress{std::max(a.depth, b.depth), a.uphill + b.uphill};
            });
        t = progress.uphill > 0 ? 1 : next;
        apply(device, &Touch::ahead);
    }
    apply(device, &Touch::impulse);
    return iterations;
}

bool BodyContact::solve(const Device& device, ParticleTable& particles, View<const float> mass,
                        View<const float> stretch, double dt) {
    iterations_ = 0;
    frozen_ = 0;
    if (empty()) return false;
    const auto span = static_cast<float>(dt);
    gather_state(device, particles, mass, stretch);
    const Excess excess = find_touches(device, span);
    if (excess.depth <= tolerance * spacing_ && !excess.crosses) return false;
    iterations_ = iterate(device, span);
    frozen_ = freeze_zones(device, pairs_, state_, spacing_, span);
    launch(device, pairs_.size(),
           [row = View<const Index>(pairs_.row), velocity = View<const Packed4>(state_.velocity),
            v = View(particles.velocity)](Index a) {
               v[row[a]] = {velocity[a].x, velocity[a].y, velocity[a].z};
           });
    return true;
}

std::size_t BodyContact::bytes() const {
    return (pairs_.row.capacity() + pairs_.begin.capacity() + pairs_.other.capacity() +
            touch_count_.capacity()) *
               sizeof(Index) +
           (state_.position.capacity() + state_.velocity.capacity()) * sizeof(Packed4) +
           touches_.capacity() * sizeof(Touch) + start_velocity_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
