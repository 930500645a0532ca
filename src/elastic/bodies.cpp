#include "elastic/bodies.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace thixo {

namespace {

/// Slots that hang together.
struct Part {
    std::vector<Index> slots;
    std::uint32_t whole = 0;  ///< number of the object or body that it is a part of
    std::uint32_t lowest_id = std::numeric_limits<std::uint32_t>::max();
};

/// The connected parts among the slots that `belongs` holds for: none of them may be linked to one it does not hold for.
/// Serial: it runs at the start, and when a body may have fallen apart.
template <class Belongs>
std::vector<Part> connected_parts(const Reference& reference, View<const Index> row,
                                  const ParticleTable& particles, const Belongs& belongs) {
    std::vector<Part> parts;
    std::vector<bool> reached(reference.size());
    for (Index first = 0; first < reference.size(); ++first) {
        if (reached[first] || !belongs(first)) continue;
        Part part;
        part.slots.push_back(first);
        reached[first] = true;
        for (std::size_t next = 0; next < part.slots.size(); ++next) {
            const Index s = part.slots[next];
            part.lowest_id = std::min(part.lowest_id, particles.id[row[s]]);
            for (Index k = 0; k < reference.count(s); ++k) {
                const Index other = reference.link(s, k).neighbour;
                if (reached[other]) continue;
                reached[other] = true;
                part.slots.push_back(other);
            }
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void become_body(const Part& part, double time, std::uint32_t parent, View<const Index> row,
                 ParticleTable& particles, Lineage& lineage) {
    const auto number = static_cast<std::uint32_t>(lineage.size() + 1);
    for (const Index s : part.slots) particles.body[row[s]] = number;
    lineage.push_back({time, parent, number, part.slots.size()});
}

}  // namespace

void number_bodies(const Reference& reference, View<const Index> row, ParticleTable& particles,
                   Lineage& lineage) {
    std::vector<Part> parts = connected_parts(reference, row, particles, [](Index) { return true; });
    for (Part& part : parts) part.whole = particles.object[row[part.slots.front()]];
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.whole, a.lowest_id) < std::tie(b.whole, b.lowest_id);
    });
    for (const Part& part : parts) become_body(part, 0, 0, row, particles, lineage);
}

void part_bodies(const Reference& reference, View<const Index> row,
                 const std::vector<std::uint32_t>& suspects, double time, ParticleTable& particles,
                 Lineage& lineage) {
    std::vector<bool> suspect(lineage.size() + 1);
    for (const std::uint32_t number : suspects) suspect[number] = true;
    std::vector<Part> parts =
        connected_parts(reference, row, particles, [&](Index s) { return suspect[particles.body[row[s]]]; });
    for (Part& part : parts) part.whole = particles.body[row[part.slots.front()]];
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        if (a.whole != b.whole) return a.whole < b.whole;
        if (a.slots.size() != b.slots.size()) return a.slots.size() > b.slots.size();
        return a.lowest_id < b.lowest_id;
    });
    for (std::size_t k = 1; k < parts.size(); ++k) {
        if (parts[k].whole == parts[k - 1].whole)
            become_body(parts[k], time, parts[k].whole, row, particles, lineage);
    }
}

std::uint64_t count_bodies(const ParticleTable& particles) {
    std::vector<bool> there;
    for (const std::uint32_t number : particles.body) {
        if (number >= there.size()) there.resize(number + 1);
        there[number] = true;
    }
    if (!there.empty()) there[0] = false;
    return static_cast<std::uint64_t>(std::count(there.begin(), there.end(), true));
}

}  // namespace thixo
