#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/atomic_file.h"
#include "io/exported_scene.h"
#include "io/gltf_buffer.h"

namespace thixo {
namespace {

namespace fs = std::filesystem;
using Target = GltfBuffer::Target;

std::string numbers(const Vec3f& c) { return fmt::format("[{}, {}, {}]", c.x, c.y, c.z); }

std::string turn_of(const Pose& pose) { return fmt::format("[{}]", fmt::join(quaternion_of(pose), ", ")); }

template <class Value>
std::vector<Value> picked(const std::vector<Value>& values, const std::vector<std::uint32_t>& source) {
    std::vector<Value> out;
    out.reserve(source.size());
    for (const std::uint32_t v : source) out.push_back(values[v]);
    return out;
}

/// scene.gltf and scene.bin: looks, obstacles and their motion, camera, lights; frames/0000.bin …: matter.
/// glTF has no meshes that change their triangles: each frame is a node, and an animation gives all but the
/// present one the size 0.
class GltfExporter : public SceneExporter {
public:
    GltfExporter(const ExportedScene& scene, fs::path folder) : scene_(scene), folder_(std::move(folder)) {
        begin_frames(folder_, "scene.gltf");
        poses_.resize(scene.obstacles.size());
        for (const ExportedObstacle& o : scene.obstacles)
            obstacle_mesh_.push_back(add_mesh(common_, o.name, o.mesh, {}, o.look));
    }

    void add(const ExportedFrame& frame) override {
        GltfBuffer buffer(1 + times_.size(), views_, accessors_);
        std::vector<std::size_t> children;
        for (const ExportedSurface& s : frame.surfaces) {
            if (s.mesh.triangles.empty()) continue;
            const std::size_t mesh = add_mesh(buffer, s.name, s.mesh, s.colour, s.look);
            children.push_back(
                nodes_.add(fmt::format("{{\"name\": {}, \"mesh\": {}}}", json_string(s.name), mesh)));
        }
        if (frame.particles && !frame.particles->position.empty())
            children.push_back(nodes_.add(fmt::format("{{\"name\": \"particles\", \"mesh\": {}}}",
                                                      add_particles(buffer, *frame.particles))));
        frame_children_.push_back(children);
        const std::string file = fmt::format("frames/{:04}.bin", frame.number);
        const std::string& bytes = buffer.bytes_or_zero();
        write_whole(folder_ / file, bytes);
        files_.push_back({file, bytes.size()});
        numbers_.push_back(frame.number);
        times_.push_back(static_cast<float>(frame.time));
        for (std::size_t k = 0; k < poses_.size(); ++k) poses_[k].push_back(frame.poses[k]);
        cameras_.push_back(frame.camera);
    }

