#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/input_file.h"
#include "geometry/gltf_scene.h"
#include "geometry/height_surface.h"
#include "geometry/layer.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_sequence.h"
#include "scene/finish.h"
#include "scene/mesh_texture.h"
#include "scene/overrides.h"
#include "scene/vessels.h"

namespace thixo {

namespace {

class ShapeLoader {
public:
    ShapeLoader(const JsonValue& root, std::string_view file_name, int dimensions, FileHashes& files,
                Problems& problems)
        : root_(root),
          folder_(std::filesystem::path(file_name).parent_path()),
          dimensions_(dimensions),
          files_(files),
          problems_(problems) {}

    /// From here on shapes may be what vessels hold.
    void fill_vessels(const Vessels& vessels) { vessels_ = &vessels; }

    void load(Shape& shape, const std::string& path) {
        std::visit([&](auto& kind) { load_kind(kind, path); }, shape.kind);
    }

    /// `shape`: of the object, loaded before.
    void load(SkinSettings& skin, const Shape& shape, const std::string& path) {
        if (!skin.of_shape())
            attempt(path + ".mesh", [&] {
                skin.mesh = find(skin.mesh);
                skin.content = std::make_shared<const TriangleMesh>(load_mesh(skin.mesh));
            });
        const auto* mesh = std::get_if<Mesh>(&shape.kind);
        const bool has_coordinates = skin.of_shape()
                                         ? mesh && mesh->distance && !mesh->distance->mesh().texture.empty()
                                         : skin.content && !skin.content->texture.empty();
        if (skin.texture.empty() && has_coordinates) {
            skin.texture = texture_named_by(skin.of_shape() ? mesh->file : skin.mesh);
            return;
        }
        if (!skin.texture.empty())
            attempt(path + ".texture", [&] {
                skin.texture = find(skin.texture);
                if (!read_whole(skin.texture).starts_with("\x89PNG"))
                    throw InputError(skin.texture + ": is not a PNG file");
            });
    }

    /// The meshes of an obstacle that deforms. Its shape becomes the first of them.
    void load(MeshAnimation& animation, Shape& shape, const std::string& path) {
        auto* mesh = std::get_if<Mesh>(&shape.kind);
        attempt(path, [&] {
            if (!mesh) throw InputError("only an obstacle whose shape is a `mesh` can have an animation");
            std::vector<TriangleMesh> meshes =
                is_gltf(mesh->file) ? sampled(animation, *mesh, path) : read_sequence(animation, *mesh, path);
            if (meshes.empty()) return;
            auto sequence = std::make_shared<const MeshSequence>(std::move(meshes), animation);
            const double size = norm(sequence->bounds().size());
            if (dimensions_ == 2 && sequence->motion_along_z() > 1e-6 * size)
                throw InputError("vertices move along z; in a 2D scene they may move within the plane alone");
            mesh->distance = sequence->at(0).distance;
            animation.sequence = std::move(sequence);
        });
    }

private:
    /// Empty if there is something wrong, which is reported.
    std::vector<TriangleMesh> read_sequence(MeshAnimation& animation, const Mesh& mesh,
                                            const std::string& path) {
        std::vector<TriangleMesh> meshes;
        if (!animation.clip.empty())
            attempt(path + ".clip", [] { throw InputError("only glTF files have named animations"); });
        attempt(path + ".last_file", [&] {
            if (animation.last_file.empty())
                throw InputError("the key \"last_file\" is missing: which file is the last of the sequence?");
            animation.last_file = find(animation.last_file);
            for (const std::filesystem::path& file : sequence_files(mesh.file, animation.last_file))
                meshes.push_back(load_mesh(find(file.string())));
        });
        return meshes;
    }

    std::vector<TriangleMesh> sampled(const MeshAnimation& animation, const Mesh& mesh,
                                      const std::string& path) {
        if (!animation.last_file.empty())
            attempt(path + ".last_file",
                    [] { throw InputError("a glTF file holds its animation; leave this key out"); });
        std::vector<TriangleMesh> meshes;
        attempt(path + ".clip", [&] {
            const GltfScene gltf = load_gltf(mesh.file);
            find_buffers(gltf);
            try {
                meshes = gltf.sampled(gltf.clip(animation.clip), animation.frame_rate, animation.repeat);
            } catch (const InputError& error) {
                throw InputError(fmt::format("{}: {}", mesh.file, error.what()));
            }
        });
        return meshes;
    }

    template <class Kind>
    void load_kind(Kind&, const std::string&) {}

    template <class Kind>
    requires requires(Kind& kind) { kind.shapes; }
    void load_kind(Kind& kind, const std::string& path) {
        // {"union": {"shapes": […]}}: the one step that depends on the kind's name.
        const std::string parts = path + name_of(kind) + ".shapes.";
        for (std::size_t i = 0; i < kind.shapes.size(); ++i) load(kind.shapes[i], parts + std::to_string(i));
    }
    static std::string name_of(const Union&) { return ".union"; }
    static std::string name_of(const Difference&) { return ".difference"; }
    static std::string name_of(const Intersection&) { return ".intersection"; }
    static std::string name_of(const SmoothUnion&) { return ".smooth_union"; }

