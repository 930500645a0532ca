#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/state.h"
#include "core/state_check.h"
#include "particles/table.h"
#include "sim/clock.h"

namespace thixo {

class Simulation;

/// A saved state: with the model, all that the future of a run depends on. It has the arrays and values that
/// the parts of a simulation list (`list_state`), as bytes, by their names.
struct Snapshot {
    struct Section {
        std::uint64_t entry_size = 0;  ///< bytes
        std::vector<std::byte> bytes;
    };
    std::map<std::string, Section, std::less<>> sections;
    std::string origin = "the state";  ///< as messages name it

    Snapshot() = default;
    /// The state of a simulation as it is.
    explicit Snapshot(const Simulation& simulation);

    /// Fills the parts of a simulation. Throws an InputError where a section is missing, is one too many, or
    /// does not have the form that the part lists; the values themselves are checked by `check_state`.
    void load(Simulation& simulation) const;

    /// Runs work(), and completes the message of an InputError in it with the origin.
    template <class Work>
    void read(const Work& work) const {
        try {
            work();
        } catch (const InputError& error) {
            throw InputError(fmt::format("{} is damaged: {}", origin, error.what()));
        }
    }
};

/// A visitor that fills what it is shown from the section of that name.
class SnapshotReader {
public:
    explicit SnapshotReader(const Snapshot& snapshot) : snapshot_(snapshot) {}

    template <class T>
    void operator()(std::string_view name, std::vector<T>& array, StateOrder order) {
        const Snapshot::Section& section = find(name, sizeof(T));
        array.resize(section.bytes.size() / sizeof(T));
        if (!array.empty())
            std::memcpy(static_cast<void*>(array.data()), section.bytes.data(), section.bytes.size());
        if (order == StateOrder::by_row) check_rows(name, array.size());
    }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void operator()(std::string_view name, T& value, StateOrder) {
        const Snapshot::Section& section = find(name, sizeof(T));
        check_length(name, section.bytes.size() / sizeof(T), 1);
        std::memcpy(static_cast<void*>(&value), section.bytes.data(), sizeof(T));
    }

    /// Refuses sections that nothing was filled from.
    void expect_no_more() const;

private:
    const Snapshot::Section& find(std::string_view name, std::size_t entry_size);
    void check_rows(std::string_view name, std::size_t count);

    const Snapshot& snapshot_;
    std::set<std::string, std::less<>> used_;
    bool any_rows_ = false;
    std::size_t rows_ = 0;
};

/// The part of a saved state that means something without its model.
struct SavedParticles {
    Clock clock;
    ParticleTable particles;

    /// Throws an InputError if these, or the positions of the neighbour lists, are not possible.
    explicit SavedParticles(const Snapshot& snapshot);
};

}  // namespace thixo
