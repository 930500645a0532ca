#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "particles/emitter_layers.h"
#include "particles/lattice.h"
#include "scene/finish.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

double number_between(double low, double high) {
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    return low + (high - low) * (static_cast<double>(bits >> 11) * 0x1p-53);
}

Vec3d vector_within(double limit) {
    return {number_between(-limit, limit), number_between(-limit, limit), number_between(-limit, limit)};
}

Motion random_motion() {
    Motion motion;
    motion.pivot = vector_within(5);
    motion.interpolation = *rc::gen::element(Interpolation::linear, Interpolation::smooth);
    double time = number_between(-1, 1);
    const int keys = *rc::gen::inRange(1, 5);
    for (int i = 0; i < keys; ++i, time += number_between(0.1, 1))
        motion.keyframes.push_back({time, vector_within(5), vector_within(4000)});
    return motion;
}

Emitter random_emitter(const Scene& scene) {
    Emitter emitter{.name = "tap", .material = scene.model.materials.front().name};
    if (*rc::gen::arbitrary<bool>())
        emitter.opening = Disc{number_between(0.1, 1)};
    else
        emitter.opening = Rectangle{number_between(0.2, 1), number_between(0.2, 1)};
    emitter.position = vector_within(10);
    emitter.direction = vector_within(1) + Vec3d{0, -2, 0};
    emitter.up = upright(emitter.direction);
    emitter.speed = number_between(0.1, 9);
    emitter.rate = area(emitter.opening, 3) * emitter.speed * number_between(0.1, 1);
    emitter.temperature = number_between(0, 99);
    emitter.start = number_between(0, 1);
    emitter.stop = number_between(2, 3);
    return emitter;
}

/// Any kind but a plane, nested up to `depth` deep.
Shape random_shape(int depth) {
    const Vec3d at = vector_within(10), to = at + Vec3d{1, 2, 3};
    const double size = number_between(0.5, 2);
    Shape shape;
    switch (*rc::gen::inRange(0, depth > 0 ? 12 : 8)) {
        case 0:
            shape = Box{at, to};
            break;
        case 1:
            shape = Sphere{at, size};
            break;
        case 2:
            shape = Ellipsoid{at, Vec3d{1, 2, 3} * size};
            break;
        case 3:
            shape = Cylinder{at, to, size};
            break;
        case 4:
            shape = Capsule{at, to, size};
            break;
        case 5:
            shape = Torus{at, to - at, 2 * size, size};
            break;
        case 6:
            shape = Bunny{size};
            break;
        case 7:
            shape = Duck{size};
            break;
        case 8:
            shape = Union{{random_shape(depth - 1), random_shape(depth - 1)}};
            break;
        case 9:
            shape = Difference{{random_shape(depth - 1), Plane{vector_within(1), {1, 2, 3}}}};
            break;
        case 10:
            shape = Intersection{{random_shape(depth - 1), Plane{vector_within(1), {1, 2, 3}}}};
            break;
        default:
            shape = SmoothUnion{size, {random_shape(depth - 1), random_shape(depth - 1)}};
    }
    if (*rc::gen::arbitrary<bool>())
        shape.placement = {number_between(0.5, 2), Rotation(vector_within(360)), vector_within(10)};
    return shape;
}

/// A sheet or rod, of those that need no file.
Shape random_layer() {
    const Vec3d at = vector_within(10);
    const double size = number_between(0.5, 2);
    Shape shape;
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            shape = RectangleSheet{at, size, 2 * size, *rc::gen::inRange(1, 4)};
            break;
        case 1:
            shape = DiscSheet{at, size};
            break;
        case 2:
            shape = Sombrero{at, size, number_between(-1, 1), number_between(0, 9)};
            break;
        case 3: {
            HeightSheet sheet;
            sheet.min = at;
            sheet.max = at + Vec3d{1, 2, 3};
            sheet.formula = "0.1*sin(x)";
            shape = sheet;
            break;
        }
        case 4:
            shape = Curve{{at, at + Vec3d{size, 0, 0}, at + Vec3d{0, 1, 2}},
                          *rc::gen::arbitrary<bool>(),
                          *rc::gen::arbitrary<bool>()};
            break;
        default:
            shape = Helix{at, size, 0.3 * size, number_between(0.1, 9)};
    }
    shape.placement.translate = vector_within(10);
    return shape;
}

