#include "scene/check_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

std::string list_text(const Vec3d& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

bool same_direction(const Vec3d& degrees_a, const Vec3d& degrees_b) {
    const auto whole_turns = [](double a, double b) { return std::abs(std::remainder(a - b, 360)) < 1e-6; };
    return whole_turns(degrees_a.x, degrees_b.x) && whole_turns(degrees_a.y, degrees_b.y) &&
           whole_turns(degrees_a.z, degrees_b.z);
}

void check_repeat(const Motion& motion, const std::string& path, const Report& report) {
    const Keyframe &first = motion.keyframes.front(), &last = motion.keyframes.back();
    if (motion.keyframes.size() < 2)
        return report(path + ".repeat", "a repeated motion needs at least two keyframes");
    if (first.translate != last.translate)
        return report(path + ".repeat",
                      fmt::format("the last keyframe must equal the first one, or the motion jumps; it "
                                  "is at {} m, the first one at {} m",
                                  list_text(last.translate), list_text(first.translate)));
    if (!same_direction(first.rotate, last.rotate))
        report(path + ".repeat",
               fmt::format("the angles of the last keyframe, {}, must differ from those of the "
                           "first, {}, by multiples of 360°, or the motion jumps",
                           list_text(last.rotate), list_text(first.rotate)));
}

}  // namespace

void check_motion(const Motion& motion, int dimensions, const std::string& path, const Report& report) {
    const auto& keys = motion.keyframes;
    if (keys.empty()) {
        if (motion.repeat || motion.pivot != Vec3d{} || motion.interpolation != Interpolation::linear)
            report(path, "there are no keyframes, so nothing moves");
        return;
    }
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::string place = fmt::format("{}.keyframes.{}", path, k);
        if (k > 0 && keys[k].time <= keys[k - 1].time)
            report(place + ".time",
                   fmt::format("times must increase; {} s follows {} s", keys[k].time, keys[k - 1].time));
        if (dimensions != 2) continue;
        if (keys[k].translate.z != 0)
            report(place + ".translate", fmt::format("z is {} but must be 0 in 2D", keys[k].translate.z));
        if (keys[k].rotate.x != 0 || keys[k].rotate.y != 0)
            report(place + ".rotate", "in 2D only the third number, the rotation about z, can differ from 0");
    }
    if (motion.repeat) check_repeat(motion, path, report);
}

void check_held(const Object& object, std::size_t k, int dimensions, const std::string& path,
                const Report& report) {
    const HeldRegion& held = object.held[k];
    check_motion(held.motion, dimensions, path + ".motion", report);
    if (held.until < object.release)
        report(path + ".until",
               fmt::format("{} s is before the object's `release`, {} s; allowed: that time or "
                           "later",
                           held.until, object.release));
    if (!held.motion.moves()) return;
    const Pose start = held.motion.at(0);
    const Vec3d turned[] = {start.axes[0] - Vec3d{1, 0, 0}, start.axes[1] - Vec3d{0, 1, 0}};
    if (norm(start.translation) > 1e-9 || norm(turned[0]) > 1e-9 || norm(turned[1]) > 1e-9)
        report(path + ".motion",
               fmt::format("at t = 0 it must be the identity; it moves the particles by {} m{}",
                           list_text(start.translation),
                           norm(turned[0]) + norm(turned[1]) > 1e-9 ? " and rotates them" : ""));
}

void check_solid(const SolidSettings& solid, const std::string& path, const Report& report) {
    const SolidSettings usual;
    const auto refuse = [&](bool wrong, const char* key, const char* message) {
        if (wrong) report(path + "." + key, message);
    };
    if (solid.model != SolidModel::lattice) {
        constexpr auto other = "is a key of the model `lattice`; leave it out, or take that model";
        refuse(solid.reach != usual.reach, "reach", other);
        refuse(solid.docking_rate != usual.docking_rate, "docking_rate", other);
        refuse(solid.docking_time != usual.docking_time, "docking_time", other);
        return;
    }
    refuse(solid.reach < 1.05, "reach", "neighbours are one spacing apart; allowed: 1.05 to 1.9");
    refuse(solid.poisson_ratio != 0, "poisson_ratio",
           "the model `lattice` can only have 0; leave it out, or take the model `corrected`");
    refuse(solid.strain != usual.strain, "strain",
           "the model `lattice` has its own strain measure; leave it out");
    refuse(solid.hourglass != usual.hourglass, "hourglass",
           "the model `lattice` has no zero-energy modes; leave it out");
    refuse(solid.bending != usual.bending, "bending",
           "the model `lattice` is for bodies, not for sheets and rods; leave it out");
    constexpr auto by_reach = "the model `lattice` deforms plastically beyond its `reach`; give that instead";
    refuse(solid.elastic_limit != usual.elastic_limit, "elastic_limit", by_reach);
    refuse(solid.plastic_limit != usual.plastic_limit, "plastic_limit", by_reach);
    refuse(solid.break_strain != usual.break_strain, "break_strain",
           "the model `lattice` breaks beyond its `reach`, with a `docking_rate`; give those instead");
    refuse(solid.break_stress > 0 && solid.docking_rate == 0, "break_stress",
           "without a `docking_rate` broken neighbours dock again at once; give both");
    refuse(solid.docking_time > 0 && solid.docking_rate == 0, "docking_time",
           "has no effect without a `docking_rate`; give both");
}

