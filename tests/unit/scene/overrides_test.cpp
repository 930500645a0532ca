#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

Scene with(const std::vector<std::string>& overrides) { return parse_scene(full_scene, "x.json", overrides); }

/// What follows `--set TEXT: `.
std::string refusal(const std::string& override_text) {
    const std::string message = parse_message(full_scene, {override_text});
    const std::string prefix = "--set " + override_text + ": ";
    REQUIRE(message.starts_with(prefix));
    return message.substr(prefix.size());
}

}  // namespace

TEST_CASE("overrides change, add and append") {
    CHECK(with({"materials.water.density=1200"}).model.materials[0].density == 1200);
    CHECK(with({R"(materials."a.b \"ö\"".density=1)"}).model.materials[1].density == 1);
    CHECK(with({"objects.0.temperature=5"}).model.objects[0].temperature == 5);
    CHECK(with({"objects[1].temperature=6"}).model.objects[1].temperature == 6);
    CHECK(with({"solver.kernel=spiky"}).model.solver.kernel == KernelName::spiky);
    CHECK(with({"solver.kernel=\"spiky\""}).model.solver.kernel == KernelName::spiky);
    CHECK(with({"objects.1.phase=liquid"}).model.objects[1].phase == Phase::liquid);
    CHECK(with({"gravity.1=-1.62"}).model.gravity.y == -1.62);
    CHECK(with({"gravity[2]=3"}).model.gravity == Vec3d{0, -9.81, 3});
    CHECK(with({"gravity=[0, 0, 1]"}).model.gravity == Vec3d{0, 0, 1});
    CHECK(with({"name=3D test"}).name == "3D test");
    CHECK(with({"name=\"100\""}).name == "100");
    CHECK(with({"name=a=b"}).name == "a=b");
    CHECK(with({"output.particles[2]=bgeo"}).output.particles.size() == 3);
    CHECK(with({"output={}"}).output.particles.size() == 1);
    CHECK(with({"duration=1", "duration=2"}).duration == 2);
    CHECK(with({"materials.oil.liquid.viscosity=2", "objects.0.material=oil"})
              .model.materials[2]
              .liquid.viscosity == 2);
    CHECK(with({"objects.2={\"material\":\"water\",\"shape\":{\"sphere\":{\"center\":[0,3],\"radius\":1}}}"})
              .model.objects.size() == 3);
    CHECK(with({"objects.0.shape={\"sphere\":{\"center\":[0,3],\"radius\":1}}"})
              .model.objects[0]
              .shape.kind.index() == 1);
}

TEST_CASE("a preset fills in the keys of the solver; on the command line it replaces them") {
    const auto solver = [](const char* text, const std::vector<std::string>& overrides) {
        const std::string file = R"({"duration": 1, "particles": {"spacing": 0.1}, "solver": )" +
                                 std::string(text) +
                                 R"(, "materials": {"water": {"density": 1000}}, "objects":
            [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}]})";
        return parse_scene(file, "x.json", overrides).model.solver;
    };
    const SolverSettings plain = solver("{}", {}), fast = solver(R"({"preset": "fast"})", {});
    CHECK(plain.pressure != PressureMethod::dfsph);
    CHECK(fast.pressure == PressureMethod::dfsph);
    CHECK(fast.viscosity == ViscosityMethod::implicit);
    CHECK(fast.elasticity == ElasticIntegrator::implicit);
    CHECK(solver(R"({"preset": "fast", "pressure": "tait"})", {}).elasticity == ElasticIntegrator::implicit);
    CHECK(fast.dfsph.density_error > plain.dfsph.density_error);
    CHECK(solver(R"({"preset": "fast", "pressure": "tait"})", {}).pressure == PressureMethod::tait);
    CHECK(solver(R"({"pressure": "tait"})", {"solver.preset=fast"}).pressure == PressureMethod::dfsph);
    CHECK(solver(R"({"pressure": "tait"})", {"solver.preset=fast", "solver.pressure=tait"}).pressure ==
          PressureMethod::tait);
    // Where density is integrated in time, pressure cannot be solved for.
    CHECK(solver(R"({"preset": "fast", "density": "continuity"})", {}).pressure != PressureMethod::dfsph);
}

