#include "scene/fill.h"

#include <fmt/core.h>

#include <utility>

#include "core/memory.h"
#include "scene/memory.h"
#include "scene/wording.h"
#include "sim/derive.h"

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
        add(carving.by_object[k], "object", scene.model.objects[k].name);
    return fmt::format("{} of {} particles carved{}", with_commas(carving.carved()),
                       with_commas(carving.sampled), causes);
}

/// Reports kinematic regions without particles.
void check_held(const Model& model, const ParticleTable& particles, const Report& report) {
    std::vector<std::uint64_t> count(holds_of(model).size() + 1);
    for (const std::uint16_t hold : particles.kinematic_id) ++count[hold];
    std::size_t number = 1;
    for (std::size_t k = 0; k < model.objects.size(); ++k) {
        const Object& object = model.objects[k];
        for (std::size_t region = 0; region < object.held.size(); ++region) {
            if (count[number + region] > 0) continue;
            report(fmt::format("objects.{}.held.{}.region", k, region),
                   fmt::format("no particle of `{}` starts inside{}; move or enlarge it", object.name,
                               region > 0 ? " that is not in an earlier region" : ""));
        }
        number += count_holds(object);
    }
}

/// Reports what is empty. A report may throw: the first one is enough.
Filling fill(const Scene& scene, const Device& device, const Report& report) {
    require_memory(scene, available_memory(), report);
    Filling filling;
    filling.particles = populate(scene.model, scene.model.objects, &filling.carvings, device, Start::rest);
    for (std::size_t k = 0; k < filling.carvings.size(); ++k) {
        const Carving& carving = filling.carvings[k];
        const std::string place = fmt::format("objects.{}.shape", k);
        if (carving.sampled == 0)
            report(place, fmt::format("no particle fits into it at a spacing of {:g} m",
                                      scene.model.particles.spacing));
        else if (carving.carved() == carving.sampled)
            report(place,
                   fmt::format("no particle remains: {}; move or enlarge it", describe(scene, carving)));
    }
    check_held(scene.model, filling.particles, report);
    filling.settling = settle(scene.model, scene.model.objects, filling.particles, device);
    return filling;
}

}  // namespace

Filling fill(const SceneWithSource& source, const Device& device) {
    return fill(source.scene, device, [&](const std::string& path, const std::string& message) {
        throw source.error(path, message);
    });
}

Filling fill(const Scene& scene, const Device& device) {
    return fill(scene, device, [](const std::string& path, const std::string& message) {
        throw InputError(path + ": " + message);
    });
}

std::unique_ptr<Simulation> start(const Model& model, Filling filling, const Device& device,
                                  std::vector<Event> events) {
    auto simulation =
        std::make_unique<Simulation>(model, std::move(filling.particles), device, std::move(events));
    simulation->take(filling.settling.balance);
    return simulation;
}

std::string describe_carvings(const Scene& scene, const std::vector<Carving>& carvings) {
    std::string text;
    for (std::size_t k = 0; k < carvings.size(); ++k) {
        if (carvings[k].carved() == 0) continue;
        text += fmt::format("{}`{}`: {}", text.empty() ? "carved       " : "             ",
                            scene.model.objects[k].name, describe(scene, carvings[k]));
        // Of what the shape has left beside obstacles and other objects.
        const auto kept = static_cast<double>(carvings[k].sampled - carvings[k].carved());
        if (carvings[k].room > 0)
            text += fmt::format("; mass {:+.2f} %", 100 * (kept / carvings[k].room - 1));
        text += "\n";
    }
    if (text.empty()) text = "carved       none\n";
    for (std::size_t k = 0; k < carvings.size(); ++k)
        if (carvings[k].lift > 0)
            text += fmt::format(
                "lifted       `{}` by {:.3g} m: it is lighter than the liquid that it lies in, which needs "
                "room to get below "
                "it\n",
                scene.model.objects[k].name, carvings[k].lift);
    return text;
}

}  // namespace thixo