    void load_kind(Mesh& mesh, const std::string& path) {
        attempt(path + ".mesh.file", [&] {
            mesh.file = find(mesh.file);
            auto& loaded = meshes_[mesh.file];
            if (!loaded) loaded = std::make_shared<const MeshDistance>(load_mesh(mesh.file));
            if (is_gltf(mesh.file)) find_buffers(load_gltf(mesh.file));
            if (dimensions_ == 2 && !loaded->has_outline())
                throw InputError("the mesh does not meet the plane z = 0, which 2D scenes are in");
            mesh.distance = loaded;
        });
    }

    void load_kind(MeshSurface& surface, const std::string& path) {
        attempt(path + ".mesh_surface.file", [&] {
            surface.file = find(surface.file);
            surface.mesh = std::make_shared<const TriangleMesh>(load_surface(surface.file));
            if (!(measure(layer_of(surface)) > 0))
                throw InputError(surface.file + ": its faces have no area");
        });
    }

    void load_kind(Fill& fill, const std::string& path) {
        attempt(path + ".fill", [&] {
            if (!vessels_)
                throw InputError("an obstacle cannot be a fill: it has to be there before a liquid");
            fill.cavity = vessels_->cavity(fill);
        });
    }

    void load_kind(HeightField& field, const std::string& path) {
        load_heights(field, path + ".height_field");
    }
    void load_kind(HeightSheet& sheet, const std::string& path) {
        load_heights(sheet, path + ".height_sheet");
    }

    void load_heights(HeightField& field, const std::string& key) {
        // check_whole reports these problems.
        if (field.formula.empty() == field.image.empty() || !has_size(field.min, field.max, dimensions_))
            return;
        if (field.image.empty())
            return attempt(key + ".formula", [&] {
                const Formula formula(field.formula, {"x", "z"});
                field.surface = std::make_shared<const HeightSurface>(formula, field.min, field.max);
            });
        attempt(key + ".image", [&] {
            field.image = find(field.image);
            field.surface =
                std::make_shared<const HeightSurface>(load_grey_image(field.image), field.min, field.max);
        });
    }

    /// The path of a file that the scene refers to, whose contents are noted.
    std::string find(const std::string& file) {
        const std::string path = std::filesystem::absolute(folder_ / file).lexically_normal().string();
        if (!files_.contains(path)) files_[path] = hash_of(path);
        return path;
    }

    void find_buffers(const GltfScene& gltf) {
        for (const std::filesystem::path& file : gltf.files()) find(file.string());
    }

    /// A file that cannot be read is reported where it is read next.
    static std::uint64_t hash_of(const std::string& path) {
        try {
            return hash_of_file(path);
        } catch (const InputError&) {
            return 0;
        }
    }

    template <class Body>
    void attempt(const std::string& path, const Body& body) {
        try {
            body();
        } catch (const InputError& error) {
            problems_.add(position_of(root_, path), path, error.what());
        }
    }

    const JsonValue& root_;
    std::filesystem::path folder_;
    int dimensions_;
    FileHashes& files_;
    Problems& problems_;
    std::map<std::string, std::shared_ptr<const MeshDistance>> meshes_;
    const Vessels* vessels_ = nullptr;  ///< null: obstacles are not loaded yet
};

}  // namespace

void load_shapes(Scene& scene, const JsonValue& root, std::string_view file_name, Problems& problems) {
    ShapeLoader loader(root, file_name, scene.model.dimensions, scene.files, problems);
    for (std::size_t i = 0; i < scene.model.obstacles.size(); ++i)
        loader.load(scene.model.obstacles[i].shape, fmt::format("obstacles.{}.shape", i));
    for (std::size_t i = 0; i < scene.model.obstacles.size(); ++i)
        if (Obstacle& obstacle = scene.model.obstacles[i]; obstacle.animation)
            loader.load(*obstacle.animation, obstacle.shape, fmt::format("obstacles.{}.animation", i));
    if (problems.any()) return;  // what is inside a vessel follows from its shape
    const Vessels vessels(scene.model);
    loader.fill_vessels(vessels);
    for (std::size_t i = 0; i < scene.model.objects.size(); ++i)
        loader.load(scene.model.objects[i].shape, fmt::format("objects.{}.shape", i));
    for (std::size_t i = 0; i < scene.model.objects.size(); ++i)
        for (std::size_t k = 0; k < scene.model.objects[i].held.size(); ++k)
            loader.load(scene.model.objects[i].held[k].region,
                        fmt::format("objects.{}.held.{}.region", i, k));
    for (std::size_t i = 0; i < scene.model.objects.size(); ++i)
        if (scene.model.objects[i].skin)
            loader.load(*scene.model.objects[i].skin, scene.model.objects[i].shape,
                        fmt::format("objects.{}.skin", i));
    for (std::size_t i = 0; i < scene.model.sinks.size(); ++i)
        loader.load(scene.model.sinks[i].shape, fmt::format("sinks.{}.shape", i));
    for (std::size_t i = 0; i < scene.model.heaters.size(); ++i)
        loader.load(scene.model.heaters[i].region, fmt::format("heaters.{}.region", i));
    for (std::size_t i = 0; i < scene.model.grabs.size(); ++i)
        loader.load(scene.model.grabs[i].region, fmt::format("grabs.{}.region", i));
    for (std::size_t i = 0; i < scene.model.force_fields.size(); ++i)
        if (scene.model.force_fields[i].region)
            loader.load(*scene.model.force_fields[i].region, fmt::format("force_fields.{}.region", i));
}

}  // namespace thixo