Material random_material(int number) {
    Material out{.name = fmt::format("m.{}", number), .density = number_between(1, 1e4)};
    out.liquid = {number_between(1, 100), number_between(0, 1)};
    out.solid.model = *rc::gen::element(SolidModel::corrected, SolidModel::mls, SolidModel::green);
    out.solid.young_modulus = number_between(1, 1e7);
    out.solid.poisson_ratio = number_between(0, 0.49);
    out.solid.break_strain = number_between(0, 1);
    out.liquid.viscosity_table = {{number_between(0, 1), number_between(1, 2)},
                                  {number_between(2, 3), number_between(1, 2)}};
    out.heat = {.specific_heat = number_between(1, 1e4), .conductivity = number_between(0.1, 1)};
    if (*rc::gen::arbitrary<bool>()) {
        out.heat.latent_heat = number_between(0, 1e5);
        out.heat.melting_point = number_between(50, 90);
        if (*rc::gen::arbitrary<bool>()) out.heat.freezing_point = number_between(10, 50);
    }
    return out;
}

Scene random_scene() {
    Scene scene;
    scene.name = fmt::format("scene {} \"ü\"", *rc::gen::arbitrary<unsigned>());
    scene.duration = number_between(1, 100);
    scene.frame_rate = number_between(1, 100);
    scene.model.seed = *rc::gen::arbitrary<std::uint64_t>();
    scene.model.gravity = vector_within(20);
    scene.model.particles = {number_between(0.05, 0.1), number_between(1.2, 4)};
    scene.model.solver.kernel = *rc::gen::element(KernelName::spiky, KernelName::poly6, KernelName::cosine);
    scene.model.solver.time_step_scale = number_between(0.1, 2);
    const int materials = *rc::gen::inRange(1, 4);
    for (int i = 0; i < materials; ++i) scene.model.materials.push_back(random_material(i));
    const int objects = *rc::gen::inRange(1, 4);
    for (int i = 0; i < objects; ++i) {
        Object object{.name = fmt::format("o{}", i), .material = scene.model.materials.front().name};
        object.temperature = number_between(-273.15, 1000);
        object.velocity = vector_within(10);
        object.angular_velocity = vector_within(10);
        object.lattice = *rc::gen::element(Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal);
        object.orientation = Rotation(vector_within(360));
        object.shape = random_shape(2);
        object.release = number_between(0, 1);
        object.held = {{random_shape(1), random_motion(), number_between(1, 2)}};
        auto& keys = object.held[0].motion.keyframes;
        for (Keyframe& key : keys) key.time += 2;
        keys.insert(keys.begin(), Keyframe{});  // where it is at the start
        scene.model.objects.push_back(object);
    }
    scene.model.objects.push_back({.name = "layer", .material = "m.0", .phase = Phase::elastic});
    scene.model.objects.back().shape = random_layer();
    scene.model.obstacles.push_back({"floor", Plane{vector_within(10), vector_within(1) + Vec3d{0, 2, 0}},
                                     *rc::gen::arbitrary<bool>(), number_between(0, 1),
                                     *rc::gen::arbitrary<bool>(), number_between(0, 1), random_motion()});
    if (*rc::gen::arbitrary<bool>()) {
        scene.model.obstacles.back().temperature = number_between(0, 99);
        scene.model.obstacles.back().heat_transfer = number_between(1, 99);
    }
    Heater heater{.name = "heater", .region = random_shape(1), .response = number_between(0.1, 1)};
    (*rc::gen::arbitrary<bool>() ? heater.power : heater.temperature) = number_between(0, 99);
    heater.motion = random_motion();
    scene.model.heaters.push_back(heater);
    scene.model.ambient = {number_between(-20, 20), number_between(0, 20)};
    scene.model.emitters.push_back(random_emitter(scene));
    scene.model.sinks.push_back({"drain", Sphere{vector_within(10), number_between(0.5, 2)},
                                 number_between(0, 1), number_between(2, 3)});
    scene.output.picture.colour_by = *rc::gen::element(Colouring::look, Colouring::rim, Colouring::speed);
    if (scene.output.picture.colour_by == Colouring::speed) scene.output.picture.max = number_between(0.5, 2);
    scene.output.checkpoint_every = *rc::gen::inRange(0, 1000);
    scene.output.particles = *rc::gen::element(std::vector<ParticleFormat>{},
                                               std::vector{ParticleFormat::bgeo, ParticleFormat::ply});
    return scene;
}

}  // namespace

TEST_CASE("a scene is understood as written") {
    const Scene scene = parse_scene(full_scene, "x.json");
    CHECK(scene.name == "dam break");
    CHECK(scene.duration == 2.5);
    CHECK(frame_count(scene) == 60);
    CHECK(scene.model.seed == 18446744073709551615u);
    CHECK(scene.model.gravity == Vec3d{0, -9.81, 0});
    CHECK(scene.model.materials[1].name == "a.b \"ö\"");
    CHECK(scene.model.materials[1].heat.specific_heat == 2000);
    CHECK(scene.model.objects[0].lattice == Lattice::closest);
    CHECK(scene.model.objects[1].name == "object 2");
    CHECK(std::get<Sphere>(scene.model.objects[1].shape.kind).radius == 0.2);
    CHECK(scene.model.obstacles[0].inside);
    CHECK(scene.model.obstacles[1].name == "obstacle 2");
    CHECK(std::get<Plane>(scene.model.obstacles[1].shape.kind).normal == Vec3d{0.1, 1, 0});
    CHECK(scene.output.particles == std::vector{ParticleFormat::vtu, ParticleFormat::ply});
}

