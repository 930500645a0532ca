#include "render_holds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace thixo {
namespace {

using Axis = double Vec3d::*;

/// Jaws: their thickness relative to what is between them, the part of its face that they cover, and their
/// largest side relative to that of the whole object.
constexpr double jaw_thickness = 0.2, jaw_cover = 0.75, jaw_size = 0.25;

/// A rod, relative to the largest side of what hangs on it.
constexpr double rod_length = 0.5, rod_radius = 0.035;

/// What a hand holds it with, as if something hung on it that is this much larger than its ball.
constexpr double hand_rod = 2.5;

/// The fraction of an object's particles from which on it is held as a whole.
constexpr double whole = 0.98;

bool fits(const std::vector<std::uint16_t>& numbers, float value) {
    return numbers.empty() ||
           std::find(numbers.begin(), numbers.end(), static_cast<std::uint16_t>(value)) != numbers.end();
}

Bounds around(const Vec3d& x, double radius) { return Bounds{x, x}.grown(radius); }

/// What a hold took at its start, in the frame of its motion.
struct HeldMatter {
    std::vector<Vec3d> held;
    Bounds box;               ///< of it, with the radii
    Bounds body;              ///< of all solids of the same objects
    std::size_t count = 0;    ///< of these
    std::size_t between = 0;  ///< of these, in the box and not held
};

HeldMatter held_matter(const DrawnHold& hold, const ParticleFrame& frame, int dimensions) {
    // A frame is seldom at the start itself: matter has moved along since.
    const Pose start = hold.motion.at(hold.start), now = hold.motion.at(frame.time);
    const auto column = [&](const char* name) -> const std::vector<float>* {
        const auto found = frame.attributes.find(name);
        return found == frame.attributes.end() ? nullptr : &found->second;
    };
    const auto *object = column("object"), *material = column("material"), *phase = column("phase");
    const auto is_solid = [&](std::size_t i) { return !phase || (*phase)[i] != 0; };
    std::vector<char> taken(frame.position.size(), 0);
    std::vector<std::uint16_t> objects;
    HeldMatter matter;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        const Vec3d x = now.from_world(to_double(frame.position[i]));
        if ((object && !fits(hold.objects, (*object)[i])) ||
            (material && !fits(hold.materials, (*material)[i])) || (hold.solids && !is_solid(i)) ||
            signed_distance(hold.region, start.to_world(x), dimensions).distance > 0)
            continue;
        taken[i] = 1;
        if (object && (objects.empty() || !fits(objects, (*object)[i])))
            objects.push_back(static_cast<std::uint16_t>((*object)[i]));
        matter.held.push_back(x);
        matter.box.include(around(matter.held.back(), frame.radius[i]));
    }
    if (matter.held.empty()) return matter;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        if ((object && !fits(objects, (*object)[i])) || (hold.solids && !is_solid(i))) continue;
        const Vec3d x = now.from_world(to_double(frame.position[i]));
        matter.body.include(around(x, frame.radius[i]));
        ++matter.count;
        if (!taken[i] && matter.box.holds(x)) ++matter.between;
    }
    return matter;
}

/// The direction in which jaws close: the thinnest one in which nothing but what is held is between them.
std::optional<Axis> closing(const HeldMatter& matter, double spacing, int dimensions) {
    std::optional<Axis> best;
    // Sideways rather than from above, where the ground may be below.
    for (const Axis axis : {&Vec3d::x, &Vec3d::z, &Vec3d::y}) {
        if (dimensions == 2 && axis == &Vec3d::z) continue;
        const bool through = matter.box.min.*axis < matter.body.min.*axis + spacing &&
                             matter.box.max.*axis > matter.body.max.*axis - spacing;
        const Vec3d size = matter.box.size();
        if (through && (!best || size.*axis < 0.9 * size.*(*best))) best = axis;
    }
    return best;
}

