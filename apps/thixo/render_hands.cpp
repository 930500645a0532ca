#include "render_hands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/error.h"
#include "number_table.h"
#include "thixo/scene/events_file.h"

namespace thixo {
namespace {

/// s that pushes and cuts are seen for.
constexpr double moment = 0.12;

/// Of a nozzle that heats, relative to the radius of what it heats: its opening, and how far away it is. It
/// points down, from the side that the camera is on.
constexpr double nozzle_radius = 0.3, nozzle_distance = 1.1;
constexpr Vec3d nozzle_direction{-0.45, -0.8, -0.4};

/// Of the plunger that pushes, relative to the radius of what it pushes.
constexpr double plate_radius = 0.6, plate_thickness = 0.12, handle_radius = 0.12, handle_length = 1.5;

/// When a number of steps had been taken, by the frames before and behind.
class StepTimes {
public:
    explicit StepTimes(const NumberTable& table) {
        const auto &time = table.columns.at("time"), &steps = table.columns.at("steps");
        double taken = 0;
        for (std::size_t k = 0; k < table.rows; ++k) {
            if (!std::isfinite(time[k]) || !std::isfinite(steps[k])) break;
            taken += steps[k];
            steps_.push_back(taken);
            time_.push_back(time[k]);
        }
    }

    /// None if the run is not that long.
    std::optional<double> at(std::uint64_t step) const {
        const double s = static_cast<double>(step);
        const auto next = std::lower_bound(steps_.begin(), steps_.end(), s);
        if (next == steps_.end()) return std::nullopt;
        const auto k = static_cast<std::size_t>(next - steps_.begin());
        if (k == 0) return time_[0];
        const double part = (s - steps_[k - 1]) / (steps_[k] - steps_[k - 1]);
        return time_[k - 1] + part * (time_[k] - time_[k - 1]);
    }

private:
    std::vector<double> steps_, time_;
};

/// Something that a hand does from one time to another.
struct Work {
    std::string name;
    Action begin;
    double start, stop = end_of_time;  ///< s
    Motion motion = {};
};

Vec3d place_of(const Action& action) {
    if (const auto* grab = std::get_if<GrabAction>(&action)) return grab->at;
    if (const auto* heat = std::get_if<HeatAction>(&action)) return heat->at;
    return std::get<PourAction>(action).at;
}

/// From where it is now to another place; what was still to come is given up.
void lead(Work& work, double time, const DragAction& drag) {
    const Vec3d now = work.motion.at(time).translation;
    auto& keys = work.motion.keyframes;
    while (!keys.empty() && keys.back().time >= time) keys.pop_back();
    keys.push_back({.time = time, .translate = now});
    keys.push_back({.time = time + drag.seconds, .translate = drag.to - place_of(work.begin)});
}

/// All that hands did, in the order in which it began.
std::vector<Work> works_of(const std::vector<Event>& events, const StepTimes& times) {
    std::vector<Work> works;
    std::map<std::uint64_t, std::size_t> busy;
    for (const Event& event : events) {
        const std::optional<double> time = times.at(event.step);
        if (!time) break;
        std::visit(
            [&]<class A>(const A& a) {
                if constexpr (std::is_same_v<A, DragAction>) {
                    if (busy.contains(a.hand)) lead(works[busy[a.hand]], *time, a);
                } else if constexpr (std::is_same_v<A, ReleaseAction>) {
                    if (busy.contains(a.hand)) works[busy[a.hand]].stop = *time;
                    busy.erase(a.hand);
                } else if constexpr (std::is_same_v<A, PushAction> || std::is_same_v<A, CutAction>) {
                    works.push_back({"push", a, *time, *time + moment});
                    if (std::is_same_v<A, CutAction>) works.back().name = "cut";
                } else if constexpr (!std::is_same_v<A, GravityAction> &&
                                     !std::is_same_v<A, MaterialAction>) {
                    busy[a.hand] = works.size();
                    works.push_back({fmt::format("hand {}", a.hand), a, *time});
                }
            },
            event.action);
    }
    return works;
}

std::vector<RenderObstacle> nozzle(const HeatAction& heat, double spacing, int dimensions) {
    Vec3d d = nozzle_direction;
    if (dimensions == 2) d.z = 0;
    d = normalized(d);
    return spout_around({.opening = Disc{std::max(nozzle_radius * heat.radius, spacing)},
                         .position = heat.at - (nozzle_distance + nozzle_radius) * heat.radius * d,
                         .direction = d},
                        spacing, dimensions)
        .parts;
}

std::vector<RenderObstacle> plunger(const PushAction& push) {
    const Vec3d d = normalized(push.impulse), foot = push.at - push.radius * d;
    const auto behind = [&](double radii) { return foot - radii * push.radius * d; };
    return {{.shape = Cylinder{behind(plate_thickness), foot, plate_radius * push.radius}},
            {.shape = Cylinder{behind(handle_length), behind(plate_thickness), handle_radius * push.radius}}};
}

/// A plate where the cut is; in 2D as deep as a particle.
std::vector<RenderObstacle> blade(const CutAction& cut, double spacing, int dimensions) {
    const Vec3d x = normalized(cut.to - cut.from);
    const Vec3d depth = dimensions == 2 ? Vec3d{0, 0, spacing} : cut.depth - dot(cut.depth, x) * x;
    const Vec3d z = normalized(depth), from = dimensions == 2 ? cut.from - 0.5 * depth : cut.from;
    const double thin = 0.1 * spacing;
    const Placement place{1, rotation_to(x, cross(z, x), z), from};
    return {{.shape = Shape(Box{{0, -thin, 0}, {norm(cut.to - cut.from), thin, norm(depth)}}, place)}};
}

}  // namespace

HandsAtWork hands_at_work(const std::filesystem::path& folder, const Scene& scene) {
    HandsAtWork hands;
    const std::filesystem::path events = folder / "events.jsonl", stats = folder / "stats.csv";
    if (!std::filesystem::exists(events) || !std::filesystem::exists(stats)) return hands;
    std::vector<Work> works;
    try {
        const NumberTable table = read_number_table(stats);
        if (!table.has("steps") || !table.has("time")) return hands;
        works = works_of(load_events(events, scene), StepTimes(table));
    } catch (const InputError&) {
        return hands;
    }
    const double spacing = scene.model.particles.spacing;
    const int dimensions = scene.model.dimensions;
    for (const Work& work : works) {
        hands.names.push_back(work.name);
        Prop prop{.name = work.name,
                  .parts = {},
                  .colour = hand_colour,
                  .start = work.start,
                  .stop = work.stop,
                  .motion = work.motion};
        if (const auto* grab = std::get_if<GrabAction>(&work.begin)) {
            hands.holds.push_back({.name = work.name,
                                   .region = Sphere{grab->at, grab->radius},
                                   .motion = work.motion,
                                   .objects = {},
                                   .materials = {},
                                   .solids = !grab->liquids,
                                   .by_hand = true,
                                   .start = work.start,
                                   .stop = work.stop});
            continue;
        }
        if (const auto* pour = std::get_if<PourAction>(&work.begin)) {
            hands.emitters.push_back(work.name);
            prop.colour = spout_colour;
            prop.parts =
                spout_around(
                    {.opening = Disc{pour->radius}, .position = pour->at, .direction = pour->direction},
                    spacing, dimensions)
                    .parts;
        } else if (const auto* heat = std::get_if<HeatAction>(&work.begin)) {
            prop.colour = heat->power > 0 ? heating_colour : cooling_colour;
            prop.parts = nozzle(*heat, spacing, dimensions);
        } else if (const auto* push = std::get_if<PushAction>(&work.begin)) {
            prop.parts = plunger(*push);
        } else {
            prop.parts = blade(std::get<CutAction>(work.begin), spacing, dimensions);
        }
        hands.props.push_back(std::move(prop));
    }
    return hands;
}

}  // namespace thixo
