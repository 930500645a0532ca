#include "sim/support_test.h"

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

/// Fraction of the looks of an object's outer particles that may meet nothing: gaps at corners and edges of a
/// vessel are fewer.
constexpr double most_open = 0.05;

/// A particle this near to where one looks is what one sees, in spacings: no place inside a cubic lattice is
/// farther from all.
constexpr float sees = 0.87f;

/// Down, and across it in both directions of each other axis.
std::vector<Vec3f> looks(const Model& model) {
    const Vec3d down = normalized(model.gravity);
    if (model.dimensions == 2) {
        const Vec3d side{-down.y, down.x, 0};
        return {to_float(down), to_float(side), to_float(-side)};
    }
    const Vec3d far_from = std::abs(down.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const Vec3d a = normalized(far_from - dot(far_from, down) * down), b = cross(down, a);
    return {to_float(down), to_float(a), to_float(-a), to_float(b), to_float(-b)};
}

enum class Seen : std::uint8_t { itself, holds, open };

/// How far away a wall or a solid is seen if there is nothing before it, in spacings: up to a layer may be
/// missing beside lattice solids, which end where their lattice does. Liquid fills that as it settles.
constexpr float gap = 1.6f;

/// What a particle sees, one look after the other.
struct Look {
    View<const Wall> walls;
    Neighbours neighbours;
    float spacing;
    View<const Vec3f> x;
    View<const std::uint16_t> object;
    View<const Phase> phase;
    View<const std::uint8_t> held;  ///< objects

    Seen operator()(Index i, const Vec3f& direction) const {
        const Vec3f at = x[i] + spacing * direction;
        bool other = false;
        for (const Index j : neighbours.of(i)) {
            if (norm2(x[j] - at) > sees * sees * spacing * spacing) continue;
            if (object[j] == object[i]) return Seen::itself;
            other |= phase[j] != Phase::liquid || held[object[j]] != 0;
        }
        if (other) return Seen::holds;
        return meets_solid(i, at) || meets_solid(i, x[i] + gap * spacing * direction) ? Seen::holds
                                                                                      : Seen::open;
    }

    bool meets_solid(Index i, const Vec3f& at) const {
        for (const Wall& wall : walls)
            if (distance_to(wall, at).distance < 0.25f * spacing) return true;
        return std::any_of(neighbours.of(i).begin(), neighbours.of(i).end(), [&](Index j) {
            return phase[j] != Phase::liquid && norm2(x[j] - at) <= sees * sees * spacing * spacing;
        });
    }
};

}  // namespace

std::vector<std::uint8_t> supported_objects(const Device& device, const Model& model, const Walls& walls,
                                            const ParticleTable& particles, const Neighbours& neighbours,
                                            const std::vector<std::uint8_t>& candidates) {
    std::vector<std::uint8_t> held = candidates;
    const std::vector<Vec3f> directions = looks(model);
    std::vector<Seen> seen(particles.size());
    // An object that turns out to be free may have been what held another.
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::uint64_t> holds(held.size()), open(held.size()), below(held.size());
        for (std::size_t k = 0; k < directions.size(); ++k) {
            launch(device, particles.size(),
                   [look = Look{walls.view(), neighbours, static_cast<float>(model.particles.spacing),
                                particles.position, particles.object, particles.phase, held},
                    direction = directions[k], out = View(seen)](Index i) { out[i] = look(i, direction); });
            for (Index i = 0; i < particles.size(); ++i) {
                const std::uint16_t object = particles.object[i];
                if (!held[object] || seen[i] == Seen::itself) continue;
                ++(seen[i] == Seen::open ? open : holds)[object];
                if (k == 0 && seen[i] == Seen::holds) ++below[object];
            }
        }
        for (std::size_t k = 0; k < held.size(); ++k) {
            if (!held[k]) continue;
            const auto all = static_cast<double>(holds[k] + open[k]);
            if (below[k] > 0 && static_cast<double>(open[k]) <= most_open * all) continue;
            held[k] = 0;
            changed = true;
        }
    }
    return held;
}

}  // namespace thixo