std::vector<RenderObstacle> jaws(const DrawnHold& hold, const HeldMatter& matter, Axis axis, double spacing) {
    const Vec3d size = matter.box.size();
    const Vec3d all = matter.body.size();
    const double largest = std::max(jaw_size * std::max({all.x, all.y, all.z}), spacing),
                 thickness = std::max(std::min(jaw_thickness * size.*axis, 0.5 * largest), 0.7 * spacing);
    // Around a rim: only where the region is.
    const bool hollow = static_cast<double>(matter.between) > 0.05 * static_cast<double>(matter.held.size());
    std::vector<RenderObstacle> parts;
    for (const int side : {-1, 1}) {
        Box jaw{matter.box.min, matter.box.max};
        if (!hollow)
            for (const Axis other : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                if (other == axis) continue;
                const double half = 0.5 * std::min(jaw_cover * size.*other, largest);
                jaw.min.*other = matter.box.center().*other - half;
                jaw.max.*other = matter.box.center().*other + half;
            }
        jaw.min.*axis = side < 0 ? matter.box.min.*axis - thickness : matter.box.max.*axis;
        jaw.max.*axis = side < 0 ? matter.box.min.*axis : matter.box.max.*axis + thickness;
        Shape shape = jaw;
        if (hollow) shape = Intersection{{jaw, hold.region}};
        parts.push_back({.shape = std::move(shape)});
    }
    return parts;
}

/// Upwards, from the highest matter that is near the middle.
RenderObstacle rod(const HeldMatter& matter, double longest, double spacing) {
    const Vec3d middle = matter.box.center();
    const double radius = std::max(rod_radius * longest, 0.6 * spacing);
    const auto away = [&](const Vec3d& x) { return std::hypot(x.x - middle.x, x.z - middle.z); };
    Vec3d foot = matter.held.front();
    for (const Vec3d& x : matter.held)
        if ((x.y > foot.y && away(x) < 2 * radius) || (away(foot) >= 2 * radius && away(x) < away(foot)))
            foot = x;
    return {.shape = Cylinder{foot, foot + Vec3d{0, rod_length * longest, 0}, radius}};
}

/// A wall or the ground is what holds it.
bool touches(const std::vector<RenderObstacle>& obstacles, const HeldMatter& matter, double spacing,
             int dimensions) {
    for (const RenderObstacle& obstacle : obstacles)
        for (const Vec3d& x : matter.held)
            if (const double d = obstacle.distance(x, dimensions).distance;
                (obstacle.inside ? -d : d) < 0.8 * spacing)
                return true;
    return false;
}

}  // namespace

std::vector<DrawnHold> drawn_holds(const Scene& scene, const std::vector<std::string>& hidden) {
    const auto is_hidden = [&](const std::string& name) {
        return std::find(hidden.begin(), hidden.end(), name) != hidden.end();
    };
    Names names;
    std::vector<DrawnHold> holds;
    for (const Object& object : scene.model.objects) {
        const auto number = static_cast<std::uint16_t>(names.objects.size());
        names.objects.push_back(object.name);
        if (is_hidden(object.name)) continue;
        for (const HeldRegion& held : object.held)
            holds.push_back({.name = object.name,
                             .region = held.region,
                             .motion = held.motion,
                             .objects = {number},
                             .stop = held.until});
    }
    for (const Emitter& emitter : scene.model.emitters) names.objects.push_back(emitter.name);
    for (const Material& material : scene.model.materials) names.materials.push_back(material.name);
    for (const Grab& grab : scene.model.grabs) {
        if (is_hidden(grab.name)) continue;
        const Grip grip = *hold_of(grab, names).grip;
        holds.push_back({.name = grab.name,
                         .region = grab.region,
                         .motion = grab.motion,
                         .objects = grip.objects,
                         .materials = grip.materials,
                         .solids = true,
                         .start = grab.start,
                         .stop = grab.stop});
    }
    return holds;
}

std::optional<Prop> prop_for(const DrawnHold& hold, const ParticleFrame& frame,
                             const std::vector<RenderObstacle>& obstacles, double spacing, int dimensions) {
    const HeldMatter matter = held_matter(hold, frame, dimensions);
    if (matter.held.empty()) return std::nullopt;
    const bool is_whole =
        static_cast<double>(matter.held.size()) >= whole * static_cast<double>(matter.count);
    if (!hold.by_hand && !hold.motion.moves() &&
        (is_whole || touches(obstacles, matter, spacing, dimensions)))
        return std::nullopt;
    const std::optional<Axis> axis =
        is_whole || hold.by_hand ? std::nullopt : closing(matter, spacing, dimensions);
    Prop prop{.name = hold.name,
              .parts = {},
              .colour = hand_colour,
              .start = hold.start,
              .stop = hold.stop,
              .motion = hold.motion};
    if (axis) {
        prop.parts = jaws(hold, matter, *axis, spacing);
    } else {
        const Vec3d size = (hold.by_hand ? bounds(hold.region) : matter.body).size();
        prop.parts = {
            rod(matter, std::max({size.x, size.y, size.z}) * (hold.by_hand ? hand_rod : 1), spacing)};
    }
    return prop;
}

}  // namespace thixo
