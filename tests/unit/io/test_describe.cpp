#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <limits>

#include "core/base64.h"
#include "core/error.h"
#include "io/describe.h"
#include "io/particle_files.h"
#include "unit/io/sample.h"

using namespace thixo;

TEST_CASE("a description names format, count, time, box and attributes") {
    const TemporaryFolder folder;
    ParticleTable particles = sample_particles(3);
    for (Index i = 0; i < 3; ++i) {
        particles.position[i] = {static_cast<float>(i), 0.5f, -2};
        particles.temperature[i] = static_cast<float>(10 * i);
    }
    write_ply(folder / "p.ply", particles, {.frame = 12, .time = 0.5});
    write_vtu(folder / "p.vtu", particles, {.frame = 12, .time = 0.5});
    write_bgeo(folder / "p.bgeo", particles, {.frame = 12, .time = 0.5});
    for (const char* name : {"p.ply", "p.vtu", "p.bgeo"}) {
        const std::string text = describe_file(folder / name);
        INFO(text);
        CHECK(text.find("particles  3\ntime       0.5 s") != std::string::npos);
        CHECK(text.find("box        [0, 0.5, -2] to [2, 0.5, -2] m") != std::string::npos);
        CHECK(text.find("temperature   float    degC                0            10            20") !=
              std::string::npos);
        CHECK(text.find("vx            float    m/s") != std::string::npos);
    }
    CHECK(describe_file(folder / "p.ply").find("PLY, binary little endian") != std::string::npos);
    CHECK(describe_file(folder / "p.bgeo").find("frame 12") != std::string::npos);
    CHECK(describe_file(folder / "p.bgeo").find("pscale        float    m") != std::string::npos);
}

TEST_CASE("values that are not finite are counted, an empty file has no box") {
    const TemporaryFolder folder;
    ParticleTable particles = sample_particles(3);
    particles.density[1] = std::numeric_limits<float>::quiet_NaN();
    write_ply(folder / "p.ply", particles);
    CHECK(describe_file(folder / "p.ply").find("1 not finite") != std::string::npos);
    write_ply(folder / "p.ply", ParticleTable{});
    CHECK(describe_file(folder / "p.ply").find("box") == std::string::npos);
    CHECK_THROWS_AS(describe_file(folder / "none.ply"), InputError);
}

TEST_CASE("base64 follows RFC 4648 and survives its way back") {
    CHECK(base64_encode("") == "");
    CHECK(base64_encode("f") == "Zg==");
    CHECK(base64_encode("fo") == "Zm8=");
    CHECK(base64_encode("foo") == "Zm9v");
    CHECK(base64_encode("foobar") == "Zm9vYmFy");
    CHECK(base64_decode(" Zm8=\n") == "fo");
    CHECK_FALSE(base64_decode("Zm8").has_value());
    CHECK_FALSE(base64_decode("Zm=8").has_value());
    CHECK(
        rc::check([](const std::string& bytes) { RC_ASSERT(base64_decode(base64_encode(bytes)) == bytes); }));
}
