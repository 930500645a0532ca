#include "render_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "surface/reconstruct.h"

namespace thixo {
namespace {

/// More bodies than this share a surface: each costs a pass over the scene's obstacles.
constexpr std::size_t most_bodies = 64;

/// Clear matter goes on below what is closer to it than this, in radii of both.
constexpr float contact_radii = 1.5f;

struct LookGroup {
    std::vector<Index> rows;
    std::set<std::size_t> looks;
    int priority = 0;
    bool clear = false;
};

const std::vector<float>* look_column(const ParticleFrame& frame, const char* name) {
    const auto found = frame.attributes.find(name);
    return found == frame.attributes.end() ? nullptr : &found->second;
}

/// First by kind: clear (0), blending (1), bodies (2); then by look or body.
using GroupKey = std::pair<int, std::size_t>;

std::map<GroupKey, LookGroup> groups_of(const ParticleFrame& frame, const MaterialLooks& looks,
                                        const std::vector<std::size_t>& look) {
    const std::vector<float>* body = look_column(frame, "body");
    std::set<float> bodies;
    if (body) bodies.insert(body->begin(), body->end());
    const bool by_body = body && bodies.size() <= most_bodies;
    std::map<GroupKey, LookGroup> groups;
    for (Index i = 0; i < frame.position.size(); ++i) {
        const std::size_t k = look[i];
        const bool clear = looks.optics[k].clear, solid = k % 2 == 1;
        const bool stays = solid && !looks.melts[k / 2] && by_body;
        const GroupKey key = clear   ? GroupKey{0, k}
                             : stays ? GroupKey{2, static_cast<std::size_t>((*body)[i])}
                                     : GroupKey{1, 0};
        LookGroup& group = groups[key];
        group.rows.push_back(i);
        group.looks.insert(k);
        group.clear = clear;
        // Solids displace liquids; of liquids the first displaces the others.
        group.priority = clear ? (solid ? 1000 : 500) - static_cast<int>(k) : 2000;
    }
    return groups;
}

/// Whether particles are near some of the others, by cells as wide as the largest contact.
class Nearness {
public:
    Nearness(const ParticleFrame& frame, const std::vector<Index>& rows) : frame_(frame) {
        for (const float r : frame.radius) cell_ = std::max(cell_, 2 * contact_radii * r);
        for (const Index row : rows) cells_[key(frame.position[row], 0, 0, 0)].push_back(row);
    }
    bool touches(Index i) const {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const auto found = cells_.find(key(frame_.position[i], dx, dy, dz));
                    if (found == cells_.end()) continue;
                    for (const Index j : found->second) {
                        const float reach = contact_radii * (frame_.radius[i] + frame_.radius[j]);
                        if (norm2(frame_.position[i] - frame_.position[j]) < reach * reach) return true;
                    }
                }
        return false;
    }

private:
    std::uint64_t key(const Vec3f& x, int dx, int dy, int dz) const {
        const auto cell = [&](float c, int d) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(c / cell_)) + d) &
                   0x1fffffu;
        };
        return cell(x.x, dx) | cell(x.y, dy) << 21 | cell(x.z, dz) << 42;
    }

    const ParticleFrame& frame_;
    float cell_ = 1e-6f;
    std::unordered_map<std::uint64_t, std::vector<Index>> cells_;
};

