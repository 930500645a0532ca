#include "view/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "geometry/triangle_mesh.h"
#include "view/particle_reader.h"

namespace thixo {

namespace {

using Json = nlohmann::json;

TriangleMesh box_mesh(const Box& box, const Placement& placement) {
    TriangleMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.vertices.push_back(placement.to_world(Bounds{box.min, box.max}.corner(k)));
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

/// Triangles where a signed distance changes its sign: surface nets (Gibson 1998), a vertex in each cell that
/// the surface crosses, the mean of where it crosses the cell's edges.
TriangleMesh surface_nets(const Shape& shape, const Bounds& box, int dimensions) {
    constexpr int cells = 40;
    const Vec3d size = box.size();
    const double step = std::max({size.x, size.y, size.z}) / cells;
    const Bounds grid = box.grown(1.5 * step);
    const std::array<int, 3> n{static_cast<int>(grid.size().x / step) + 2,
                               static_cast<int>(grid.size().y / step) + 2,
                               static_cast<int>(grid.size().z / step) + 2};
    const auto number = [&](int i, int j, int k) {
        return (static_cast<std::size_t>(k) * n[1] + j) * n[0] + i;
    };
    const auto place = [&](int i, int j, int k) {
        return grid.min + step * Vec3d{1.0 * i, 1.0 * j, 1.0 * k};
    };
    std::vector<float> d(number(0, 0, n[2]));
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                d[number(i, j, k)] =
                    static_cast<float>(signed_distance(shape, place(i, j, k), dimensions).distance);
    TriangleMesh mesh;
    std::map<std::size_t, std::uint32_t> vertex;
    for (int k = 0; k + 1 < n[2]; ++k)
        for (int j = 0; j + 1 < n[1]; ++j)
            for (int i = 0; i + 1 < n[0]; ++i) {
                Vec3d sum{};
                int crossings = 0;
                for (int a = 0; a < 8; ++a)
                    for (const int axis : {1, 2, 4}) {
                        if (a & axis) continue;
                        const int b = a | axis;
                        const auto at = [&](int c) {
                            return d[number(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
                        };
                        if ((at(a) < 0) == (at(b) < 0)) continue;
                        const double fraction = at(a) / (at(a) - at(b));
                        const Vec3d from = place(i + (a & 1), j + (a >> 1 & 1), k + (a >> 2)),
                                    to = place(i + (b & 1), j + (b >> 1 & 1), k + (b >> 2));
                        sum += from + fraction * (to - from);
                        ++crossings;
                    }
                if (crossings == 0) continue;
                vertex[number(i, j, k)] = static_cast<std::uint32_t>(mesh.vertices.size());
                mesh.vertices.push_back(sum / crossings);
            }
    // Around each edge of the grid that is crossed four cells share a quadrilateral.
    const auto quad = [&](bool turned, std::array<std::size_t, 4> around) {
        std::array<std::uint32_t, 4> v{};
        for (std::size_t c = 0; c < 4; ++c) {
            const auto found = vertex.find(around[c]);
            if (found == vertex.end()) return;
            v[c] = found->second;
        }
        if (turned) std::swap(v[1], v[3]);
        mesh.triangles.push_back({v[0], v[1], v[2]});
        mesh.triangles.push_back({v[0], v[2], v[3]});
    };
    for (int k = 1; k + 1 < n[2]; ++k)
        for (int j = 1; j + 1 < n[1]; ++j)
            for (int i = 1; i + 1 < n[0]; ++i) {
                const bool in = d[number(i, j, k)] < 0;
                const auto crosses = [&](int a, int b, int c) { return in != (d[number(a, b, c)] < 0); };
                if (crosses(i + 1, j, k))
                    quad(!in, {number(i, j - 1, k - 1), number(i, j, k - 1), number(i, j, k),
                               number(i, j - 1, k)});
                if (crosses(i, j + 1, k))
                    quad(!in, {number(i - 1, j, k - 1), number(i - 1, j, k), number(i, j, k),
                               number(i, j, k - 1)});
                if (crosses(i, j, k + 1))
                    quad(!in, {number(i - 1, j - 1, k), number(i, j - 1, k), number(i, j, k),
                               number(i - 1, j, k)});
            }
    return mesh;
}

Json describe_obstacle(const Obstacle& obstacle, const Bounds& stage, int dimensions) {
    Json out{{"name", obstacle.name}, {"inside", obstacle.inside}, {"moves", obstacle.motion.moves()}};
    const Shape& shape = obstacle.shape;
    if (const auto* plane = std::get_if<Plane>(&shape.kind)) {
        const auto [point, normal] = placed(*plane, shape.placement);
        out["plane"] = {{"point", {point.x, point.y, point.z}}, {"normal", {normal.x, normal.y, normal.z}}};
        return out;
    }
    const Bounds own = bounds(shape);
    Bounds box = own.has_end() ? own : stage.grown(0.2 * norm(stage.size()));
    if (dimensions == 2) box.min.z = -0.02 * norm(box.size()), box.max.z = -box.min.z;
    const auto* plain = std::get_if<Box>(&shape.kind);
    const TriangleMesh mesh =
        plain ? box_mesh(*plain, shape.placement) : surface_nets(shape, box, dimensions);
    Json vertices = Json::array(), triangles = Json::array();
    for (const Vec3d& x : mesh.vertices)
        for (const double a : {x.x, x.y, x.z}) vertices.push_back(static_cast<float>(a));
    for (const TriangleMesh::Corners& t : mesh.triangles)
        for (const std::uint32_t corner : t) triangles.push_back(corner);
    out["vertices"] = std::move(vertices);
    out["triangles"] = std::move(triangles);
    out["flat"] = plain != nullptr;
    return out;
}

/// What actions change.
Json constants_of(const Model& model) {
    Json materials = Json::array();
    for (const Material& m : model.materials) {
        Json entry{{"name", m.name},
                   {"young_modulus", m.solid.young_modulus},
                   {"density", m.density},
                   {"specific_heat", m.heat.specific_heat}};
        if (m.liquid.viscosity_table.empty()) entry["viscosity"] = m.liquid.viscosity;
        if (m.heat.melting_point) entry["melting_point"] = *m.heat.melting_point;
        materials.push_back(std::move(entry));
    }
    return {{"gravity", {model.gravity.x, model.gravity.y, model.gravity.z}},
            {"materials", std::move(materials)}};
}

}  // namespace

std::string describe_constants(const Model& model) {
    return constants_of(model).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string describe_stage(const Subject& subject) {
    const Scene& scene = subject.scene();
    const Model& model = scene.model;
    Bounds stage;
    for (const Object& object : model.objects) stage.include(bounds(object.shape));
    for (const Emitter& emitter : model.emitters) stage.include(emitter.position);
    for (const Obstacle& obstacle : model.obstacles)
        if (obstacle.inside && bounds(obstacle.shape).has_end()) stage.include(bounds(obstacle.shape));
    if (!stage.has_end()) stage = {{-1, -1, -1}, {1, 1, 1}};
    Json obstacles = Json::array();
    for (const Obstacle& obstacle : model.obstacles)
        obstacles.push_back(describe_obstacle(obstacle, stage, model.dimensions));
    const double gravity = norm(model.gravity);
    const Vec3d down = gravity > 0 ? model.gravity / gravity : Vec3d{0, -1, 0};
    Json units = Json::object();
    for (const std::string& attribute : subject.attributes()) units[attribute] = subject.unit(attribute);
    return Json{{"name", scene.name},
                {"live", subject.live()},
                {"dimensions", model.dimensions},
                {"spacing", model.particles.spacing},
                {"frame_rate", scene.frame_rate},
                {"frames", subject.last_frame()},
                {"down", {down.x, down.y, down.z}},
                {"attributes", subject.attributes()},
                {"units", units},
                {"has_meshes", subject.has_meshes()},
                {"constants", constants_of(subject.model())},
                {"objects", object_names(scene)},
                {"min", {stage.min.x, stage.min.y, stage.min.z}},
                {"max", {stage.max.x, stage.max.y, stage.max.z}},
                {"obstacles", obstacles}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string obstacle_poses(const Scene& scene, double time) {
    Json out = Json::array();
    bool moves = false;
    for (const Obstacle& obstacle : scene.model.obstacles) {
        moves |= obstacle.motion.moves();
        const Pose pose = obstacle.motion.at(time);
        Json numbers = Json::array();
        for (const Vec3d& v : {pose.axes[0], pose.axes[1], pose.axes[2], pose.translation})
            for (const double a : {v.x, v.y, v.z}) numbers.push_back(static_cast<float>(a));
        out.push_back(std::move(numbers));
    }
    return moves ? Json{{"poses", out}}.dump() : "";
}

}  // namespace thixo
