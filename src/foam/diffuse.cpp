#include "foam/diffuse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "foam/potentials.h"

namespace thixo {

namespace {

/// Fewer neighbours are spray, more are bubbles: 6 and 20 of a full neighbourhood of 33.5 [IAAT12, section
/// 3.2].
constexpr double spray_below = 6 / 33.5, bubbles_above = 20 / 33.5;

/// A sphere without mass in a liquid has the inertia of half of what it displaces: it begins to rise at 2 g.
constexpr double initial_rise = 2;

/// No particle crosses more than half a support in a step.
constexpr int most_steps = 64;

/// More than this of a liquid particle in a step would be a mistake of the settings.
constexpr std::uint32_t most_of_one = 1000;

DiffuseKind kind_of(int neighbours, double full) {
    if (neighbours < spray_below * full) return DiffuseKind::spray;
    return neighbours > bubbles_above * full ? DiffuseKind::bubble : DiffuseKind::foam;
}

/// Two unit vectors across the unit vector e.
struct Across {
    Vec3f a, b;

    Across(const Vec3f& e, int dimensions) {
        a = dimensions == 2 ? Vec3f{-e.y, e.x, 0}
                            : normalized(cross(e, std::abs(e.x) < 0.6f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0}));
        b = cross(e, a);
    }
};

float fastest(const Device& device, const std::vector<Vec3f>& velocity) {
    return reduce_max(device, static_cast<Index>(velocity.size()), 0.f,
                      [&](Index i) { return norm(velocity[i]); });
}

Bounds bounds_of(const std::vector<Vec3f>& position) {
    Bounds box;
    for (const Vec3f& x : position) box.include(to_double(x));
    return box;
}

}  // namespace

void DiffuseParticles::resize(std::size_t count) {
    position.resize(count);
    velocity.resize(count);
    id.resize(count);
    radius.resize(count);
    life.resize(count);
    kind.resize(count);
}

void DiffuseParticles::copy_row(std::size_t from, std::size_t to) {
    position[to] = position[from];
    velocity[to] = velocity[from];
    id[to] = id[from];
    radius[to] = radius[from];
    life[to] = life[from];
    kind[to] = kind[from];
}

void Foam::resume(DiffuseParticles particles, std::uint32_t made) {
    particles_ = std::move(particles);
    made_ = made;
}

/// Places in a cylinder along the way that the liquid particle goes in this step, as wide as the particle
/// [IAAT12, section 3.1.4].
void Foam::emit(const Device& device, const Liquid& liquid, std::uint64_t step, double seconds) {
    const FoamSources sources = foam_sources(device, liquid);
    const LiquidFrame& rows = liquid.rows();
    const double rate = settings_.trapped_air + settings_.wave_crests;
    std::vector<std::uint32_t> first(rows.id.size() + 1, 0);
    const auto words = [&](Index i, std::uint32_t quartet) {
        return random_words(scene_.seed, rows.id[i], step, Purpose::sampling, quartet);
    };
    launch(device, liquid.size(), [&](Index i) {
        const double n = rate * seconds * source_strength(sources, i, settings_);
        first[i + 1] = static_cast<std::uint32_t>(
            std::min<double>(most_of_one, std::floor(n + to_unit(words(i, 0)[0]))));
    });
    std::uint64_t total = 0;
    const std::uint64_t room = settings_.most - std::min<std::uint64_t>(settings_.most, particles_.size());
    for (std::size_t i = 1; i < first.size(); ++i) {
        total += first[i];
        full_ |= total > room;
        first[i] = static_cast<std::uint32_t>(std::min(total, room));
    }
    const std::size_t before = particles_.size(), count = before + first.back();
    particles_.resize(count);
    launch(device, liquid.size(), [&](Index i) {
        const Vec3f v = rows.velocity[i];
        const float speed = norm(v);
        if (!(speed > 0)) return;  // then the energy makes none
        const Vec3f along = 1 / speed * v;
        const Across across(along, scene_.dimensions);
        const auto life = static_cast<float>(settings_.shortest_life +
                                             source_strength(sources, i, settings_) *
                                                 (settings_.longest_life - settings_.shortest_life));
        for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) {
            const auto random = words(i, 1 + k - first[i]);
            const float angle = 2 * std::numbers::pi_v<float> * to_unit(random[1]);
            const float r = rows.radius[i] * (scene_.dimensions == 2 ? 2 * to_unit(random[0]) - 1
                                                                     : std::sqrt(to_unit(random[0])));
            const Vec3f off = scene_.dimensions == 2
                                  ? r * across.a
                                  : r * std::cos(angle) * across.a + r * std::sin(angle) * across.b;
            const std::size_t place = before + k;
            particles_.position[place] =
                rows.position[i] + off + to_unit(random[2]) * static_cast<float>(seconds) * v;
            // [IAAT12, eq. 11] adds the offset in m to the velocity in m/s. Here the cylinder opens as a cone
            // of slope 1/10.
            particles_.velocity[place] = v + 0.1f * speed / rows.radius[i] * off;
            particles_.id[place] = made_ + k;
            particles_.radius[place] = static_cast<float>(settings_.size) * rows.radius[i];
            particles_.life[place] = life;
            particles_.kind[place] = DiffuseKind::foam;
        }
    });
    made_ += first.back();
}

