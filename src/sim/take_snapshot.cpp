#include "sim/take_snapshot.h"

#include <cstring>
#include <map>
#include <string_view>

namespace thixo {

namespace {

/// What is shown to it, by name.
class Sections {
public:
    template <class T>
    void operator()(std::string_view name, const T& value, StateOrder) {
        const auto entries = entries_of(value);
        const auto* bytes = reinterpret_cast<const char*>(entries.data());
        sections_.emplace(name, std::vector<char>(bytes, bytes + entries.size() * sizeof entries[0]));
    }
    std::vector<char> take(std::string_view name) { return std::move(sections_.at(name)); }

private:
    std::map<std::string_view, std::vector<char>> sections_;
};

/// Fills what is shown to it.
struct Taker {
    Sections& from;

    template <class T>
    void operator()(std::string_view name, std::vector<T>& array, StateOrder) {
        const std::vector<char> bytes = from.take(name);
        array.resize(bytes.size() / sizeof(T));
        if (!bytes.empty()) std::memcpy(static_cast<void*>(array.data()), bytes.data(), bytes.size());
    }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void operator()(std::string_view name, T& value, StateOrder) {
        std::memcpy(&value, from.take(name).data(), sizeof value);
    }
};

}  // namespace

Snapshot take_snapshot(const Simulation& simulation) {
    Sections sections;
    simulation.visit_state(sections);
    Snapshot out;
    Taker taker{sections};
    out.visit_state(taker);
    return out;
}

}  // namespace thixo
