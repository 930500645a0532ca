#include <algorithm>
#include <iterator>

#include "sim/simulation.h"

namespace thixo {

namespace {

/// Solids that are next to a particle are this close, in spacings: the first shell of every lattice, within which all of them dock.
constexpr double next_to = 1.3;

}  // namespace

std::vector<Index> Simulation::of_model(const std::vector<Index>& rows, bool lattice) const {
    std::vector<Index> out;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), [&](Index i) {
        return (model_.materials[particles_.material[i]].solid.model == SolidModel::lattice) == lattice;
    });
    return out;
}

bool Simulation::change_happens(Index row) const {
    const PhaseChance& chance = phase_chances_[particles_.material[row]];
    if (!chance.acts) return true;
    const float t = particles_.temperature[row];
    const auto reach = static_cast<float>(next_to * model_.particles.spacing);
    const float rate =
        particles_.phase[row] == Phase::liquid
            ? chance.rate_of_freezing(t, solid_company(particles_, search_.whole(), row, reach))
            : chance.rate_of_melting(t);
    return changes_phase(rate, clock_.last_step, model_.seed, particles_.id[row], clock_.step);
}

PhaseChanges Simulation::find_phase_changes() const {
    PhaseChanges out;
    for (Index i = 0; i < particles_.size(); ++i) {
        const Phase now = particles_.phase[i], next = phase_rules_[particles_.material[i]].next(
                                                   now, particles_.temperature[i], particles_.latent[i]);
        if (next == now) continue;
        if ((now == Phase::liquid) != (next == Phase::liquid) && !change_happens(i)) continue;
        if (next == Phase::liquid) {
            out.melting.push_back(i);
        } else if (now == Phase::liquid) {
            (next == Phase::rigid ? out.freezing_rigid : out.freezing_elastic).push_back(i);
        } else {
            (next == Phase::rigid ? out.stiffening : out.softening).push_back(i);
        }
    }
    return out;
}

void Simulation::change_phases() {
    if (phase_rules_.empty()) return;
    const PhaseChanges changes = find_phase_changes();
    if (!changes.empty()) {
        WeakLinks weak = melt(changes);
        freeze(changes, weak.parts);
        adopt_rows(bonds(), changes.freezing(), particles_, weak.bodies);
        for (const Index i : changes.freezing_elastic) {
            if (particles_.site[i] != no_slot && particles_.body[i] > 0)
                weak.bodies.push_back(particles_.body[i]);
        }
        renumber_bodies(bonds(), weak.bodies, {clock_.time, clock_.frame + 1}, particles_, lineage_);
        rigid_.regroup(device_, particles_, search_.whole());
        rigid_.impose(device_, particles_);
        const std::vector<Index> changed = changes.all();
        separate_bodies(&changed);
    }
    soften_bodies();
}

/// Rows leave their bodies. Returns what may fall apart by that, and by rows that soften.
WeakLinks Simulation::melt(const PhaseChanges& changes) {
    std::vector<Index> linked, docked, leaving = changes.softening;  // the last: rigid parts
    for (const Index i : changes.melting) {
        if (particles_.site[i] != no_slot) docked.push_back(i);
        if (particles_.slot[i] != no_slot) linked.push_back(i);
        if (particles_.part[i] > 0) leaving.push_back(i);
    }
    WeakLinks weak{.bodies = weak_bodies(bonds(), changes.melting, particles_.body),
                   .parts = weak_bodies(
                       [this, links = part_links()](Index row, const std::function<void(Index)>& visit) {
                           links.visit(particles_, row, visit);
                       },
                       leaving, particles_.part)};
    // Lattices come apart without telling, as they flow: theirs are looked at whenever something changes.
    for (const Index i : docked) weak.bodies.push_back(particles_.body[i]);
    elastic_.leave(device_, particles_, linked);
    lattice_.leave(device_, particles_, docked);
    for (const Index i : changes.melting) {
        particles_.phase[i] = Phase::liquid;
        particles_.body[i] = 0;
        particles_.part[i] = 0;
    }
    return weak;
}

std::vector<Index> Simulation::with_neighbours(const std::vector<Index>& rows) const {
    std::vector<bool> taken(particles_.size());
    std::vector<Index> out;
    const auto take = [&](Index i) {
        if (!taken[i]) out.push_back(i);
        taken[i] = true;
    };
    for (const Index i : rows) {
        take(i);
        for (const Index j : search_.whole().of(i)) take(j);
    }
    return out;
}

