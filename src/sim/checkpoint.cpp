#include "sim/checkpoint.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <type_traits>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"

namespace thixo {

namespace {

// A checkpoint is a FileHeader and then sections: SectionHeader, payload. Numbers are in the byte order of
// the machine that wrote them; `byte_order` tells a reader with the other one.

constexpr std::uint32_t format_version = 6;

struct FileHeader {
    char magic[8] = {'T', 'H', 'I', 'X', 'O', 'C', 'K', 'P'};
    std::uint32_t version = format_version;
    std::uint32_t byte_order = 0x01020304;
};

struct SectionHeader {
    char name[32] = {};
    std::uint64_t element_size = 0;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0;
};

template <class T>
void write_section(AtomicFile& file, std::string_view name, const T* data, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    SectionHeader header;
    name.copy(header.name, sizeof header.name - 1);
    header.element_size = sizeof(T);
    header.count = count;
    header.checksum = hash_bytes(data, count * sizeof(T));
    file.write(&header, sizeof header);
    file.write(data, count * sizeof(T));
}

class Reader {
public:
    explicit Reader(const std::filesystem::path& path)
        : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
        std::error_code error;
        left_ = std::filesystem::file_size(path, error);
        if (!file_ || error) fail("cannot be read");
        FileHeader header, expected;
        if (left_ < sizeof header) fail("is not a checkpoint: it is too short");
        read(&header, sizeof header);
        if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) fail("is not a checkpoint");
        if (header.byte_order != expected.byte_order)
            fail("was written on a machine with another byte order");
        if (header.version != expected.version) {
            fail(
                fmt::format("has version {}; this program reads version {}", header.version, format_version));
        }
    }

    /// The next section, which must have this name and element type.
    template <class Container>
    void section(std::string_view name, Container& out) {
        using T = typename Container::value_type;
        SectionHeader header, expected;
        name.copy(expected.name, sizeof expected.name - 1);
        if (left_ < sizeof header) fail(fmt::format("is cut short before section `{}`", name));
        read(&header, sizeof header);
        if (std::memcmp(header.name, expected.name, sizeof header.name) != 0 ||
            header.element_size != sizeof(T)) {
            fail(fmt::format("has no section `{}` where one is expected", name));
        }
        if (header.count > left_ / sizeof(T)) fail(fmt::format("is cut short in section `{}`", name));
        out.resize(header.count);
        read(out.data(), header.count * sizeof(T));
        if (hash_bytes(out.data(), header.count * sizeof(T)) != header.checksum) {
            fail(fmt::format("is damaged: the checksum of section `{}` does not match", name));
        }
    }

    void expect_end() const {
        if (left_ > 0) fail(fmt::format("is damaged: {} bytes follow its last section", left_));
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("checkpoint {} {}", path_.string(), what));
    }

private:
    void read(void* bytes, std::size_t count) {
        if (std::fread(bytes, 1, count, file_.get()) != count) fail("cannot be read");
        left_ -= count;
    }

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uintmax_t left_ = 0;
};

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Simulation& simulation,
                     const std::string& scene) {
    AtomicFile file(path);
    const FileHeader header;
    file.write(&header, sizeof header);
    write_section(file, "scene", scene.data(), scene.size());
    write_section(file, "clock", &simulation.clock(), 1);
    const EmitterState& traffic = simulation.emitter_state();
    write_section(file, "layers", traffic.layers.data(), traffic.layers.size());
    write_section(file, "held", traffic.held.data(), traffic.held.size());
    write_section(file, "removed", traffic.removed.data(), traffic.removed.size());
    const float skin = simulation.neighbour_search().skin();
    write_section(file, "skin", &skin, 1);
    simulation.particles().for_each_field([&](const auto& column, std::string_view name, std::string_view) {
        write_section(file, name, column.data(), column.size());
    });
    const std::vector<Vec3f>& built = simulation.neighbour_search().built_positions();
    write_section(file, "built_positions", built.data(), built.size());
    const std::vector<KinematicPlace>& places = simulation.kinematics().places();
    write_section(file, "held_places", places.data(), places.size());
    const Lineage& lineage = simulation.lineage();
    write_section(file, "lineage", lineage.data(), lineage.size());
    ElasticState elastic = simulation.elastic().state();
    elastic.for_each_field([&](const auto& column, std::string_view name) {
        write_section(file, name, column.data(), column.size());
    });
    const std::vector<Vec3f>& guess = simulation.implicit_elasticity().guess();
    write_section(file, "elastic_guess", guess.data(), guess.size());
    LatticeState lattice = simulation.lattice().state();
    lattice.for_each_field([&](const auto& column, std::string_view name) {
        write_section(file, name, column.data(), column.size());
    });
    RigidState rigid = simulation.rigid().state();
    rigid.for_each_field([&](const auto& column, std::string_view name) {
        write_section(file, name, column.data(), column.size());
    });
    const std::vector<ContactMemory>& contacts = simulation.rigid_contacts().memory();
    write_section(file, "rigid_contacts", contacts.data(), contacts.size());
    file.commit();
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
    Reader reader(path);
    Checkpoint out;
    reader.section("scene", out.scene);
    std::vector<Clock> clock;
    reader.section("clock", clock);
    if (clock.size() != 1) reader.fail("is damaged: it has no clock");
    out.snapshot.clock = clock.front();
    EmitterState& traffic = out.snapshot.traffic;
    reader.section("layers", traffic.layers);
    reader.section("held", traffic.held);
    reader.section("removed", traffic.removed);
    std::vector<float> skin;
    reader.section("skin", skin);
    if (skin.size() != 1) reader.fail("is damaged: it has no skin");
    out.snapshot.skin = skin.front();

    ParticleTable& particles = out.snapshot.particles;
    particles.for_each_field(
        [&](auto& column, std::string_view name, std::string_view) { reader.section(name, column); });
    reader.section("built_positions", out.snapshot.built_positions);
    reader.section("held_places", out.snapshot.held_places);
    reader.section("lineage", out.snapshot.lineage);
    out.snapshot.elastic.for_each_field(
        [&](auto& column, std::string_view name) { reader.section(name, column); });
    reader.section("elastic_guess", out.snapshot.elastic_guess);
    out.snapshot.lattice.for_each_field(
        [&](auto& column, std::string_view name) { reader.section(name, column); });
    out.snapshot.rigid.for_each_field(
        [&](auto& column, std::string_view name) { reader.section(name, column); });
    reader.section("rigid_contacts", out.snapshot.rigid_contacts);
    reader.expect_end();
    const auto same_size = [&](std::size_t size) {
        if (size != particles.id.size()) reader.fail("is damaged: its columns differ in length");
    };
    particles.for_each_field(
        [&](const auto& column, std::string_view, std::string_view) { same_size(column.size()); });
    same_size(out.snapshot.built_positions.size());
    return out;
}

}  // namespace thixo
