#include "sim/snapshot.h"

#include "sim/simulation.h"
#include "sim/state_check.h"

namespace thixo {

namespace {

/// A visitor that copies what it is shown.
struct SnapshotWriter {
    Snapshot& out;

    template <class T>
    void operator()(std::string_view name, const T& value, StateOrder) {
        const auto entries = entries_of(value);
        const auto* bytes = reinterpret_cast<const std::byte*>(entries.data());
        out.sections[std::string(name)] = {
            sizeof entries[0], std::vector<std::byte>(bytes, bytes + entries.size() * sizeof entries[0])};
    }
};

}  // namespace

Snapshot::Snapshot(const Simulation& simulation) { visit_state(simulation, SnapshotWriter{*this}); }

void Snapshot::load(Simulation& simulation) const {
    SnapshotReader reader(*this);
    visit_state(simulation, reader);
    reader.expect_no_more();
}

const Snapshot::Section& SnapshotReader::find(std::string_view name, std::size_t entry_size) {
    const auto found = snapshot_.sections.find(name);
    if (found == snapshot_.sections.end()) throw InputError(fmt::format("it has no section `{}`", name));
    used_.emplace(name);
    const Snapshot::Section& section = found->second;
    if (section.entry_size != entry_size || section.bytes.size() % entry_size != 0)
        refuse_state(name, "entries have {} bytes, which must be {}", section.entry_size, entry_size);
    return section;
}

void SnapshotReader::check_rows(std::string_view name, std::size_t count) {
    if (!any_rows_) rows_ = count;
    any_rows_ = true;
    if (count != rows_) refuse_state(name, "it has {} rows, others have {}", count, rows_);
}

void SnapshotReader::expect_no_more() const {
    for (const auto& [name, section] : snapshot_.sections)
        if (!used_.contains(name))
            throw InputError(fmt::format("it has a section `{}`, which is unknown to this program", name));
}

SavedParticles::SavedParticles(const Snapshot& snapshot) {
    snapshot.read([&] {
        SnapshotReader reader(snapshot);
        NeighbourSearch search;
        visit_state(clock, reader);
        visit_state(particles, reader);
        visit_state(search, reader);
        check_particles(clock, particles, search);
    });
}

}  // namespace thixo
