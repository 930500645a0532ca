#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstring>

#include "core/error.h"
#include "sim/checkpoint.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// The message of the InputError that loading gives; empty if there is none.
std::string error_of_loading(const std::filesystem::path& path) {
    try {
        Simulation(Splash(0.2, 2).model, load_checkpoint(path).snapshot);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string checkpoint_bytes(const std::filesystem::path& path) {
    Simulation sim = Splash(0.2, 2).simulation();
    for (int k = 0; k < 5; ++k) sim.step(1e9);
    save_checkpoint(path, sim, "{ \"name\": \"splash\" }");
    return read_text(path);
}

}  // namespace

TEST_CASE("a checkpoint holds the whole state") {
    const TemporaryFolder folder;
    Simulation sim = Splash(0.2).simulation();
    for (int k = 0; k < 5; ++k) sim.step(1e9);
    save_checkpoint(folder / "c", sim, "");
    const Checkpoint loaded = load_checkpoint(folder / "c");
    CHECK(loaded.scene.empty());
    const SavedParticles saved(loaded.snapshot);
    CHECK(std::memcmp(&saved.clock, &sim.clock(), sizeof(Clock)) == 0);
    CHECK(state_hash(Device{1}, saved.particles) == state_hash(Device{1}, sim.particles()));
    CHECK(saved.particles.id == sim.particles().id);
    // Saving again what was loaded gives the same file.
    Simulation resumed(Splash(0.2).model, loaded.snapshot, Device{2});
    CHECK(resumed.neighbour_search().built_positions() == sim.neighbour_search().built_positions());
    CHECK(resumed.neighbour_search().skin() == sim.neighbour_search().skin());
    save_checkpoint(folder / "d", resumed, "");
    CHECK(read_text(folder / "c") == read_text(folder / "d"));
}

TEST_CASE("a scene without particles has checkpoints too") {
    const TemporaryFolder folder;
    Model model;
    model.materials = {water()};
    const Simulation sim(model, ParticleTable{}, Device{1});
    save_checkpoint(folder / "c", sim, "nothing");
    CHECK(SavedParticles(load_checkpoint(folder / "c").snapshot).particles.size() == 0);
}

TEST_CASE("any flipped bit is noticed") {
    const TemporaryFolder folder;
    const std::string good = checkpoint_bytes(folder / "good");
    const auto flip = [&](std::size_t at, int bit) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
        write_text(folder / "bad", bad);
        return error_of_loading(folder / "bad");
    };
    CHECK(rc::check([&] {
        const auto at = *rc::gen::inRange<std::size_t>(0, good.size());
        const std::string message = flip(at, *rc::gen::inRange(0, 8));
        RC_ASSERT(message.find((folder / "bad").string()) != std::string::npos);
    }));
    // The header and the first sections, byte by byte: names, sizes, counts, checksums.
    for (std::size_t at = 0; at < 400; ++at) CHECK_MESSAGE(flip(at, static_cast<int>(at % 8)) != "", at);
}

TEST_CASE("a checkpoint cut short or grown long is refused, wherever the cut") {
    const TemporaryFolder folder;
    const std::string good = checkpoint_bytes(folder / "good");
    CHECK(rc::check([&] {
        write_text(folder / "bad", good.substr(0, *rc::gen::inRange<std::size_t>(0, good.size())));
        RC_ASSERT(error_of_loading(folder / "bad") != "");
    }));
    for (std::size_t size = 0; size < 300; size += 7) {
        write_text(folder / "bad", good.substr(0, size));
        CHECK(error_of_loading(folder / "bad") != "");
    }
    write_text(folder / "bad", good + "more");
    CHECK(error_of_loading(folder / "bad").find("4 bytes follow") != std::string::npos);
}

TEST_CASE("random bytes behind a good header never crash or allocate huge memory") {
    const TemporaryFolder folder;
    const std::string good = checkpoint_bytes(folder / "good");
    CHECK(rc::check([&](const std::string& noise) {
        write_text(folder / "bad", good.substr(0, 16) + noise);
        RC_ASSERT(error_of_loading(folder / "bad") != "");
    }));
    // A section that claims more elements than there are atoms.
    std::string huge = good;
    const std::uint64_t count = 0x7fffffffffffffff;
    std::memcpy(huge.data() + 16 + 32 + 8, &count, sizeof count);
    write_text(folder / "bad", huge);
    CHECK(error_of_loading(folder / "bad").find("cut short in section `scene`") != std::string::npos);
}

TEST_CASE("what is no checkpoint is recognised") {
    const TemporaryFolder folder;
    CHECK(error_of_loading(folder / "missing").find("cannot be read") != std::string::npos);
    CHECK(error_of_loading(folder.path).find(folder.path.string()) != std::string::npos);
    write_text(folder / "text", "This is a letter, not a checkpoint.");
    CHECK(error_of_loading(folder / "text").ends_with("is not a checkpoint"));
    std::string bytes = checkpoint_bytes(folder / "good");
    bytes[8] = 12;
    write_text(folder / "newer", bytes);
    const std::string message = error_of_loading(folder / "newer");
    CHECK(message.find("has version 12, but this program reads version 11") != std::string::npos);
    CHECK(message.find("--force") != std::string::npos);
    std::swap(bytes[8 + 4], bytes[8 + 7]);
    std::swap(bytes[8 + 5], bytes[8 + 6]);
    write_text(folder / "other", bytes);
    CHECK(error_of_loading(folder / "other").ends_with("another byte order"));
}
