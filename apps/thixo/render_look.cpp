#include "render_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "render/survey.h"
#include "render_colours.h"
#include "render_hands.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "surface_frames.h"

namespace thixo {
namespace {

bool is_in(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Particles of a frame by which it is known whether a camera sees matter, and whether captions cover it.
constexpr std::size_t sampled = 2000;

/// Refuses names that nothing has.
void check_hidden(const RenderOptions& options, const Setting& setting) {
    for (const std::string& name : options.hide) {
        std::vector<std::string_view> known;
        bool found = false;
        for (const auto* names : {&setting.objects, &setting.materials, &setting.obstacle_names})
            for (const std::string& n : *names) {
                known.push_back(n);
                found = found || n == name;
            }
        if (!found)
            throw InputError(
                fmt::format("--hide: nothing is called {}{}", thixo::quoted(name), suggestion(name, known)));
    }
}

/// "z>0.1": what has a larger z is cut off; "z<0.1": what has a smaller one.
ClipPlane parsed_cut(const std::string& text) {
    double at = std::numeric_limits<double>::quiet_NaN();  // stays there where a number is too large
    const std::size_t axis = text.empty() ? std::string::npos : std::string_view("xyz").find(text[0]);
    const char* end = text.data() + text.size();
    if (axis == std::string::npos || text.size() < 3 || (text[1] != '>' && text[1] != '<') ||
        std::from_chars(text.data() + 2, end, at).ptr != end || !(std::abs(at) <= farthest_drawn))
        throw InputError(
            fmt::format("--clip {}: expected an axis, < or >, and a number of metres, such as z>0.1 for all "
                        "that has a larger z",
                        thixo::quoted(text)));
    const double side = text[1] == '>' ? 1 : -1;
    return {{axis == 0 ? at : 0, axis == 1 ? at : 0, axis == 2 ? at : 0},
            {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0}};
}

/// Adds the hands and clamps of the scene, by the matter that they hold: of the first frame in which they do.
void add_holds(Setting& setting, const RenderOptions& options, const std::vector<FrameFile>& files) {
    for (const DrawnHold& hold : setting.holds)
        for (const FrameFile& file : files) {
            if (file.number + 0.5 < hold.start * setting.frame_rate) continue;
            const ParticleFrame frame = read_frame(file, options, setting);
            if (std::optional<Prop> prop = prop_for(hold, frame, setting.obstacles_at(frame.time),
                                                    setting.spacing, setting.dimensions))
                setting.props.push_back(std::move(*prop));
            break;
        }
}

/// What was done to the run, and what of it is not hidden.
void add_hands(Setting& setting, HandsAtWork hands, const RenderOptions& options) {
    const auto is_hidden = [&](const auto& thing) { return is_in(options.hide, thing.name); };
    std::erase_if(hands.holds, is_hidden);
    std::erase_if(hands.props, is_hidden);
    const auto append = [](auto& list, const auto& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    append(setting.holds, hands.holds);
    append(setting.props, hands.props);
    append(setting.objects, hands.emitters);
    append(setting.obstacle_names, hands.names);
}

/// Obstacles without a look are of a matte grey that leaves the eye to the matter.
Optics obstacle_optics(const LookSettings& look, double size) {
    LookSettings own = look;
    if (own.preset == LookPreset::automatic) {
        own.preset = LookPreset::clay;
        if (!own.colour) own.colour = Vec3d{0.68, 0.69, 0.70};
    }
    return optics_of(own, size);
}

Camera chosen_camera(const RenderOptions& options, const Setting& setting, const Look& look) {
    Margins margins;
    if (!options.plain) {
        const double fraction =
            legend_width(look.legend, look.colours, look.letter) / static_cast<float>(options.width);
        margins.right = std::clamp(fraction, margins.right, 0.4);
    }
    const double aspect = static_cast<double>(options.width) / options.height;
    Camera camera = automatic_camera(look.stage, setting.dimensions, aspect, margins, look.outline.points());
    const auto vector = [](const char* option, const std::vector<double>& v) {
        for (const double x : v)
            if (!(std::abs(x) <= farthest_drawn))
                throw InputError(
                    fmt::format("{}: {} m is no place to look from or at; allowed: -{:g} to {:g} m", option,
                                x, farthest_drawn, farthest_drawn));
        return Vec3d{v[0], v[1], v[2]};
    };
    if (!options.eye.empty()) {
        camera.eye = vector("--eye", options.eye);
        camera.target = look.stage.center();
        camera.perspective = true;
    }
    if (!options.target.empty()) camera.target = vector("--target", options.target);
    if (options.fov > 0) camera.fov = options.fov;
    if (norm(camera.target - camera.eye) == 0) throw InputError("--eye and --target are the same point");
    return camera;
}

}  // namespace

std::vector<RenderObstacle> Setting::obstacles_at(double time) const {
    std::vector<RenderObstacle> list = obstacles;
    for (std::size_t k = 0; k < list.size(); ++k) {
        list[k].pose = motions[k].at(time);
        // Unbounded obstacles are clipped differently in each frame.
        if (motions[k].moves() && !bounds(list[k].shape).has_end()) list[k].surface = nullptr;
        if (!animations[k]) continue;
        list[k].shape = shape_at(list[k].shape, animations[k], time);
        list[k].surface = nullptr;
    }
    for (const Prop& prop : props) {
        if (!prop.is_there(time)) continue;
        const std::vector<RenderObstacle> parts = prop.at(time);
        list.insert(list.end(), parts.begin(), parts.end());
    }
    return list;
}

std::vector<Optics> Setting::looks_at(double time, const std::vector<Optics>& own) const {
    std::vector<Optics> all = own;
    for (const Prop& prop : props)
        if (prop.is_there(time))
            all.insert(all.end(), prop.parts.size(),
                       optics_of({.preset = LookPreset::clay, .colour = prop.colour}, 1));
    return all;
}

Setting load_setting(const RenderOptions& options) {
    Setting setting;
    setting.title = std::filesystem::absolute(options.folder).lexically_normal().filename().string();
    const std::filesystem::path file = options.folder / "scene.json";
    if (!std::filesystem::exists(file)) return setting;
    const Scene scene = load_scene(file);
    setting.has_scene = true;
    if (!scene.name.empty()) setting.title = scene.name;
    setting.dimensions = scene.model.dimensions;
    setting.frame_rate = scene.frame_rate;
    for (const Obstacle& o : scene.model.obstacles) {
        setting.obstacle_names.push_back(o.name);
        if (is_in(options.hide, o.name)) continue;
        setting.obstacles.push_back({o.shape, o.inside});
        setting.shown_obstacle_names.push_back(o.name);
        setting.motions.push_back(o.motion);
        setting.animations.push_back(o.animation);
        setting.obstacle_looks.push_back(o.look);
    }
    setting.matter = scene.model.materials;
    setting.surface_context = thixo::surface_context(scene);
    if (scene.output.surface) setting.surface = scene.output.surface->settings;
    setting.picture = scene.output.picture;
    for (const Material& m : scene.model.materials) setting.materials.push_back(m.name);
    for (const Object& o : scene.model.objects) setting.objects.push_back(o.name);
    for (const Emitter& e : scene.model.emitters) {
        setting.objects.push_back(e.name);
        if (!is_in(options.hide, e.name))
            setting.props.push_back(spout_around(e, scene.model.particles.spacing, scene.model.dimensions));
    }
    for (const Grab& g : scene.model.grabs) setting.obstacle_names.push_back(g.name);
    setting.holds = drawn_holds(scene, options.hide);
    add_hands(setting, hands_at_work(options.folder, scene), options);
    setting.spacing = scene.model.particles.spacing;
    check_hidden(options, setting);
    return setting;
}

void leave_out(ParticleFrame& frame, const RenderOptions& options, const Setting& setting,
               const std::vector<ClipPlane>& cuts) {
    if (options.hide.empty() && cuts.empty()) return;
    const auto hidden = [&](const char* column, const std::vector<std::string>& names, std::size_t i) {
        const auto found = frame.attributes.find(column);
        if (found == frame.attributes.end()) return false;
        const auto number = static_cast<std::size_t>(found->second[i]);
        return number < names.size() && is_in(options.hide, names[number]);
    };
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        bool out = hidden("object", setting.objects, i) || hidden("material", setting.materials, i);
        for (const ClipPlane& cut : cuts)
            out = out || dot(to_double(frame.position[i]) - cut.point, cut.normal) > 0;
        if (!out) kept.push_back(i);
    }
    const auto keep = [&](auto& values) {
        for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
        values.resize(kept.size());
    };
    keep(frame.position);
    keep(frame.radius);
    for (auto& [name, values] : frame.attributes) keep(values);
}

ParticleFrame read_frame(const FrameFile& file, const RenderOptions& options, const Setting& setting) {
    ParticleFrame frame = read_particles(file.path, options.radius);
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        const Vec3f& x = frame.position[i];
        if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z), frame.radius[i]}) <= farthest_drawn)
            continue;
        throw InputError(
            fmt::format("{}: particle {} at ({:.3g}, {:.3g}, {:.3g}) m with a radius of {:.3g} m cannot be "
                        "drawn; allowed: up "
                        "to {:g} m",
                        file.path.string(), i, x.x, x.y, x.z, frame.radius[i], farthest_drawn));
    }
    if (frame.time == 0) frame.time = file.number / setting.frame_rate;
    return frame;
}

