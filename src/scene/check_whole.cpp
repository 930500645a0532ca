#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "particles/lattice.h"
#include "scene/check_entry.h"
#include "scene/finish.h"
#include "scene/overrides.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Rows refer to objects and emitters by 16 bits.
constexpr std::size_t most_objects = 65535;

struct Extent {
    double smallest = 0;  ///< m, over the used dimensions
    double volume = 0;    ///< m³, in 2D m²
    double farthest = 0;  ///< m, largest coordinate by magnitude
};

Extent extent_of(const Box& box, int dimensions) {
    const Vec3d size = box.max - box.min;
    const auto far = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    const double far_xy = std::max(far(box.min.x, box.max.x), far(box.min.y, box.max.y));
    if (dimensions == 2) return {std::min(size.x, size.y), size.x * size.y, far_xy};
    return {std::min({size.x, size.y, size.z}), size.x * size.y * size.z,
            std::max(far_xy, far(box.min.z, box.max.z))};
}

Extent extent_of(const Sphere& sphere, int dimensions) {
    const double r = sphere.radius, pi = std::numbers::pi;
    const Vec3d& c = sphere.center;
    return {2 * r, dimensions == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r,
            std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}) + r};
}

Extent extent_of(const Plane&, int) { return {}; }  // refused for objects when it is read

class Checker {
public:
    Checker(const Scene& scene, const JsonValue& root, Problems& problems)
        : scene_(scene), root_(root), problems_(problems), dimensions_(scene.model.dimensions) {
        for (const Material& material : scene.model.materials) materials_.insert(material.name);
    }

    void check();

private:
    void problem(const std::string& path, const std::string& message) {
        problems_.add(position_of(root_, path), path, message);
    }
    void check_frames();
    void check_shape(const Shape& shape, const std::string& path);
    void check_size(const Object& object, const std::string& path);
    void check_material(const std::string& material_name, const std::string& path);
    void check_lists();
    void check_emitters();
    void check_plane_of_motion(const Vec3d& v, const std::string& path);
    void check_count();
    template <class T>
    void check_names(const std::vector<T>& entries, const std::string& list);

    const Scene& scene_;
    const JsonValue& root_;
    Problems& problems_;
    int dimensions_;
    std::unordered_set<std::string_view> materials_;
    const Report report_ = [this](const std::string& path, const std::string& message) {
        problem(path, message);
    };
};

void Checker::check() {
    check_frames();
    check_plane_of_motion(scene_.model.gravity, "gravity");
    check_lists();
    for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
        const std::string path = fmt::format("objects.{}", i);
        const Object& object = scene_.objects[i];
        check_material(object.material, path);
        check_shape(object.shape, path + ".shape");
        check_plane_of_motion(object.velocity, path + ".velocity");
        if (dimensions_ == 2 && (object.angular_velocity.x != 0 || object.angular_velocity.y != 0))
            problem(path + ".angular_velocity",
                    "in 2D only the third number, the rotation about z, can differ from 0");
    }
    for (std::size_t i = 0; i < scene_.model.obstacles.size(); ++i) {
        const Obstacle& obstacle = scene_.model.obstacles[i];
        check_shape(obstacle.shape, fmt::format("obstacles.{}.shape", i));
        check_motion(obstacle.motion, dimensions_, fmt::format("obstacles.{}.motion", i), report_);
    }
    for (std::size_t i = 0; i < scene_.model.sinks.size(); ++i) {
        const Sink& sink = scene_.model.sinks[i];
        check_shape(sink.shape, fmt::format("sinks.{}.shape", i));
        check_window(sink.start, sink.stop, fmt::format("sinks.{}", i), report_);
    }
    check_emitters();
    if (problems_.any()) return;
    for (std::size_t i = 0; i < scene_.objects.size(); ++i)
        check_size(scene_.objects[i], fmt::format("objects.{}.shape", i));
    if (!problems_.any()) check_count();
}

void Checker::check_lists() {
    check_names(scene_.objects, "objects");
    check_names(scene_.model.obstacles, "obstacles");
    check_names(scene_.model.emitters, "emitters");
    check_names(scene_.model.sinks, "sinks");
    const std::size_t numbered = scene_.objects.size() + scene_.model.emitters.size();
    if (numbered == 0)
        problem("objects", "there is nothing to simulate: give at least one object or emitter");
    if (numbered > most_objects)
        problem("emitters",
                fmt::format("{} objects and emitters; allowed: at most {} together", numbered, most_objects));
}

void Checker::check_emitters() {
    for (std::size_t i = 0; i < scene_.model.emitters.size(); ++i) {
        const std::string path = fmt::format("emitters.{}", i);
        const Emitter& emitter = scene_.model.emitters[i];
        check_material(emitter.material, path);
        check_emitter(emitter, scene_.model.particles.spacing, dimensions_, path, report_);
    }
}

