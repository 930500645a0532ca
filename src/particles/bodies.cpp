#include "particles/bodies.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace thixo {

namespace {

constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

/// Rows that hang together.
struct Part {
    std::vector<Index> rows;
    std::uint32_t lowest_id = no_id;
    std::uint32_t object = 0;                          ///< of the first row
    std::map<std::uint32_t, std::uint64_t> particles;  ///< by the number that they had
    std::uint32_t number = 0;
};

/// The connected parts that have a row for which `wanted` holds. Serial: it runs at the start, and when bodies may have changed.
template <class Wanted>
std::vector<Part> connected_parts(const Bonds& bonds, const ParticleTable& particles, const Wanted& wanted) {
    std::vector<Part> parts;
    std::vector<bool> reached(particles.size());
    for (Index first = 0; first < particles.size(); ++first) {
        if (reached[first] || !wanted(first)) continue;
        Part part{.object = particles.object[first]};
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
            ++part.particles[particles.body[i]];
            bonds(i, reach);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void record(Lineage& lineage, Moment moment, BodyEvent event, const Part& part, std::uint32_t parent) {
    lineage.push_back({.time = moment.time,
                       .frame = moment.frame,
                       .event = event,
                       .body = part.number,
                       .parent = parent,
                       .particles = part.rows.size()});
}

/// The part that most particles of a number are in now; none if there is nothing left of it.
std::map<std::uint32_t, Part*> find_heirs(std::vector<Part>& parts,
                                          const std::vector<std::uint32_t>& may_split) {
    std::map<std::uint32_t, Part*> heirs;
    for (const std::uint32_t number : may_split) heirs[number] = nullptr;
    for (Part& part : parts) {
        for (const auto& [number, count] : part.particles) {
            if (number == 0) continue;
            Part*& heir = heirs[number];
            if (!heir ||
                std::pair(count, heir->lowest_id) > std::pair(heir->particles[number], part.lowest_id))
                heir = &part;
        }
    }
    return heirs;
}

/// Of several numbers the one that most of the part had; 0 if it had none.
template <class Fits>
std::uint32_t most_frequent(const Part& part, const Fits& fits) {
    std::uint32_t best = 0;
    std::uint64_t most = 0;
    for (const auto& [number, count] : part.particles) {
        if (number == 0 || count <= most || !fits(number)) continue;
        best = number;
        most = count;
    }
    return best;
}

}  // namespace

std::uint32_t last_body(const Lineage& lineage) {
    std::uint32_t last = 0;
    for (const BodyChange& change : lineage) last = std::max(last, change.body);
    return last;
}

void number_bodies(const Bonds& bonds, ParticleTable& particles, Lineage& lineage) {
    std::vector<Part> parts =
        connected_parts(bonds, particles, [&](Index i) { return particles.phase[i] != Phase::liquid; });
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.object, a.lowest_id) < std::tie(b.object, b.lowest_id);
    });
    for (Part& part : parts) {
        part.number = static_cast<std::uint32_t>(lineage.size() + 1);
        for (const Index i : part.rows) particles.body[i] = part.number;
        record(lineage, {}, BodyEvent::started, part, 0);
    }
}

void renumber_bodies(const Bonds& bonds, const std::vector<std::uint32_t>& may_split, Moment moment,
                     ParticleTable& particles, Lineage& lineage) {
    std::uint32_t last = last_body(lineage);
    std::vector<bool> affected(last + 1);
    for (const std::uint32_t number : may_split) affected[number] = true;
    affected[0] = true;
    std::vector<Part> parts = connected_parts(bonds, particles, [&](Index i) {
        return particles.phase[i] != Phase::liquid && affected[particles.body[i]];
    });
    const std::map<std::uint32_t, Part*> heirs = find_heirs(parts, may_split);
    const auto foremost = [](const Part& part) {
        return most_frequent(part, [](std::uint32_t) { return true; });
    };
    std::vector<Part*> order;
    for (Part& part : parts) {
        part.number = most_frequent(part, [&](std::uint32_t number) { return heirs.at(number) == &part; });
        order.push_back(&part);
    }
    // New numbers by parent, size and id.
    std::sort(order.begin(), order.end(), [&](const Part* a, const Part* b) {
        const std::uint32_t of_a = foremost(*a), of_b = foremost(*b);
        return std::tuple(of_a, b->rows.size(), a->lowest_id) <
               std::tuple(of_b, a->rows.size(), b->lowest_id);
    });
    for (Part* part : order) {
        std::uint32_t parent = 0;
        if (part->number == 0) {
            parent = foremost(*part);
            part->number = ++last;
            record(lineage, moment, parent == 0 ? BodyEvent::froze : BodyEvent::came_off, *part, parent);
        }
        for (const auto& [number, count] : part->particles) {
            if (number != 0 && number != part->number && number != parent)
                record(lineage, moment, BodyEvent::merged, *part, number);
        }
        for (const Index i : part->rows) particles.body[i] = part->number;
    }
    for (const auto& [number, heir] : heirs) {
        if (!heir) record(lineage, moment, BodyEvent::melted, Part{.number = number}, 0);
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
