#include "geometry/gltf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/words.h"
#include "geometry/mesh_file.h"

namespace thixo {

namespace {

using Json = GltfData::Json;

/// The vectors of an accessor.
std::vector<Vec3d> vectors_of(const GltfData& data, const Json& accessor) {
    const std::vector<double> numbers = data.numbers(accessor, "VEC3");
    std::vector<Vec3d> out(numbers.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        check_vertex(out[i], "glTF");
    }
    return out;
}

/// A list of `count` finite numbers of a node; nothing if it has none.
std::vector<double> numbers_of(const Json& of, const char* key, std::size_t count) {
    const auto found = of.find(key);
    if (found == of.end()) return {};
    std::vector<double> out;
    if (found->is_array())
        for (const Json& entry : *found)
            if (entry.is_number()) out.push_back(entry.get<double>());
    if ((count > 0 && out.size() != count) || !found->is_array() || out.size() != found->size())
        throw InputError(fmt::format("a node's `{}` is no list of {} numbers", key, count));
    for (const double x : out)
        if (!(std::abs(x) <= largest_coordinate))
            throw InputError(fmt::format("a node's `{}` is too large", key));
    return out;
}

/// Of sixteen numbers, column by column.
GltfTransform transform_of_columns(const double* m) {
    return {{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}, {m[12], m[13], m[14]}};
}

Quaternion<double> rotation_of(const double* q) {
    const Quaternion<double> r{{q[0], q[1], q[2]}, q[3]};
    return norm2(r.v) + r.w * r.w > 0 ? normalized(r) : Quaternion<double>{{}, 1};
}

std::optional<std::size_t> index_in(const GltfData& data, const Json& of, const char* key, const char* list) {
    const auto found = of.find(key);
    if (found == of.end()) return std::nullopt;
    data.entry(list, *found);
    return found->get<std::size_t>();
}

void mark_shown(const GltfData& data, std::vector<GltfNode>& nodes) {
    const Json& scenes = data.list("scenes");
    if (scenes.empty()) {
        for (GltfNode& node : nodes) node.shown = true;
        return;
    }
    const auto chosen = data.tree().find("scene");
    const Json& scene = data.entry("scenes", chosen == data.tree().end() ? Json(0u) : *chosen);
    const auto roots = scene.find("nodes");
    if (roots == scene.end()) return;
    for (const Json& root : *roots) {
        data.entry("nodes", root);
        nodes[root.get<std::size_t>()].shown = true;
    }
}

/// Triangles of a primitive, whose vertices begin at `first`.
void add_triangles(const GltfData& data, const Json& primitive, std::size_t first, std::size_t count,
                   std::vector<TriangleMesh::Corners>& out) {
    constexpr std::size_t triangles = 4;
    if (gltf_count(primitive, "mode", triangles) != triangles)
        throw InputError("has points, lines or strips; allowed: triangles");
    std::vector<double> corners;
    if (primitive.contains("indices")) corners = data.numbers(primitive["indices"], "SCALAR");
    const std::size_t number = primitive.contains("indices") ? corners.size() : count;
    if (number % 3 != 0) throw InputError("a primitive has corners that are no triangles");
    const auto corner = [&](std::size_t k) {
        const double at = corners.empty() ? static_cast<double>(k) : corners[k];
        if (!(at >= 0 && at < static_cast<double>(count)))
            throw InputError(fmt::format("a triangle names vertex {:.0f}, but there are {}", at, count));
        return static_cast<std::uint32_t>(first + static_cast<std::size_t>(at));
    };
    for (std::size_t k = 0; k < number; k += 3) out.push_back({corner(k), corner(k + 1), corner(k + 2)});
}

/// JOINTS_0, WEIGHTS_0, JOINTS_1, …
void add_influences(const GltfData& data, const Json& attributes, std::size_t count, GltfMesh& mesh,
                    std::size_t first) {
    std::size_t sets = 0;
    while (attributes.contains(fmt::format("JOINTS_{}", sets))) ++sets;
    if (first > 0 && 4 * sets != mesh.influences)
        throw InputError("the parts of a mesh have different numbers of joints at a vertex");
    mesh.influences = 4 * sets;
    mesh.joints.resize((first + count) * 4 * sets);
    mesh.joint_weights.resize((first + count) * 4 * sets);
    for (std::size_t set = 0; set < sets; ++set) {
        const std::vector<double> joints = data.numbers(attributes[fmt::format("JOINTS_{}", set)], "VEC4"),
                                  weights =
                                      data.numbers(attributes.at(fmt::format("WEIGHTS_{}", set)), "VEC4");
        if (joints.size() != 4 * count || weights.size() != 4 * count)
            throw InputError("a mesh has not as many joints and weights as vertices");
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < 4; ++k) {
                const std::size_t at = ((first + i) * sets + set) * 4 + k;
                if (!(joints[4 * i + k] >= 0 && joints[4 * i + k] < 65536) || !(weights[4 * i + k] >= 0))
                    throw InputError("a vertex has a joint or a weight that is none");
                mesh.joints[at] = static_cast<std::uint32_t>(joints[4 * i + k]);
                mesh.joint_weights[at] = weights[4 * i + k];
            }
    }
    for (std::size_t i = first; i < first + count && sets > 0; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < mesh.influences; ++k) sum += mesh.joint_weights[i * mesh.influences + k];
        if (!(sum > 0)) throw InputError("a vertex of a skin follows no joint");
        for (std::size_t k = 0; k < mesh.influences; ++k) mesh.joint_weights[i * mesh.influences + k] /= sum;
    }
}