void check_window(double start, double stop, const std::string& path, const Report& report) {
    if (stop > start) return;
    report(path + ".stop", fmt::format("must be after start; start is {} s and stop is {} s", start, stop));
}

void check_emitter(const Emitter& emitter, double spacing, int dimensions, const std::string& path,
                   const Report& report) {
    check_window(emitter.start, emitter.stop, path, report);
    if (!(norm(emitter.direction) >= 1e-100))
        return report(path + ".direction", "must not be zero: it has no direction");
    if (dimensions == 2 && emitter.direction.z != 0)
        report(path + ".direction", fmt::format("z is {} but must be 0 in 2D", emitter.direction.z));
    const Vec3d d = normalized(emitter.direction);
    if (dimensions == 3 && norm(cross(emitter.up, d)) < 1e-6 * norm(emitter.up))
        report(path + ".up",
               "must not be parallel to the direction: it sets the rotation of the opening about it");

    const auto* rectangle = std::get_if<Rectangle>(&emitter.opening);
    double smallest = rectangle ? rectangle->width : 2 * std::get<Disc>(emitter.opening).radius;
    if (rectangle && dimensions == 3) smallest = std::min(smallest, rectangle->height);
    if (smallest < spacing * (1 - 1e-9))
        report(path + ".opening",
               fmt::format("its smallest extent, {:.6g} m, is below particles.spacing, {:.6g} "
                           "m: no particle fits through",
                           smallest, spacing));
    const double full = area(emitter.opening, dimensions) * emitter.speed;
    if (emitter.rate > full * (1 + 1e-9))
        report(path + ".rate",
               fmt::format(
                   "{0:.6g} {3} is above the largest rate, {2:.6g} {3} for the opening of {1:.6g} {4} at "
                   "{5:.6g} m/s; make the opening larger or the speed at least {6:.6g} m/s",
                   emitter.rate, area(emitter.opening, dimensions), full, dimensions == 2 ? "m²/s" : "m³/s",
                   dimensions == 2 ? "m" : "m²", emitter.speed,
                   emitter.rate / area(emitter.opening, dimensions)));
}

void check_heat_constants(const HeatSettings& heat, const std::string& path, const Report& report) {
    if (heat.conductivity > 0 && heat.diffusivity > 0)
        report(path + ".diffusivity",
               "`conductivity` is given too, and each follows from the other; give one of them");
    if (heat.latent_heat > 0 && !heat.melting_point)
        report(path + ".latent_heat", "has no effect without a `melting_point`");
    if (heat.freezing_point && !heat.melting_point)
        report(path + ".freezing_point", "give the `melting_point` too; it may be the same");
    if (heat.transition == PhaseTransition::stochastic && !heat.melting_point)
        report(path + ".transition", "has no effect without a `melting_point`");
    const HeatSettings usual;
    const auto refuse = [&](bool given, const char* key) {
        if (given && heat.transition != PhaseTransition::stochastic)
            report(path + "." + key,
                   "is a key of stochastic transitions; leave it out, or give \"transition\": "
                   "\"stochastic\"");
    };
    refuse(heat.melting_rate != usual.melting_rate, "melting_rate");
    refuse(heat.freezing_rate != usual.freezing_rate, "freezing_rate");
    refuse(heat.freezing_neighbours != usual.freezing_neighbours, "freezing_neighbours");
    refuse(heat.freezing_speed != usual.freezing_speed, "freezing_speed");
    if (heat.freezing_point && heat.melting_point && *heat.freezing_point > *heat.melting_point)
        report(path + ".freezing_point",
               fmt::format("{} °C is above the melting_point, {} °C; allowed: at most that",
                           *heat.freezing_point, *heat.melting_point));
}

void check_viscosities(const std::vector<ViscosityPoint>& table, const std::string& path,
                       const Report& report) {
    for (std::size_t k = 1; k < table.size(); ++k) {
        if (table[k].temperature <= table[k - 1].temperature)
            report(fmt::format("{}.{}.temperature", path, k),
                   fmt::format("temperatures must increase; {} °C follows {} °C", table[k].temperature,
                               table[k - 1].temperature));
    }
}

void check_heater(const Heater& heater, const std::string& path, const Report& report) {
    if (!heater.power && !heater.temperature)
        report(path, "give a `power` in W, or a target `temperature` in °C");
    if (heater.power && heater.temperature)
        report(path + ".temperature", "`power` is given too; give one of them");
}

void check_wall_heat(const Obstacle& obstacle, bool conducts, const std::string& path, const Report& report) {
    if (obstacle.heat_transfer && !obstacle.temperature)
        report(path + ".heat_transfer", "has no effect without a `temperature` of the obstacle");
    if (obstacle.temperature && !conducts)
        report(path + ".temperature",
               "has no effect: no material conducts heat; give materials.NAME.heat a `conductivity` or "
               "`diffusivity`");
}

}  // namespace thixo
