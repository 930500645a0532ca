#include "geometry/gltf_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/input_file.h"
#include "core/words.h"
#include "geometry/gltf_reader.h"
#include "geometry/mesh_file.h"

namespace thixo {

namespace {

GltfTransform transform_of_pose(const GltfPose& pose) {
    const Mat3d turn = identity<double>() + turn_alone(pose.rotation);
    return {turn * diagonal(pose.scale.x, pose.scale.y, pose.scale.z), pose.translation};
}

double determinant_of(const Mat3d& a) { return dot(a.x, cross(a.y, a.z)); }

/// Spherical interpolation of unit quaternions along the shorter way.
void slerp(const double* a, const double* b, double u, std::vector<double>& out) {
    double cosine = 0;
    for (std::size_t k = 0; k < 4; ++k) cosine += a[k] * b[k];
    const double sign = cosine < 0 ? -1 : 1, angle = std::acos(std::min(std::abs(cosine), 1.));
    const bool near = angle < 1e-6;  // then the sines are too small to divide by
    const double from = near ? 1 - u : std::sin((1 - u) * angle) / std::sin(angle),
                 to = near ? u : std::sin(u * angle) / std::sin(angle);
    for (std::size_t k = 0; k < 4; ++k) out[k] = from * a[k] + sign * to * b[k];
}

void set_value(const GltfTrack& track, double time, GltfPose& pose) {
    const std::vector<double> value = track.at(time);
    switch (track.target) {
        case GltfTrack::Target::translation:
            pose.translation = {value[0], value[1], value[2]};
            break;
        case GltfTrack::Target::scale:
            pose.scale = {value[0], value[1], value[2]};
            break;
        case GltfTrack::Target::rotation: {
            const Quaternion<double> q{{value[0], value[1], value[2]}, value[3]};
            if (norm2(q.v) + q.w * q.w > 0) pose.rotation = normalized(q);
            break;
        }
        case GltfTrack::Target::weights:
            pose.weights = value;
            break;
    }
}

}  // namespace

/// Before its first time a track has its first value, behind the last one its last. [glTF 2.0, appendix C]
std::vector<double> GltfTrack::at(double time) const {
    const bool cubic = interpolation == Interpolation::cubic;
    const std::size_t row = cubic ? 3 * width : width;
    const double* v = values.data() + (cubic ? width : 0);  // the tangents stand before and behind the value
    const auto value_at = [&](std::size_t k) {
        return std::vector<double>(v + k * row, v + k * row + width);
    };
    if (time <= times.front()) return value_at(0);
    if (time >= times.back()) return value_at(times.size() - 1);
    const auto k =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin()) - 1;
    if (interpolation == Interpolation::step) return value_at(k);
    const double length = times[k + 1] - times[k], u = (time - times[k]) / length;
    const double *a = v + k * row, *b = a + row;
    std::vector<double> out(width);
    if (target == Target::rotation && !cubic) {
        slerp(a, b, u, out);
        return out;
    }
    for (std::size_t c = 0; c < width; ++c) {
        if (!cubic) {
            out[c] = a[c] + u * (b[c] - a[c]);
            continue;
        }
        const double leaving = length * a[width + c], arriving = length * *(b - width + c);
        const double uu = u * u, uuu = uu * u;
        out[c] = (2 * uuu - 3 * uu + 1) * a[c] + (uuu - 2 * uu + u) * leaving + (3 * uu - 2 * uuu) * b[c] +
                 (uuu - uu) * arriving;
    }
    return out;
}

GltfScene::GltfScene(std::string_view bytes, const std::filesystem::path& folder) {
    try {
        const GltfData data(bytes, folder);
        nodes_ = read_nodes(data);
        meshes_ = read_meshes(data);
        skins_ = read_skins(data);
        clips_ = read_clips(data, nodes_, meshes_);
        files_ = data.files();
    } catch (const nlohmann::json::exception&) {
        throw InputError("is glTF with an entry missing or of the wrong kind");
    }
    // Parents first; what goes around in a circle is never reached.
    std::vector<std::vector<std::size_t>> children(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        if (nodes_[k].parent)
            children[*nodes_[k].parent].push_back(k);
        else
            order_.push_back(k);
    }
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const std::size_t parent = order_[k];
        for (const std::size_t child : children[parent]) {
            nodes_[child].shown = nodes_[child].shown || nodes_[parent].shown;
            order_.push_back(child);
        }
    }
    if (order_.size() != nodes_.size()) throw InputError("a node is its own ancestor");
    for (const GltfNode& node : nodes_) {
        if (!node.mesh || !node.skin) continue;
        const GltfMesh& mesh = meshes_[*node.mesh];
        for (const std::uint32_t joint : mesh.joints)
            if (joint >= skins_[*node.skin].joints.size())
                throw InputError("a vertex follows a joint that its skin does not have");
    }
    std::vector<std::vector<double>> weights;
    for (const GltfTransform& place : places(nullptr, 0, weights))
        mirrored_.push_back(determinant_of(place.linear) < 0);
}