Look choose_look(const RenderOptions& options, Setting& setting, const std::vector<FrameFile>& files,
                 const std::vector<FrameFile>& chosen) {
    Look look;
    look.letter = lettering_height(options.height);
    for (const std::string& text : options.clip) look.cuts.push_back(parsed_cut(text));
    look.keys = camera_keys(options.keys);
    choose_attribute(look, options, setting, read_frame(files.front(), options, setting),
                     read_frame(files.back(), options, setting));
    add_holds(setting, options, files);
    ValueSurvey survey;
    std::vector<RenderObstacle> obstacles;
    double largest_radius = 0;
    const auto frame_of = [&](const FrameFile& file) {
        ParticleFrame frame = read_frame(file, options, setting);
        leave_out(frame, options, setting, look.cuts);
        return frame;
    };
    const auto add_colours = [&](const ParticleFrame& frame) {
        survey.add(attribute(frame, look.attribute));
    };
    const auto add_places = [&](const ParticleFrame& frame) {
        for (const float r : frame.radius) largest_radius = std::max<double>(largest_radius, r);
        const Bounds subject = subject_bounds(frame.position, frame.radius);
        look.particles.include(subject);
        look.outline.add(frame.position, frame.radius, subject);
        const std::size_t stride = 1 + frame.position.size() / sampled;
        for (std::size_t i = 0; i < frame.position.size(); i += stride)
            look.sample.push_back(frame.position[i]);
        look.sample_radius =
            std::max(look.sample_radius, largest_radius * std::cbrt(static_cast<double>(stride)));
        const std::vector<RenderObstacle> now = setting.obstacles_at(frame.time);
        obstacles.insert(obstacles.end(), now.begin(), now.end());
    };
    const bool fits_all = options.fit.empty() ? chosen.size() > 1 : options.fit == "run";
    for (const FrameFile& file : surveyed(files)) {
        const ParticleFrame frame = frame_of(file);
        add_colours(frame);
        if (fits_all) add_places(frame);
    }
    if (!fits_all)
        for (const FrameFile& file : surveyed(chosen)) add_places(frame_of(file));
    const Bounds& particles = look.particles;
    if (!setting.has_scene && particles.size().z <= 2.001 * largest_radius) setting.dimensions = 2;
    choose_colours(look, options, survey, setting);
    if (look.by_material) look.legend = {};
    look.stage = stage_bounds(particles, obstacles, setting.dimensions);
    if (!particles.empty()) look.outline.add(obstacles, particles);
    prepare(setting.obstacles, look.stage, setting.dimensions);
    for (Prop& prop : setting.props) prepare(prop.parts, look.stage, setting.dimensions);
    const double size = norm(particles.empty() ? look.stage.size() : particles.size());
    look.materials = MaterialLooks(setting.matter, size);
    for (const LookSettings& own : setting.obstacle_looks)
        look.obstacles.push_back(obstacle_optics(own, size));
    look.camera = chosen_camera(options, setting, look);
    return look;
}

