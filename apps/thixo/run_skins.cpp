#include "run_skins.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"
#include "geometry/layer.h"
#include "skin/shape_mesh.h"
#include "text.h"

namespace thixo {

namespace {

constexpr Index gone = ~Index{0};

const std::vector<float>& needed_column(const ParticleFrame& frame, const std::string& name) {
    const auto found = frame.attributes.find(name);
    if (found == frame.attributes.end())
        throw InputError(fmt::format("the particles have no attribute \"{}\", which skins need", name));
    return found->second;
}

/// Triangles of half a spacing: bends of a body and borders of what melts are no finer.
constexpr double edge_spacings = 0.5;

TriangleMesh mesh_of(const Device& device, const Object& object, double spacing) {
    const double edge = edge_spacings * spacing;
    if (object.skin->of_shape()) return shape_mesh(device, object.shape, edge, spacing);
    TriangleMesh mesh = *object.skin->content;
    for (Vec3d& x : mesh.vertices) x = object.shape.placement.to_world(x);
    refine(mesh, 2 * edge);
    return mesh;
}

bool is_single_layer(const Shape& shape) {
    const auto* rectangle = std::get_if<RectangleSheet>(&shape.kind);
    return is_layer(shape) && !(rectangle && rectangle->layers > 1);
}

/// Lattices find new neighbours; other solids break only if their material says so.
bool can_tear(const Scene& scene, const Object& object) {
    for (const Material& material : scene.model.materials)
        if (material.name == object.material)
            return material.solid.model == SolidModel::lattice || material.solid.break_strain > 0 ||
                   material.solid.break_stress > 0;
    return true;
}

}  // namespace

bool has_skins(const Scene& scene) {
    return std::any_of(scene.model.objects.begin(), scene.model.objects.end(),
                       [](const Object& object) { return object.skin.has_value(); });
}

RunSkins::RunSkins(const Device& device, const Scene& scene, const ParticleFrame& start) {
    const std::vector<float>&object_of = needed_column(start, "object"), &id_of = needed_column(start, "id");
    for (std::size_t k = 0; k < scene.model.objects.size(); ++k) {
        const Object& object = scene.model.objects[k];
        if (!object.skin) continue;
        std::vector<Index> rows;
        for (Index row = 0; row < start.position.size(); ++row)
            if (static_cast<std::size_t>(object_of[row]) == k) rows.push_back(row);
        // In the order of their ids: rows of a table are sorted by place.
        std::sort(rows.begin(), rows.end(), [&](Index a, Index b) { return id_of[a] < id_of[b]; });
        std::vector<Vec3d> position;
        std::vector<std::uint32_t> id;
        float radius = 0;
        for (const Index row : rows) {
            if (id_of[row] >= 0x1p24f)
                throw InputError(fmt::format("`{}`: skins are made for ids below 2^24", object.name));
            position.push_back(to_double(start.position[row]));
            id.push_back(static_cast<std::uint32_t>(id_of[row]));
            radius = std::max(radius, start.radius[row]);
        }
        if (rows.empty()) continue;
        const double spacing = 2 * double{radius};
        Skin skin(device, mesh_of(device, object, spacing), std::move(position), spacing,
                  is_single_layer(object.shape) ? CarrierKind::layer : CarrierKind::solid,
                  object.skin->texture);
        SkinMemory memory(skin.carriers(), can_tear(scene, object));
        skins_.push_back({object.name, std::move(id), std::move(skin), std::move(memory), {}});
    }
}

void RunSkins::follow(const Device& device, const ParticleFrame& frame) {
    const std::vector<float>&id_of = needed_column(frame, "id"), &phase = needed_column(frame, "phase"),
          &body = needed_column(frame, "body");
    std::unordered_map<std::uint32_t, Index> row_of;
    for (Index row = 0; row < frame.position.size(); ++row)
        row_of[static_cast<std::uint32_t>(id_of[row])] = row;
    for (OfObject& object : skins_) {
        const std::size_t n = object.id.size();
        object.rows.assign(n, gone);
        std::vector<Vec3f> position(n);
        std::vector<std::uint8_t> present(n);
        std::vector<int> bodies(n, no_body);
        for (std::size_t i = 0; i < n; ++i) {
            const auto found = row_of.find(object.id[i]);
            if (found == row_of.end()) continue;
            const Index row = object.rows[i] = found->second;
            present[i] = 1;
            position[i] = frame.position[row];
            if (static_cast<Phase>(phase[row]) != Phase::liquid) bodies[i] = static_cast<int>(body[row]);
        }
        object.memory.follow(device, position, bodies, present);
        object.skin.follow(device, object.memory.grip(), object.memory.motions(), object.memory.before(),
                           position);
    }
}

SkinsOfFrame RunSkins::pose(const Device& device, const ParticleFrame& frame,
                            const std::vector<CarriedColumn>& columns) {
    SkinsOfFrame out;
    out.hidden.resize(frame.position.size());
    out.grown.resize(frame.position.size(), 1);
    for (OfObject& object : skins_) {
        const auto n = static_cast<Index>(object.id.size());
        std::vector<std::vector<float>> values;
        std::vector<ParticleAttribute> attributes;
        values.reserve(columns.size());
        for (const CarriedColumn& c : columns) {
            std::vector<float>& picked = values.emplace_back(n);
            for (Index i = 0; i < n; ++i) picked[i] = object.rows[i] == gone ? 0 : c.values[object.rows[i]];
            attributes.push_back({c.name, c.unit, picked, c.blend});
        }
        const SkinGrip& grip = object.memory.grip();
        std::vector<Vec3f> particles;
        for (const Index row : object.rows)
            if (row != gone) particles.push_back(frame.position[row]);
        for (Skin::Posed& posed :
             object.skin.pose(device, grip, object.memory.motions(), particles, attributes)) {
            // The group of a piece is that of its first particle that is solid, or of the first that carries
            // it.
            Index row = gone;
            bool solid = false;
            for (Index i = 0; i < n && !solid; ++i) {
                if (grip.piece[i] != posed.piece || !(grip.firmness[i] > 0)) continue;
                solid = !object.memory.has_left(i);
                if (solid || row == gone) row = object.rows[i];
            }
            out.parts.push_back({row, std::move(posed.mesh)});
        }
        for (Index i = 0; i < n; ++i) {
            if (object.rows[i] == gone) continue;
            out.hidden[object.rows[i]] = object.memory.is_shown(i) ? 0 : 1;
            out.grown[object.rows[i]] = object.memory.grown()[i];
            out.growing = out.growing || (object.memory.is_shown(i) && object.memory.grown()[i] < 1);
        }
        out.spacing = std::max(out.spacing, object.skin.carriers().spacing());
    }
    return out;
}

std::string RunSkins::report() const {
    std::string text;
    for (const OfObject& object : skins_) {
        const double far = object.skin.farthest_vertex();
        text += fmt::format(
            "{}`{}`: {} vertices, {} triangles, at most {:.3g} m ({:.2f} spacings) from a particle\n",
            text.empty() ? "skins        " : "             ", object.name,
            with_commas(object.skin.mesh().vertices.size()), with_commas(object.skin.mesh().triangles.size()),
            far, far / object.skin.carriers().spacing());
    }
    return text;
}

}  // namespace thixo