    fs::path finish() override {
        // Textures are found while frames are made.
        for (const ExportedLook& look : scene_.looks) add_look(look);
        add_obstacles();
        add_camera();
        add_key_light();
        add_frames();
        const std::string& bytes = common_.bytes_or_zero();
        write_whole(folder_ / "scene.bin", bytes);
        GltfList buffers;
        const auto entry = [](const std::string& uri, std::size_t size) {
            return fmt::format("{{\"uri\": \"{}\", \"byteLength\": {}}}", uri, size);
        };
        buffers.add(entry("scene.bin", bytes.size()));
        for (const auto& [file, size] : files_) buffers.add(entry(file, size));
        std::string text = fmt::format(
            "{{\n\"asset\": {{\"version\": \"2.0\", \"generator\": {}}},\n"
            "\"extensionsUsed\": [\"KHR_lights_punctual\", \"KHR_materials_ior\", "
            "\"KHR_materials_transmission\", \"KHR_materials_volume\"],\n"
            "\"extensions\": {{\"KHR_lights_punctual\": {{\"lights\": [{}]}}}},\n"
            "\"scene\": 0,\n\"scenes\": [{{\"name\": {}, \"nodes\": [{}], \"extras\": {}}}]",
            json_string(scene_.program.empty() ? "Thixo" : scene_.program), light_, json_string(scene_.title),
            fmt::join(roots_, ", "), extras());
        text += nodes_.member("nodes") + cameras_list_.member("cameras") + meshes_.member("meshes") +
                materials_.member("materials") + textures_.member("textures") + images_.member("images") +
                accessors_.member("accessors") + views_.member("bufferViews") + buffers.member("buffers");
        if (!channels_.empty()) {
            GltfList animations;
            animations.add(fmt::format("{{\"name\": \"run\"{}{}}}", channels_.member("channels"),
                                       samplers_.member("samplers")));
            text += animations.member("animations");
        }
        write_whole(folder_ / "scene.gltf", text + "\n}\n");
        return folder_ / "scene.gltf";
    }

private:
    void add_look(const ExportedLook& l) {
        std::string base = fmt::format(
            "\"baseColorFactor\": [{}, {}, {}, {}], \"metallicFactor\": {}, \"roughnessFactor\": {}",
            l.by_vertex || !l.texture.empty() || l.clear ? 1 : l.colour.x,
            l.by_vertex || !l.texture.empty() || l.clear ? 1 : l.colour.y,
            l.by_vertex || !l.texture.empty() || l.clear ? 1 : l.colour.z, l.opacity, l.metal, l.roughness);
        if (!l.texture.empty()) {
            const std::size_t image = images_.add(fmt::format("{{\"uri\": {}}}", json_string(l.texture)));
            base += fmt::format(", \"baseColorTexture\": {{\"index\": {}}}",
                                textures_.add(fmt::format("{{\"source\": {}}}", image)));
        }
        std::string extensions = fmt::format("\"KHR_materials_ior\": {{\"ior\": {}}}", l.refractive_index);
        if (l.clear)
            extensions += fmt::format(
                ", \"KHR_materials_transmission\": {{\"transmissionFactor\": 1}}, \"KHR_materials_volume\": "
                "{{\"thicknessFactor\": {}, \"attenuationDistance\": {}, \"attenuationColor\": {}}}",
                l.depth, l.depth, numbers(l.colour));
        materials_.add(
            fmt::format("{{\"name\": {}, \"pbrMetallicRoughness\": {{{}}}, \"extensions\": {{{}}}, "
                        "\"alphaMode\": \"{}\", "
                        "\"doubleSided\": {}, \"extras\": {{\"scattering\": {}, \"spread\": {}, \"glow\": "
                        "{}, \"by_vertex\": {}}}}}",
                        json_string(l.name), base, extensions, l.opacity < 1 ? "BLEND" : "OPAQUE",
                        l.clear || l.opacity < 1 ? "false" : "true", l.scattering, numbers(l.spread), l.glow,
                        l.by_vertex ? "true" : "false"));
    }

    std::size_t add_mesh(GltfBuffer& buffer, const std::string& name, const SurfaceMesh& mesh,
                         const std::vector<Vec3f>& colour, std::size_t look) {
        const SplitMesh split = split_at_seams(mesh);
        std::string attributes = fmt::format(
            "\"POSITION\": {}", buffer.vectors(picked(mesh.vertices, split.source), Target::vertices, true));
        const auto add = [&](const char* word, std::size_t accessor) {
            attributes += fmt::format(", \"{}\": {}", word, accessor);
        };
        if (!mesh.normals.empty())
            add("NORMAL", buffer.vectors(picked(mesh.normals, split.source), Target::vertices));
        if (!split.texture.empty()) {
            // v is downwards in glTF.
            std::vector<std::array<float, 2>> down = split.texture;
            for (auto& [u, v] : down) v = 1 - v;
            add("TEXCOORD_0", buffer.pairs(down, Target::vertices));
        }
        if (!colour.empty()) add("COLOR_0", buffer.vectors(picked(colour, split.source), Target::vertices));
        const ExportedSurface whole{name, mesh, look};
        if (const std::vector<Vec3f> velocity = whole.velocity(); !velocity.empty())
            add("_VELOCITY", buffer.vectors(picked(velocity, split.source), Target::vertices));
        if (const auto* temperature = column_of(mesh, "temperature"))
            add("_TEMPERATURE", buffer.floats(picked(*temperature, split.source), Target::vertices));
        return meshes_.add(
            fmt::format("{{\"name\": {}, \"primitives\": [{{\"attributes\": {{{}}}, \"indices\": {}, "
                        "\"material\": {}}}]}}",
                        json_string(name), attributes, buffer.triangles(split.triangles), look));
    }

