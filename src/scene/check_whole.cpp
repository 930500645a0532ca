#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fluid/pressure_methods.h"
#include "geometry/extent.h"
#include "geometry/layer.h"
#include "particles/lattice.h"
#include "particles/layer_sample.h"
#include "scene/check_entry.h"
#include "scene/finish.h"
#include "scene/overrides.h"
#include "scene/wording.h"
#include "sim/derive.h"

namespace thixo {

namespace {

/// Rows refer to objects and emitters by 16 bits.
constexpr std::size_t most_objects = 65535;

constexpr auto only_about_z = "in 2D only the third number, the rotation about z, can differ from 0";

double farthest_coordinate(const Bounds& box, int dimensions) {
    const auto far = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    const double far_xy = std::max(far(box.min.x, box.max.x), far(box.min.y, box.max.y));
    return dimensions == 2 ? far_xy : std::max(far_xy, far(box.min.z, box.max.z));
}

/// m; of a sheet the side of a square with its area.
double smallest_extent(const Shape& shape, int dimensions) {
    if (is_sheet(shape)) return std::sqrt(measure(layer_of(shape)));
    return is_rod(shape) ? measure(layer_of(shape)) : extent(shape, dimensions).smallest;
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
    void check_frames();
    void check_methods();
    void check_adaptivity();
    void check_time_steps();
    void check_solids();
    void check_shape(const Shape& shape, const std::string& path, bool bounded);
    void check_kind(const Box& box, const std::string& path, bool bounded);
    void check_kind(const Plane& plane, const std::string& path, bool bounded);
    void check_kind(const HeightField& field, const std::string& path, bool bounded);
    void check_kind(const HeightSheet& sheet, const std::string& path, bool bounded);
    void check_kind(const Curve& curve, const std::string& path, bool bounded);
    void check_kind(const Cylinder& cylinder, const std::string& path, bool bounded);
    void check_kind(const Capsule& capsule, const std::string& path, bool bounded);
    void check_kind(const Torus& torus, const std::string& path, bool bounded);
    void check_kind(const Union& all, const std::string& path, bool bounded);
    void check_kind(const SmoothUnion& all, const std::string& path, bool bounded);
    void check_kind(const Difference& all, const std::string& path, bool bounded);
    template <class Kind>
    void check_kind(const Kind&, const std::string&, bool) {}  // no checks across keys
    void check_parts(const std::vector<Shape>& parts, const std::string& path, bool first_bounded,
                     bool others_bounded);
    void check_turn(const Rotation& rotation, const std::string& path);
    void check_corners(const Vec3d& min, const Vec3d& max, const std::string& path);
    void check_direction(const Vec3d& direction, const std::string& path);
    void check_ends(const Vec3d& from, const Vec3d& to, const std::string& path);
    void check_layer(const Object& object, const std::string& path);
    void check_lattice(const Object& object, const std::string& path);
    void check_cold_rigid();
    void check_heights(const HeightField& field, const std::string& key);
    void check_size(const Object& object, const std::string& path);
    void check_material(const std::string& material_name, const std::string& path);
    void check_lists();
    void check_emitters();
    void check_heat();
    void check_holds();
    void check_named(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
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
    check_methods();
    check_adaptivity();
    check_time_steps();
    check_solids();
    check_plane_of_motion(scene_.model.gravity, "gravity");
    check_lists();
    for (std::size_t i = 0; i < scene_.model.objects.size(); ++i) {
        const std::string path = fmt::format("objects.{}", i);
        const Object& object = scene_.model.objects[i];
        check_material(object.material, path);
        check_shape(object.shape, path + ".shape", true);
        check_layer(object, path);
        check_lattice(object, path);
        check_plane_of_motion(object.velocity, path + ".velocity");
        if (dimensions_ == 2 && (object.angular_velocity.x != 0 || object.angular_velocity.y != 0))
            problem(path + ".angular_velocity", only_about_z);
        check_turn(object.orientation, path + ".orientation");
        for (std::size_t k = 0; k < object.held.size(); ++k) {
            check_shape(object.held[k].region, fmt::format("{}.held.{}.region", path, k), false);
            check_held(object, k, dimensions_, fmt::format("{}.held.{}", path, k), report_);
        }
    }
    for (std::size_t i = 0; i < scene_.model.obstacles.size(); ++i) {
        const Obstacle& obstacle = scene_.model.obstacles[i];
        check_shape(obstacle.shape, fmt::format("obstacles.{}.shape", i), false);
        check_motion(obstacle.motion, dimensions_, fmt::format("obstacles.{}.motion", i), report_);
    }
    for (std::size_t i = 0; i < scene_.model.sinks.size(); ++i) {
        const Sink& sink = scene_.model.sinks[i];
        check_shape(sink.shape, fmt::format("sinks.{}.shape", i), false);
        check_window(sink.start, sink.stop, fmt::format("sinks.{}", i), report_);
    }
    check_emitters();
    check_heat();
    check_holds();
    if (problems_.any()) return;
    for (std::size_t i = 0; i < scene_.model.objects.size(); ++i)
        check_size(scene_.model.objects[i], fmt::format("objects.{}.shape", i));
    if (!problems_.any()) check_count();
}

void Checker::check_lists() {
    check_names(scene_.model.objects, "objects");
    check_names(scene_.model.obstacles, "obstacles");
    check_names(scene_.model.emitters, "emitters");
    check_names(scene_.model.sinks, "sinks");
    check_names(scene_.model.heaters, "heaters");
    check_names(scene_.model.grabs, "grabs");
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
        check_shape(model.heaters[i].region, path + ".region", false);
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
        check_shape(grab.region, path + ".region", false);
        check_motion(grab.motion, dimensions_, path + ".motion", report_);
    }
}

void Checker::check_named(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                          const std::string& path) {
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (std::find(names.begin(), names.end(), wanted[k]) != names.end()) continue;
        problem(
            fmt::format("{}.{}", path, k),
            fmt::format("there is no {}{}", thixo::quoted(wanted[k]),
                        suggestion(wanted[k], std::vector<std::string_view>(names.begin(), names.end()))));
    }
}

void Checker::check_methods() {
    const SolverSettings& solver = scene_.model.solver;
    if (const PressureMethodEntry& pressure = entry_of(solver.pressure); pressure.solved) {
        if (solver.density == DensityMethod::continuity)
            problem("solver.density", fmt::format("`{}` needs density `summation`", pressure.name));
        if (solver.tension)
            problem("solver.tension",
                    fmt::format("`{}` has no negative pressure; allowed: false", pressure.name));
        if (solver.elasticity == ElasticIntegrator::implicit)
            problem("solver.elasticity",
                    fmt::format("`implicit` cannot be coupled with `{}`; take pressure `tait` or "
                                "`state_equation`, or elasticity `explicit`",
                                pressure.name));
    }
    const bool solid = std::any_of(scene_.model.objects.begin(), scene_.model.objects.end(),
                                   [](const Object& object) { return object.phase != Phase::liquid; });
    if (solver.tension && solid)
        problem("solver.tension", "liquids with negative pressure stick to solid objects; allowed: false");
    for (std::size_t i = 0; i < scene_.model.obstacles.size(); ++i) {
        if (scene_.model.obstacles[i].no_slip && solver.viscosity == ViscosityMethod::artificial)
            problem(fmt::format("obstacles.{}.no_slip", i),
                    "solver.viscosity `artificial` does not act on walls; take `laplacian` or `implicit`, or "
                    "friction");
    }
}

/// Density as a state of each particle, and pressure as a function of it.
bool by_continuity(const SolverSettings& solver) {
    return solver.density == DensityMethod::continuity && !entry_of(solver.pressure).solved;
}

bool has_surface_tension(const Model& model) {
    return std::any_of(model.materials.begin(), model.materials.end(),
                       [](const Material& material) { return material.liquid.surface_tension > 0; });
}

/// Methods that do not support particles of different size.
void Checker::check_adaptivity() {
    const Model& model = scene_.model;
    const AdaptivitySettings& adaptivity = model.adaptivity;
    if (adaptivity.refine && adaptivity.simplify && *adaptivity.simplify * 7 > *adaptivity.refine)
        problem("adaptivity.simplify",
                fmt::format(
                    "{} must be below a seventh of `refine`, {}: particles would split and merge in turns",
                    *adaptivity.simplify, *adaptivity.refine));
    if (!adaptivity.active()) return;
    const auto refuse = [&](const std::string& what) {
        problem("adaptivity.coarsest", fmt::format("particles of different size {}", what));
    };
    // A pool of mixed sizes is as still with `dfsph` as with others, but where many particles split at once, the jump of their sums
    // becomes motion: in a splash the kinetic energy grew 150-fold in 0.12 s.
    if (!by_continuity(model.solver))
        refuse(
            "need density `continuity` and pressure `tait` or `state_equation`: a density by summation jumps "
            "when particles split");
}

/// Methods that need all particles at the same time.
void Checker::check_time_steps() {
    const Model& model = scene_.model;
    if (model.solver.time_step != TimeStepMethod::individual) return;
    const auto refuse = [&](const std::string& what) { problem("solver.time_step", "`individual` " + what); };
    if (!by_continuity(model.solver))
        refuse(
            "needs density `continuity` and pressure `tait` or `state_equation`: summation and solvers need "
            "all "
            "particles at the same time");
    if (model.solver.viscosity == ViscosityMethod::implicit)
        refuse("does not support `implicit` viscosity; take `laplacian` or `artificial`");
    if (model.solver.elasticity == ElasticIntegrator::implicit)
        refuse(
            "does not support `implicit` elasticity: solids take short steps of their own; take `explicit`");
    if (model.solver.xsph > 0) refuse("does not support `xsph`; allowed: 0");
    if (has_surface_tension(model)) refuse("does not support surface tension; allowed: 0");
}

void Checker::check_solids() {
    for (const Material& material : scene_.model.materials)
        check_solid(material.solid, join_path("materials", material.name) + ".solid", report_);
    const bool freeze = std::any_of(
        scene_.model.materials.begin(), scene_.model.materials.end(), [](const Material& material) {
            return material.solid.model == SolidModel::lattice && material.heat.melting_point;
        });
    const bool lattices =
        freeze || std::any_of(scene_.model.objects.begin(), scene_.model.objects.end(),
                              [&](const Object& object) { return is_lattice_solid(scene_, object); });
    if (lattices && scene_.model.solver.elasticity == ElasticIntegrator::implicit)
        problem(
            "solver.elasticity",
            "`implicit` does not support the model `lattice`, which limits the time step; take `explicit`");
    check_cold_rigid();
}

/// Scenes in which a body may become partly rigid and partly elastic.
void Checker::check_cold_rigid() {
    const auto melts = [](const Material& m) { return m.heat.melting_point.has_value(); };
    const auto rigid = [](const Material& m) { return m.solid.cold == ColdState::rigid; };
    const std::vector<Material>& materials = scene_.model.materials;
    bool mixes = std::any_of(materials.begin(), materials.end(),
                             [&](const Material& m) { return melts(m) && rigid(m); });
    const bool any_melts = std::any_of(materials.begin(), materials.end(), melts);
    for (const Material& m : materials) {
        if (rigid(m) && m.solid.model == SolidModel::lattice)
            problem(join_path("materials", m.name) + ".solid.cold",
                    "solids of the model `lattice` are never rigid; allowed: \"elastic\"");
    }
    for (std::size_t i = 0; i < scene_.model.objects.size(); ++i) {
        const Object& object = scene_.model.objects[i];
        if (object.phase != Phase::rigid) continue;
        mixes |= any_melts;
        const auto material = std::find_if(materials.begin(), materials.end(),
                                           [&](const Material& m) { return m.name == object.material; });
        if (material != materials.end() && melts(*material) && !rigid(*material))
            problem(fmt::format("objects.{}.phase", i),
                    fmt::format(
                        "`{}` melts and is elastic below its freezing point; give it \"solid\": {{\"cold\": "
                        "\"rigid\"}}",
                        material->name));
    }
    if (mixes && scene_.model.solver.elasticity == ElasticIntegrator::implicit)
        problem("solver.elasticity",
                "`implicit` does not support bodies that are partly rigid, which melting and freezing "
                "create; take "
                "`explicit`");
}

void Checker::check_frames() {
    if (scene_.output.surface && dimensions_ == 2)
        problem("output.surface", "surfaces are made in 3D; this scene has 2 dimensions");
    const double frames = scene_.duration * scene_.frame_rate;
    const std::string times = fmt::format("{} s at {} frames per second", scene_.duration, scene_.frame_rate);
    if (frames > most_frames)
        problem("duration", fmt::format("{} are {} frames; allowed: at most {}", times, count_text(frames),
                                        count_text(most_frames)));
    if (frames < 1 - 1e-9) problem("duration", fmt::format("{} are less than one frame", times));
}

/// Recursive: parts of a shape are checked where they are written.
void Checker::check_shape(const Shape& shape, const std::string& path, bool bounded) {
    check_turn(shape.placement.rotate, path + ".rotate");
    std::visit([&](const auto& kind) { check_kind(kind, path, bounded); }, shape.kind);
}

void Checker::check_turn(const Rotation& rotation, const std::string& path) {
    const Vec3d& turn = rotation.degrees();
    if (dimensions_ == 2 && (turn.x != 0 || turn.y != 0)) problem(path, only_about_z);
}

void Checker::check_corners(const Vec3d& min, const Vec3d& max, const std::string& path) {
    const double lo[] = {min.x, min.y, min.z}, hi[] = {max.x, max.y, max.z};
    for (int a = 0; a < dimensions_; ++a) {
        if (hi[a] > lo[a]) continue;
        return problem(path + ".max", fmt::format("max must be above min; in {} max is {} m and min is {} m",
                                                  "xyz"[a], hi[a], lo[a]));
    }
}

void Checker::check_kind(const Box& box, const std::string& path, bool) {
    check_corners(box.min, box.max, path + ".box");
}

void Checker::check_kind(const HeightField& field, const std::string& path, bool bounded) {
    const std::string key = path + ".height_field";
    if (bounded) problem(key, "a height_field is unbounded and cannot be filled with particles");
    check_heights(field, key);
}

void Checker::check_kind(const HeightSheet& sheet, const std::string& path, bool) {
    check_heights(sheet, path + ".height_sheet");
}

void Checker::check_heights(const HeightField& field, const std::string& key) {
    if (field.formula.empty() && field.image.empty())
        problem(key, "one of the keys \"formula\" and \"image\" is missing");
    if (!field.formula.empty() && !field.image.empty())
        problem(key, "there are both \"formula\" and \"image\"; allowed: one of them");
    check_corners(field.min, field.max, key);
}

void Checker::check_kind(const Curve& curve, const std::string& path, bool) {
    const std::string key = path + ".curve.points";
    const std::size_t count = curve.points.size(), least = curve.closed ? 3 : 2;
    if (count < least)
        return problem(key,
                       fmt::format("{} {}; a {}curve has at least {}", count, count == 1 ? "point" : "points",
                                   curve.closed ? "closed " : "", least));
    for (std::size_t i = curve.closed ? 0 : 1; i < count; ++i) {
        if (norm(curve.points[i] - curve.points[(i + count - 1) % count]) < 1e-100)
            return problem(fmt::format("{}.{}", key, i),
                           i == 0 ? "is the same as the last point; a closed curve adds that segment"
                                  : "is the same as the point before it");
    }
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
    if (object.lattice != Lattice::closest)
        problem(path + ".lattice", "the model `lattice` needs its own lattice; allowed: \"closest\"");
}

void Checker::check_kind(const Plane& plane, const std::string& path, bool bounded) {
    if (bounded) problem(path + ".plane", "a plane is unbounded and cannot be filled with particles");
    check_direction(plane.normal, path + ".plane.normal");
}

void Checker::check_kind(const Cylinder& cylinder, const std::string& path, bool) {
    check_ends(cylinder.from, cylinder.to, path + ".cylinder.to");
}

void Checker::check_kind(const Capsule& capsule, const std::string& path, bool) {
    check_ends(capsule.from, capsule.to, path + ".capsule.to");
}

void Checker::check_kind(const Torus& torus, const std::string& path, bool) {
    check_direction(torus.axis, path + ".torus.axis");
    if (!(torus.minor_radius < torus.major_radius))
        problem(path + ".torus.minor_radius",
                fmt::format("{} m must be below major_radius, {} m: the torus has no hole otherwise",
                            torus.minor_radius, torus.major_radius));
}

void Checker::check_kind(const Union& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".union.shapes", bounded, bounded);
}

void Checker::check_kind(const SmoothUnion& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".smooth_union.shapes", bounded, bounded);
}

void Checker::check_kind(const Difference& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".difference.shapes", bounded, false);
}

void Checker::check_parts(const std::vector<Shape>& parts, const std::string& path, bool first_bounded,
                          bool others_bounded) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        check_shape(parts[i], fmt::format("{}.{}", path, i), i == 0 ? first_bounded : others_bounded);
}

void Checker::check_direction(const Vec3d& direction, const std::string& path) {
    // The square of a shorter vector underflows.
    if (norm(direction) >= 1e-100) return;
    problem(path, dimensions_ == 2 ? "must not be zero; in 2D its third number is ignored"
                                   : "must not be zero: it has no direction");
}

void Checker::check_ends(const Vec3d& from, const Vec3d& to, const std::string& path) {
    if (norm(to - from) >= 1e-100) return;
    problem(path, dimensions_ == 2 ? "must differ from `from`; in 2D the third number is ignored"
                                   : "must differ from `from`: there is no direction between them");
}

void Checker::check_size(const Object& object, const std::string& path) {
    const double spacing = scene_.model.particles.spacing;
    const double smallest = smallest_extent(object.shape, dimensions_);
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
