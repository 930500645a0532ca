#include "surface_frames.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <deque>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "skin/hand_over.h"
#include "surface/outline.h"
#include "text.h"
#include "vdb_available.h"

namespace thixo {

namespace {

/// Some particles of a frame, with the columns that surfaces carry on.
struct Group {
    std::string name;
    std::vector<Index> rows;
    std::optional<int> body = {};
};

const std::vector<float>* column(const ParticleFrame& frame, const std::string& name) {
    const auto found = frame.attributes.find(name);
    return found == frame.attributes.end() ? nullptr : &found->second;
}

/// A name that is a folder everywhere.
std::string folder_name(std::string name) {
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name.starts_with('.') ? "_" + name : name;
}

std::string group_name(SurfaceGrouping by, int key, const SurfaceContext& context) {
    const auto k = static_cast<std::size_t>(key);
    switch (by) {
        case SurfaceGrouping::all:
            break;
        case SurfaceGrouping::material:
            return k < context.materials.size() ? folder_name(context.materials[k])
                                                : fmt::format("material_{}", key);
        case SurfaceGrouping::phase:
            return k < phase_names.size() ? std::string(phase_names[k]) : fmt::format("phase_{}", key);
        case SurfaceGrouping::body:
            return key == 0 ? "liquid" : fmt::format("body_{}", key);
    }
    return "all";
}

std::vector<Group> groups_of(const ParticleFrame& frame, SurfaceGrouping by, const SurfaceContext& context) {
    const char* name = by == SurfaceGrouping::material ? "material"
                       : by == SurfaceGrouping::phase  ? "phase"
                                                       : "body";
    const std::vector<float>* keys = by == SurfaceGrouping::all ? nullptr : column(frame, name);
    if (by != SurfaceGrouping::all && !keys)
        throw InputError(
            fmt::format("the particles have no attribute \"{}\" to group their surfaces by", name));
    std::map<int, Group> groups;
    // A frame without particles has a surface too: an empty one.
    if (by == SurfaceGrouping::all) groups[0].name = "all";
    for (Index i = 0; i < frame.position.size(); ++i) {
        const int key = keys ? static_cast<int>((*keys)[i]) : 0;
        Group& group = groups[key];
        if (group.name.empty()) group.name = group_name(by, key, context);
        if (by == SurfaceGrouping::body && key > 0) group.body = key;
        group.rows.push_back(i);
    }
    std::vector<Group> out;
    for (auto& [key, group] : groups) out.push_back(std::move(group));
    return out;
}

std::vector<float> picked(const std::vector<float>& values, const std::vector<Index>& rows) {
    std::vector<float> out;
    out.reserve(rows.size());
    for (const Index row : rows) out.push_back(values[row]);
    return out;
}

}  // namespace

std::vector<float> volumes(const ParticleFrame& frame, const SurfaceContext& context) {
    const std::vector<float>*mass = column(frame, "mass"), *material = column(frame, "material");
    if (!mass || !material || context.densities.empty()) return {};
    std::vector<float> out(mass->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto m = static_cast<std::size_t>((*material)[i]);
        if (m >= context.densities.size()) return {};
        out[i] = static_cast<float>((*mass)[i] / context.densities[m]);
        if (!(out[i] > 0) || !std::isfinite(out[i])) return {};
    }
    return out;
}

std::vector<SurfaceObstacle> obstacles_at(const SurfaceContext& context, double time) {
    std::vector<SurfaceObstacle> obstacles;
    for (const Obstacle& o : context.obstacles)
        obstacles.push_back(
            {shape_at(o.shape, o.animation, time), o.inside, o.motion.at(time), context.dimensions});
    return obstacles;
}

namespace {

/// Columns that surfaces carry on, and how much of each material there is, for colours that blend where
/// materials meet.
std::vector<CarriedColumn> carried_columns(const ParticleFrame& frame, const SurfaceOutput& output,
                                           const SurfaceContext& context) {
    struct Known {
        const char *name, *unit;
        bool blend;
    };
    constexpr Known known[] = {{"vx", "m/s", true},           {"vy", "m/s", true},   {"vz", "m/s", true},
                               {"temperature", "degC", true}, {"rest_x", "m", true}, {"rest_y", "m", true},
                               {"rest_z", "m", true},         {"phase", "", false},  {"material", "", false},
                               {"object", "", false},         {"body", "", false}};
    std::vector<CarriedColumn> out;
    for (const Known& k : known)
        if (const std::vector<float>* values = column(frame, k.name))
            out.push_back({k.name, k.unit, *values, k.blend});
    const std::vector<float>* material = column(frame, "material");
    if (material && context.materials.size() > 1 && output.by != SurfaceGrouping::material)
        for (std::size_t m = 0; m < context.materials.size(); ++m) {
            std::vector<float> fraction = *material;
            for (float& f : fraction) f = static_cast<std::size_t>(f) == m ? 1.f : 0.f;
            out.push_back({fraction_name(context.materials[m]), "", std::move(fraction), true});
        }
    return out;
}

/// What all surfaces of a frame are made from.
struct FrameSources {
    const Device& device;
    const ParticleFrame& frame;
    const SurfaceOutput& output;
    const SurfaceContext& context;
    std::vector<float> volume;
    std::vector<CarriedColumn> columns;
    std::vector<SurfaceObstacle> obstacles;
    SkinsOfFrame skins;
};

/// The columns that a surface of some rows is made from. Those of all rows are used where they are.
class PickedColumns {
public:
    PickedColumns(const FrameSources& from, const std::vector<Index>& rows) {
        const bool all = rows.size() == from.frame.position.size();
        const auto pick = [&](const std::vector<float>& values) -> View<const float> {
            if (all || values.empty()) return values;
            return columns_.emplace_back(picked(values, rows));
        };
        if (!all) {
            position_.reserve(rows.size());
            for (const Index row : rows) position_.push_back(from.frame.position[row]);
        }
        particles = {all ? from.frame.position : position_, pick(from.frame.radius), pick(from.volume)};
        for (const CarriedColumn& c : from.columns)
            attributes.push_back({c.name, c.unit, pick(c.values), c.blend});
    }