/// Solid rows take hold of each other as their phases are now.
void Simulation::freeze(const PhaseChanges& changes, View<const std::uint32_t> weak_parts) {
    for (const Index i : changes.becoming_elastic()) particles_.phase[i] = Phase::elastic;
    for (const Index i : changes.becoming_rigid()) particles_.phase[i] = Phase::rigid;
    link_elastic(changes);
    lattice_.join(device_, particles_, of_model(changes.freezing_elastic, true), search_.whole());
    group_parts(changes, weak_parts);
    unlink_rigid();
}

/// What has become elastic is linked, and so is what is rigid within its reach: that is how parts of both kinds hold together.
void Simulation::link_elastic(const PhaseChanges& changes) {
    const std::vector<Index> freezing = changes.freezing();
    Meeting meeting(particles_, freezing, search_.whole(), part_links().reach);
    std::vector<Packed4> frames = rigid_.frames_of_rows(particles_.size());
    const FrameTurns turns = elastic_.unite_frames(device_, particles_, meeting, search_.whole(), frames);
    if (!turns.empty()) {
        rigid_.turn_frames(particles_, turns);
        frames = rigid_.frames_of_rows(particles_.size());
    }

    std::vector<Index> joining = of_model(changes.becoming_elastic(), false);
    std::vector<bool> joins(particles_.size());
    for (const Index i : joining) joins[i] = true;
    const PartLinks within{search_.whole(), support()};
    const auto add = [&](Index i) {
        if (!joins[i]) joining.push_back(i);
        joins[i] = true;
    };
    for (std::size_t k = 0, count = joining.size(); k < count; ++k) {
        const Index i = joining[k];
        within.visit_near(particles_, i, [&](Index j) {
            if (particles_.phase[j] == Phase::rigid && particles_.slot[j] == no_slot &&
                meeting.linkable(i, j))
                add(j);
        });
    }
    for (const Index i : changes.freezing_rigid) {
        within.visit_near(particles_, i, [&](Index j) {
            if (particles_.phase[j] == Phase::elastic && (particles_.slot[j] != no_slot || joins[j]) &&
                meeting.linkable(i, j))
                add(i);
        });
    }
    elastic_.join(device_, particles_, joining, meeting, search_.whole(), frames);
}

/// Rigid parts lose what is no longer rigid, and win what has become so.
void Simulation::group_parts(const PhaseChanges& changes, View<const std::uint32_t> weak) {
    for (const Index i : changes.softening) particles_.part[i] = 0;
    split_parts(part_links(), weak, particles_);
    const std::vector<Index> joining = changes.becoming_rigid();
    if (joining.empty()) return;
    const Reference reference = elastic_.reference();
    join_parts(
        part_links(), joining,
        [&](Index i, Index j) {
            if (particles_.body[i] == 0 || particles_.body[j] == 0) return true;
            const std::uint32_t a = particles_.slot[i], b = particles_.slot[j];
            return a != no_slot && b != no_slot && reference.linked(a, b);
        },
        particles_);
}

/// Rigid rows that nothing elastic hangs on need no links.
void Simulation::unlink_rigid() {
    std::vector<Index> leaving;
    for (Index i = 0; i < particles_.size(); ++i) {
        if (particles_.phase[i] != Phase::rigid || particles_.slot[i] == no_slot) continue;
        bool holds = false;
        elastic_.visit_links(particles_, i, [&](Index j) { holds |= particles_.phase[j] == Phase::elastic; });
        if (!holds) leaving.push_back(i);
    }
    elastic_.leave(device_, particles_, leaving);
}

void Simulation::soften_bodies() {
    if (phase_rules_.empty() || !deforms()) return;
    stiffness_.resize(particles_.size());
    launch(device_, particles_.size(),
           [rules = View<const PhaseRule>(phase_rules_), chances = View<const PhaseChance>(phase_chances_),
            t = View<const float>(particles_.temperature),
            material = View<const std::uint16_t>(particles_.material), out = View(stiffness_)](Index i) {
               // What is left to chance is solid until it melts: warmer than its melting point, too.
               out[i] = chances[material[i]].acts ? 1.f : rules[material[i]].stiffness(t[i]);
           });
    if (!elastic_.empty()) elastic_.soften(device_, stiffness_);
    lattice_.soften(device_, stiffness_);
}

}  // namespace thixo
