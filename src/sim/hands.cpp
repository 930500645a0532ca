#include "sim/hands.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "heat/absolute_zero.h"

namespace thixo {

namespace {

/// Rows refer to grabs and emitters by 16 bits.
constexpr std::size_t most_entries = 60'000;

void require(bool holds, std::string_view message) {
    if (!holds) throw InputError(std::string(message));
}

void check_place(const Vec3d& x, int dimensions) {
    require(is_finite(to_float(x)), "places must be finite numbers");
    require(dimensions == 3 || x.z == 0, fmt::format("z is {} but must be 0 in 2D", x.z));
}

void check_ball(const Vec3d& at, double radius, int dimensions) {
    check_place(at, dimensions);
    require(radius > 0 && std::isfinite(radius), "the radius must be above 0");
}

Material& material_named(Model& model, const std::string& name) {
    const auto found = std::find_if(model.materials.begin(), model.materials.end(),
                                    [&](const Material& material) { return material.name == name; });
    if (found != model.materials.end()) return *found;
    std::string names;
    for (const Material& material : model.materials)
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", material.name);
    throw InputError(fmt::format("there is no material \"{}\"; allowed: {}", name, names));
}

std::string name_of(std::uint64_t hand) { return fmt::format("hand {}", hand); }

/// From where a motion is now to a translation (m).
Motion led_to(const Motion& motion, double time, const Vec3d& translation, double seconds) {
    Motion out;
    out.keyframes = {{.time = time, .translate = motion.at(time).translation},
                     {.time = time + seconds, .translate = translation}};
    return out;
}

/// Where something stays from now on.
Motion stopped(const Motion& motion, double time) {
    if (!motion.moves()) return motion;
    Motion out;
    out.keyframes = {{.time = time, .translate = motion.at(time).translation}};
    return out;
}

void change_material(const MaterialAction& change, Model& model) {
    Material& material = material_named(model, change.name);
    HeatSettings heat = material.heat;
    const auto positive = [](const std::optional<double>& value) {
        return !value || (*value > 0 && std::isfinite(*value));
    };
    const auto at_least_0 = [](const std::optional<double>& value) {
        return !value || (*value >= 0 && std::isfinite(*value));
    };
    require(change.young_modulus || change.damping || change.viscosity || change.melting_point ||
                change.freezing_point,
            "nothing is changed; allowed: young_modulus, damping, viscosity, melting_point, freezing_point");
    require(positive(change.young_modulus), "young_modulus must be above 0 Pa");
    require(at_least_0(change.damping), "damping must be at least 0 s");
    require(at_least_0(change.viscosity), "viscosity must be at least 0 Pa s");
    require(!change.viscosity || material.liquid.viscosity_table.empty(),
            fmt::format("the viscosity of \"{}\" is a table over temperatures and cannot become one number",
                        change.name));
    if (change.melting_point || change.freezing_point) {
        require(heat.melting_point.has_value(),
                fmt::format("\"{}\" does not melt: it has no melting point", change.name));
        const double before = *heat.melting_point, freezing = heat.freezing_point.value_or(before);
        const double melting = change.melting_point.value_or(before);
        heat.melting_point = melting;
        heat.freezing_point = change.freezing_point.value_or(freezing + (melting - before));
        require(*heat.freezing_point >= absolute_zero && std::isfinite(melting),
                "points must not be below -273.15 °C");
        require(*heat.freezing_point <= melting,
                fmt::format("the freezing point, {} °C, is above the melting point, {} °C",
                            *heat.freezing_point, melting));
    }
    material.heat = heat;
    if (change.young_modulus) material.solid.young_modulus = *change.young_modulus;
    if (change.damping) material.solid.damping = *change.damping;
    if (change.viscosity) material.liquid.viscosity = *change.viscosity;
}

void check(const PushAction& push, int dimensions) {
    check_ball(push.at, push.radius, dimensions);
    check_place(push.impulse, dimensions);
    require(norm(push.impulse) > 0, "an impulse of 0 does nothing");
}

void check(const CutAction& cut, int dimensions) {
    check_place(cut.from, dimensions);
    check_place(cut.to, dimensions);
    const Vec3d edge = cut.to - cut.from;
    require(norm(edge) > 0, "a cut must have a length");
    if (dimensions == 2) return;
    require(is_finite(to_float(cut.depth)) && norm(cross(edge, cut.depth)) > 1e-9 * norm2(edge),
            "the depth of a cut must not be zero or along the cut");
}

}  // namespace

const Hands::Hand& Hands::hand(std::uint64_t number) const {
    const auto found = hands_.find(number);
    if (found == hands_.end())
        throw InputError(fmt::format("hand {} does nothing that could go on or end", number));
    return found->second;
}

void Hands::check_free(std::uint64_t number) const {
    if (hands_.contains(number)) throw InputError(fmt::format("hand {} is busy: release it first", number));
}

void Hands::begin(const GrabAction& grab, double time, Model& model) {
    check_free(grab.hand);
    check_ball(grab.at, grab.radius, model.dimensions);
    require(model.grabs.size() < most_entries, "too many grabs in one run");
    hands_[grab.hand] = {Work::grabs, model.grabs.size()};
    model.grabs.push_back({.name = name_of(grab.hand),
                           .region = Sphere{grab.at, grab.radius},
                           .whole_bodies = grab.whole_bodies,
                           .liquids = grab.liquids,
                           .start = time});
}

void Hands::begin(const HeatAction& heat, double time, Model& model) {
    check_free(heat.hand);
    check_ball(heat.at, heat.radius, model.dimensions);
    require(heat.power != 0 && std::isfinite(heat.power), "the power must not be 0");
    require(model.heaters.size() < most_entries, "too many heaters in one run");
    hands_[heat.hand] = {Work::heats, model.heaters.size()};
    model.heaters.push_back({.name = name_of(heat.hand),
                             .region = Sphere{heat.at, heat.radius},
                             .power = heat.power,
                             .start = time});
}

void Hands::begin(const PourAction& pour, double time, Model& model) {
    check_free(pour.hand);
    check_ball(pour.at, pour.radius, model.dimensions);
    check_place(pour.direction, model.dimensions);
    material_named(model, pour.material);
    require(norm(pour.direction) > 1e-9, "the direction must not be zero");
    require(pour.speed > 0 && std::isfinite(pour.speed), "the speed must be above 0");
    require(pour.temperature >= absolute_zero && std::isfinite(pour.temperature),
            "the temperature must not be below -273.15");
    require(2 * pour.radius >= model.particles.spacing,
            fmt::format("the opening is {:.6g} m wide: no particle fits through, they are {:.6g} m apart",
                        2 * pour.radius, model.particles.spacing));
    require(model.objects.size() + model.emitters.size() < most_entries, "too many emitters in one run");
    hands_[pour.hand] = {Work::pours, model.emitters.size()};
    model.emitters.push_back({.name = name_of(pour.hand),
                              .material = pour.material,
                              .opening = Disc{pour.radius},
                              .position = pour.at,
                              .direction = pour.direction,
                              .speed = pour.speed,
                              .temperature = pour.temperature,
                              .start = time});
}

void Hands::drag(const DragAction& drag, double time, Model& model) const {
    const Hand& by = hand(drag.hand);
    check_place(drag.to, model.dimensions);
    require(drag.seconds > 0 && std::isfinite(drag.seconds), "the time of a drag must be above 0 s");
    require(by.work != Work::pours, "what pours stays where it is: release it, and pour elsewhere");
    const auto move = [&](const Shape& region, Motion& motion) {
        const Vec3d start = std::get<Sphere>(region.kind).center;
        motion = led_to(motion, time, drag.to - start, drag.seconds);
    };
    if (by.work == Work::grabs) move(model.grabs[by.entry].region, model.grabs[by.entry].motion);
    if (by.work == Work::heats) move(model.heaters[by.entry].region, model.heaters[by.entry].motion);
}

void Hands::release(const ReleaseAction& release, double time, Model& model) {
    const Hand by = hand(release.hand);
    if (by.work == Work::grabs) model.grabs[by.entry].stop = time;
    if (by.work == Work::pours) model.emitters[by.entry].stop = time;
    if (by.work == Work::heats) {
        Heater& heater = model.heaters[by.entry];
        heater.stop = time;
        heater.motion = stopped(heater.motion, time);
    }
    hands_.erase(release.hand);
}

void Hands::apply(const Action& action, double time, Model& model) {
    std::visit(
        [&]<class A>(const A& a) {
            if constexpr (std::is_same_v<A, DragAction>) {
                drag(a, time, model);
            } else if constexpr (std::is_same_v<A, ReleaseAction>) {
                release(a, time, model);
            } else if constexpr (std::is_same_v<A, GravityAction>) {
                check_place(a.acceleration, model.dimensions);
                model.gravity = a.acceleration;
            } else if constexpr (std::is_same_v<A, MaterialAction>) {
                change_material(a, model);
            } else if constexpr (std::is_same_v<A, PushAction> || std::is_same_v<A, CutAction>) {
                check(a, model.dimensions);
            } else {
                begin(a, time, model);
            }
        },
        action);
}

}  // namespace thixo