TEST_CASE("names that are not given") {
    const auto named = [](const std::string& file) {
        return load_scene(repository() / "tests/golden/scenes/good/minimal.json").name + "|" +
               parse_scene(R"({"materials": {"w": {}}, "particles": {"spacing": 0.1}, "objects": [
            {"material": "w", "shape": {"sphere": {"center": [0, 0], "radius": 1}}},
            {"name": "object 1", "material": "w", "shape": {"sphere": {"center": [9, 0], "radius": 1}}}]})",
                           file)
                   .model.objects[0]
                   .name;
    };
    CHECK(named("x.json") == "minimal|object 1 (2)");
    const std::string scene = R"({"materials": {"w": {}}, "particles": {"spacing": 0.1}, "objects": [
            {"material": "w", "shape": {"sphere": {"center": [0, 0], "radius": 1}}}]})";
    CHECK(parse_scene(scene, "a/b/dam.v2.json").name == "dam.v2");
    CHECK(parse_scene(scene, ".json").name == ".json");
    CHECK(parse_scene(scene, "").name == "scene");
    CHECK(parse_scene(scene, "...json").name == "scene");
    CHECK(parse_scene(scene, "a\x1b\xff.json").name == "a__");
}

TEST_CASE("what emitters, sinks and motions leave open is filled in") {
    const Scene scene = load_scene(repository() / "tests/golden/scenes/good/moving.json");
    const Emitter &tap = scene.model.emitters[0], &slot = scene.model.emitters[1];
    CHECK(tap.rate == area(Disc{0.1}, 3) * 2);
    CHECK(tap.direction == Vec3d{0, -1, 0});
    CHECK(std::abs(dot(tap.up, tap.direction)) < 1e-12);
    CHECK(tap.stop == end_of_time);
    CHECK(slot.name == "emitter 2");
    CHECK(slot.rate == 0.02);
    CHECK(std::get<Rectangle>(slot.opening).width == 0.3);
    CHECK(scene.model.sinks[0].stop == end_of_time);
    CHECK_FALSE(scene.model.obstacles[0].motion.moves());
    const Motion& motion = scene.model.obstacles[1].motion;
    REQUIRE(motion.keyframes.size() == 3);
    CHECK(motion.keyframes[1].rotate == Vec3d{0, 900, 0});
    CHECK(motion.repeat);
    const std::string resolved = to_json(scene);
    CHECK(to_json(parse_scene(resolved, "x.json")) == resolved);
}

TEST_CASE("heat is understood as written") {
    const Scene scene = load_scene(repository() / "tests/golden/scenes/good/heat.json");
    const HeatSettings& wax = scene.model.materials[0].heat;
    CHECK(wax.conductivity == 0.2);
    CHECK(wax.melting_point == 60);
    CHECK(wax.freezing_point == 55);
    CHECK(scene.model.materials[1].heat.diffusivity == 1e-6);
    CHECK_FALSE(scene.model.materials[1].heat.melting_point.has_value());
    CHECK(scene.model.materials[1].liquid.viscosity_table.size() == 2);
    CHECK(scene.model.obstacles[0].temperature == 90);
    CHECK(scene.model.obstacles[0].heat_transfer == 500);
    CHECK_FALSE(scene.model.obstacles[1].temperature.has_value());
    CHECK(scene.model.heaters[0].power == -50);
    CHECK(scene.model.heaters[1].name == "heater 2");
    CHECK(scene.model.heaters[1].stop == end_of_time);
    CHECK(scene.model.ambient.heat_transfer == 10);
    const std::string resolved = to_json(scene);
    CHECK(to_json(parse_scene(resolved, "x.json")) == resolved);
}

TEST_CASE("lattice solids start on the lattice that they keep") {
    const Scene scene = load_scene(repository() / "tests/golden/scenes/good/lattice.json");
    const SolidSettings &clay = scene.model.materials[0].solid, &glass = scene.model.materials[1].solid;
    CHECK(clay.poisson_ratio == 0);
    CHECK(clay.reach == 1.5);
    CHECK(glass.reach == 1.25);
    CHECK(glass.docking_time == 0.01);
    CHECK(scene.model.objects[0].lattice == Lattice::closest);
    CHECK(scene.model.objects[1].lattice == Lattice::closest);
    CHECK(scene.model.objects[2].lattice == Lattice::cubic);  // liquid
    const std::vector<Mat3d> frames = lattice_frames(scene.model.objects, scene.model.dimensions);
    REQUIRE(frames.size() == 3);
    const auto turn = [&](std::size_t k) {
        const Mat3d& frame = frames[k];
        return std::atan2(frame.y.x, frame.x.x) * 180 / std::numbers::pi;
    };
    CHECK(turn(0) == doctest::Approx(30));
    CHECK(turn(1) == doctest::Approx(15));
    CHECK(turn(2) == 0);
    const std::string resolved = to_json(scene);
    CHECK(to_json(parse_scene(resolved, "x.json")) == resolved);
}

