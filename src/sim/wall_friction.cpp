#include "sim/wall_friction.h"

#include <algorithm>

#include "core/accelerated_jacobi.h"
#include "core/select.h"
#include "sim/rigid_parts_of.h"

namespace thixo {

namespace {

/// What slides after so many iterations slides until the next step.
constexpr int most_rub_iterations = 20;

/// Sliding that is left, relative to the speed that friction may take, on average.
constexpr double rub_tolerance = 0.01;

/// In radii: as far as friction acts (collide/walls.h).
constexpr float rub_reach = 1.5f;

Vec3f at_most(const Vec3f& a, float length) {
    const float size = norm(a);
    return size > length ? a * (length / size) : a;
}

}  // namespace

void WallFriction::find(const Device& device, const Walls& walls, View<const float> push, double dt,
                        const Matter& matter, const ImpulseResponse& response) {
    const ParticleTable& particles = matter.particles;
    touches_.clear();
    const std::vector<Index> pressed = select(
        device, particles.size(), [&, index = View<const std::uint32_t>(particles.elastic_index)](Index i) {
            return index[i] != no_index && push[i] > 0;
        });
    for (const Index i : pressed) {
        const Index s = particles.elastic_index[i];
        if (response.mass(s) == 0) continue;
        const Vec3f& x = particles.position[i];
        const float reach = rub_reach * particles.radius[i];
        const std::size_t first = touches_.size();
        for (const Wall& wall : walls.view()) {
            if (!(wall.friction > 0) || is_beyond(wall, x, reach)) continue;
            const auto [d, n] = distance_to(wall, x);
            if (d < reach)
                touches_.push_back({.row = i,
                                    .elastic = s,
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
                         Matter& matter, ImpulseResponse& response) {
    rubbed_.clear();
    iterations_ = 0;
    ElasticBodies& bodies = matter.solids.elastic;
    response.begin(device, bodies, matter.particles, dt, rigid_parts_of(matter));
    find(device, walls, push, dt, matter, response);
    if (touches_.empty()) return false;
    // Few touch: serial.
    const auto apply = [&](Vec3f Touch::*target) {
        for (Touch& touch : touches_) {
            response.impulses()[touch.elastic] +=
                response.mass(touch.elastic) * (touch.*target - touch.applied);
            touch.applied = touch.*target;
        }
        response.answer(device, bodies);
    };
    NesterovMomentum nesterov;
    double changed = 1, most = 0;
    for (const Touch& touch : touches_) most += double{touch.most};
    for (; iterations_ < most_rub_iterations && changed > rub_tolerance * most; ++iterations_) {
        const float momentum = nesterov.begin();
        double uphill = 0;
        changed = 0;
        for (Touch& touch : touches_) {
            const Vec3f u = response.velocity(touch.elastic) - touch.wall_velocity,
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
    response.write(device, bodies, matter.particles);
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
