#include "sim/wall_friction.h"

#include <algorithm>

#include "core/accelerated_jacobi.h"
#include "core/select.h"

namespace thixo {

namespace {

/// What slides after so many iterations slides until the next step.
constexpr int most_rub_iterations = 20;

/// The same of what comes too near to a wall, and how much of that may be left, relative to the fastest.
constexpr int most_stop_iterations = 50;
constexpr double stop_tolerance = 0.03;

/// Sliding that is left, relative to the speed that friction may take, on average.
constexpr double rub_tolerance = 0.01;

/// In radii: as far as friction acts (collide/walls.h).
constexpr float rub_reach = 1.5f;

/// In radii: nearer to a wall no particle comes (WallFields::push_out).
constexpr float nearest_stop = 0.4f;

Vec3f at_most(const Vec3f& a, float length) {
    const float size = norm(a);
    return size > length ? a * (length / size) : a;
}

/// A particle that would come too near to a wall in this step.
struct WallStop {
    Index row = 0;
    Vec3f normal{}, wall_velocity{};
    float least = 0;                            ///< velocity along the normal, m/s
    float impulse = 0, ahead = 0, applied = 0;  ///< J/m, m/s
};

std::vector<WallStop> find_stops(const Device& device, const Walls& walls, View<const float> push, double dt,
                                 const ParticleTable& particles, const BodyResponse& response) {
    std::vector<WallStop> out;
    const std::vector<Index> pressed =
        select(device, particles.size(), [&](Index i) { return push[i] > 0 && response.mass(i) > 0; });
    for (const Index i : pressed) {
        const Vec3f& x = particles.position[i];
        const float nearest = nearest_stop * particles.radius[i];
        for (const Wall& wall : walls.view()) {
            const auto [d, n] = distance_to(wall, x);
            const Vec3f wall_velocity = velocity_at(wall, x);
            const float room = (d - nearest) / static_cast<float>(dt);
            if (room + dot(response.velocity(i) - wall_velocity, n) < 0)
                out.push_back(
                    {.row = i, .normal = n, .wall_velocity = wall_velocity, .least = std::min(0.f, -room)});
        }
    }
    return out;
}

/// Stops what would come too near to a wall, and with it its body: stopping it alone, where it is moved out
/// after the step, would deform the body for nothing.
void stop_at_walls(const Device& device, Matter& matter, BodyResponse& response,
                   std::vector<WallStop>& stops) {
    const auto apply = [&](float WallStop::*target) {
        for (WallStop& stop : stops) {
            const float change = stop.*target - stop.applied;
            response.push(stop.row, (response.mass(stop.row) * change) * stop.normal);
            stop.applied = stop.*target;
        }
        response.answer(device, matter.solids);
    };
    float fastest = 0;
    for (const WallStop& stop : stops)
        fastest = std::max(fastest,
                           stop.least - dot(response.velocity(stop.row) - stop.wall_velocity, stop.normal));
    NesterovMomentum nesterov;
    double wrong = 1;
    for (int k = 0; k < most_stop_iterations && wrong > stop_tolerance * double{fastest}; ++k) {
        const float momentum = nesterov.begin();
        double uphill = 0;
        wrong = 0;
        for (WallStop& stop : stops) {
            const float missing =
                            stop.least - dot(response.velocity(stop.row) - stop.wall_velocity, stop.normal),
                        better = std::max(0.f, stop.ahead + missing), change = better - stop.impulse;
            uphill -= double{missing} * change;
            wrong = std::max(wrong, double{stop.impulse > 0 ? std::abs(missing) : std::max(0.f, missing)});
            stop.impulse = better;
            stop.ahead = std::max(0.f, better + momentum * change);
        }
        nesterov.end(uphill);
        apply(&WallStop::ahead);
    }
    apply(&WallStop::impulse);
    response.write(device, matter);
}

}  // namespace

void WallFriction::find(const Device& device, const Walls& walls, View<const float> push, double dt,
                        const Matter& matter, const BodyResponse& response) {
    const ParticleTable& particles = matter.particles;
    touches_.clear();
    const std::vector<Index> pressed =
        select(device, particles.size(), [&](Index i) { return push[i] > 0 && response.mass(i) > 0; });
    for (const Index i : pressed) {
        const Vec3f& x = particles.position[i];
        const float reach = rub_reach * particles.radius[i];
        const std::size_t first = touches_.size();
        for (const Wall& wall : walls.view()) {
            if (!(wall.friction > 0) || is_beyond(wall, x, reach)) continue;
            const auto [d, n] = distance_to(wall, x);
            if (d < reach)
                touches_.push_back({.row = i,
                                    .normal = n,
                                    .wall_velocity = velocity_at(wall, x),
                                    .most = wall.friction * push[i] * static_cast<float>(dt)});
        }
        // In a corner walls share what stops the particle.
        for (std::size_t k = first; k < touches_.size(); ++k)
            touches_[k].step = 1 / static_cast<float>(touches_.size() - first);
    }
}

bool WallFriction::solve(const Device& device, const Walls& walls, View<const float> push, double dt,
                         Matter& matter, BodyResponse& response) {
    rubbed_.clear();
    iterations_ = 0;
    response.begin(device, matter, dt);
    std::vector<WallStop> stops = find_stops(device, walls, push, dt, matter.particles, response);
    std::vector<float> stopped;
    if (!stops.empty()) {
        stop_at_walls(device, matter, response, stops);
        response.begin_again(device);
        stopped.assign(push.begin(), push.end());
        for (const WallStop& stop : stops) {
            stopped[stop.row] += stop.impulse / static_cast<float>(dt);
            rubbed_.push_back({stop.row, stop.impulse * stop.normal});
        }
    }
    find(device, walls, stopped.empty() ? push : View<const float>(stopped), dt, matter, response);
    if (touches_.empty() && stops.empty()) return false;
    // Few touch: serial.
    const auto apply = [&](Vec3f Touch::*target) {
        for (Touch& touch : touches_) {
            response.push(touch.row, response.mass(touch.row) * (touch.*target - touch.applied));
            touch.applied = touch.*target;
        }
        response.answer(device, matter.solids);
    };
    NesterovMomentum nesterov;
    double changed = 1, most = 0;
    for (const Touch& touch : touches_) most += double{touch.most};
    for (; iterations_ < most_rub_iterations && changed > rub_tolerance * most; ++iterations_) {
        const float momentum = nesterov.begin();
        double uphill = 0;
        changed = 0;
        for (Touch& touch : touches_) {
            const Vec3f u = response.velocity(touch.row) - touch.wall_velocity,
                        slide = u - dot(u, touch.normal) * touch.normal;
            const Vec3f better = at_most(touch.ahead - touch.step * slide, touch.most),
                        change = better - touch.impulse;
            uphill += double{dot(slide, change)};
            changed += double{norm(better - touch.ahead)};
            touch.impulse = better;
            touch.ahead = at_most(better + momentum * change, touch.most);
        }
        nesterov.end(uphill);
        apply(&Touch::ahead);
    }
    apply(&Touch::impulse);
    response.write(device, matter);
    const std::vector<RigidParts::Part>& parts = response.rigid().parts;
    for (Index k = 0; k < parts.size(); ++k) {
        const Twist change = response.part_change(k);
        matter.solids.rigid.change_velocity(parts[k].cluster, {change.linear, change.angular});
    }
    for (const Touch& touch : touches_) rubbed_.push_back({touch.row, touch.impulse});
    return true;
}

std::size_t WallFriction::bytes() const {
    return touches_.capacity() * sizeof(Touch) + rubbed_.capacity() * sizeof(Rubbed);
}

}  // namespace thixo
