#include "body/lineage.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace thixo {

namespace {

constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

/// A connected component of the solid rows.
struct Component {
    std::vector<Index> rows;
    std::uint32_t lowest_id = no_id;
    std::uint32_t object = 0;                          ///< of the first row
    std::map<std::uint32_t, std::uint64_t> particles;  ///< by the body they belonged to
    std::uint32_t number = 0;
};

/// The connected components that have a row for which holds(row) is true. Serial: it runs at the start, and
/// when bodies may have changed.
template <class Predicate>
std::vector<Component> connected_components(const Connectivity& connectivity, const ParticleTable& particles,
                                            const Predicate& holds) {
    std::vector<Component> components;
    std::vector<bool> reached(particles.size());
    for (Index first = 0; first < particles.size(); ++first) {
        if (reached[first] || !holds(first)) continue;
        Component component{.object = particles.object[first]};
        component.rows.push_back(first);
        reached[first] = true;
        const std::function<void(Index)> reach = [&](Index other) {
            if (reached[other]) return;
            reached[other] = true;
            component.rows.push_back(other);
        };
        for (std::size_t next = 0; next < component.rows.size(); ++next) {
            const Index i = component.rows[next];
            component.lowest_id = std::min(component.lowest_id, particles.id[i]);
            ++component.particles[particles.body[i]];
            connectivity(i, reach);
        }
        components.push_back(std::move(component));
    }
    return components;
}

void record(Lineage& lineage, Moment moment, BodyEvent event, const Component& component,
            const ParticleTable& particles, std::uint32_t parent) {
    double mass = 0;
    Vec3d first, momentum;
    for (const Index i : component.rows) {
        const double m = particles.mass[i];
        mass += m;
        first += m * to_double(particles.position[i]);
        momentum += m * to_double(particles.velocity[i]);
    }
    lineage.push_back({.time = moment.time,
                       .frame = moment.frame,
                       .event = event,
                       .body = component.number,
                       .parent = parent,
                       .particles = component.rows.size(),
                       .mass = mass,
                       .center = mass > 0 ? first / mass : Vec3d{},
                       .velocity = mass > 0 ? momentum / mass : Vec3d{}});
}

/// By number of a body: the component that holds most of its particles now; null if none is left.
std::map<std::uint32_t, Component*> find_heirs(std::vector<Component>& components,
                                               const std::vector<std::uint32_t>& may_split) {
    std::map<std::uint32_t, Component*> heirs;
    for (const std::uint32_t number : may_split) heirs[number] = nullptr;
    for (Component& component : components) {
        for (const auto& [number, count] : component.particles) {
            if (number == 0) continue;
            Component*& heir = heirs[number];
            if (!heir ||
                std::pair(count, heir->lowest_id) > std::pair(heir->particles[number], component.lowest_id))
                heir = &component;
        }
    }
    return heirs;
}

/// The number that most particles of the component had, among those that fit; 0 if there is none.
template <class Fits>
std::uint32_t most_frequent(const Component& component, const Fits& fits) {
    std::uint32_t best = 0;
    std::uint64_t most = 0;
    for (const auto& [number, count] : component.particles) {
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

void number_bodies(const Connectivity& connectivity, ParticleTable& particles, Lineage& lineage) {
    std::vector<Component> components = connected_components(
        connectivity, particles, [&](Index i) { return particles.phase[i] != Phase::liquid; });
    std::sort(components.begin(), components.end(), [](const Component& a, const Component& b) {
        return std::tie(a.object, a.lowest_id) < std::tie(b.object, b.lowest_id);
    });
    for (Component& component : components) {
        component.number = static_cast<std::uint32_t>(lineage.size() + 1);
        for (const Index i : component.rows) particles.body[i] = component.number;
        record(lineage, {}, BodyEvent::started, component, particles, 0);
    }
}

void renumber_bodies(const Connectivity& connectivity, const std::vector<std::uint32_t>& may_split,
                     Moment moment, ParticleTable& particles, Lineage& lineage) {
    std::uint32_t last = last_body(lineage);
    std::vector<bool> candidate(last + 1);
    for (const std::uint32_t number : may_split) candidate[number] = true;
    candidate[0] = true;
    std::vector<Component> components = connected_components(connectivity, particles, [&](Index i) {
        return particles.phase[i] != Phase::liquid && candidate[particles.body[i]];
    });
    const std::map<std::uint32_t, Component*> heirs = find_heirs(components, may_split);
    const auto main_parent = [](const Component& component) {
        return most_frequent(component, [](std::uint32_t) { return true; });
    };
    std::vector<Component*> order;
    for (Component& component : components) {
        component.number =
            most_frequent(component, [&](std::uint32_t number) { return heirs.at(number) == &component; });
        order.push_back(&component);
    }
    // New numbers by parent, size and id.
    std::sort(order.begin(), order.end(), [&](const Component* a, const Component* b) {
        const std::uint32_t of_a = main_parent(*a), of_b = main_parent(*b);
        return std::tuple(of_a, b->rows.size(), a->lowest_id) <
               std::tuple(of_b, a->rows.size(), b->lowest_id);
    });
    for (Component* component : order) {
        std::uint32_t parent = 0;
        if (component->number == 0) {
            parent = main_parent(*component);
            component->number = ++last;
            record(lineage, moment, parent == 0 ? BodyEvent::froze : BodyEvent::came_off, *component,
                   particles, parent);
        }
        for (const auto& [number, count] : component->particles) {
            if (number != 0 && number != component->number && number != parent)
                record(lineage, moment, BodyEvent::merged, *component, particles, number);
        }
        for (const Index i : component->rows) particles.body[i] = component->number;
    }
    for (const auto& [number, heir] : heirs) {
        if (!heir) record(lineage, moment, BodyEvent::melted, Component{.number = number}, particles, 0);
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