/// Rows of a clear group and, below the surfaces that displace it, of what it touches.
std::vector<Index> with_contacts(const ParticleFrame& frame, const LookGroup& group,
                                 const std::map<GroupKey, LookGroup>& groups) {
    std::vector<Index> rows = group.rows;
    const Nearness near(frame, group.rows);
    for (const auto& [key, other] : groups) {
        if (other.priority <= group.priority) continue;
        for (const Index row : other.rows)
            if (near.touches(row)) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// Columns that vertices get, kept alive while the surface is made.
struct LookColumns {
    std::vector<std::vector<float>> values;
    std::vector<ParticleAttribute> attributes;

    LookColumns(const ParticleFrame& frame, const std::vector<Index>& rows,
                const std::vector<std::size_t>& look, const std::set<std::size_t>& looks) {
        values.reserve(4 + looks.size());
        const auto add = [&](std::string name, const auto& value_of) {
            std::vector<float>& out = values.emplace_back();
            for (const Index row : rows) out.push_back(value_of(row));
            attributes.push_back({std::move(name), "", out, true});
        };
        for (const char* name : {"vx", "vy", "vz", "temperature"})
            if (const std::vector<float>* source = look_column(frame, name))
                add(name, [&](Index row) { return (*source)[row]; });
        if (looks.size() > 1)
            for (const std::size_t k : looks)
                add(fmt::format("look_{}", k), [&](Index row) { return look[row] == k ? 1.f : 0.f; });
    }
};

const std::vector<float>* attribute_of(const SurfaceMesh& mesh, const std::string& name) {
    for (const SurfaceMesh::Attribute& a : mesh.attributes)
        if (a.name == name) return &a.values;
    return nullptr;
}

void add_motion(TracedSurface& surface, double shutter) {
    const auto *vx = attribute_of(surface.mesh, "vx"), *vy = attribute_of(surface.mesh, "vy"),
               *vz = attribute_of(surface.mesh, "vz");
    if (shutter <= 0 || !vx || !vy || !vz) return;
    const auto s = static_cast<float>(shutter);
    for (std::size_t v = 0; v < vx->size(); ++v)
        surface.motion.push_back(Vec3f{(*vx)[v], (*vy)[v], (*vz)[v]} * s);
}

void add_temperature(TracedSurface& surface) {
    const bool glows =
        std::any_of(surface.optics.begin(), surface.optics.end(), [](const Optics& o) { return o.glow > 0; });
    if (const auto* temperature = attribute_of(surface.mesh, "temperature"); temperature && glows)
        surface.temperature = *temperature;
}

/// The mean of the looks around each vertex.
std::vector<Optics> blended_optics(const SurfaceMesh& mesh, const MaterialLooks& looks,
                                   const std::set<std::size_t>& used) {
    if (used.size() == 1) return {looks.optics[*used.begin()]};
    std::vector<Optics> out(mesh.vertices.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        float total = 0;
        for (const std::size_t k : used) {
            const float weight = std::max(0.f, (*attribute_of(mesh, fmt::format("look_{}", k)))[v]);
            if (weight <= 0) continue;
            out[v] = total == 0 ? looks.optics[k] : blend(out[v], looks.optics[k], weight / (total + weight));
            total += weight;
        }
        if (total == 0) out[v] = looks.optics[*used.begin()];
    }
    return out;
}

std::string group_name(const GroupKey& key, const MaterialLooks& looks) {
    return key.first == 0   ? looks.name(key.second)
           : key.first == 1 ? std::string("matter")
                            : fmt::format("body {}", key.second);
}

/// Clear matter has one look, that of its group, whatever it goes on below.
TracedSurface field_of(const Device& device, const SurfaceParticles& particles,
                       const std::vector<Index>& rows, const ParticleFrame& frame,
                       const std::vector<std::size_t>& look, const MaterialLooks& looks,
                       const LookGroup& group, const SurfaceSettings& how, double radius,
                       const std::vector<SurfaceObstacle>& obstacles) {
    std::vector<std::uint16_t> own;
    std::vector<float> heat;
    const std::vector<float>* temperature = look_column(frame, "temperature");
    for (const Index row : rows) {
        own.push_back(static_cast<std::uint16_t>(group.clear ? *group.looks.begin() : look[row]));
        if (temperature) heat.push_back((*temperature)[row]);
    }
    TracedSurface surface{.priority = group.priority};
    surface.field = std::make_shared<const TracedField>(
        device, make_field_surface(device, particles, how, radius, free_memory(), obstacles), how.method,
        obstacles, std::move(own), looks.optics, std::move(heat));
    return surface;
}

}  // namespace

MaterialLooks::MaterialLooks(const std::vector<Material>& materials, double size) {
    for (std::size_t m = 0; m < materials.size(); ++m) {
        optics.push_back(optics_of(look_of(materials[m], false, m), size));
        optics.push_back(optics_of(look_of(materials[m], true, m), size));
        melts.push_back(materials[m].heat.melting_point.has_value());
        names.push_back(materials[m].name);
    }
    if (!optics.empty()) return;
    const Material unknown{.name = "water"};
    optics = {optics_of(look_of(unknown, false, 0), size), optics_of(look_of({}, true, 0), size)};
    melts = {false};
    names = {"matter"};
}

std::vector<std::size_t> MaterialLooks::of(const ParticleFrame& frame) const {
    const std::vector<float>*material = look_column(frame, "material"), *phase = look_column(frame, "phase");
    std::vector<std::size_t> out(frame.position.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t m = material ? static_cast<std::size_t>(std::max(0.f, (*material)[i])) : 0;
        out[i] = 2 * (m < melts.size() ? m : 0) + (phase && (*phase)[i] > 0 ? 1 : 0);
    }
    return out;
}

std::vector<TracedSurface> surfaces_by_look(const Device& device, const ParticleFrame& frame,
                                            const MaterialLooks& looks, const SurfaceContext& context,
                                            const LookSurfaceSettings& settings) {
    const std::vector<std::size_t> look = looks.of(frame);
    const std::map<GroupKey, LookGroup> groups = groups_of(frame, looks, look);
    const std::vector<float> volume = volumes(frame, context);
    std::vector<SurfaceObstacle> obstacles = obstacles_at(context, frame.time);
    // A cut closes the surface flat, as a wall would.
    for (const ClipPlane& cut : settings.cuts)
        obstacles.push_back({Plane{cut.point, -cut.normal}, false, {}, 3});
    SurfaceSettings how = settings.surface;
    if (how.method == SurfaceMethod::active) how.method = SurfaceMethod::anisotropic;
    std::vector<TracedSurface> out;
    for (const auto& [key, group] : groups) {
        const std::vector<Index> rows = group.clear ? with_contacts(frame, group, groups) : group.rows;
        std::vector<Vec3f> position;
        std::vector<float> radius, own_volume;
        for (const Index row : rows) {
            position.push_back(frame.position[row]);
            radius.push_back(frame.radius[row]);
            if (!volume.empty()) own_volume.push_back(volume[row]);
        }
        const LookColumns columns(frame, rows, look, group.clear ? std::set<std::size_t>{} : group.looks);
        TracedSurface surface;
        if (settings.as_field) {
            out.push_back(field_of(device, {position, radius, own_volume}, rows, frame, look, looks, group,
                                   how, context.radius, obstacles));
            continue;
        }
        surface.mesh = reconstruct(device, {position, radius, own_volume}, columns.attributes, how,
                                   context.radius, free_memory(), obstacles)
                           .mesh;
        surface.optics = blended_optics(surface.mesh, looks, group.looks);
        surface.priority = group.priority;
        surface.name = group_name(key, looks);
        add_temperature(surface);
        add_motion(surface, settings.shutter);
        if (!surface.mesh.triangles.empty()) out.push_back(std::move(surface));
    }
    return out;
}

namespace {

/// Read once for all frames.
std::shared_ptr<const Texture> texture_of(const std::string& file) {
    static std::map<std::string, std::shared_ptr<const Texture>> known;
    std::shared_ptr<const Texture>& entry = known[file];
    if (!entry) entry = std::make_shared<const Texture>(load_colour_image(file));
    return entry;
}

}  // namespace

TracedSurface surface_with_looks(SurfaceMesh mesh, const MaterialLooks& looks, double shutter) {
    TracedSurface surface{.mesh = std::move(mesh)};
    const auto *material = attribute_of(surface.mesh, "material"),
               *phase = attribute_of(surface.mesh, "phase");
    for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v) {
        const std::size_t m = material ? static_cast<std::size_t>(std::max(0.f, (*material)[v])) : 0;
        surface.optics.push_back(
            looks.optics[2 * (m < looks.melts.size() ? m : 0) + (phase && (*phase)[v] > 0 ? 1 : 0)]);
    }
    add_temperature(surface);
    add_motion(surface, shutter);
    for (const std::string& file : surface.mesh.textures) surface.textures.push_back(texture_of(file));
    return surface;
}

}  // namespace thixo