std::vector<GltfTransform> GltfScene::places(const GltfClip* clip, double time,
                                             std::vector<std::vector<double>>& weights) const {
    std::vector<GltfPose> poses;
    for (const GltfNode& node : nodes_) poses.push_back(node.rest);
    std::vector<bool> moved(nodes_.size(), false);
    if (clip)
        for (const GltfTrack& track : clip->tracks) {
            set_value(track, time, poses[track.node]);
            moved[track.node] = true;
        }
    std::vector<GltfTransform> places(nodes_.size());
    for (const std::size_t k : order_) {
        const GltfNode& node = nodes_[k];
        // A node with a matrix is not to be animated.
        const GltfTransform own = node.matrix && !moved[k] ? *node.matrix : transform_of_pose(poses[k]);
        places[k] = node.parent ? places[*node.parent] * own : own;
    }
    for (GltfPose& pose : poses) weights.push_back(std::move(pose.weights));
    return places;
}

void GltfScene::add_positions(const GltfNode& node, const std::vector<GltfTransform>& places,
                              const std::vector<double>& weights, TriangleMesh& out) const {
    const GltfMesh& mesh = meshes_[*node.mesh];
    const std::vector<double>& morph = weights.empty() ? mesh.weights : weights;
    // With a skin, vertices follow joints alone, whatever the node does.
    std::vector<GltfTransform> joints;
    if (node.skin && mesh.influences > 0)
        for (std::size_t j = 0; j < skins_[*node.skin].joints.size(); ++j)
            joints.push_back(places[skins_[*node.skin].joints[j]] * skins_[*node.skin].inverse_binds[j]);
    const GltfTransform& place = places[static_cast<std::size_t>(&node - nodes_.data())];
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        Vec3d x = mesh.positions[i];
        for (std::size_t t = 0; t < std::min(mesh.targets.size(), morph.size()); ++t)
            x += morph[t] * mesh.targets[t][i];
        Vec3d moved{};
        for (std::size_t k = 0; !joints.empty() && k < mesh.influences; ++k) {
            const std::size_t at = i * mesh.influences + k;
            if (mesh.joint_weights[at] > 0)
                moved += mesh.joint_weights[at] * joints[mesh.joints[at]].apply(x);
        }
        out.vertices.push_back(joints.empty() ? place.apply(x) : moved);
        check_vertex(out.vertices.back(), "glTF");
    }
}

TriangleMesh GltfScene::at(const GltfClip* clip, double time) const {
    std::vector<std::vector<double>> weights;
    const std::vector<GltfTransform> places = this->places(clip, time, weights);
    TriangleMesh out;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const GltfNode& node = nodes_[k];
        if (!node.shown || !node.mesh) continue;
        const auto first = static_cast<std::uint32_t>(out.vertices.size());
        add_positions(node, places, weights[k], out);
        for (const TriangleMesh::Corners& t : meshes_[*node.mesh].triangles) {
            const bool turned = mirrored_[k] && !node.skin;
            out.triangles.push_back({t[0] + first, t[turned ? 2 : 1] + first, t[turned ? 1 : 2] + first});
        }
    }
    return out;
}

const GltfClip& GltfScene::clip(const std::string& name) const {
    if (clips_.empty()) throw InputError("has no animations");
    if (name.empty()) return clips_.front();
    std::string known;
    for (const GltfClip& clip : clips_) {
        if (clip.name == name) return clip;
        known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", shown(clip.name));
    }
    throw InputError(fmt::format("has no animation \"{}\" (it has: {})", shown(name), known));
}

std::vector<TriangleMesh> GltfScene::sampled(const GltfClip& clip, double frame_rate, bool repeat) const {
    constexpr double most_samples = 100'000, most_vertices = 50'000'000;
    const double frames = clip.end * frame_rate, rounding = 1e-6;
    // The end itself is the first mesh again where a clip is repeated.
    const double samples =
        repeat ? std::max(2., std::ceil(frames - rounding)) : std::max(1., std::ceil(frames - rounding)) + 1;
    TriangleMesh first = at(&clip, 0);
    if (samples > most_samples || samples * static_cast<double>(first.vertices.size()) > most_vertices)
        throw InputError(
            fmt::format("{:.0f} meshes of {} vertices are too many; a lower `frame_rate` takes fewer",
                        samples, first.vertices.size()));
    std::vector<TriangleMesh> meshes;
    meshes.push_back(std::move(first));
    for (double k = 1; k < samples; ++k) meshes.push_back(at(&clip, k / frame_rate));
    return closed_meshes(std::move(meshes));
}

GltfScene load_gltf(const std::filesystem::path& file) {
    try {
        return {read_whole(file), file.parent_path()};
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

bool is_gltf(const std::filesystem::path& file) {
    const std::string extension = small_extension(file);
    return extension == ".gltf" || extension == ".glb";
}

}  // namespace thixo
