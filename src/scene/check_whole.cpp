#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "geometry/extent.h"
#include "geometry/layer.h"
#include "particles/lattice.h"
#include "particles/layer_sample.h"
#include "scene/check_entry.h"
#include "scene/check_instruments.h"
#include "scene/check_methods.h"
#include "scene/check_shape.h"
#include "scene/finish.h"
#include "scene/named_lists.h"
#include "scene/overrides.h"
#include "scene/presets.h"
#include "scene/wording.h"
#include "sim/derive.h"

namespace thixo {

namespace {

/// Rows refer to objects and emitters by 16 bits.
constexpr std::size_t most_objects = 65535;

double farthest_coordinate(const Bounds& box, int dimensions) {
    const auto far = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    const double far_xy = std::max(far(box.min.x, box.max.x), far(box.min.y, box.max.y));
    return dimensions == 2 ? far_xy : std::max(far_xy, far(box.min.z, box.max.z));
}

/// m; of a sheet the side of a square with its area.
double smallest_size(const Shape& shape, int dimensions) {
    if (is_sheet(shape)) return std::sqrt(measure(layer_of(shape)));
    return is_rod(shape) ? measure(layer_of(shape)) : smallest_extent(shape, dimensions);
}

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
    void check_surface(const SurfaceOutput& output);
    void check_picture(const PictureOutput& picture);
    void check_frames();
    void check_layer(const Object& object, const std::string& path);
    void check_lattice(const Object& object, const std::string& path);
    void check_size(const Object& object, const std::string& path);
    void check_material(const std::string& material_name, const std::string& path);
    void check_lists();
    void check_contact_angles();
    void check_emitters();
    void check_heat();
    void check_holds();
    void check_named(const std::vector<std::string>& referenced, const std::vector<std::string>& names,
                     const std::string& path);
    void check_name(const std::string& referenced, const std::vector<std::string>& names,
                    const std::string& path);
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
    check_methods(scene_, report_);
    check_plane_of_motion(scene_.model.gravity, "gravity");
    check_lists();
    for (std::size_t i = 0; i < scene_.model.objects.size(); ++i) {
        const std::string path = fmt::format("objects.{}", i);
        const Object& object = scene_.model.objects[i];
        check_material(object.material, path);
        check_shape(object.shape, dimensions_, true, path + ".shape", report_);
        check_layer(object, path);
        check_lattice(object, path);
        check_skin(object, scene_.model.particles.spacing, dimensions_, path + ".skin", report_);
        check_plane_of_motion(object.velocity, path + ".velocity");
        check_rotation(object.angular_velocity, dimensions_, path + ".angular_velocity", report_);
        check_rotation(object.orientation.degrees(), dimensions_, path + ".orientation", report_);
        for (std::size_t k = 0; k < object.held.size(); ++k) {
            check_shape(object.held[k].region, dimensions_, false, fmt::format("{}.held.{}.region", path, k),
                        report_);
            check_held(object, k, dimensions_, fmt::format("{}.held.{}", path, k), report_);
        }
    }
    for (std::size_t i = 0; i < scene_.model.obstacles.size(); ++i) {
        const Obstacle& obstacle = scene_.model.obstacles[i];
        check_shape(obstacle.shape, dimensions_, false, fmt::format("obstacles.{}.shape", i), report_);
        check_motion(obstacle.motion, dimensions_, fmt::format("obstacles.{}.motion", i), report_);
    }
    for (std::size_t i = 0; i < scene_.model.sinks.size(); ++i) {
        const Sink& sink = scene_.model.sinks[i];
        check_shape(sink.shape, dimensions_, false, fmt::format("sinks.{}.shape", i), report_);
        check_window(sink.start, sink.stop, fmt::format("sinks.{}", i), report_);
    }
    check_emitters();
    check_heat();
    check_contact_angles();
    check_holds();
    check_force_fields(scene_, report_);
    check_probes(scene_, report_);
    if (problems_.any()) return;
    for (std::size_t i = 0; i < scene_.model.objects.size(); ++i)
        check_size(scene_.model.objects[i], fmt::format("objects.{}.shape", i));
    if (!problems_.any()) check_count();
}

void Checker::check_lists() {
    for_each_named_list(scene_.model,
                        [&](const auto& list, const char*, const char* key) { check_names(list, key); });
    const std::size_t numbered = scene_.model.objects.size() + scene_.model.emitters.size();
    if (numbered == 0)
        problem("objects", "there is nothing to simulate: give at least one object or emitter");
    if (numbered > most_objects)
        problem("emitters",
                fmt::format("{} objects and emitters; allowed: at most {} together", numbered, most_objects));
    const std::size_t holds = holds_of(scene_.model).size();
    if (holds > most_objects)
        problem(
            "objects",
            fmt::format("{} kinematic regions, objects with `release`, pauses and grabs; allowed: at most {}",
                        holds, most_objects));
}

void Checker::check_contact_angles() {
    const Model& model = scene_.model;
    for (std::size_t i = 0; i < model.contact_angles.size(); ++i) {
        const ContactAngle& contact = model.contact_angles[i];
        const std::string path = fmt::format("contact_angles.{}", i);
        std::vector<std::string> solids = names_in(model).materials;
        for (const Obstacle& obstacle : model.obstacles) solids.push_back(obstacle.name);
        check_name(contact.liquid, names_in(model).materials, path + ".liquid");
        check_name(contact.solid, solids, path + ".solid");
        for (const Material& material : model.materials)
            if (material.name == contact.liquid && material.liquid.surface_tension == 0)
                problem(path + ".liquid",
                        fmt::format("{} has no `liquid.surface_tension`: it cannot wet anything",
                                    thixo::quoted(material.name)));
        for (std::size_t k = 0; k < i; ++k)
            if (model.contact_angles[k].liquid == contact.liquid &&
                model.contact_angles[k].solid == contact.solid)
                problem(path, fmt::format("the pair is already in contact_angles.{}", k));
    }
}

void Checker::check_emitters() {
    for (std::size_t i = 0; i < scene_.model.emitters.size(); ++i) {
        const std::string path = fmt::format("emitters.{}", i);
        const Emitter& emitter = scene_.model.emitters[i];
        check_material(emitter.material, path);
        check_emitter(emitter, scene_.model.particles.spacing, dimensions_, path, report_);
    }
}

void Checker::check_heat() {
    const Model& model = scene_.model;
    bool conducts = false;
    for (const Material& material : model.materials) {
        const std::string path = join_path("materials", material.name);
        check_heat_constants(material.heat, path + ".heat", report_);
        check_viscosities(material.liquid.viscosity_table, path + ".liquid.viscosity_table", report_);
        conducts |= material.heat.conductivity > 0 || material.heat.diffusivity > 0;
    }
    for (std::size_t i = 0; i < model.heaters.size(); ++i) {
        const std::string path = fmt::format("heaters.{}", i);
        check_shape(model.heaters[i].region, dimensions_, false, path + ".region", report_);
        check_motion(model.heaters[i].motion, dimensions_, path + ".motion", report_);
        check_window(model.heaters[i].start, model.heaters[i].stop, path, report_);
        check_heater(model.heaters[i], path, report_);
    }
    for (std::size_t i = 0; i < model.obstacles.size(); ++i)
        check_wall_heat(model.obstacles[i], conducts, fmt::format("obstacles.{}", i), report_);
}

void Checker::check_holds() {
    const Names names = names_in(scene_.model);
    const auto check_choice = [&](const auto& entry, const std::string& path) {
        check_named(entry.objects, names.objects, path + ".objects");
        check_named(entry.materials, names.materials, path + ".materials");
        check_window(entry.start, entry.stop, path, report_);
    };
    for (std::size_t i = 0; i < scene_.model.pauses.size(); ++i)
        check_choice(scene_.model.pauses[i], fmt::format("pauses.{}", i));
    for (std::size_t i = 0; i < scene_.model.grabs.size(); ++i) {
        const Grab& grab = scene_.model.grabs[i];
        const std::string path = fmt::format("grabs.{}", i);
        check_choice(grab, path);
        check_shape(grab.region, dimensions_, false, path + ".region", report_);
        check_motion(grab.motion, dimensions_, path + ".motion", report_);
    }
}

void Checker::check_named(const std::vector<std::string>& referenced, const std::vector<std::string>& names,
                          const std::string& path) {
    for (std::size_t k = 0; k < referenced.size(); ++k)
        check_name(referenced[k], names, fmt::format("{}.{}", path, k));
}

void Checker::check_name(const std::string& referenced, const std::vector<std::string>& names,
                         const std::string& path) {
    if (std::find(names.begin(), names.end(), referenced) != names.end()) return;
    problem(path,
            fmt::format("there is no {}{}", thixo::quoted(referenced),
                        suggestion(referenced, std::vector<std::string_view>(names.begin(), names.end()))));
}

void Checker::check_surface(const SurfaceOutput& output) {
    if (output.rest && scene_.output.particles.empty())
        problem("output.surface.rest",
                "needs the particle files of the frames before, to go on after a stop; name a format in "
                "output.particles");
    if (dimensions_ != 2) return;
    if (output.settings.method == SurfaceMethod::active)
        problem("output.surface.method", "active surfaces are made in 3D; this scene has 2 dimensions");
    if (output.settings.slivers > 0)
        problem("output.surface.slivers", "outlines have no triangles; this scene has 2 dimensions");
    if (std::find(output.formats.begin(), output.formats.end(), MeshFormat::vdb) != output.formats.end())
        problem("output.surface.formats", ".vdb files are written in 3D; this scene has 2 dimensions");
}

void Checker::check_picture(const PictureOutput& picture) {
    using enum Colouring;
    const std::string path = picture.min ? "output.picture.min" : "output.picture.max";
    const Colouring by = picture.colour_by.value_or(look);
    const bool has_scale = by != look && by != phase && by != material && by != object && by != body;
    if ((picture.min || picture.max) && !has_scale)
        problem(path,
                "is an end of a colour scale; name an attribute that has one in output.picture.colour_by");
    if (picture.min && picture.max && !(*picture.max > *picture.min))
        problem("output.picture.max",
                fmt::format("{} is not above {}, the lower end of the colours", *picture.max, *picture.min));
}

void Checker::check_frames() {
    if (scene_.output.surface) check_surface(*scene_.output.surface);
    if (scene_.output.surface && scene_.output.surface->skins && scene_.output.particles.empty())
        for (const Object& object : scene_.model.objects)
            if (object.skin)
                return problem(
                    "output.particles",
                    "skins refer to the particles of the first frame; allowed: at least one format");
    check_picture(scene_.output.picture);
    const double frames = scene_.duration * scene_.frame_rate;
    const std::string times = fmt::format("{} s at {} frames per second", scene_.duration, scene_.frame_rate);
    if (frames > most_frames)
        problem("duration", fmt::format("{} are {} frames; allowed: at most {}", times, count_text(frames),
                                        count_text(most_frames)));
    if (frames < 1 - 1e-9) problem("duration", fmt::format("{} are less than one frame", times));
}

void Checker::check_layer(const Object& object, const std::string& path) {
    if (!is_layer(object.shape)) return;
    if (object.phase == Phase::liquid)
        problem(path + ".shape",
                "a sheet or rod cannot be liquid; give the object \"phase\": \"elastic\" or \"rigid\"");
    if (object.orientation.degrees() != Vec3d{})
        problem(path + ".orientation", "a sheet or rod has no lattice to rotate; leave it out");
    const bool in_plane = std::holds_alternative<Curve>(object.shape.kind);
    if (dimensions_ == 2 && !in_plane)
        problem(path + ".shape",
                "there are no sheets and helices in 2D; allowed: a `curve` or a shape that can be filled");
}

void Checker::check_lattice(const Object& object, const std::string& path) {
    if (!is_lattice_solid(scene_, object)) return;
    if (is_layer(object.shape))
        return problem(path + ".shape",
                       "the model `lattice` is for bodies, not for sheets and rods; take another model, or a "
                       "shape that can be filled");
    if (object.jitter > 0)
        problem(path + ".jitter", "the model `lattice` needs its particles on the lattice; allowed: 0");
    if (object.lattice != Lattice::closest)
        problem(path + ".lattice", "the model `lattice` needs its own lattice; allowed: \"closest\"");
}

void Checker::check_size(const Object& object, const std::string& path) {
    const double spacing = scene_.model.particles.spacing;
    const double smallest = smallest_size(object.shape, dimensions_);
    const double far = farthest_coordinate(bounds(object.shape), dimensions_);
    // If the spacing comes from an override, the problem is reported there, not in the file.
    const Position shape_at = position_of(root_, path), spacing_at = position_of(root_, "particles.spacing");
    const Position& at = spacing_at.source > shape_at.source ? spacing_at : shape_at;
    if (smallest < spacing) {
        constexpr auto text =
            "its smallest extent, {:.6g} m, is below particles.spacing, {:.6g} m: no particle fits";
        problems_.add(at, path, fmt::format(text, smallest, spacing));
    }
    // Positions are floats of 24 bits; 1e5 spacings leave a resolution of half a percent of one.
    if (far > 1e5 * spacing) {
        constexpr auto text =
            "it extends to {:.6g} m from the origin, more than 100000 times particles.spacing, {:.6g} m: "
            "single precision cannot resolve positions there";
        problems_.add(at, path, fmt::format(text, far, spacing));
    }
}

void Checker::check_material(const std::string& material_name, const std::string& path) {
    if (materials_.contains(material_name)) return;
    std::vector<std::string_view> names;
    for (const Material& material : scene_.model.materials) names.push_back(material.name);
    for (const MaterialPreset& preset : material_presets())
        if (!materials_.contains(preset.name)) names.push_back(preset.name);
    problem(path + ".material", fmt::format("there is no material {}{}", thixo::quoted(material_name),
                                            suggestion(material_name, names)));
}

void Checker::check_plane_of_motion(const Vec3d& v, const std::string& path) {
    if (dimensions_ == 2 && v.z != 0) problem(path, fmt::format("z is {} but must be 0 in 2D", v.z));
}

void Checker::check_count() {
    const double spacing = scene_.model.particles.spacing;
    double count = 0;
    for (const Object& object : scene_.model.objects)
        count += estimated_particles(object, spacing, dimensions_);
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
            problem(fmt::format("{}.{}.name", list, i),
                    fmt::format("{} is already the name of {}.{}", thixo::quoted(entries[i].name), list,
                                where->second));
    }
}

}  // namespace

double estimated_particles(const Object& object, double spacing, int dimensions) {
    if (is_layer(object.shape)) return estimated_layer_particles(object.shape, spacing);
    return extent(object.shape, dimensions).volume / cell_volume(object.lattice, spacing, dimensions);
}

void check_whole(const Scene& scene, const JsonValue& root, Problems& problems) {
    Checker(scene, root, problems).check();
}

}  // namespace thixo
