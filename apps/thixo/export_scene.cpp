#include "export_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "core/atomic_file.h"
#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "io/mesh_files.h"
#include "provenance.h"
#include "render/lights.h"
#include "render_picture.h"
#include "scene/load.h"

namespace thixo {
namespace {

/// Of walls that are seen through.
constexpr float container_opacity = 0.12f;

/// Endless planes are exported as squares this many times as wide as what is shown.
constexpr double plane_widths = 3;

ExportedLook exported(const std::string& name, const Optics& o) {
    ExportedLook look{.name = name,
                      .colour = o.colour,
                      .roughness = o.roughness,
                      .metal = o.metal,
                      .refractive_index = o.refractive_index,
                      .clear = o.clear,
                      .scattering = o.scattering,
                      .spread = o.spread,
                      .glow = o.glow};
    // exp(−σ depth) is the colour, by the channel that is absorbed most.
    const float most = std::max({o.absorption.x, o.absorption.y, o.absorption.z});
    const float least = std::min({o.colour.x, o.colour.y, o.colour.z});
    if (o.clear && most > 0 && least < 1) look.depth = -std::log(std::max(least, 0.002f)) / most;
    return look;
}

bool same_look(const Optics& a, const Optics& b) {
    return norm(a.colour - b.colour) < 1e-6f && a.roughness == b.roughness && a.clear == b.clear &&
           a.metal == b.metal;
}

SurfaceMesh mesh_of(const Polygons& polygons, bool inwards) {
    SurfaceMesh mesh;
    mesh.vertices = polygons.vertices;
    mesh.triangles = polygons.triangles;
    if (inwards)
        for (SurfaceMesh::Corners& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

void move(SurfaceMesh& mesh, const Pose& pose) {
    for (Vec3f& x : mesh.vertices) x = to_float(pose.to_world(to_double(x)));
}

/// Of what moves as one, at its place.
void add_velocity(SurfaceMesh& mesh, const Pose& pose) {
    const std::pair<const char*, double Vec3d::*> axes[] = {
        {"vx", &Vec3d::x}, {"vy", &Vec3d::y}, {"vz", &Vec3d::z}};
    for (const auto& [name, axis] : axes) {
        mesh.attributes.push_back({name, "m/s", {}});
        for (const Vec3f& x : mesh.vertices)
            mesh.attributes.back().values.push_back(static_cast<float>(pose.velocity_at(to_double(x)).*axis));
    }
}

/// A square around the foot of the stage's middle, on the side that matter is on.
SurfaceMesh square_of(const Plane& plane, const Placement& place, const Bounds& stage, bool inside) {
    const auto [point, given] = placed(plane, place);
    const Vec3d n = normalized(inside ? -given : given);
    const Vec3d middle = stage.center() - n * dot(stage.center() - point, n);
    const Vec3d u = normalized(cross(std::abs(n.y) < 0.7 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}, n)),
                v = cross(n, u);
    const double half = 0.5 * plane_widths * norm(stage.size());
    SurfaceMesh mesh;
    for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
        mesh.vertices.push_back(to_float(middle + u * (a * half) + v * (b * half)));
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

/// The triangles with one texture, and the vertices that they use.
SurfaceMesh part_with_texture(const SurfaceMesh& mesh, std::uint8_t number) {
    SurfaceMesh out;
    constexpr std::uint32_t unused = ~0u;
    std::vector<std::uint32_t> place(mesh.vertices.size(), unused);
    for (const SurfaceMesh::Attribute& a : mesh.attributes) out.attributes.push_back({a.name, a.unit, {}});
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.texture_number[t] != number) continue;
        SurfaceMesh::Corners corners{};
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t v = mesh.triangles[t][c];
            if (place[v] == unused) {
                place[v] = static_cast<std::uint32_t>(out.vertices.size());
                out.vertices.push_back(mesh.vertices[v]);
                if (!mesh.normals.empty()) out.normals.push_back(mesh.normals[v]);
                for (std::size_t a = 0; a < mesh.attributes.size(); ++a)
                    out.attributes[a].values.push_back(mesh.attributes[a].values[v]);
            }
            corners[c] = place[v];
        }
        out.triangles.push_back(corners);
        if (number != SurfaceMesh::no_texture) out.texture.push_back(mesh.texture[t]);
    }
    return out;
}

}  // namespace

