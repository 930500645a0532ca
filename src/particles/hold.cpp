#include "particles/hold.h"

#include <algorithm>

namespace thixo {

namespace {

std::vector<std::uint16_t> numbers_of(const std::vector<std::string>& listed,
                                      const std::vector<std::string>& names) {
    std::vector<std::uint16_t> numbers;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (std::find(listed.begin(), listed.end(), names[k]) != listed.end())
            numbers.push_back(static_cast<std::uint16_t>(k));
    }
    return numbers;
}

}  // namespace

std::size_t count_holds(const Object& object) { return object.held.size() + (object.release > 0 ? 1 : 0); }

std::vector<Hold> holds_of(const std::vector<Object>& objects) {
    std::vector<Hold> holds;
    for (const Object& object : objects) {
        for (const HeldRegion& held : object.held)
            holds.push_back({"what is held of `" + object.name + "`", held.motion, held.until, false});
        if (object.release > 0) holds.push_back({"`" + object.name + "`", {}, object.release, true});
    }
    return holds;
}

Hold hold_of(const Pause& pause, const Names& names) {
    return {.what = "what is paused",
            .motion = {},
            .until = pause.stop,
            .launches = true,
            .grip = Grip{.objects = numbers_of(pause.objects, names.objects),
                         .materials = numbers_of(pause.materials, names.materials),
                         .start = pause.start}};
}

Hold hold_of(const Grab& grab, const Names& names) {
    return {.what = "what `" + grab.name + "` holds",
            .motion = grab.motion,
            .until = grab.stop,
            .grip = Grip{.region = grab.region,
                         .objects = numbers_of(grab.objects, names.objects),
                         .materials = numbers_of(grab.materials, names.materials),
                         .solids = !grab.liquids,
                         .whole_bodies = grab.whole_bodies,
                         .at_once = true,
                         .start = grab.start}};
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
        particles.kinematic_id[i] = number_at(to_double(particles.position[i]));
}

}  // namespace thixo
