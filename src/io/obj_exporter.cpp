#include <fmt/format.h>

#include <iterator>

#include "core/atomic_file.h"
#include "io/exported_scene.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

namespace fs = std::filesystem;

/// Wavefront OBJ: a file for each frame, in world coordinates, and one of looks. The numbers of vertices go
/// on from object to object.
class ObjExporter : public SceneExporter {
public:
    ObjExporter(const ExportedScene& scene, fs::path folder) : scene_(scene), folder_(std::move(folder)) {
        create_folder(folder_);
    }

    void add(const ExportedFrame& frame) override {
        const fs::path path = folder_ / fmt::format("{:04}.obj", frame.number);
        if (first_.empty()) first_ = path;
        AtomicFile file(path);
        vertices_ = normals_ = textures_ = 0;
        // Textures are found while frames are made.
        while (looks_.size() < scene_.looks.size())
            looks_.push_back(unique_identifier(scene_.looks[looks_.size()].name, words_));
        std::set<std::string> taken;
        text_ = fmt::format("# Thixo, time {} s, frame {}: metres, y is up\n{}mtllib scene.mtl\n", frame.time,
                            frame.number, provenance());
        for (std::size_t k = 0; k < scene_.obstacles.size(); ++k) {
            const ExportedObstacle& o = scene_.obstacles[k];
            write(file, unique_identifier(o.name, taken), o.mesh, o.look, &frame.poses[k]);
        }
        for (const ExportedSurface& s : frame.surfaces)
            write(file, unique_identifier(s.name, taken), s.mesh, s.look, nullptr);
        if (frame.particles) {
            text_ += fmt::format("o {}\n", unique_identifier("particles", taken));
            for (const Vec3f& x : frame.particles->position) vector(file, "v", x);
            for (std::size_t i = 1; i <= frame.particles->position.size(); ++i) {
                fmt::format_to(std::back_inserter(text_), "p {}\n", vertices_ + i);
                flush_text(file, false);
            }
        }
        flush_text(file, true);
        file.commit();
    }

    fs::path finish() override {
        std::string text = "# Thixo\n" + provenance();
        for (std::size_t k = 0; k < looks_.size(); ++k) {
            const ExportedLook& l = scene_.looks[k];
            // Of white light at the surface: as much as a dielectric of this index reflects, or the colour of
            // a metal.
            const float f = (l.refractive_index - 1) / (l.refractive_index + 1);
            const Vec3f shine = Vec3f{f * f, f * f, f * f} * (1 - l.metal) + l.colour * l.metal;
            const float opaque = l.clear ? 0.2f : l.opacity;
            const float exponent = 2 / std::max(1e-3f, l.roughness * l.roughness * l.roughness * l.roughness);
            text += fmt::format(
                "\nnewmtl {}\nKd {} {} {}\nKs {} {} {}\nNs {:.4g}\nNi {}\nd {}\nPr {}\nPm {}\nillum {}\n",
                looks_[k], l.colour.x, l.colour.y, l.colour.z, shine.x, shine.y, shine.z,
                std::min(1000.f, exponent), l.refractive_index, opaque, l.roughness, l.metal,
                l.clear ? 7 : 2);
            if (l.clear) text += fmt::format("Tf {} {} {}\n", l.colour.x, l.colour.y, l.colour.z);
            if (!l.texture.empty()) text += fmt::format("map_Kd {}\n", l.texture);
        }
        write_whole(folder_ / "scene.mtl", text);
        return first_;
    }

private:
    std::string provenance() const {
        return provenance_lines({.program = scene_.program, .scene = scene_.title}, "# ");
    }

    void flush_text(AtomicFile& file, bool all) {
        if (!all && text_.size() < std::size_t{1} << 18) return;
        file.write(text_);
        text_.clear();
    }
    void vector(AtomicFile& file, const char* kind, const Vec3f& x) {
        fmt::format_to(std::back_inserter(text_), "{} {} {} {}\n", kind, x.x, x.y, x.z);
        flush_text(file, false);
    }

    void write(AtomicFile& file, const std::string& name, const SurfaceMesh& mesh, std::size_t look,
               const Pose* pose) {
        if (mesh.triangles.empty()) return;
        text_ += fmt::format("o {}\nusemtl {}\n", name, looks_[look]);
        for (const Vec3f& x : mesh.vertices)
            vector(file, "v", pose ? to_float(pose->to_world(to_double(x))) : x);
        for (const Vec3f& n : mesh.normals)
            vector(file, "vn", pose ? to_float(pose->rotated(to_double(n))) : n);
        for (const SurfaceMesh::TextureCorners& corners : mesh.texture)
            for (const auto& [u, v] : corners) text_ += fmt::format("vt {} {}\n", u, v);
        const bool normals = !mesh.normals.empty(), textures = !mesh.texture.empty();
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            text_ += 'f';
            for (std::size_t c = 0; c < 3; ++c) {
                const std::uint32_t v = mesh.triangles[t][c] + 1;
                fmt::format_to(std::back_inserter(text_), " {}", vertices_ + v);
                if (textures || normals) text_ += '/';
                if (textures) fmt::format_to(std::back_inserter(text_), "{}", textures_ + 3 * t + c + 1);
                if (normals) fmt::format_to(std::back_inserter(text_), "/{}", normals_ + v);
            }
            text_ += '\n';
            flush_text(file, false);
        }
        vertices_ += mesh.vertices.size();
        normals_ += mesh.normals.size();
        textures_ += 3 * mesh.texture.size();
    }

    const ExportedScene& scene_;
    fs::path folder_, first_;
    std::vector<std::string> looks_;
    std::set<std::string> words_;  ///< that are names of looks
    std::string text_;
    std::size_t vertices_ = 0, normals_ = 0, textures_ = 0;  ///< of the objects before
};

}  // namespace

std::unique_ptr<SceneExporter> make_obj_exporter(const ExportedScene& scene, const fs::path& folder) {
    return std::make_unique<ObjExporter>(scene, folder);
}

}  // namespace thixo