TEST_CASE("shapes and their placements are understood as written") {
    const Scene scene = parse_scene(R"({"materials": {"w": {}}, "particles": {"spacing": 0.1}, "objects": [
        {"material": "w", "shape": {
            "rotate": [0, 90, 0], "scale": 2,
            "difference": {"shapes": [
                {"smooth_union": {"blend": 0.2, "shapes": [
                    {"capsule": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": 0.5}, "translate": [1, 0, 0]},
                    {"bunny": {"height": 0.7}}]}},
                {"plane": {"normal": [1, 0, 0]}}]}}}]})",
                                    "x.json");
    const Shape& shape = scene.model.objects[0].shape;
    CHECK(shape.placement.scale == 2);
    CHECK(shape.placement.rotate.degrees() == Vec3d{0, 90, 0});
    const auto& cut = std::get<Difference>(shape.kind);
    CHECK(cut.shapes.size() == 2);
    CHECK(std::get<Plane>(cut.shapes[1].kind).normal == Vec3d{1, 0, 0});
    const auto& blended = std::get<SmoothUnion>(cut.shapes[0].kind);
    CHECK(blended.blend == 0.2);
    CHECK(std::get<Capsule>(blended.shapes[0].kind).radius == 0.5);
    CHECK(blended.shapes[0].placement.translate == Vec3d{1, 0, 0});
    CHECK(blended.shapes[0].placement.scale == 1);
    CHECK(std::get<Bunny>(blended.shapes[1].kind).height == 0.7);
    CHECK(to_json(parse_scene(to_json(scene), "x.json")) == to_json(scene));
}

TEST_CASE("particles are estimated from volume and lattice") {
    Object object;
    object.shape = Box{{0, 0, 0}, {1, 2, 3}};
    CHECK(estimated_particles(object, 0.1, 3) == doctest::Approx(6000));
    CHECK(estimated_particles(object, 0.1, 2) == doctest::Approx(200));
    object.lattice = Lattice::closest;
    CHECK(estimated_particles(object, 0.1, 3) == doctest::Approx(6000 * std::sqrt(2.0)));
    CHECK(estimated_particles(object, 0.1, 2) == doctest::Approx(200 * 2 / std::sqrt(3.0)));
    object.lattice = Lattice::cubic;
    object.shape = Sphere{{0, 0, 0}, 1};
    CHECK(estimated_particles(object, 0.1, 3) == doctest::Approx(4188.79));
}

TEST_CASE("in 2D shapes lie in the plane") {
    const Scene scene =
        parse_scene(R"({"dimensions": 2, "materials": {"w": {}}, "particles": {"spacing": 0.1}, "objects": [
        {"material": "w", "shape": {"box": {"min": [0, 0], "max": [1, 1]}}},
        {"material": "w", "shape": {"sphere": {"center": [9, 0, 5], "radius": 1}}}],
        "obstacles": [{"shape": {"plane": {"normal": [0, 1, 7]}}}]})",
                    "x.json");
    CHECK(std::get<Sphere>(scene.model.objects[1].shape.kind).center.z == 0);
    CHECK(std::get<Plane>(scene.model.obstacles[0].shape.kind).normal == Vec3d{0, 1, 0});
    CHECK(parse_message(to_json(scene)).empty());
}

TEST_CASE("the resolved scene reads back as the same scene") {
    const std::string resolved = to_json(parse_scene(full_scene, "x.json"));
    CHECK(to_json(parse_scene(resolved, "other.json")) == resolved);
    Scene zero = parse_scene(full_scene, "x.json");
    zero.model.gravity.z = -0.0;
    CHECK(std::signbit(parse_scene(to_json(zero), "x.json").model.gravity.z));
    // Numbers are written with the fewest digits that read back to the same bits, so equal text is equal
    // scenes.
    CHECK(rc::check("random scenes", [] {
        const Scene scene = random_scene();
        const std::string text = to_json(scene);
        const Scene again = parse_scene(text, "x.json");
        RC_ASSERT(to_json(again) == text);
        RC_ASSERT(again.duration == scene.duration);
        RC_ASSERT(again.model.seed == scene.model.seed);
        RC_ASSERT(again.model.objects.front().velocity == scene.model.objects.front().velocity);
    }));
}
