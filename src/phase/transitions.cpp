#include "phase/transitions.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/eight.h"
#include "core/marks.h"
#include "core/select.h"

namespace thixo {

namespace {

/// In spacings: solid neighbours that a liquid particle freezes to are this close, the first shell of every lattice, within which
/// all of them dock.
constexpr double first_shell = 1.3;

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

PhaseTransitions::PhaseTransitions(const std::vector<Material>& materials, double spacing, std::uint64_t seed)
    : rules_(materials.begin(), materials.end()),
      chances_(materials.begin(), materials.end()),
      spacing_(spacing),
      seed_(seed) {
    const auto changes = [](const PhaseRule& rule) { return rule.changes; };
    if (std::none_of(rules_.begin(), rules_.end(), changes)) rules_.clear();
}

/// Whether a row that would cross between liquid and solid does so in this step.
bool PhaseTransitions::happens(const Matter& matter, Index row, const Step& step) const {
    const ParticleTable& particles = matter.particles;
    const PhaseChance& chance = chances_[particles.material[row]];
    if (!chance.acts) return true;
    const float t = particles.temperature[row];
    const auto reach = static_cast<float>(first_shell * spacing_);
    const float rate =
        particles.phase[row] == Phase::liquid
            ? chance.rate_of_freezing(t, solid_neighbours(particles, matter.search.whole(), row, reach))
            : chance.rate_of_melting(t);
    return changes_phase(rate, step.length, seed_, particles.id[row], step.number);
}

PhaseChanges PhaseTransitions::find(const Device& device, const Matter& matter, const Step& step,
                                    const std::function<bool(Index)>& may_freeze) const {
    PhaseChanges out;
    if (!any()) return out;
    const ParticleTable& particles = matter.particles;
    const auto next = [&](Index i) {
        return rules_[particles.material[i]].next(particles.phase[i], particles.temperature[i],
                                                  particles.latent[i]);
    };
    const std::vector<Index> rows = outside_safe_ranges(device, particles, rules_).rows();
    const auto changes = [&](Index k) {
        const Index i = rows[k];
        const Phase now = particles.phase[i], then = next(i);
        if (then == now) return false;
        if ((now == Phase::liquid) == (then == Phase::liquid)) return true;
        if (now == Phase::liquid && !may_freeze(i)) return false;
        return happens(matter, i, step);
    };
    for (const Index k : select(device, static_cast<Index>(rows.size()), changes)) {
        const Index i = rows[k];
        const Phase now = particles.phase[i], then = next(i);
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

void PhaseTransitions::limit_sizes(const Device& device, const Matter& matter, float limit,
                                   View<float> sizes) const {
    if (!any()) return;
    const ParticleTable& particles = matter.particles;
    std::vector<float> freezing;  // of each material, °C
    for (std::size_t m = 0; m < rules_.size(); ++m) {
        const PhaseRule& rule = rules_[m];
        const float point = chances_[m].acts ? rule.freezing : rule.melting;
        freezing.push_back(rule.changes ? point : std::numeric_limits<float>::lowest());
    }
    launch(device, particles.size(),
           [freezing = View<const float>(freezing), neighbours = matter.search.whole(),
            phase = View<const Phase>(particles.phase), t = View<const float>(particles.temperature),
            material = View<const std::uint16_t>(particles.material), limit, sizes](Index i) {
               const auto cold = [&](Index j) {
                   return phase[j] == Phase::liquid && t[j] <= freezing[material[j]];
               };
               const View<const Index> around = neighbours.of(i);
               if (cold(i) || std::any_of(around.begin(), around.end(), cold))
                   sizes[i] = std::min(sizes[i], limit);
           });
}

void PhaseTransitions::soften(const Device& device, Matter& matter) {
    Solids& solids = matter.solids;
    if (!any() || !solids.deformable()) return;
    // Where changes are stochastic, matter is a solid of full stiffness until it melts, above its melting point too.
    bool softens = false;
    for (std::size_t m = 0; m < rules_.size(); ++m) softens |= !chances_[m].acts && rules_[m].softens();
    if (!softens) return;
    const ParticleTable& particles = matter.particles;
    stiffness_.resize(particles.size());
    launch(device, particles.size(),
           [rules = View<const PhaseRule>(rules_), chances = View<const PhaseChance>(chances_),
            t = View<const float>(particles.temperature),
            material = View<const std::uint16_t>(particles.material), out = View(stiffness_)](Index i) {
               out[i] = chances[material[i]].acts ? 1.f : rules[material[i]].stiffness(t[i]);
           });
    if (!solids.elastic.empty()) solids.elastic.soften(device, stiffness_);
    solids.lattice.soften(device, stiffness_);
}

}  // namespace thixo