TEST_CASE("a name with a dot is quoted") {
    const std::string scene = R"({"materials": {"a.b": {}}, "objects": [{"material": "a.b",
        "shape": {"sphere": {"center": [0, 0], "radius": 1}}}], "particles": {"spacing": 0.1}})";
    const std::vector<std::string> set = {"materials.\"a.b\".density=1200"};
    CHECK(parse_scene(scene, "x.json", set).model.materials[0].density == 1200);
    CHECK(
        parse_message(scene, {"materials.\"a.b\".densty=1"}) ==
        "--set materials.\"a.b\".densty=1: materials.\"a.b\".densty: unknown key; did you mean \"density\"? "
        "(allowed: like, density, liquid, solid, heat, look, scale)");
}

TEST_CASE("refused overrides say why") {
    CHECK(refusal("materials.water.densty=3") ==
          "materials.water.densty: unknown key; did you mean \"density\"? (allowed: like, density, liquid, "
          "solid, "
          "heat, look, scale)");
    CHECK(refusal("materials.water.density=-3") ==
          "materials.water.density: -3 kg/m³ is out of range; allowed: 0.001 to 1000000 kg/m³");
    CHECK(refusal("materials.water.density=heavy") ==
          "materials.water.density: expected a number (kg/m³), found the string \"heavy\"");
    CHECK(refusal("durations=3").starts_with("durations: unknown key; did you mean \"duration\"?"));
    CHECK(refusal("objects.7.name=x") == "objects: index 7 is out of range; the list has 2 elements");
    CHECK(refusal("objects[99999999999999999999].name=x") ==
          "objects: index 99999999999999999999 is out of range; the list has 2 elements");
    CHECK(refusal("objects.dam.name=x") == "objects: is a list; \"dam\" is not an index");
    CHECK(refusal("materials[0].density=1") ==
          "materials: is an object, not a list; name a key instead of an index");
    CHECK(refusal("particles.spacing.x=1") == "particles.spacing: is the number 0.05 and holds no \"x\"");
    CHECK(refusal("objects.0.velocity.1=2") ==
          "objects.0.velocity: the scene file does not contain this list; set the whole list");
    CHECK(refusal("duration=1e400") == "duration: the number 1e400 is too large to be represented");
    CHECK(refusal("gravity=[0, 1") == "gravity: the text ends too early: '[' is never closed");
    CHECK(refusal("output={\"particles\":[],\"particles\":[]}") == "output.particles: duplicate key");
    CHECK(refusal("duration") == "expected path.to.key=value");
    CHECK(refusal("=1") == "the path is empty");
    CHECK(refusal("a..b=1") == "a step of the path is empty");
    CHECK(refusal("a.=1") == "the path ends with a dot");
    CHECK(refusal("objects[x]=1") == "an index in brackets must be a number");
    CHECK(refusal("objects[0=1") == "'[' is never closed in the path");
    CHECK(refusal("objects[0]x=1") == "expected \".\" after a quoted key or an index");
    CHECK(refusal("name=") == "name: must not be empty");
    CHECK(refusal("objects.0.shape.sphere.radius=1") ==
          "objects.0.shape.sphere: a second shape beside \"box\"; a `union` holds several");
    CHECK(refusal("particles.spacing=1.5") ==
          "objects.0.shape: its smallest extent, 0.5 m, is below particles.spacing, 1.5 m: no particle fits\n"
          "--set particles.spacing=1.5: objects.1.shape: its smallest extent, 0.4 m, is below "
          "particles.spacing, 1.5 m: "
          "no particle fits");
}

TEST_CASE("any override is applied or refused with one readable line") {
    CHECK(rc::check("random paths", [] {
        const auto words = std::vector<std::string>{"objects", "materials", "water", "0",   "1",   "[0]",
                                                    "[9]",     "\"a.b\"",   "shape", "box", "min", "density",
                                                    "solver",  "kernel",    "",      "..",  "=",   "$schema"};
        const auto values = std::vector<std::string>{"1",     "-1",   "spiky", "[]", "{}",  "{",
                                                     "[1,2]", "null", "1e999", "\"", "true"};
        std::string text;
        const int steps = *rc::gen::inRange(0, 6);
        for (int i = 0; i < steps; ++i) {
            if (i > 0) text += '.';
            text += *rc::gen::elementOf(words);
        }
        text += *rc::gen::elementOf(std::vector<std::string>{"=", "=", "=", ""});
        text += *rc::gen::oneOf(rc::gen::elementOf(values), rc::gen::arbitrary<std::string>());
        const std::string message = parse_message(full_scene, {text});
        for (const char c : message) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
        RC_ASSERT(message.size() < 2000u);
    }));
    CHECK(rc::check("random bytes", [](const std::string& text) {
        const std::string message = parse_message(full_scene, {text});
        for (const char c : message) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    }));
}