double turned_at(const RenderOptions& options, std::size_t i, std::size_t count) {
    return count > 1 ? options.turn * static_cast<double>(i) / static_cast<double>(count) : 0;
}

void warn_of_empty_pictures(const std::string& who, const Look& look, const RenderOptions& options,
                            const Setting& setting, const std::vector<FrameFile>& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Camera camera =
            turned_camera(camera_at(look.camera, look.keys, chosen[i].number / setting.frame_rate),
                          look.stage, turned_at(options, i, chosen.size()));
        const Lens lens(camera, options.width, options.height);
        for (const Vec3f& x : look.sample) {
            const Vec3f at = lens.project(x);
            if ((at.z > 0 || !camera.perspective) && at.x >= 0 && at.x < static_cast<float>(options.width) &&
                at.y >= 0 && at.y < static_cast<float>(options.height))
                return;
        }
    }
    if (look.sample.empty()) {
        fmt::print(
            stderr,
            "warning: the pictures show no matter: there is none in these frames, or all of it is hidden "
            "or cut off\n");
        return;
    }
    const Bounds& box = look.particles;
    fmt::print(stderr,
               "warning: {} sees none of the matter; it is within ({:.3g}, {:.3g}, {:.3g}) and "
               "({:.3g}, {:.3g}, {:.3g}) m\n",
               who, box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z);
}

std::vector<Rgb> blended_colours(const SurfaceMesh& mesh, const Look& look, const Setting& setting) {
    if (look.attribute != "material" || !look.colours.map.categorical()) return {};
    std::vector<Rgb> colours(mesh.vertices.size(), Rgb{});
    std::vector<float> total(mesh.vertices.size(), 0.f);
    for (std::size_t m = 0; m < setting.materials.size(); ++m)
        for (const SurfaceMesh::Attribute& a : mesh.attributes) {
            if (a.name != fraction_name(setting.materials[m])) continue;
            for (std::size_t v = 0; v < colours.size(); ++v) {
                colours[v] += a.values[v] * look.colours(static_cast<float>(m));
                total[v] += a.values[v];
            }
        }
    for (std::size_t v = 0; v < colours.size(); ++v) {
        if (!(total[v] > 0)) return {};
        colours[v] = colours[v] / total[v];
    }
    return colours;
}

}  // namespace thixo
