#include "collide/body_contact.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "collide/impact_zones.h"
#include "core/accelerated_jacobi.h"
#include "core/select.h"

namespace thixo {

namespace {

// Distances follow from the lattice. tests/physics/elastic_elastic.cpp, touching_blocks.cpp and
// fast_impact.cpp test what they are for: bodies stay apart at any speed, and come apart when they are
// released. Which test pins which: docs/theory/constants.md.

/// In spacings. Pressure acts below about 1 and separates bodies at slow contacts; above `hard_distance`,
/// below which particles fit through.
constexpr float soft_distance = 0.85f;

/// In spacings: pairs closer than this beyond the soft distance are active even if they do not approach, as
/// impulses from others may push them together: by 0.4 in a step, twice `usual_way` of the usual support.
constexpr float attention = 0.5f;

/// Tolerance in spacings: largest violation of the soft distance.
constexpr float depth_tolerance = 0.005f;

/// Pairs that are too close separate by this fraction of the overlap per step, but at most by that many
/// spacings, so that the correction adds little velocity. As in rigid/contact.cpp;
/// tests/unit/collide/body_contact_test.cpp pins both.
constexpr float recovery = 0.2f, most_recovery = 0.01f;

/// Part of a gap (m) that may be closed in a step.
float allowance(float gap, float spacing) {
    return gap > 0 ? gap : std::max(recovery * gap, -most_recovery * spacing);
}

/// What is left after so many iterations is left to the next step.
constexpr int most_depth_iterations = 60;

/// Where a step that was made longer lets errors grow by this factor, steps are short again.
constexpr float most_growth = 2;

/// In supports: usual limit of the motion of a particle in a step.
constexpr double usual_way = 0.1;

/// Stretch limits of links near contact pairs, relative to the reach of the lists. A rotating link grows
/// slightly along a straight step; the margin covers that before a particle fits through.
constexpr float soft_fraction = 0.94f, hard_fraction = 0.98f;

/// Links are left this much where lists are too short for any.
constexpr float least_stretch = 1.3f;

}  // namespace

ContactLimits::ContactLimits(double spacing_m, double support)
    : spacing(static_cast<float>(spacing_m)),
      most_stretch(static_cast<float>(
          std::max(1.0, (1 - 2 * usual_way) * support / (double{soft_distance} * spacing_m)))),
      soft_stretch(std::max(least_stretch, soft_fraction * most_stretch)),
      hard_stretch(soft_stretch * (hard_fraction / soft_fraction)) {}

BodyContact::BodyContact(const std::vector<Material>& materials, const Discretisation& discretisation)
    : support_(discretisation.support),
      limits_(discretisation.spacing, discretisation.support),
      friction_(materials, discretisation) {}

double BodyContact::longest_way() const {
    // At the start of a step lists contain all pairs within the support.
    return 0.5 * (support_ - double{soft_distance} * double{limits_.spacing});
}

void BodyContact::collect(const Device& device, const ParticleTable& particles,
                          const Neighbours& neighbours) {
    const Index n = particles.size();
    const View<const Phase> phase(particles.phase);
    const auto partners = [=](Index i) {
        Index count = 0;
        if (phase[i] == Phase::liquid || neighbours.count(i) == 0) return count;
        for (const Index j : neighbours.of(i)) count += phase[j] != Phase::liquid;
        return count;
    };
    pairs_ = {};
    pairs_.row = select(device, n, [&](Index i) { return partners(i) > 0; });
    member_.assign(pairs_.row.empty() ? 0 : n, no_member);
    for (Index a = 0; a < pairs_.size(); ++a) {
        member_[pairs_.row[a]] = a;
        pairs_.begin.push_back(pairs_.begin.back() + partners(pairs_.row[a]));
    }
    pairs_.other.resize(pairs_.begin.back());
    launch(device, pairs_.size(),
           [=, row = View<const Index>(pairs_.row), begin = View<const Index>(pairs_.begin),
            number = View<const Index>(member_), out = View(pairs_.other)](Index a) {
               Index k = begin[a];
               for (const Index j : neighbours.of(row[a])) {
                   if (phase[j] != Phase::liquid) out[k++] = number[j];
               }
           });
    meeting_ = pairs_.size();
    pairs_.link_begin.assign(meeting_ + 1, 0);
}

void BodyContact::link(const RestLinks& links) {
    for (const Index row : links.other) {
        if (member_[row] != no_member) continue;
        member_[row] = pairs_.size();
        pairs_.row.push_back(row);
        pairs_.begin.push_back(pairs_.begin.back());
    }
    // A link to a row without contact pairs is stored at that end too.
    const auto for_each_end = [&](const auto& visit) {
        for (Index a = 0; a < meeting_; ++a) {
            for (Index k = links.begin[a]; k < links.begin[a + 1]; ++k) {
                const Index b = member_[links.other[k]];
                visit(a, b, links.length[k]);
                if (b >= meeting_) visit(b, a, links.length[k]);
            }
        }
    };
    std::vector<Index> next(pairs_.size() + 1);
    for_each_end([&](Index a, Index, float) { ++next[a + 1]; });
    std::partial_sum(next.begin(), next.end(), next.begin());
    pairs_.link_begin = next;
    pairs_.linked.resize(next.back());
    pairs_.length.resize(next.back());
    for_each_end([&](Index a, Index b, float length) {
        pairs_.linked[next[a]] = b;
        pairs_.length[next[a]++] = length;
    });
}

void BodyContact::gather_state(const Device& device, const ParticleTable& particles, View<const float> mass) {
    const Index n = pairs_.size();
    state_.position.resize(n);
    state_.velocity.resize(n);
    start_velocity_.resize(n);
    launch(device, n,
           [=, row = View<const Index>(pairs_.row), x = View<const Vec3f>(particles.position),
            v = View<const Vec3f>(particles.velocity), position = View(state_.position),
            velocity = View(state_.velocity), start = View(start_velocity_)](Index a) {
               const Index i = row[a];
               position[a] = {x[i].x, x[i].y, x[i].z, 1};
               velocity[a] = {v[i].x, v[i].y, v[i].z, 1 / mass[i]};
               start[a] = v[i];
           });
    stretch_.resize(n);
    launch(device, n, [this](Index a) {
        float largest = 1;
        for (Index k = pairs_.link_begin[a]; k < pairs_.link_begin[a + 1]; ++k)
            largest = std::max(largest, norm(state_.x(a) - state_.x(pairs_.linked[k])) / pairs_.length[k]);
        stretch_[a] = std::min(largest, limits_.most_stretch);
    });
    launch(device, n, [this](Index a) { state_.position[a].w = stretch_[a]; });
}

/// A contact pair that could come too close in this step.
std::optional<BodyContact::Touch> BodyContact::meeting(Index a, Index b, float dt) const {
    if (both_held(state_, a, b)) return {};
    const Vec3f x = state_.x(a) - state_.x(b), v = state_.v(a) - state_.v(b);
    const float spacing = limits_.spacing, r = norm(x), d = soft_distance * spacing * state_.stretch(a, b);
    if (!(r > 0) || (r > d + attention * spacing && nearest_approach(x, v, dt) > d)) return {};
    return Touch{b, x / r, allowance(r - d, spacing) / dt, 0, 0};
}

/// A link that could get too long in this step.
std::optional<BodyContact::Touch> BodyContact::strain(Index a, Index b, float length, float dt) const {
    if (both_held(state_, a, b)) return {};
    const Vec3f x = state_.x(b) - state_.x(a), v = state_.v(b) - state_.v(a);
    const float spacing = limits_.spacing, r = norm(x), gap = limits_.soft_stretch * length - r;
    if (!(r > 0) || (gap > attention * spacing && dt * dot(x, v) < gap * r)) return {};
    return Touch{b, x / r, allowance(gap, spacing) / dt, 0, 0};
}

BodyContact::Excess BodyContact::find_touches(const Device& device, float dt) {
    touches_.resize(pairs_.other.size() + pairs_.linked.size());
    touch_count_.resize(pairs_.size());
    const auto touch = [this, dt](Index a) {
        Excess excess;
        Index count = 0;
        const auto take = [&](const std::optional<Touch>& found) {
            if (!found) return false;
            touches_[first_touch(a) + count++] = *found;
            const float left = dot(found->n, state_.v(a) - state_.v(found->other)) + found->bound;
            excess.depth = std::max(excess.depth, -dt * left);
            return true;
        };
        for (Index k = pairs_.begin[a]; k < pairs_.begin[a + 1]; ++k) {
            if (take(meeting(a, pairs_.other[k], dt)))
                excess.crosses |= crosses(state_, a, pairs_.other[k], limits_, dt);
        }
        for (Index k = pairs_.link_begin[a]; k < pairs_.link_begin[a + 1]; ++k) {
            if (take(strain(a, pairs_.linked[k], pairs_.length[k], dt)))
                excess.crosses |= tears(state_, a, pairs_.linked[k], pairs_.length[k], limits_, dt);
        }
        touch_count_[a] = count;
        return excess;
    };
    return reduce(device, pairs_.size(), Excess{}, touch, [](const Excess& a, const Excess& b) {
        return Excess{std::max(a.depth, b.depth), a.crosses || b.crosses};
    });
}

/// vᵢ = vᵢ* + Σⱼ λᵢⱼ n/mᵢ
void BodyContact::apply(const Device& device, float Touch::*impulse, const BodyAnswer& answer) {
    launch(device, pairs_.size(), [this, impulse](Index a) {
        Vec3f sum{};
        const Touch* touch = touches_.data() + first_touch(a);
        for (Index k = 0; k < touch_count_[a]; ++k) sum += touch[k].*impulse * touch[k].n;
        const float per_mass = state_.velocity[a].w;
        const Vec3f v = start_velocity_[a] + per_mass * sum;
        state_.velocity[a] = {v.x, v.y, v.z, per_mass};
    });
    if (answer.change) answer.change(pairs_.row, start_velocity_, state_.velocity);
}

/// The step of Jacobi is 1/(kᵢ/mᵢ + kⱼ/mⱼ) for k pairs of a particle: it bounds the matrix from above, for
/// Σᵢ |Σⱼ λᵢⱼ n|²/mᵢ ≤ Σᵢ kᵢ Σⱼ λᵢⱼ²/mᵢ. Bodies that answer as a whole are heavier than that: their steps are
/// longer by what the last changes have shown (MeasuredStretch).
int BodyContact::iterate(const Device& device, float dt, const BodyAnswer& answer) {
    struct Progress {
        float depth = 0;
        double uphill = 0;
    };
    /// Of the velocities along a touch: what is left before the last change of its impulse, and that change.
    struct Before {
        float left = 0, change = 0;
    };
    std::vector<Before> last(answer.change ? touches_.size() : 0);
    const auto stiffness = [this](Index a, Index b) {
        return static_cast<float>(touch_count_[a]) * state_.velocity[a].w +
               static_cast<float>(touch_count_[b]) * state_.velocity[b].w;
    };
    const auto left_of = [this](Index a, const Touch& pair) {
        return dot(pair.n, state_.v(a) - state_.v(pair.other)) + pair.bound;
    };
    // Both ends of a pair count.
    const auto measure = [&](Index a) {
        Curvature sum;
        for (Index k = 0; k < touch_count_[a]; ++k) {
            const Touch& pair = touches_[first_touch(a) + k];
            Before& before = last[first_touch(a) + k];
            const float left = left_of(a, pair);
            sum = sum + Curvature{double{before.change} * (left - before.left),
                                  double{before.change} * before.change * stiffness(a, pair.other)};
            before.left = left;
        }
        return sum;
    };
    if (answer.begin) answer.begin();
    NesterovMomentum nesterov;
    MeasuredStretch stretch;
    float least = std::numeric_limits<float>::max();
    int iterations = 0;
    for (Progress progress{depth_tolerance * limits_.spacing + 1, 0};
         progress.depth > depth_tolerance * limits_.spacing && iterations < most_depth_iterations;
         ++iterations) {
        if (answer.change) stretch.take(reduce(device, pairs_.size(), Curvature{}, measure, std::plus<>()));
        const float momentum = nesterov.begin(), length = static_cast<float>(stretch.value());
        const auto improve = [&, dt, momentum, length](Index a) {
            Progress own;
            for (Index k = 0; k < touch_count_[a]; ++k) {
                Touch& pair = touches_[first_touch(a) + k];
                const float left = left_of(a, pair), from = pair.ahead;
                const float change = projected_step(from, -left * length / stiffness(a, pair.other), momentum,
                                                    pair.impulse, pair.ahead);
                if (!last.empty()) last[first_touch(a) + k].change = pair.ahead - from;
                own.depth = std::max(own.depth, -dt * left);
                own.uphill += double{left} * change;
            }
            return own;
        };
        progress =
            reduce(device, pairs_.size(), Progress{}, improve, [](const Progress& a, const Progress& b) {
                return Progress{std::max(a.depth, b.depth), a.uphill + b.uphill};
            });
        nesterov.end(progress.uphill);
        if (answer.change && progress.depth > most_growth * least) {
            nesterov = NesterovMomentum();
            stretch = {};
        }
        least = std::min(least, progress.depth);
        apply(device, &Touch::ahead, answer);
    }
    apply(device, &Touch::impulse, answer);
    return iterations;
}

/// For friction. Touches of contact pairs come first, in the order of the pairs.
void BodyContact::tell_impulses(const Device& device) {
    pushed_.resize(pairs_.other.size());
    launch(device, pairs_.size(), [this](Index a) {
        const Touch *next = touches_.data() + first_touch(a), *end = next + touch_count_[a];
        for (Index k = pairs_.begin[a]; k < pairs_.begin[a + 1]; ++k)
            pushed_[k] = next < end && next->other == pairs_.other[k] ? (next++)->impulse : 0;
    });
}

bool BodyContact::solve(const Device& device, ParticleTable& particles, View<const float> mass, double kick,
                        double dt, const BodyAnswer& answer) {
    iterations_ = 0;
    frozen_ = 0;
    if (empty()) return false;
    const auto span = static_cast<float>(dt);
    gather_state(device, particles, mass);
    const Excess excess = find_touches(device, span);
    const bool meets = excess.depth > depth_tolerance * limits_.spacing || excess.crosses;
    if (meets) iterations_ = iterate(device, span, answer);
    tell_impulses(device);
    const bool rubs = friction_.solve(device, particles, pairs_, pushed_, kick, dt, answer, state_);
    if (!meets && !rubs) return false;
    if (answer.end) answer.end();
    frozen_ = freeze_zones(device, pairs_, state_, limits_, span);
    launch(device, pairs_.size(),
           [row = View<const Index>(pairs_.row), velocity = View<const Packed4>(state_.velocity),
            v = View(particles.velocity)](Index a) {
               v[row[a]] = {velocity[a].x, velocity[a].y, velocity[a].z};
           });
    return true;
}

std::size_t BodyContact::bytes() const {
    return (pairs_.row.capacity() + pairs_.begin.capacity() + pairs_.other.capacity() +
            pairs_.link_begin.capacity() + pairs_.linked.capacity() + member_.capacity() +
            touch_count_.capacity()) *
               sizeof(Index) +
           (pairs_.length.capacity() + stretch_.capacity() + pushed_.capacity()) * sizeof(float) +
           (state_.position.capacity() + state_.velocity.capacity()) * sizeof(Packed4) +
           touches_.capacity() * sizeof(Touch) + start_velocity_.capacity() * sizeof(Vec3f) +
           friction_.bytes();
}

}  // namespace thixo