void add_targets(const GltfData& data, const Json& primitive, std::size_t count, GltfMesh& mesh,
                 std::size_t first) {
    const auto targets = primitive.find("targets");
    const std::size_t number = targets == primitive.end() ? 0 : targets->size();
    if (first > 0 && number != mesh.targets.size())
        throw InputError("the parts of a mesh have different numbers of morph targets");
    mesh.targets.resize(number);
    for (std::size_t t = 0; t < number; ++t) {
        mesh.targets[t].resize(first + count);
        if (!(*targets)[t].contains("POSITION")) continue;
        const std::vector<Vec3d> moved = vectors_of(data, (*targets)[t]["POSITION"]);
        if (moved.size() != count) throw InputError("a morph target has not as many vertices as its mesh");
        std::copy(moved.begin(), moved.end(), mesh.targets[t].begin() + static_cast<std::ptrdiff_t>(first));
    }
}

GltfTrack read_track(const GltfData& data, const Json& sampler, const std::string& path) {
    GltfTrack track;
    using Target = GltfTrack::Target;
    track.target = path == "translation" ? Target::translation
                   : path == "rotation"  ? Target::rotation
                   : path == "scale"     ? Target::scale
                                         : Target::weights;
    const std::string interpolation = sampler.value("interpolation", "LINEAR");
    if (interpolation == "STEP") track.interpolation = GltfTrack::Interpolation::step;
    if (interpolation == "CUBICSPLINE") track.interpolation = GltfTrack::Interpolation::cubic;
    track.times = data.numbers(sampler.at("input"), "SCALAR");
    const char* type = track.target == Target::weights    ? "SCALAR"
                       : track.target == Target::rotation ? "VEC4"
                                                          : "VEC3";
    track.values = data.numbers(sampler.at("output"), type);
    const std::size_t rows =
        track.times.size() * (track.interpolation == GltfTrack::Interpolation::cubic ? 3 : 1);
    if (rows == 0 || track.values.size() % rows != 0 || track.values.empty())
        throw InputError("an animation has not as many values as times");
    track.width = track.values.size() / rows;
    for (std::size_t k = 0; k < track.times.size(); ++k)
        if (!(track.times[k] >= 0 && track.times[k] <= 1e6) ||
            (k > 0 && !(track.times[k] > track.times[k - 1])))
            throw InputError("the times of an animation do not increase from 0 on");
    for (const double x : track.values)
        if (!(std::abs(x) <= largest_coordinate)) throw InputError("a value of an animation is too large");
    return track;
}

}  // namespace

