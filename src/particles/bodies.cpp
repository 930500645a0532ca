#include "particles/bodies.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace thixo {

namespace {

/// Rows that hang together.
struct Part {
    std::vector<Index> rows;
    std::uint32_t whole = 0;  ///< number of the object or body that it is a part of
    std::uint32_t lowest_id = std::numeric_limits<std::uint32_t>::max();
};

/// The connected parts among the rows that `belongs` holds for: none of them may hang together with one it does not hold for.
/// Serial: it runs at the start, and when a body may have fallen apart.
template <class Belongs>
std::vector<Part> connected_parts(const Bonds& bonds, const ParticleTable& particles,
                                  const Belongs& belongs) {
    std::vector<Part> parts;
    std::vector<bool> reached(particles.size());
    for (Index first = 0; first < particles.size(); ++first) {
        if (reached[first] || !belongs(first)) continue;
        Part part;
        part.rows.push_back(first);
        reached[first] = true;
        const std::function<void(Index)> reach = [&](Index other) {
            if (reached[other]) return;
            reached[other] = true;
            part.rows.push_back(other);
        };
        for (std::size_t next = 0; next < part.rows.size(); ++next) {
            const Index i = part.rows[next];
            part.lowest_id = std::min(part.lowest_id, particles.id[i]);
            bonds(i, reach);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void become_body(const Part& part, double time, std::uint32_t parent, ParticleTable& particles,
                 Lineage& lineage) {
    const auto number = static_cast<std::uint32_t>(lineage.size() + 1);
    for (const Index i : part.rows) particles.body[i] = number;
    lineage.push_back({time, parent, number, part.rows.size()});
}

}  // namespace

void number_bodies(const Bonds& bonds, ParticleTable& particles, Lineage& lineage) {
    std::vector<Part> parts =
        connected_parts(bonds, particles, [&](Index i) { return particles.phase[i] != Phase::liquid; });
    for (Part& part : parts) part.whole = particles.object[part.rows.front()];
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.whole, a.lowest_id) < std::tie(b.whole, b.lowest_id);
    });
    for (const Part& part : parts) become_body(part, 0, 0, particles, lineage);
}

void part_bodies(const Bonds& bonds, const std::vector<std::uint32_t>& suspects, double time,
                 ParticleTable& particles, Lineage& lineage) {
    std::vector<bool> suspect(lineage.size() + 1);
    for (const std::uint32_t number : suspects) suspect[number] = true;
    std::vector<Part> parts =
        connected_parts(bonds, particles, [&](Index i) { return suspect[particles.body[i]]; });
    for (Part& part : parts) part.whole = particles.body[part.rows.front()];
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        if (a.whole != b.whole) return a.whole < b.whole;
        if (a.rows.size() != b.rows.size()) return a.rows.size() > b.rows.size();
        return a.lowest_id < b.lowest_id;
    });
    for (std::size_t k = 1; k < parts.size(); ++k) {
        if (parts[k].whole == parts[k - 1].whole)
            become_body(parts[k], time, parts[k].whole, particles, lineage);
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