void Checker::check_frames() {
    const double frames = scene_.duration * scene_.frame_rate;
    const std::string times = fmt::format("{} s at {} frames per second", scene_.duration, scene_.frame_rate);
    if (frames > most_frames)
        problem("duration", fmt::format("{} are {} frames; allowed: at most {}", times, count_text(frames),
                                        count_text(most_frames)));
    if (frames < 1 - 1e-9) problem("duration", fmt::format("{} are less than one frame", times));
}

void Checker::check_shape(const Shape& shape, const std::string& path) {
    if (const auto* box = std::get_if<Box>(&shape)) {
        const double lo[] = {box->min.x, box->min.y, box->min.z}, hi[] = {box->max.x, box->max.y, box->max.z};
        for (int a = 0; a < dimensions_; ++a) {
            if (hi[a] > lo[a]) continue;
            return problem(path + ".box.max",
                           fmt::format("max must be above min; in {} max is {} m and min is {} m", "xyz"[a],
                                       hi[a], lo[a]));
        }
    } else if (const auto* plane = std::get_if<Plane>(&shape)) {
        // Anything shorter would lose its direction in the square of its length.
        if (!(norm(plane->normal) >= 1e-100))
            problem(path + ".plane.normal", dimensions_ == 2
                                                ? "must not be zero; in 2D its third number is ignored"
                                                : "must not be zero: it has no direction");
    }
}

void Checker::check_size(const Object& object, const std::string& path) {
    const double spacing = scene_.model.particles.spacing;
    const Extent extent = std::visit([&](const auto& s) { return extent_of(s, dimensions_); }, object.shape);
    // An override is blamed for what it breaks, not the file.
    const Position shape_at = position_of(root_, path), spacing_at = position_of(root_, "particles.spacing");
    const Position& at = spacing_at.source > shape_at.source ? spacing_at : shape_at;
    if (extent.smallest < spacing) {
        constexpr auto text =
            "its smallest extent, {:.6g} m, is below particles.spacing, {:.6g} m: no particle fits";
        problems_.add(at, path, fmt::format(text, extent.smallest, spacing));
    }
    // Positions are floats of 24 bits; 1e5 spacings leave a resolution of half a percent of one.
    if (extent.farthest > 1e5 * spacing) {
        constexpr auto text =
            "it reaches {:.6g} m from the origin, more than 100000 times particles.spacing, {:.6g} m: "
            "single precision cannot tell particles apart there";
        problems_.add(at, path, fmt::format(text, extent.farthest, spacing));
    }
}

void Checker::check_material(const std::string& material_name, const std::string& path) {
    if (materials_.contains(material_name)) return;
    std::vector<std::string_view> names;
    for (const Material& material : scene_.model.materials) names.push_back(material.name);
    problem(path + ".material", fmt::format("there is no material {}{}", quoted(material_name),
                                            suggestion(material_name, names)));
}

void Checker::check_plane_of_motion(const Vec3d& v, const std::string& path) {
    if (dimensions_ == 2 && v.z != 0) problem(path, fmt::format("z is {} but must be 0 in 2D", v.z));
}

void Checker::check_count() {
    const double spacing = scene_.model.particles.spacing;
    double count = 0;
    for (const Object& object : scene_.objects) count += estimated_particles(object, spacing, dimensions_);
    for (const Emitter& emitter : scene_.model.emitters)
        count += emitter.rate * std::max(0.0, std::min(emitter.stop, scene_.duration) - emitter.start) /
                 cell_volume(Lattice::cubic, spacing, dimensions_);
    if (count <= most_particles) return;
    const double million = spacing * std::pow(count / 1e6, 1.0 / dimensions_);
    problem("particles.spacing",
            fmt::format("a spacing of {:.6g} m makes about {} particles; allowed: at most {}; "
                        "a spacing of {:.3g} m makes about a million",
                        spacing, count_text(count), count_text(most_particles), million));
}

template <class T>
void Checker::check_names(const std::vector<T>& entries, const std::string& list) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto [where, fresh] = first.emplace(entries[i].name, i);
        if (!fresh)
            problem(
                fmt::format("{}.{}.name", list, i),
                fmt::format("{} is already the name of {}.{}", quoted(entries[i].name), list, where->second));
    }
}

}  // namespace

double estimated_particles(const Object& object, double spacing, int dimensions) {
    const double volume =
        std::visit([&](const auto& s) { return extent_of(s, dimensions).volume; }, object.shape);
    const bool closest = object.lattice == Lattice::closest;
    if (dimensions == 2) return volume / (spacing * spacing * (closest ? std::numbers::sqrt3 / 2 : 1));
    return volume / (spacing * spacing * spacing * (closest ? 1 / std::numbers::sqrt2 : 1));
}

void check_whole(const Scene& scene, const JsonValue& root, Problems& problems) {
    Checker(scene, root, problems).check();
}

}  // namespace thixo
