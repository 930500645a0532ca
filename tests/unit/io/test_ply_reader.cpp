#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "core/byte_order.h"
#include "core/error.h"
#include "io/particle_files.h"
#include "io/particle_frame.h"
#include "unit/io/sample.h"

using namespace thixo;

namespace {

ParticleFrame read_as_file(const std::string& bytes, std::optional<float> radius = std::nullopt) {
    const TemporaryFolder folder;
    write_text(folder / "file.ply", bytes);
    return read_particles(folder / "file.ply", radius);
}

std::string error_of(const std::string& bytes) {
    try {
        read_as_file(bytes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

#define CHECK_REFUSED(bytes, what) \
    CHECK_MESSAGE(error_of(bytes).find(what) != std::string::npos, error_of(bytes))

const std::string xyzr = "property float x\nproperty float y\nproperty float z\nproperty float radius\n";

}  // namespace

TEST_CASE("ascii files in any order, with any types and line ends") {
    const ParticleFrame frame = read_as_file(
        "ply\r\nformat ascii 1.0\r\ncomment time 1.5\r\ncomment made elsewhere\r\nobj_info anything\r\n"
        "element material 2\r\nproperty list uchar int parts\r\nproperty float shine\r\n"
        "element vertex 2\r\nproperty double z\r\nproperty uchar red\r\nproperty float32 y\r\nproperty int16 "
        "x\r\n"
        "property float radius\r\nelement face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
        "3 7 8 9 0.5\r\n0 0.25\r\n3.5 255 +2 -1 0.1\r\n1e1   0\t-2.5\r\n4 .5 3 0 1 0\r\n");
    REQUIRE(frame.position.size() == 2);
    CHECK(frame.position[0] == Vec3f{-1, 2, 3.5f});
    CHECK(frame.position[1] == Vec3f{4, -2.5f, 10});
    CHECK(frame.attributes.at("red") == std::vector<float>{255, 0});
    CHECK(frame.radius == std::vector<float>{0.1f, 0.5f});
    CHECK(frame.time == 1.5);
}

TEST_CASE("big-endian files, lists of other elements skipped") {
    std::string bytes =
        "ply\nformat binary_big_endian 1.0\nelement face 2\nproperty list uchar ushort corners\n"
        "property uchar flag\nelement vertex 1\nproperty double x\nproperty float y\nproperty short z\n"
        "property uint id\nend_header\n";
    bytes += '\x02';
    append_big_endian(bytes, std::uint32_t{0});
    bytes += '\x01';
    bytes += std::string("\x00\x01", 2);
    append_big_endian(bytes, 0.125);
    append_big_endian(bytes, -3.0f);
    append_big_endian(bytes, std::int16_t{-7});
    append_big_endian(bytes, std::uint32_t{123456});
    const ParticleFrame frame = read_as_file(bytes, 0.25f);
    REQUIRE(frame.position.size() == 1);
    CHECK(frame.position[0] == Vec3f{0.125f, -3, -7});
    CHECK(frame.attributes.at("id")[0] == 123456);
    CHECK(frame.radius[0] == 0.25f);
    CHECK(frame.attributes.count("radius") == 0);
}

TEST_CASE("wrong headers are refused with the line and the reason") {
    CHECK_REFUSED("", "is empty");
    CHECK_REFUSED("hello", "neither PLY, VTU nor BGEO");
    CHECK_REFUSED("plywood\n", "line 1: the first line is not \"ply\"");
    CHECK_REFUSED("ply\nformat ascii 1.0\n", "line 3: the file ends before end_header");
    CHECK_REFUSED("ply\nformat binary 1.0\nend_header\n", "line 2: unknown format \"binary\"");
    CHECK_REFUSED("ply\nelement vertex 1\n" + xyzr + "end_header\n", "no format line");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex -1\n", "line 3: \"-1\" is no element count");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", "is no element count");
    CHECK_REFUSED("ply\nformat ascii 1.0\nproperty float x\n", "a property before the first element");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n",
                  "unknown property type \"real\"");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n",
                  "declared twice");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement face 0\nend_header\n", "has no element vertex");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex 1\nend_header\n", "no properties");
    CHECK_REFUSED("ply\nformat ascii 1.0\n\x01\x02\xff\n", "line 3: \"???\" is no PLY keyword");
    CHECK_REFUSED("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nend_header\n",
                  "has no property z");
    CHECK_REFUSED(
        "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float "
        "z\nend_header\n",
        "file.ply: has no property radius");
}

TEST_CASE("counts that the data cannot hold cost no memory") {
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        const std::string start = std::string("ply\nformat ") + format + " 1.0\n";
        for (const char* count : {"3", "4000000000", "1152921504606846977", "18446744073709551615"}) {
            CHECK_REFUSED(start + "element vertex " + count + "\n" + xyzr + "end_header\n1 2 3 4 ",
                          "cut short");
            CHECK_REFUSED(start + "element face " + count + "\nproperty list int int c\nelement vertex 0\n" +
                              xyzr + "end_header\n",
                          "cut short");
        }
    }
    CHECK_REFUSED(
        "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list char int c\nelement vertex 0\n" +
            xyzr + "end_header\n\xff",
        "negative length");
}

TEST_CASE("values that no particle can have are refused") {
    const std::string start = "ply\nformat ascii 1.0\nelement vertex 1\n" + xyzr + "end_header\n";
    CHECK_REFUSED(start + "1 nan 2 0.1\n", "particle 0 has no finite position");
    CHECK_REFUSED(start + "1 2 3 -0.1\n", "particle 0 has the radius -0.1");
    CHECK_REFUSED(start + "1 2 x 0.1\n", "no number");
    CHECK_REFUSED(start + "1 2 3.0.0 0.1\n", "no number");
    CHECK_REFUSED(start + "1 2 1e999 0.1\n", "out of range");
}

TEST_CASE("what is no file is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(read_particles(folder / "nothing.ply"),
                         doctest::Contains("nothing.ply: no such file"), InputError);
    CHECK_THROWS_WITH_AS(read_particles(folder.path), doctest::Contains("is a folder"), InputError);
}

TEST_CASE("damaged files of every format are read or refused, never worse") {
    const TemporaryFolder folder;
    const ParticleTable particles = sample_particles(5);
    write_ply(folder / "p.ply", particles);
    write_vtu(folder / "p.vtu", particles);
    write_bgeo(folder / "p.bgeo", particles);
    for (const char* name : {"p.ply", "p.vtu", "p.bgeo"}) {
        const std::string whole = read_text(folder / name);
        const auto survives = [&](const std::string& bytes) {
            write_text(folder / "damaged", bytes);
            try {
                read_particles(folder / "damaged");
            } catch (const InputError&) {
            }
        };
        for (std::size_t length = 0; length < whole.size(); length += 3) survives(whole.substr(0, length));
        CHECK(rc::check([&] {
            std::string bytes = whole;
            for (const std::size_t position : *rc::gen::container<std::vector<std::size_t>>(
                     8, rc::gen::inRange<std::size_t>(0, whole.size())))
                bytes[position] = *rc::gen::arbitrary<char>();
            survives(bytes);
        }));
    }
}
