#include "sim/instruments.h"

#include <algorithm>
#include <unordered_map>

#include "sim/derive.h"

namespace thixo {

namespace {

/// Calls use(i) for the rows in their order.
template <class Use>
void for_each_row(const Rows& rows, Index n, const Use& use) {
    if (rows.all)
        for (Index i = 0; i < n; ++i) use(i);
    else
        for (const Index i : rows.list) use(i);
}

}  // namespace

Instruments::Instruments(const Model& model)
    : probes_(model.probes), subjects_(model.probes.size()), sums_(model.probes.size()) {
    for (std::size_t p = 0; p < probes_.size(); ++p) {
        if (probes_[p].kind != ProbeKind::force) continue;
        Subject& subject = subjects_[p];
        for (std::size_t k = 0; k < model.obstacles.size(); ++k)
            if (model.obstacles[k].name == probes_[p].of) subject.obstacle = static_cast<std::int64_t>(k);
        if (subject.obstacle >= 0) {
            walls_ = true;
            continue;
        }
        // In the order of holds_of(model).
        std::uint32_t number = 1;
        const auto claim = [&](const std::string& name, std::size_t count) {
            if (name == probes_[p].of && subject.holds == 0) {
                subject.first_hold = number;
                subject.holds = static_cast<std::uint32_t>(count);
            }
            number += static_cast<std::uint32_t>(count);
        };
        for (const Object& object : model.objects) claim(object.name, count_holds(object));
        number += static_cast<std::uint32_t>(model.pauses.size());
        for (const Grab& grab : model.grabs) claim(grab.name, 1);
        holds_ |= subject.holds > 0;
    }
}

void Instruments::begin_frame() { std::fill(sums_.begin(), sums_.end(), ImpulseSum{}); }

void Instruments::advance(double dt) {
    for (ImpulseSum& sum : sums_) sum.seconds += dt;
}

/// What matter got, the obstacle got the other way round.
void Instruments::add_to_obstacle(std::uint32_t obstacle, const Vec3d& impulse, const Vec3d& x) {
    for (std::size_t p = 0; p < probes_.size(); ++p) {
        if (subjects_[p].obstacle != static_cast<std::int64_t>(obstacle)) continue;
        sums_[p].impulse -= impulse;
        sums_[p].angular_impulse -= cross(x - probes_[p].at, impulse);
    }
}

void Instruments::add_walls(const Walls& walls, View<const WallTerm> terms, View<const float> push,
                            View<const Vec3f> before, const Rows& rows, const ParticleTable& particles,
                            double reach) {
    struct Near {
        float distance;
        Vec3f normal;
        std::uint32_t obstacle;
    };
    std::vector<Near> near;
    for_each_row(rows, particles.size(), [&](Index i) {
        const Vec3f moved = particles.velocity[i] - before[i];
        const Vec3f g = terms[i].gradient;
        const bool pressed = push[i] > 0 && norm2(g) > 0;
        if (!pressed && norm2(moved) == 0) return;
        Vec3d left = to_double(moved);
        if (pressed) left -= double{push[i]} / norm(to_double(g)) * to_double(g);
        left = double{particles.mass[i]} * left;
        near.clear();
        const Vec3f& x = particles.position[i];
        for (const Wall& wall : walls.view()) {
            if (is_beyond(wall, x, static_cast<float>(reach))) continue;
            const WallDistance d = distance_to(wall, x);
            if (d.distance < static_cast<float>(reach)) near.push_back({d.distance, d.normal, wall.obstacle});
        }
        if (near.empty()) return;
        std::stable_sort(near.begin(), near.end(),
                         [](const Near& a, const Near& b) { return a.distance < b.distance; });
        // In a corner each wall gets what acts along its normal; friction goes to the nearest.
        const Vec3d at = to_double(x);
        for (std::size_t k = near.size(); k-- > 1;) {
            const Vec3d n = to_double(near[k].normal);
            const Vec3d part = std::max(0.0, dot(left, n)) * n;
            if (std::abs(dot(n, to_double(near.front().normal))) > 0.5) continue;
            add_to_obstacle(near[k].obstacle, part, at);
            left -= part;
        }
        add_to_obstacle(near.front().obstacle, left, at);
    });
}

void Instruments::add_rigid(const Walls& walls, View<const ContactMemory> contacts, View<const Index> rows,
                            const ParticleTable& particles, double dt) {
    const auto count = static_cast<std::uint32_t>(walls.view().size());
    std::unordered_map<std::uint32_t, Index> row_of;
    for (const Index i : rows) row_of[particles.id[i]] = i;
    for (const ContactMemory& contact : contacts) {
        // Walls are numbered from the top down.
        const std::uint32_t wall = 0xffffffffu - contact.other;
        const auto row = row_of.find(contact.id);
        if (wall >= count || row == row_of.end()) continue;
        const Wall& met = walls.view()[wall];
        const Vec3f x = particles.position[row->second];
        const WallDistance d = distance_to(met, x);
        add_to_obstacle(met.obstacle, dt * contact.impulse, to_double(x - d.distance * d.normal));
    }
}

void Instruments::add_holds(View<const Vec3f> acceleration, const ParticleTable& particles, const Rows& rows,
                            const StepLengths& lengths) {
    for_each_row(rows, particles.size(), [&](Index i) {
        const std::uint32_t kinematic = particles.kinematic_id[i];
        if (kinematic == 0) return;
        const Vec3d impulse =
            (-double{particles.mass[i]} * double{lengths.drift_of(i)}) * to_double(acceleration[i]);
        for (std::size_t p = 0; p < probes_.size(); ++p) {
            if (kinematic < subjects_[p].first_hold ||
                kinematic >= subjects_[p].first_hold + subjects_[p].holds)
                continue;
            sums_[p].impulse += impulse;
            sums_[p].angular_impulse += cross(to_double(particles.position[i]) - probes_[p].at, impulse);
        }
    });
}

}  // namespace thixo
