#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <sys/resource.h>

#include <csignal>
#include <iterator>

#include "core/error.h"
#include "io/export_columns.h"
#include "io/particle_files.h"
#include "io/particle_frame.h"
#include "unit/io/sample.h"

using namespace thixo;

namespace {

struct Format {
    const char* extension;
    void (*write)(const std::filesystem::path&, const ParticleTable&, const FrameInfo&);
};
constexpr Format formats[] = {{"ply", write_ply}, {"vtu", write_vtu}, {"bgeo", write_bgeo}};

/// Every attribute of row `row` of the table is what the file holds for particle k.
bool same_particle(const ParticleTable& p, Index row, const ParticleFrame& frame, std::size_t k) {
    const auto at = [&](const char* name) { return frame.attributes.at(name)[k]; };
    return frame.position[k] == p.position[row] && frame.radius[k] == p.radius[row] &&
           Vec3f{at("x"), at("y"), at("z")} == p.position[row] &&
           Vec3f{at("vx"), at("vy"), at("vz")} == p.velocity[row] &&
           at("id") == static_cast<float>(p.id[row]) && at("radius") == p.radius[row] &&
           at("density") == p.density[row] && at("temperature") == p.temperature[row] &&
           at("phase") == static_cast<float>(p.phase[row]) && at("material") == p.material[row] &&
           at("object") == p.object[row] && at("body") == static_cast<float>(p.body[row]) &&
           at("rim") == p.rim[row];
}

}  // namespace

TEST_CASE("what is written is read back, ordered by id, in every format") {
    const TemporaryFolder folder;
    CHECK(rc::check([&] {
        const auto count = *rc::gen::inRange<Index>(0, 300);
        // Steps of 1 and 3 are dense ids, 50 takes the sorting path.
        const auto step = *rc::gen::element<std::uint32_t>(1, 3, 50);
        const ParticleTable particles = sample_particles(count, step, *rc::gen::arbitrary<unsigned>());
        const std::vector<Index> rows = rows_by_id(particles.id);
        for (const Format& format : formats) {
            const auto path = folder / (std::string("p.") + format.extension);
            format.write(path, particles, {.frame = 7, .time = 0.625});
            const ParticleFrame frame = read_particles(path);
            RC_ASSERT(frame.position.size() == count);
            RC_ASSERT(frame.time == 0.625);
            for (std::size_t k = 0; k < count; ++k) {
                RC_ASSERT(same_particle(particles, rows[k], frame, k));
                if (k > 0) RC_ASSERT(frame.attributes.at("id")[k - 1] < frame.attributes.at("id")[k]);
            }
        }
    }));
}

TEST_CASE("the order of the rows in memory leaves no trace in the files") {
    const TemporaryFolder folder;
    ParticleTable particles = sample_particles(1000);
    for (const Format& format : formats)
        format.write(folder / (std::string("a.") + format.extension), particles, {});
    std::vector<Index> reversed(1000);
    for (Index i = 0; i < 1000; ++i) reversed[i] = 999 - i;
    particles.permute(Device{}, reversed);
    for (const Format& format : formats) {
        format.write(folder / (std::string("b.") + format.extension), particles, {});
        CHECK(read_text(folder / (std::string("a.") + format.extension)) ==
              read_text(folder / (std::string("b.") + format.extension)));
    }
}

TEST_CASE("rows_by_id keeps every row, also of ids that repeat") {
    CHECK(rc::check([](const std::vector<std::uint32_t>& wide, bool narrow) {
        std::vector<std::uint32_t> id = wide;
        if (narrow)
            for (std::uint32_t& value : id) value %= 16;
        std::vector<Index> rows = rows_by_id(id);
        RC_ASSERT(rows.size() == id.size());
        for (std::size_t k = 1; k < rows.size(); ++k) RC_ASSERT(id[rows[k - 1]] <= id[rows[k]]);
        std::sort(rows.begin(), rows.end());
        for (std::size_t k = 0; k < rows.size(); ++k) RC_ASSERT(rows[k] == k);
    }));
    const std::vector<std::uint32_t> extremes{0xffffffffu, 0, 0x80000000u};
    CHECK(rows_by_id(extremes) == std::vector<Index>{1, 2, 0});
}

TEST_CASE("a PLY header says names, types, units and time") {
    const TemporaryFolder folder;
    write_ply(folder / "p.ply", sample_particles(2), {.frame = 3, .time = 0.1});
    const std::string text = read_text(folder / "p.ply");
    CHECK(text.starts_with("ply\nformat binary_little_endian 1.0\n"));
    CHECK(text.find("comment time 0.1\ncomment frame 3\n") != std::string::npos);
    CHECK(text.find("comment unit vx m/s\n") != std::string::npos);
    CHECK(text.find(
              "element vertex 2\nproperty float x\nproperty float y\nproperty float z\nproperty float vx\n"
              "property float vy\nproperty float vz\nproperty uint id\nproperty float radius\n"
              "property float density\nproperty float temperature\nproperty uchar phase\n"
              "property ushort material\nproperty ushort object\nproperty uint body\nproperty ushort "
              "rim\nproperty float mass\nproperty float pressure\nend_header\n") != std::string::npos);
    CHECK(text.size() - text.find("end_header\n") - 11 ==
          2 * (6 * 4 + 4 + 3 * 4 + 1 + 2 + 2 + 4 + 2 + 2 * 4));
}

TEST_CASE("a collection lists its frames, with names that XML would misread") {
    const TemporaryFolder folder;
    const SeriesEntry entries[] = {{0, "particles/0000.vtu"}, {1.0 / 3, "a \"b\" & <c>.vtu"}};
    write_pvd(folder / "p.pvd", entries);
    const std::string text = read_text(folder / "p.pvd");
    CHECK(text.find(R"(<DataSet timestep="0" part="0" file="particles/0000.vtu"/>)") != std::string::npos);
    CHECK(text.find(R"(timestep="0.3333333333333333" part="0" file="a &quot;b&quot; &amp; &lt;c&gt;.vtu")") !=
          std::string::npos);
    write_pvd(folder / "p.pvd", {});
    CHECK(read_text(folder / "p.pvd").find("DataSet") == std::string::npos);
}

TEST_CASE("a disk that fills up is a RunError and leaves the former file as it was") {
    const TemporaryFolder folder;
    const ParticleTable few = sample_particles(3), many = sample_particles(50000);
    struct ::rlimit before {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    for (const Format& format : formats) {
        const auto path = folder / (std::string("p.") + format.extension);
        format.write(path, few, {});
        const std::string former = read_text(path);
        // A limit on the size of files fails in the middle of a write as a full disk does.
        struct ::rlimit small = before;
        small.rlim_cur = 100000;
        const auto former_handler = std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &small);
        std::string message;
        try {
            format.write(path, many, {});
        } catch (const RunError& error) {
            message = error.what();
        }
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, former_handler);
        CHECK(message.find(path.string()) != std::string::npos);
        CHECK(read_text(path) == former);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 3);
}

TEST_CASE("what cannot be written is a RunError and leaves nothing behind") {
    const TemporaryFolder folder;
    const ParticleTable particles = sample_particles(3);
    for (const Format& format : formats) {
        const auto missing = folder / (std::string("missing/p.") + format.extension);
        CHECK_THROWS_WITH_AS(format.write(missing, particles, {}), doctest::Contains(missing.c_str()),
                             RunError);
    }
    CHECK(std::filesystem::is_empty(folder.path));
}