ExportedRun::ExportedRun(const ExportOptions& options, const Device& device,
                         const std::vector<FrameFile>& all, const std::vector<FrameFile>& chosen,
                         const std::filesystem::path& folder)
    : options_(options), device_(device), folder_(folder), setting_(load_setting(options.view)) {
    look_ = choose_look(options.view, setting_, all, chosen);
    warn_of_empty_pictures("this camera", look_, options.view, setting_, chosen);
    scene_.title = setting_.title;
    scene_.program = program_name();
    scene_.frame_rate = setting_.frame_rate;
    scene_.aspect = static_cast<double>(options.view.width) / options.view.height;
    scene_.reach = norm(look_.stage.size());
    scene_.camera_moves = chosen.size() > 1 && (options.view.turn != 0 || look_.keys.size() > 1);
    add_looks();
    add_obstacles();
    add_props();
    add_lights();
    const std::filesystem::path file = options.view.folder / "scene.json";
    if (!options.surfaces || setting_.dimensions != 3 || !std::filesystem::exists(file)) return;
    const Scene scene = load_scene(file);
    if (has_skins(scene) && all.front().number == 0)
        skins_ =
            std::make_unique<RunSkins>(device, scene, read_particles(all.front().path, options.view.radius));
}

void ExportedRun::add_looks() {
    for (std::size_t k = 0; k < look_.materials.optics.size(); ++k)
        scene_.looks.push_back(exported(look_.materials.name(k), look_.materials.optics[k]));
    blended_ = scene_.looks.size();
    ExportedLook blended = scene_.looks.front();
    blended.name = "blended";
    blended.by_vertex = true;
    blended.clear = false;
    scene_.looks.push_back(blended);
}

void ExportedRun::add_obstacles() {
    if (setting_.dimensions != 3) return;
    for (std::size_t k = 0; k < setting_.obstacles.size(); ++k) {
        const RenderObstacle& o = setting_.obstacles[k];
        const auto* plane = std::get_if<Plane>(&o.shape.kind);
        ExportedObstacle out{.name = setting_.shown_obstacle_names[k],
                             .mesh = plane ? square_of(*plane, o.shape.placement, look_.stage, o.inside)
                                           : mesh_of(polygons_of(o.shape, look_.stage), o.inside),
                             .look = scene_.looks.size(),
                             .container = o.inside && !plane,
                             .moves = setting_.motions[k].moves()};
        ExportedLook look = exported("obstacle " + out.name, look_.obstacles[k]);
        if (out.container) look.opacity = container_opacity;
        scene_.looks.push_back(look);
        if (setting_.animations[k]) {
            deforming_.push_back({k, out.look});
            continue;
        }
        scene_.obstacles.push_back(std::move(out));
        obstacle_.push_back(k);
    }
}

/// Spouts, hands and what else acts on matter for a while: surfaces of the frames that they are in.
void ExportedRun::add_props() {
    if (setting_.dimensions != 3) return;
    for (const Prop& prop : setting_.props) {
        SurfaceMesh mesh;
        for (const RenderObstacle& part : prop.parts)
            append(mesh, mesh_of(polygons_of(part.shape, look_.stage), false));
        prop_meshes_.push_back(std::move(mesh));
        prop_looks_.push_back(scene_.looks.size());
        scene_.looks.push_back(
            exported(prop.name, optics_of({.preset = LookPreset::clay, .colour = prop.colour}, 1)));
    }
}

void ExportedRun::add_lights() {
    const Lens lens(look_.camera, options_.view.width, options_.view.height);
    const Lights lights(lens, true);
    scene_.lights = {.towards = lights.key_direction(),
                     .irradiance = lights.key_irradiance(),
                     .angle = 2 * std::atan(double{lights.key_opening()}) * 180 / std::numbers::pi,
                     .sky = lights.open_sky({0, 1, 0})};
}

ParticleFrame ExportedRun::read(const FrameFile& file) const {
    ParticleFrame frame = read_frame(file, options_.view, setting_);
    leave_out(frame, options_.view, setting_, look_.cuts);
    return frame;
}

ExportedFrame ExportedRun::frame(const FrameFile& file, const ParticleFrame& particles, double turned) {
    ExportedFrame out{.number = file.number, .time = particles.time};
    if (options_.particles) out.particles = &particles;
    if (options_.surfaces && setting_.dimensions == 3 && !particles.position.empty())
        out.surfaces = surfaces(file, particles);
    for (const auto& [k, look] : deforming_) {
        const RenderObstacle& o = setting_.obstacles[k];
        ExportedSurface surface{"obstacle " + setting_.shown_obstacle_names[k], {}, look};
        surface.mesh = mesh_of(
            polygons_of(shape_at(o.shape, setting_.animations[k], particles.time), look_.stage), o.inside);
        move(surface.mesh, setting_.motions[k].at(particles.time));
        out.surfaces.push_back(std::move(surface));
    }
    for (std::size_t k = 0; k < prop_meshes_.size(); ++k) {
        const Prop& prop = setting_.props[k];
        if (!prop.is_there(particles.time)) continue;
        ExportedSurface surface{prop.name, prop_meshes_[k], prop_looks_[k]};
        const Pose pose = prop.motion.at(particles.time);
        move(surface.mesh, pose);
        add_velocity(surface.mesh, pose);
        out.surfaces.push_back(std::move(surface));
    }
    for (const std::size_t k : obstacle_) out.poses.push_back(setting_.motions[k].at(particles.time));
    const Camera c = turned_camera(camera_at(look_.camera, look_.keys, particles.time), look_.stage, turned);
    out.camera = {c.eye, c.target, c.up, c.fov, c.height, c.perspective};
    return out;
}