    SurfaceParticles particles;
    std::vector<ParticleAttribute> attributes;

private:
    std::vector<Vec3f> position_;
    std::deque<std::vector<float>> columns_;  // never moved: views point at them
};

Surface surface_of(const FrameSources& from, const std::vector<Index>& rows,
                   const std::optional<ActiveState>& last) {
    const PickedColumns columns(from, rows);
    SurfaceSettings settings = from.output.settings;
    const std::vector<MeshFormat>& formats = from.output.formats;
    settings.keep_field = std::find(formats.begin(), formats.end(), MeshFormat::vdb) != formats.end();
    if (from.context.dimensions == 2)
        return reconstruct_outline(from.device, columns.particles, columns.attributes, settings,
                                   from.context.radius, free_memory(), from.obstacles);
    return reconstruct(from.device, columns.particles, columns.attributes, settings, from.context.radius,
                       free_memory(), from.obstacles, last);
}

/// The surface of the matter that no skin covers, and the skins.
Surface skinned_surface(const FrameSources& from, const Group& group,
                        const std::optional<ActiveState>& last) {
    if (from.skins.parts.empty()) return surface_of(from, group.rows, last);
    std::vector<Index> rows;
    double covered = 0;
    std::vector<bool> in_group(from.frame.position.size());
    for (const Index row : group.rows) {
        in_group[row] = true;
        if (!from.skins.hidden[row]) rows.push_back(row);
        const float r = from.frame.radius[row];
        covered += from.volume.empty() ? 8 * double{r} * r * r : double{from.volume[row]};
    }
    Surface out;
    if (!rows.empty()) out = surface_of(from, rows, last);
    if (from.skins.growing) {
        std::vector<Vec3f> position;
        for (const Index row : rows) position.push_back(from.frame.position[row]);
        lower_ungrown(from.device, out.mesh, position, from.skins.spacing);
    }
    for (const SkinPart& part : from.skins.parts)
        if (in_group[part.row]) append(out.mesh, part.mesh);
    out.volume = covered;
    out.report = examine(from.device, out.mesh);
    return out;
}

std::optional<int> parent_of(const Group& group, const SurfaceContext& context) {
    if (!group.body) return std::nullopt;
    const auto found = context.parents.find(*group.body);
    return found == context.parents.end() ? 0 : found->second;
}

}  // namespace

std::string fraction_name(const std::string& material) { return "fraction_" + folder_name(material); }

SurfaceContext surface_context(const Scene& scene) {
    SurfaceContext context{.radius = 0.5 * scene.model.particles.spacing};
    for (const Material& material : scene.model.materials) {
        context.materials.push_back(material.name);
        context.densities.push_back(material.density);
    }
    context.obstacles = scene.model.obstacles;
    context.dimensions = scene.model.dimensions;
    return context;
}

void refuse_impossible(const SurfaceOutput& output, int dimensions) {
    const bool as_field =
        std::find(output.formats.begin(), output.formats.end(), MeshFormat::vdb) != output.formats.end();
    if (as_field && !can_write_vdb())
        throw InputError(
            "this program was built without OpenVDB and cannot write .vdb files; install it "
            "(`script/setup openvdb`) and build Thixo again");
    if (dimensions != 2) return;
    if (output.settings.method == SurfaceMethod::active)
        throw InputError("this is a run in 2D; active surfaces are made in 3D");
    if (as_field) throw InputError("this is a run in 2D; .vdb files are written in 3D");
    if (output.settings.slivers > 0)
        throw InputError("this is a run in 2D; outlines have no triangles, so leave `slivers` away");
}

std::map<int, int> parents_of_bodies(const std::string& table) {
    std::map<int, int> parents;
    std::istringstream in(table);
    std::string line;
    for (std::getline(in, line); std::getline(in, line);) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() < 6 || fields[3] != "came off") continue;
        int body = 0, parent = 0;
        std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), body);
        std::from_chars(fields[4].data(), fields[4].data() + fields[4].size(), parent);
        parents.emplace(body, parent);
    }
    return parents;
}

