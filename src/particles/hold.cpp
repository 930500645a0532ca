#include "particles/hold.h"

namespace thixo {

std::size_t count_holds(const Object& object) { return object.held.size() + (object.release > 0 ? 1 : 0); }

std::vector<Hold> holds_of(const std::vector<Object>& objects) {
    std::vector<Hold> holds;
    for (const Object& object : objects) {
        for (const HeldRegion& held : object.held)
            holds.push_back({object.name, held.motion, held.until, false});
        if (object.release > 0) holds.push_back({object.name, {}, object.release, true});
    }
    return holds;
}

void hold(const Object& object, std::uint16_t number, int dimensions, ParticleTable& particles, Index first) {
    const auto number_at = [&](const Vec3d& x) {
        std::uint16_t k = number;
        for (const HeldRegion& held : object.held) {
            if (signed_distance(held.region, x, dimensions).distance <= 0) return k;
            ++k;
        }
        return object.release > 0 ? k : std::uint16_t{0};
    };
    if (count_holds(object) == 0) return;
    for (Index i = first; i < particles.size(); ++i)
        particles.hold[i] = number_at(to_double(particles.position[i]));
}

}  // namespace thixo