std::vector<ExportedSurface> ExportedRun::surfaces(const FrameFile& file, const ParticleFrame& particles) {
    std::vector<ExportedSurface> list;
    const bool as_saved = options_.view.method.empty() && options_.view.resolution == 0 &&
                          look_.cuts.empty() && options_.view.hide.empty();
    const auto files = surface_files(options_.view.folder, file.number);
    if (as_saved && !files.empty()) {
        for (const auto& path : files)
            add_surface(list, path.parent_path().filename().string(),
                        surface_with_looks(read_mesh(path), look_.materials, 0));
    } else if (skins_) {
        SurfaceOutput output{.settings = surface_settings(setting_, options_.view),
                             .by = SurfaceGrouping::material};
        for (NamedSurface& s : surfaces_of(
                 device_, particles, output, setting_.surface_context,
                 [](const std::string&) { return std::nullopt; }, skins_.get()))
            add_surface(list, s.name, surface_with_looks(std::move(s.surface.mesh), look_.materials, 0));
    } else {
        for (TracedSurface& s :
             surfaces_by_look(device_, particles, look_.materials, setting_.surface_context,
                              {surface_settings(setting_, options_.view), 0, look_.cuts, false})) {
            const std::string name = s.name;
            add_surface(list, name, std::move(s));
        }
    }
    return list;
}

/// One look for the whole surface if all vertices have the same one, else the colours of the vertices; skins
/// by their textures.
void ExportedRun::add_surface(std::vector<ExportedSurface>& list, const std::string& name, TracedSurface s) {
    if (s.mesh.triangles.empty()) return;
    const auto& optics = look_.materials.optics;
    const auto known = std::find_if(optics.begin(), optics.end(),
                                    [&](const Optics& o) { return same_look(o, s.optics.front()); });
    const bool one = std::all_of(s.optics.begin(), s.optics.end(),
                                 [&](const Optics& o) { return same_look(o, s.optics.front()); });
    const std::size_t look =
        one && known != optics.end() ? static_cast<std::size_t>(known - optics.begin()) : blended_;
    for (std::size_t k = 0; k < s.mesh.textures.size(); ++k) {
        SurfaceMesh part = part_with_texture(s.mesh, static_cast<std::uint8_t>(k));
        if (!part.triangles.empty())
            list.push_back({fmt::format("{} skin {}", name, k), std::move(part),
                            textured_look(s.mesh.textures[k], look)});
    }
    ExportedSurface rest{
        name, s.mesh.textures.empty() ? s.mesh : part_with_texture(s.mesh, SurfaceMesh::no_texture), look};
    if (rest.mesh.triangles.empty()) return;
    if (look == blended_ && s.mesh.textures.empty())
        for (std::size_t v = 0; v < s.mesh.vertices.size(); ++v)
            rest.colour.push_back(s.optics[s.optics.size() == 1 ? 0 : v].colour);
    else if (look == blended_)
        rest.colour.assign(rest.mesh.vertices.size(), s.optics.front().colour);
    list.push_back(std::move(rest));
}

/// Copies the picture into the folder, so that the export can be moved as a whole.
std::size_t ExportedRun::textured_look(const std::string& file, std::size_t like) {
    const auto [found, added] = textures_.try_emplace(file, scene_.looks.size());
    if (!added) return found->second;
    const std::filesystem::path source(file);
    const std::string name = fmt::format("textures/{}{}", textures_.size() - 1, source.extension().string());
    create_folder(folder_ / "textures");
    std::error_code error;
    std::filesystem::copy_file(source, folder_ / name, std::filesystem::copy_options::overwrite_existing,
                               error);
    if (error) throw RunError(fmt::format("cannot copy {}: {}", file, error.message()));
    ExportedLook look = scene_.looks[like];
    look.name = source.stem().string();
    look.texture = name;
    look.by_vertex = false;
    scene_.looks.push_back(look);
    return found->second;
}

}  // namespace thixo
