#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "core/eight.h"
#include "core/marks.h"
#include "core/select.h"
#include "particles/body_seams.h"
#include "sim/simulation.h"

namespace thixo {

namespace {

/// Solids that are next to a particle are this close, in spacings: the first shell of every lattice, within which all of them dock.
constexpr double next_to = 1.3;

/// What hangs together in rigid parts.
struct PartBonds {
    PartLinks links;
    const ParticleTable& particles;

    template <class Wanted, class Visit>
    void of_wanted(Index row, const Wanted& wanted, const Visit& visit) const {
        links.visit_wanted(particles, row, wanted, visit);
    }
    void prefetch(Index row) const { links.neighbours.prefetch_list(row); }
};

/// Whether eight values are all the same: each is then what the next one is.
template <class T>
bool uniform(const T* eight) {
    return std::memcmp(eight, eight + 1, (lane_count - 1) * sizeof(T)) == 0;
}

/// Temperatures at which particles of a material are safe from changes, by phase.
struct SafeRanges {
    PhaseRule::Range of[phase_names.size()];

    explicit SafeRanges(const PhaseRule& rule)
        : of{rule.safe(Phase::liquid), rule.safe(Phase::elastic), rule.safe(Phase::rigid)} {}

    bool holds(Phase phase, float temperature) const {
        return of[static_cast<Index>(phase)].holds(temperature);
    }
    /// For eight particles.
    LaneMask holds(const Phase* phase, const float* temperature) const {
        const LaneMask number = load(reinterpret_cast<const std::uint8_t*>(phase));
        const auto choose = [&](float PhaseRule::Range::*end) {
            const Lanes solid = number == 1 ? spread<Lanes>(of[1].*end) : spread<Lanes>(of[2].*end);
            return number == 0 ? spread<Lanes>(of[0].*end) : solid;
        };
        const Lanes t = load(temperature);
        return (t > choose(&PhaseRule::Range::low)) & (t < choose(&PhaseRule::Range::high));
    }
};

/// Rows that may be about to change. Mostly eight rows side by side are of one material.
Marks outside_safe_ranges(const Device& device, const ParticleTable& particles, View<const PhaseRule> rules) {
    const std::vector<SafeRanges> safe(rules.begin(), rules.end());  // by material
    Marks out(particles.size());
    launch_blocks(device, particles.size(),
                  [&out, safe = safe.data(), n = particles.size(), phase = particles.phase.data(),
                   material = particles.material.data(), t = particles.temperature.data()](Index first) {
                      if (first + lane_count <= n && uniform(material + first) &&
                          all(safe[material[first]].holds(phase + first, t + first)))
                          return;
                      for (Index i = first; i < std::min(n, first + lane_count); ++i) {
                          if (!safe[material[i]].holds(phase[i], t[i])) out.set(i);
                      }
                  });
    return out;
}

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
    const auto next = [this](Index i) {
        return phase_rules_[particles_.material[i]].next(particles_.phase[i], particles_.temperature[i],
                                                         particles_.latent[i]);
    };
    const Marks doubtful = outside_safe_ranges(device_, particles_, phase_rules_);
    PhaseChanges out;
    const std::vector<Index> rows = doubtful.rows();
    const auto changes = [&](Index k) {
        const Index i = rows[k];
        const Phase now = particles_.phase[i], then = next(i);
        if (then == now) return false;
        if ((now == Phase::liquid) == (then == Phase::liquid)) return true;
        // Solids are made of the finest particles: what is larger is divided before it freezes.
        if (now == Phase::liquid && adaptivity_.active() && !adaptivity_.is_finest(particles_.radius[i]))
            return false;
        return change_happens(i);
    };
    for (const Index k : select(device_, static_cast<Index>(rows.size()), changes)) {
        const Index i = rows[k];
        const Phase now = particles_.phase[i], then = next(i);
        if (then == Phase::liquid) {
            out.melting.push_back(i);
        } else if (now == Phase::liquid) {
            (then == Phase::rigid ? out.freezing_rigid : out.freezing_elastic).push_back(i);
        } else {
            (then == Phase::rigid ? out.stiffening : out.softening).push_back(i);
        }
    }
    return out;
}

void Simulation::change_phases() {
    if (phase_rules_.empty()) return;
    PhaseChanges changes = find_phase_changes();
    if (!changes.empty()) {
        WeakLinks weak = melt(changes);
        freeze(changes, weak.parts);
        renumber(changes, std::move(weak.bodies));
        if (!rigid_.empty() || !changes.becoming_rigid().empty())
            rigid_.regroup(device_, particles_, search_.whole(), changes.becoming_rigid());
        separate_bodies(&changes);
    }
    soften_bodies();
}

/// Brings the numbers of bodies in line, of which `weak` may have fallen apart.
void Simulation::renumber(const PhaseChanges& changes, std::vector<std::uint32_t> weak) {
    const std::vector<Index> freezing = changes.freezing();
    adopt_rows(bonds(), freezing, particles_, weak);
    for (const Index i : changes.freezing_elastic) {
        if (particles_.site[i] != no_slot && particles_.body[i] > 0) weak.push_back(particles_.body[i]);
    }
    const bool all_known =
        std::all_of(freezing.begin(), freezing.end(), [&](Index i) { return particles_.body[i] > 0; });
    if (weak.empty() && all_known) return;
    renumber_bodies(bonds(), weak, {clock_.time, clock_.frame + 1}, particles_, lineage_);
}

/// Rows leave their bodies. Returns what may fall apart by that, and by rows that soften.
WeakLinks Simulation::melt(PhaseChanges& changes) {
    std::vector<Index> linked, docked, plain, others, from_parts;
    for (const Index i : changes.melting) {
        const bool has_slot = particles_.slot[i] != no_slot, has_site = particles_.site[i] != no_slot;
        if (has_site) docked.push_back(i);
        if (has_slot) linked.push_back(i);
        if (!has_site && !has_slot) {
            plain.push_back(i);
        } else {
            others.push_back(i);
            if (particles_.part[i] > 0) from_parts.push_back(i);
        }
    }
    from_parts.insert(from_parts.end(), changes.softening.begin(), changes.softening.end());
    // Those in the midst of a part have no bonds but within it: what holds the part there holds the body as well.
    const PartBonds in_parts{part_links(), particles_};
    Leaving leaving(particles_.size());
    WeakLinks weak{.bodies = leaving.weak(in_parts, plain, particles_.body)};
    if (!weak.bodies.empty()) weak.parts = Leaving(particles_.size()).weak(in_parts, plain, particles_.part);
    const auto add = [](std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more) {
        to.insert(to.end(), more.begin(), more.end());
    };
    if (!from_parts.empty()) add(weak.parts, Leaving(leaving).weak(in_parts, from_parts, particles_.part));
    const bool only_linked = docked.empty() && from_parts.empty();  // by nothing else do they hold anybody
    if (!(only_linked && elastic_.holds_without(device_, particles_, linked)))
        add(weak.bodies, leaving.weak(bonds(), others, particles_.body));
    // Lattices come apart without telling, as they flow: theirs are looked at whenever something changes.
    for (const Index i : docked) weak.bodies.push_back(particles_.body[i]);
    changes.relinked = elastic_.leave(device_, particles_, linked);
    lattice_.leave(device_, particles_, docked);
    for (const Index i : changes.melting) {
        particles_.phase[i] = Phase::liquid;
        particles_.body[i] = 0;
        particles_.part[i] = 0;
    }
    return weak;
}

/// Solid rows take hold of each other as their phases are now.
void Simulation::freeze(PhaseChanges& changes, View<const std::uint32_t> weak_parts) {
    for (const Index i : changes.becoming_elastic()) particles_.phase[i] = Phase::elastic;
    for (const Index i : changes.becoming_rigid()) particles_.phase[i] = Phase::rigid;
    link_elastic(changes);
    lattice_.join(device_, particles_, of_model(changes.freezing_elastic, true), search_.whole());
    group_parts(changes, weak_parts);
    unlink_rigid(changes);
}

/// What has become elastic is linked, and so is what is rigid within its reach: that is how parts of both kinds hold together.
void Simulation::link_elastic(PhaseChanges& changes) {
    // What is the only body meets no other.
    if (changes.becoming_elastic().empty() && !deforms() && rigid_.bodies().size() < 2) return;
    const std::vector<Index> freezing = changes.freezing();
    Meeting meeting(particles_, freezing, search_.whole(), part_links().reach);
    std::vector<Index> joining = of_model(changes.becoming_elastic(), false);
    if (joining.empty() && elastic_.empty() && !meeting.joins_bodies()) return;
    std::vector<Packed4> frames;
    if (!rigid_.empty()) frames = rigid_.frames_of_rows(particles_.size());
    const FrameTurns turns = elastic_.unite_frames(device_, particles_, meeting, search_.whole(), frames);
    if (!turns.empty()) {
        rigid_.turn_frames(particles_, turns);
        frames = rigid_.frames_of_rows(particles_.size());
    }
    add_rigid_rows(changes, meeting, joining);
    changes.add_relinked(elastic_.join(device_, particles_, joining, meeting, search_.whole(), frames));
}

/// Rigid rows that are to be linked with those that join, or with what is elastic already.
void Simulation::add_rigid_rows(const PhaseChanges& changes, const Meeting& meeting,
                                std::vector<Index>& joining) const {
    if (rigid_.empty() && changes.freezing_rigid.empty()) return;
    std::vector<std::uint8_t> joins(particles_.size());
    for (const Index i : joining) joins[i] = 1;
    const PartLinks within{search_.whole(), support()};
    const auto add = [&](Index i) {
        if (!joins[i]) joining.push_back(i);
        joins[i] = 1;
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
void Simulation::unlink_rigid(PhaseChanges& changes) {
    if (elastic_.empty() || (rigid_.empty() && changes.becoming_rigid().empty())) return;
    const auto needless = [this](Index i) {
        if (particles_.phase[i] != Phase::rigid || particles_.slot[i] == no_slot) return false;
        bool holds = false;
        elastic_.visit_links(particles_, i, [&](Index j) { holds |= particles_.phase[j] == Phase::elastic; });
        return !holds;
    };
    changes.add_relinked(elastic_.leave(device_, particles_, select(device_, particles_.size(), needless)));
}

/// Liquids in whose reach somebody is cold enough to freeze are as fine as solids: the front finds them divided.
void Simulation::limit_freezing(View<float> sizes) const {
    if (phase_rules_.empty()) return;
    std::vector<float> freezing;  // of each material, °C
    for (std::size_t m = 0; m < phase_rules_.size(); ++m) {
        const PhaseRule& rule = phase_rules_[m];
        const float point = phase_chances_[m].acts ? rule.freezing : rule.melting;
        freezing.push_back(rule.changes ? point : std::numeric_limits<float>::lowest());
    }
    launch(device_, particles_.size(),
           [freezing = View<const float>(freezing), neighbours = search_.whole(),
            phase = View<const Phase>(particles_.phase), t = View<const float>(particles_.temperature),
            material = View<const std::uint16_t>(particles_.material), sizes](Index i) {
               const auto cold = [&](Index j) {
                   return phase[j] == Phase::liquid && t[j] <= freezing[material[j]];
               };
               const View<const Index> around = neighbours.of(i);
               if (cold(i) || std::any_of(around.begin(), around.end(), cold))
                   sizes[i] = std::min(sizes[i], Adaptivity::dividing_limit());
           });
}

void Simulation::soften_bodies() {
    if (phase_rules_.empty() || !deforms()) return;
    // What is left to chance is solid until it melts: warmer than its melting point, too.
    const auto softens = [this](std::size_t m) {
        return !phase_chances_[m].acts && phase_rules_[m].softens();
    };
    bool any = false;
    for (std::size_t m = 0; m < phase_rules_.size(); ++m) any |= softens(m);
    if (!any) return;
    stiffness_.resize(particles_.size());
    launch(device_, particles_.size(),
           [rules = View<const PhaseRule>(phase_rules_), chances = View<const PhaseChance>(phase_chances_),
            t = View<const float>(particles_.temperature),
            material = View<const std::uint16_t>(particles_.material), out = View(stiffness_)](Index i) {
               out[i] = chances[material[i]].acts ? 1.f : rules[material[i]].stiffness(t[i]);
           });
    if (!elastic_.empty()) elastic_.soften(device_, stiffness_);
    lattice_.soften(device_, stiffness_);
}

}  // namespace thixo