    std::size_t add_particles(GltfBuffer& buffer, const ParticleFrame& p) {
        std::string attributes = fmt::format("\"POSITION\": {}, \"_RADIUS\": {}",
                                             buffer.vectors(p.position, Target::vertices, true),
                                             buffer.floats(p.radius, Target::vertices));
        const auto column = [&](const char* name) -> const std::vector<float>* {
            const auto found = p.attributes.find(name);
            return found == p.attributes.end() ? nullptr : &found->second;
        };
        const auto *vx = column("vx"), *vy = column("vy"), *vz = column("vz");
        if (vx && vy && vz) {
            std::vector<Vec3f> velocity;
            for (std::size_t i = 0; i < vx->size(); ++i) velocity.push_back({(*vx)[i], (*vy)[i], (*vz)[i]});
            attributes += fmt::format(", \"_VELOCITY\": {}", buffer.vectors(velocity, Target::vertices));
        }
        constexpr std::pair<const char*, const char*> words[] = {
            {"temperature", "_TEMPERATURE"}, {"density", "_DENSITY"}, {"phase", "_PHASE"},
            {"material", "_MATERIAL"},       {"object", "_OBJECT"},   {"body", "_BODY"}};
        for (const auto& [name, word] : words)
            if (const auto* values = column(name))
                attributes += fmt::format(", \"{}\": {}", word, buffer.floats(*values, Target::vertices));
        return meshes_.add(fmt::format(
            "{{\"name\": \"particles\", \"primitives\": [{{\"attributes\": {{{}}}, \"mode\": 0}}]}}",
            attributes));
    }

    /// Nodes whose place does not change are listed as they are, others get channels of the animation.
    std::size_t add_node(const std::string& head, const std::vector<Pose>& poses, bool moves) {
        const Pose& first = poses.front();
        const std::size_t node =
            nodes_.add(fmt::format("{{{}, \"translation\": {}, \"rotation\": {}}}", head,
                                   numbers(to_float(first.translation)), turn_of(first)));
        roots_.push_back(node);
        if (!moves || poses.size() < 2) return node;
        std::vector<Vec3f> places;
        std::vector<std::array<float, 4>> turns;
        for (const Pose& pose : poses) {
            places.push_back(to_float(pose.translation));
            const std::array<double, 4> q = quaternion_of(pose);
            std::array<float, 4> turn{};
            for (std::size_t k = 0; k < 4; ++k) turn[k] = static_cast<float>(q[k]);
            // q and −q mean the same rotation; the way between two of them must be the short one.
            if (!turns.empty()) {
                float same = 0;
                for (std::size_t k = 0; k < 4; ++k) same += turn[k] * turns.back()[k];
                if (same < 0)
                    for (float& x : turn) x = -x;
            }
            turns.push_back(turn);
        }
        add_channel(node, "translation", "LINEAR", all_times(), common_.vectors(places, Target::none));
        add_channel(node, "rotation", "LINEAR", all_times(), common_.quaternions(turns));
        return node;
    }

    void add_channel(std::size_t node, const char* path, const char* how, std::size_t input,
                     std::size_t output) {
        const std::size_t sampler = samplers_.add(
            fmt::format("{{\"input\": {}, \"output\": {}, \"interpolation\": \"{}\"}}", input, output, how));
        channels_.add(fmt::format("{{\"sampler\": {}, \"target\": {{\"node\": {}, \"path\": \"{}\"}}}}",
                                  sampler, node, path));
    }

    std::size_t all_times() {
        if (!times_accessor_) times_accessor_ = common_.floats(times_, Target::none, true);
        return *times_accessor_;
    }

    void add_obstacles() {
        for (std::size_t k = 0; k < scene_.obstacles.size(); ++k) {
            const ExportedObstacle& o = scene_.obstacles[k];
            add_node(fmt::format(
                         "\"name\": {}, \"mesh\": {}, \"extras\": {{\"obstacle\": true, \"container\": {}}}",
                         json_string(o.name), obstacle_mesh_[k], o.container ? "true" : "false"),
                     poses_[k], o.moves);
        }
    }

