#include "sim/state_hash.h"

#include <functional>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace thixo {

namespace {

/// Entries are hashed by themselves, with their name and, where it means something, their place, and added
/// up.
class StateHash {
public:
    StateHash(const Device& device, Index rows) : device_(device), rows_(rows) {}

    template <class T>
    void operator()(std::string_view name, const T& value, StateOrder order) {
        const auto entries = entries_of(value);
        const std::uint64_t seed = hash_bytes(name.data(), name.size(), entries.size());
        order == StateOrder::by_row ? add_rows(entries, seed) : add_list(entries, seed);
    }

    std::uint64_t value() const {
        return sum_ + reduce(
                          device_, static_cast<Index>(rows_.size()), std::uint64_t{0},
                          [rows = View<const std::uint64_t>(rows_)](Index i) { return rows[i]; },
                          std::plus<>());
    }

private:
    /// What is known of a row is one hash: sums of columns would not see that two rows had exchanged a value.
    template <class T>
    void add_rows(View<const T> entries, std::uint64_t seed) {
        launch(device_, static_cast<Index>(rows_.size()), [entries, seed, rows = View(rows_)](Index i) {
            rows[i] = hash_bytes(&entries[i], sizeof(T), rows[i] ^ seed);
        });
    }

    template <class T>
    void add_list(View<const T> entries, std::uint64_t seed) {
        sum_ +=
            mix(seed) + reduce(
                            device_, static_cast<Index>(entries.size()), std::uint64_t{0},
                            [entries, seed](Index k) { return hash_bytes(&entries[k], sizeof(T), seed + k); },
                            std::plus<>());
    }

    const Device& device_;
    std::vector<std::uint64_t> rows_;
    std::uint64_t sum_ = 0;
};

}  // namespace

std::uint64_t state_hash(const Simulation& simulation) {
    StateHash hash(simulation.device(), simulation.particles().size());
    visit_state(simulation, hash);
    return hash.value();
}

}  // namespace thixo
