#include "fill.h"

#include <fmt/core.h>

#include "core/memory.h"
#include "scene/memory.h"
#include "text.h"

namespace thixo {

namespace {

std::string describe(const Scene& scene, const Carving& carving) {
    std::string causes;
    const auto add = [&](std::uint64_t count, const char* kind, const std::string& name) {
        if (count == 0) return;
        causes += fmt::format("{} {} in {} `{}`", causes.empty() ? ":" : ",", with_commas(count), kind, name);
    };
    for (std::size_t k = 0; k < carving.by_obstacle.size(); ++k)
        add(carving.by_obstacle[k], "obstacle", scene.model.obstacles[k].name);
    for (std::size_t k = 0; k < carving.by_object.size(); ++k)
        add(carving.by_object[k], "object", scene.objects[k].name);
    return fmt::format("{} of {} particles carved{}", with_commas(carving.carved()),
                       with_commas(carving.sampled), causes);
}

/// Refuses kinematic regions without particles.
void check_held(const SceneWithSource& source, const ParticleTable& particles) {
    std::vector<std::uint64_t> count(source.scene.model.holds.size() + 1);
    for (const std::uint16_t hold : particles.hold) ++count[hold];
    std::size_t number = 1;
    for (std::size_t k = 0; k < source.scene.objects.size(); ++k) {
        const Object& object = source.scene.objects[k];
        for (std::size_t region = 0; region < object.held.size(); ++region) {
            if (count[number + region] > 0) continue;
            throw source.error(
                fmt::format("objects.{}.held.{}.region", k, region),
                fmt::format("no particle of `{}` starts inside{}; move or enlarge it", object.name,
                            region > 0 ? " that is not in an earlier region" : ""));
        }
        number += count_holds(object);
    }
}

}  // namespace

Filling fill(const SceneWithSource& source, const Device& device) {
    require_memory(source, available_memory());
    const Scene& scene = source.scene;
    Filling filling;
    filling.particles = populate(scene.model, scene.objects, &filling.carvings, device, Start::rest);
    for (std::size_t k = 0; k < filling.carvings.size(); ++k) {
        const Carving& carving = filling.carvings[k];
        const std::string place = fmt::format("objects.{}.shape", k);
        if (carving.sampled == 0)
            throw source.error(place, fmt::format("no particle fits into it at a spacing of {:g} m",
                                                  scene.model.particles.spacing));
        if (carving.carved() == carving.sampled)
            throw source.error(
                place, fmt::format("no particle remains: {}; move or enlarge it", describe(scene, carving)));
    }
    check_held(source, filling.particles);
    filling.settling = settle(scene.model, scene.objects, filling.particles, device);
    return filling;
}

std::string describe_carvings(const Scene& scene, const std::vector<Carving>& carvings) {
    std::string text;
    for (std::size_t k = 0; k < carvings.size(); ++k) {
        if (carvings[k].carved() == 0) continue;
        text += fmt::format("{}`{}`: {}\n", text.empty() ? "carved       " : "             ",
                            scene.objects[k].name, describe(scene, carvings[k]));
    }
    return text.empty() ? "carved       none\n" : text;
}

}  // namespace thixo