std::vector<GltfNode> read_nodes(const GltfData& data) {
    const Json& list = data.list("nodes");
    std::vector<GltfNode> nodes(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Json& from = data.entry("nodes", Json(k));
        GltfNode& node = nodes[k];
        if (const auto m = numbers_of(from, "matrix", 16); !m.empty())
            node.matrix = transform_of_columns(m.data());
        if (const auto t = numbers_of(from, "translation", 3); !t.empty())
            node.rest.translation = {t[0], t[1], t[2]};
        if (const auto s = numbers_of(from, "scale", 3); !s.empty()) node.rest.scale = {s[0], s[1], s[2]};
        if (const auto q = numbers_of(from, "rotation", 4); !q.empty())
            node.rest.rotation = rotation_of(q.data());
        node.rest.weights = numbers_of(from, "weights", 0);
        node.mesh = index_in(data, from, "mesh", "meshes");
        node.skin = index_in(data, from, "skin", "skins");
        const auto children = from.find("children");
        if (children == from.end()) continue;
        for (const Json& child : *children) {
            data.entry("nodes", child);
            GltfNode& other = nodes[child.get<std::size_t>()];
            if (other.parent) throw InputError("a node has two parents");
            other.parent = k;
        }
    }
    mark_shown(data, nodes);
    return nodes;
}

std::vector<GltfMesh> read_meshes(const GltfData& data) {
    std::vector<GltfMesh> meshes;
    for (const Json& from : data.list("meshes")) {
        GltfMesh mesh;
        for (const Json& primitive : from.at("primitives")) {
            const Json& attributes = primitive.at("attributes");
            const std::size_t first = mesh.positions.size();
            const std::vector<Vec3d> positions = vectors_of(data, attributes.at("POSITION"));
            mesh.positions.insert(mesh.positions.end(), positions.begin(), positions.end());
            add_triangles(data, primitive, first, positions.size(), mesh.triangles);
            add_influences(data, attributes, positions.size(), mesh, first);
            add_targets(data, primitive, positions.size(), mesh, first);
        }
        mesh.weights = numbers_of(from, "weights", 0);
        meshes.push_back(std::move(mesh));
    }
    return meshes;
}

std::vector<GltfSkin> read_skins(const GltfData& data) {
    std::vector<GltfSkin> skins;
    for (const Json& from : data.list("skins")) {
        GltfSkin skin;
        for (const Json& joint : from.at("joints")) {
            data.entry("nodes", joint);
            skin.joints.push_back(joint.get<std::size_t>());
        }
        skin.inverse_binds.resize(skin.joints.size());
        if (from.contains("inverseBindMatrices")) {
            const std::vector<double> m = data.numbers(from["inverseBindMatrices"], "MAT4");
            if (m.size() < 16 * skin.joints.size()) throw InputError("a skin has fewer matrices than joints");
            for (std::size_t k = 0; k < skin.joints.size(); ++k)
                skin.inverse_binds[k] = transform_of_columns(m.data() + 16 * k);
        }
        skins.push_back(std::move(skin));
    }
    return skins;
}

std::vector<GltfClip> read_clips(const GltfData& data, const std::vector<GltfNode>& nodes,
                                 const std::vector<GltfMesh>& meshes) {
    std::vector<GltfClip> clips;
    for (const Json& from : data.list("animations")) {
        GltfClip clip{.name = from.value("name", ""), .tracks = {}};
        const Json& samplers = from.at("samplers");
        for (const Json& channel : from.at("channels")) {
            const Json& target = channel.at("target");
            const std::string path = target.value("path", "");
            if (!target.contains("node") ||
                (path != "translation" && path != "rotation" && path != "scale" && path != "weights"))
                continue;
            const std::size_t sampler = gltf_count(channel, "sampler", samplers.size());
            if (sampler >= samplers.size())
                throw InputError("an animation names a sampler that is not there");
            data.entry("nodes", target["node"]);
            GltfTrack track = read_track(data, samplers[sampler], path);
            track.node = target["node"].get<std::size_t>();
            const std::size_t width = track.target == GltfTrack::Target::rotation  ? 4
                                      : track.target != GltfTrack::Target::weights ? 3
                                      : nodes[track.node].mesh
                                          ? meshes[*nodes[track.node].mesh].targets.size()
                                          : 0;
            if (track.width != width) throw InputError("an animation has not as many values as times");
            clip.end = std::max(clip.end, track.times.back());
            clip.tracks.push_back(std::move(track));
        }
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace thixo