    void add_camera() {
        const ExportedCamera& c = cameras_.front();
        const double near = 1e-3 * scene_.reach, far = 1e3 * scene_.reach;
        cameras_list_.add(
            c.perspective
                ? fmt::format(
                      "{{\"type\": \"perspective\", \"perspective\": {{\"aspectRatio\": {}, \"yfov\": {}, "
                      "\"znear\": {}, \"zfar\": {}}}}}",
                      scene_.aspect, c.fov * std::numbers::pi / 180, near, far)
                : fmt::format("{{\"type\": \"orthographic\", \"orthographic\": {{\"xmag\": {}, \"ymag\": {}, "
                              "\"znear\": {}, \"zfar\": {}}}}}",
                              0.5 * c.height * scene_.aspect, 0.5 * c.height, near, far));
        std::vector<Pose> poses;
        for (const ExportedCamera& at : cameras_) poses.push_back(at.pose());
        add_node("\"name\": \"camera\", \"camera\": 0", poses, scene_.camera_moves);
    }

    void add_key_light() {
        const ExportedLights& l = scene_.lights;
        const float most = std::max({l.irradiance.x, l.irradiance.y, l.irradiance.z, 1e-6f});
        // glTF counts in lux: of white light 683 lm are 1 W.
        light_ =
            fmt::format("{{\"type\": \"directional\", \"name\": \"key\", \"color\": {}, \"intensity\": {}}}",
                        numbers(l.irradiance / most), 683 * most);
        // It shines along its −z, as a camera looks.
        const Pose facing = ExportedCamera{.eye = to_double(l.towards), .target = {}}.pose();
        add_node("\"name\": \"key\", \"extensions\": {\"KHR_lights_punctual\": {\"light\": 0}}", {facing},
                 false);
    }

    void add_frames() {
        for (std::size_t k = 0; k < times_.size(); ++k) {
            if (frame_children_[k].empty()) continue;
            const std::size_t node =
                nodes_.add(fmt::format("{{\"name\": \"frame {:04}\", \"children\": [{}], \"scale\": {}, "
                                       "\"extras\": {{\"frame\": {}}}}}",
                                       numbers_[k], fmt::join(frame_children_[k], ", "),
                                       k == 0 ? "[1, 1, 1]" : "[0, 0, 0]", numbers_[k]));
            roots_.push_back(node);
            if (times_.size() < 2) continue;
            std::vector<float> when;
            std::vector<Vec3f> size;
            const auto at = [&](std::size_t frame, float scale) {
                when.push_back(times_[frame]);
                size.push_back({scale, scale, scale});
            };
            if (k > 0) at(0, 0);
            at(k, 1);
            if (k + 1 < times_.size()) at(k + 1, 0);
            const std::size_t input = common_.floats(when, Target::none, true);
            add_channel(node, "scale", "STEP", input, common_.vectors(size, Target::none));
        }
    }

    std::string extras() const {
        return fmt::format(
            "{{\"frame_rate\": {}, \"frames\": [{}], \"times\": [{}], \"sky\": {}, \"key_angle\": {}, "
            "\"key_irradiance\": {}}}",
            scene_.frame_rate, fmt::join(numbers_, ", "), fmt::join(times_, ", "), numbers(scene_.lights.sky),
            scene_.lights.angle, numbers(scene_.lights.irradiance));
    }

    const ExportedScene& scene_;
    fs::path folder_;
    GltfList nodes_, meshes_, materials_, textures_, images_, accessors_, views_, cameras_list_, samplers_,
        channels_;
    GltfBuffer common_{0, views_, accessors_};
    std::vector<std::size_t> obstacle_mesh_, roots_;
    std::vector<std::vector<std::size_t>> frame_children_;
    std::vector<std::pair<std::string, std::size_t>> files_;
    std::vector<int> numbers_;
    std::vector<float> times_;
    std::vector<std::vector<Pose>> poses_;
    std::vector<ExportedCamera> cameras_;
    std::string light_;
    std::optional<std::size_t> times_accessor_;
};

}  // namespace

std::unique_ptr<SceneExporter> make_gltf_exporter(const ExportedScene& scene, const fs::path& folder) {
    return std::make_unique<GltfExporter>(scene, folder);
}

}  // namespace thixo
