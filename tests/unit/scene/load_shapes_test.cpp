#include <doctest/doctest.h>
#include <fmt/format.h>

#include "geometry/height_surface.h"
#include "geometry/mesh_distance.h"
#include "support.h"
#include "unit/core/near.h"

using namespace thixo;
using namespace thixo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view tetrahedron =
    "v 0 0 -1\nv 2 0 -1\nv 0 2 -1\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string scene_text(std::string_view obstacle, int dimensions = 3) {
    return fmt::format(R"({{ "dimensions": {}, "materials": {{ "water": {{}} }},
"objects": [ {{ "material": "water", "shape": {{ "box": {{ "min": [5, 0, 0], "max": [6, 1, 1] }} }} }} ],
"obstacles": [ {{ "shape": {} }} ] }})",
                       dimensions, obstacle);
}

constexpr std::string_view mesh = R"({ "mesh": { "file": "parts/a.obj" }, "scale": 2 })";

/// A folder with a scene and, in another folder, a mesh.
struct SceneFolder : TemporaryFolder {
    explicit SceneFolder(const std::string& scene) {
        fs::create_directory(path / "parts");
        write_text(path / "parts/a.obj", tetrahedron);
        write_text(path / "x.json", scene);
    }
    Scene load(const std::vector<std::string>& overrides = {}) const {
        return load_scene(path / "x.json", overrides);
    }
    std::string message(const std::vector<std::string>& overrides = {}) const {
        return message_of([&] { load(overrides); });
    }
};

const Shape& first_obstacle(const Scene& scene) { return scene.model.obstacles[0].shape; }

}  // namespace

TEST_CASE("a mesh is found from the scene's folder, and from anywhere once it is resolved") {
    const SceneFolder folder(scene_text(mesh));
    const Scene scene = folder.load();
    const auto& loaded = std::get<Mesh>(first_obstacle(scene).kind);
    CHECK(loaded.file == (folder / "parts/a.obj").string());
    CHECK(loaded.distance->volume() == near(4.0 / 3));
    CHECK(signed_distance(first_obstacle(scene), {-1, 0.5, 0}, 3).distance == near(1));
    CHECK(bounds(first_obstacle(scene)).max.x == near(4));

    const Scene again = parse_scene(to_json(scene), "elsewhere/y.json");
    CHECK(to_json(again) == to_json(scene));
}

TEST_CASE("a mesh that is named twice is loaded once") {
    const SceneFolder folder(
        scene_text(fmt::format(R"({{ "union": {{ "shapes": [ {}, {} ] }} }})", mesh, mesh)));
    const Scene scene = folder.load();
    const auto& parts = std::get<Union>(first_obstacle(scene).kind).shapes;
    CHECK(std::get<Mesh>(parts[0].kind).distance == std::get<Mesh>(parts[1].kind).distance);
}

TEST_CASE("errors of a mesh are reported at its key") {
    const SceneFolder folder(
        scene_text(R"({ "union": { "shapes": [ { "mesh": { "file": "no.obj" } } ] } })"));
    const std::string scene = (folder / "x.json").string(), no = (folder / "no.obj").string();
    CHECK(folder.message() ==
          scene + ":3:72: obstacles.0.shape.union.shapes.0.mesh.file: " + no + ": no such file");
    write_text(no, std::string(tetrahedron).substr(0, tetrahedron.size() - 8));
    CHECK(folder.message().find("the surface is not closed: only one triangle has 3 edges") !=
          std::string::npos);
    CHECK(folder.message({"obstacles.0.shape.union.shapes.0.mesh.file=parts/a.obj"}).empty());
    CHECK(folder.message({"obstacles.0.shape.union.shapes.0.mesh.file=gone.stl"})
              .find("gone.stl: no such file") != std::string::npos);
}

TEST_CASE("in 2D a mesh must meet the plane") {
    const SceneFolder folder(scene_text(mesh, 2));
    CHECK(signed_distance(first_obstacle(folder.load()), {-1, 0.5, 0}, 2).distance == near(1));
    std::string above(tetrahedron);
    for (std::size_t at; (at = above.find(" -1\n")) != std::string::npos;) above.replace(at, 4, " 0.5\n");
    write_text(folder / "parts/a.obj", above);
    CHECK(folder.message().find("does not meet the plane z = 0") != std::string::npos);
}

TEST_CASE("an object may be a mesh") {
    const SceneFolder folder(scene_text(R"({ "plane": {} })"));
    const Scene scene = folder.load({R"(objects.0.shape={"mesh": {"file": "parts/a.obj"}})"});
    CHECK(std::holds_alternative<Mesh>(scene.model.objects[0].shape.kind));
    CHECK(folder.message({R"(objects.0.shape={"mesh": {"file": "parts/a.obj"}})", "particles.spacing=3"})
              .find("its smallest extent, 2 m, is below particles.spacing") != std::string::npos);
}

TEST_CASE("a height field is given by a formula or an image") {
    const SceneFolder folder(scene_text(
        R"({ "height_field": { "formula": "0.1*x", "min": [-1, -1, -1], "max": [1, 1, 1] }, "translate": [0, 1, 0] })"));
    const Shape field = first_obstacle(folder.load());
    CHECK(std::get<HeightField>(field.kind).surface->height(0.5, 0) == near(0.05));
    CHECK(signed_distance(field, {9, 1.1, 0}, 3).distance == doctest::Approx(0));
    CHECK(bounds(field).max.y == 2);
    CHECK(surface_bounds(field).min.y == 0);
    CHECK(to_json(parse_scene(to_json(folder.load()), "elsewhere/y.json")) == to_json(folder.load()));

    write_text(folder / "hills.pgm", "P5 1 1 255\n\x33");
    const Scene scene = folder.load(
        {"obstacles.0.shape.height_field.image=hills.pgm", "obstacles.0.shape.height_field.formula=\"\""});
    const auto& image = std::get<HeightField>(first_obstacle(scene).kind);
    CHECK(image.image == (folder / "hills.pgm").string());
    CHECK(image.surface->height(0, 0) == near(-0.6));
    CHECK(to_json(parse_scene(to_json(scene), "elsewhere/y.json")) == to_json(scene));
    CHECK(folder.message({"obstacles.0.shape.height_field.image=no.png"}).find("both") != std::string::npos);
    CHECK(folder
              .message({"obstacles.0.shape.height_field.image=no.png",
                        "obstacles.0.shape.height_field.formula=\"\""})
              .find("no.png: no such file") != std::string::npos);
}
