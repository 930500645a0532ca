#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/error.h"
#include "sim/checkpoint.h"
#include "sim/state_hash.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/mill.h"

using namespace thixo;

namespace {

/// A tank with a tap and a drain, an elastic block that yields, one with a lattice that may crack, and two
/// rigid ones on the floor.
struct Shelf : Mill {
    Shelf() : Mill(0.05) {
        Material clay{.name = "clay", .density = 1200};
        clay.solid = {.young_modulus = 1e5, .damping = 1e-3, .elastic_limit = 0.01, .plastic_limit = 1};
        Material glass{.name = "glass", .density = 1100};
        glass.solid = {.model = SolidModel::lattice, .young_modulus = 2e5, .docking_rate = 1e3};
        model.materials.push_back(clay);
        model.materials.push_back(glass);
        model.solver.elasticity = ElasticIntegrator::implicit;
        objects = {{.name = "block",
                    .material = "clay",
                    .phase = Phase::elastic,
                    .shape = Box{{0, 0.025, 0}, {0.2, 0.225, 0.2}}},
                   {.name = "pane",
                    .material = "glass",
                    .phase = Phase::elastic,
                    .lattice = Lattice::closest,
                    .shape = Box{{0.3, 0.1, 0}, {0.6, 0.3, 0.2}}},
                   {.name = "brick",
                    .material = "clay",
                    .phase = Phase::rigid,
                    .shape = Box{{0.9, 0, 0.3}, {1.1, 0.1, 0.5}}},
                   {.name = "lid",
                    .material = "clay",
                    .phase = Phase::rigid,
                    .shape = Box{{0.9, 0.1, 0.3}, {1.1, 0.2, 0.5}}}};
    }
};

}  // namespace

TEST_CASE("the hash covers every section of the state, for any number of threads and order of rows") {
    const TemporaryFolder folder;
    const Shelf shelf;
    Simulation sim = shelf.simulation(Device{1});
    for (int k = 0; k < 12; ++k) sim.step(1e9);
    save_checkpoint(folder / "c", sim, "");
    const auto snapshot = [&] { return load_checkpoint(folder / "c").snapshot; };
    const std::uint64_t hash = state_hash(sim);
    CHECK(state_hash(Simulation(shelf.model, snapshot(), Device{3})) == hash);

    std::set<std::string> there;
    for (const auto& [name, section] : snapshot().sections)
        if (!section.bytes.empty()) there.insert(name);
    for (const char* name :
         {"position", "elastic_links", "elastic_rotations", "elastic_plastic", "elastic_guess",
          "lattice_deformations", "lattice_rates", "lattice_docked", "rigid_bodies", "rigid_members",
          "rigid_contacts", "layers", "removed", "lineage", "skin", "built_positions", "clock"})
        CHECK_MESSAGE(there.contains(name), name);

    std::set<std::string> refused;
    for (const std::string& name : there) {
        Snapshot changed = snapshot();
        changed.sections.at(name).bytes.front() ^= std::byte{1};
        std::uint64_t other = hash;
        try {
            other = state_hash(Simulation(shelf.model, std::move(changed), Device{1}));
        } catch (const InputError&) {
            refused.insert(name);  // an index that leads nowhere
            continue;
        }
        CHECK_MESSAGE(other != hash, name);
    }
    for (const char* name : {"position", "elastic_rotations", "elastic_plastic", "elastic_guess",
                             "lattice_rates", "rigid_bodies", "layers", "removed", "skin", "clock"})
        CHECK_MESSAGE(!refused.contains(name), name);
}

TEST_CASE("memory is counted for every part that has state") {
    const Shelf shelf;
    const Simulation sim = shelf.simulation(Device{1});
    std::size_t parts = 0, bytes = 0;
    sim.visit_parts([&]<class Part>(const Part& part) {
        ++parts;
        if constexpr (HasMemory<Part>) bytes += part.bytes();
    });
    CHECK(parts > 5);
    CHECK(sim.bytes() == bytes);
    CHECK(bytes > sim.particles().size() * bytes_per_particle());
}