std::vector<NamedSurface> surfaces_of(const Device& device, const ParticleFrame& frame,
                                      const SurfaceOutput& output, const SurfaceContext& context,
                                      const LastState& last, RunSkins* skins) {
    const bool active = output.settings.method == SurfaceMethod::active;
    FrameSources from{
        device, frame, output, context, volumes(frame, context), carried_columns(frame, output, context),
        {},     {}};
    from.obstacles = obstacles_at(context, frame.time);
    if (skins && output.skins) {
        skins->follow(device, frame);
        from.skins = skins->pose(device, frame, from.columns);
        if (from.skins.growing) from.columns.push_back({grown_attribute, "", from.skins.grown, true});
    }
    std::vector<NamedSurface> out;
    for (const Group& group : groups_of(frame, output.by, context)) {
        const auto start = std::chrono::steady_clock::now();
        Surface surface = skinned_surface(from, group, active ? last(group.name) : std::nullopt);
        if (!surface.report.manifold())
            throw RunError(
                fmt::format("the surface of `{}` at t = {:g} s is not a closed manifold ({} open vertices, "
                            "{} triangles without area); it "
                            "was not written. Another resolution may help",
                            group.name, frame.time, surface.report.open, surface.report.degenerate));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        out.push_back({group.name, group.rows.size(), output.settings.resolution * context.radius,
                       parent_of(group, context), std::move(surface), seconds.count()});
    }
    return out;
}

}  // namespace thixo