/// Spray falls freely. Foam has the mean velocity of the liquid. A bubble relaxes to that plus its rise speed
/// w, at the rate k g/w with which it begins to rise at k g. Each is exact for a liquid that moves evenly,
/// whatever the step.
void Foam::move(const Device& device, const Liquid& liquid, double seconds) {
    const double full = liquid.full_neighbourhood();
    const auto dt = static_cast<float>(seconds);
    const Vec3f g = to_float(scene_.gravity);
    const auto weight = static_cast<float>(norm(scene_.gravity));
    const Vec3f up = weight > 0 ? -1 / weight * g : Vec3f{};
    const auto rise = static_cast<float>(settings_.rise_speed);
    const float relaxation = rise > 0 ? static_cast<float>(initial_rise) * weight / rise : 0;
    const float remaining = std::exp(-relaxation * dt);  // of the relative velocity
    launch<small_grain>(device, static_cast<Index>(particles_.size()), [&, dt, full](Index i) {
        Vec3f &x = particles_.position[i], &v = particles_.velocity[i];
        Vec3f sum{};
        float weights = 0;
        int neighbours = 0;
        liquid.for_each_near(x, [&](Index j, const Vec3f&, float r) {
            const float u = 1 - r / liquid.support(j), w = u * u * u * u * (5 - 4 * u);
            sum += w * liquid.rows().velocity[j];
            weights += w;
            ++neighbours;
        });
        const DiffuseKind kind = kind_of(neighbours, full);
        particles_.kind[i] = kind;
        const Vec3f around = weights > 0 ? 1 / weights * sum : Vec3f{};
        if (kind == DiffuseKind::spray) {
            x += dt * v + 0.5f * dt * dt * g;
            v += dt * g;
        } else if (kind == DiffuseKind::foam) {
            v = around;
            x += dt * v;
            particles_.life[i] -= dt;
        } else {
            const Vec3f last = around + rise * up, before = v - last;
            v = last + remaining * before;
            x += dt * last + (relaxation > 0 ? (1 - remaining) / relaxation : dt) * before;
        }
        if (scene_.dimensions == 2) x.z = 0;
    });
}

/// Moves particles out of obstacles; what goes into the wall is lost.
void Foam::keep_out(const Device& device, double time) {
    const std::vector<FoamObstacle> obstacles = scene_.obstacles(time);
    const int d = scene_.dimensions;
    launch<small_grain>(device, static_cast<Index>(particles_.size()), [&, d](Index i) {
        for (const FoamObstacle& o : obstacles) {
            const Vec3d x = to_double(particles_.position[i]);
            const SignedDistance s = signed_distance(o.shape, o.pose.from_world(x), d);
            const double depth = particles_.radius[i] - (o.inside ? -s.distance : s.distance);
            if (!(depth > 0) || !std::isfinite(depth)) continue;
            const Vec3d n = o.pose.rotated(o.inside ? -s.gradient : s.gradient);
            particles_.position[i] = to_float(x + depth * n);
            const Vec3d v = to_double(particles_.velocity[i]);
            const double into = dot(v - o.pose.velocity_at(x), n);
            if (into < 0) particles_.velocity[i] = to_float(v - into * n);
        }
    });
}

void Foam::remove(const Bounds& region) {
    const auto stays = [&](std::size_t i) {
        const Vec3d x = to_double(particles_.position[i]);
        return particles_.life[i] > 0 && x.x > region.min.x && x.y > region.min.y && x.z > region.min.z &&
               x.x < region.max.x && x.y < region.max.y && x.z < region.max.z;
    };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        if (stays(i)) particles_.copy_row(i, kept++);
    }
    particles_.resize(kept);
}

void Foam::advance(const Device& device, const LiquidFrame& from, const LiquidFrame& to, int frame,
                   double time, double seconds) {
    full_ = false;
    float smallest = std::numeric_limits<float>::max();
    for (const float r : from.radius) smallest = std::min(smallest, r);
    const float speed = std::max(
        {fastest(device, from.velocity), fastest(device, to.velocity), fastest(device, particles_.velocity)});
    const double way = from.radius.empty() ? 0 : speed * seconds / (2 * smallest);  // in half supports
    const int steps = static_cast<int>(std::clamp(std::ceil(way), 1., double{most_steps}));
    // Spray that flies away, or falls off the edge of the scene, leaves after the size of the liquid.
    Bounds region = bounds_of(from.position);
    region.include(bounds_of(to.position));
    if (!region.empty()) region = region.grown(norm(region.size()));
    const double dt = seconds / steps;
    for (int k = 0; k < steps; ++k) {
        const Liquid liquid(device, between(device, from, to, seconds, static_cast<double>(k) / steps),
                            scene_.dimensions);
        move(device, liquid, dt);
        emit(device, liquid, static_cast<std::uint64_t>(frame) * most_steps + static_cast<std::uint64_t>(k),
             dt);
        keep_out(device, time + (k + 1) * dt);
        remove(region);
    }
}

}  // namespace thixo
