#pragma once

#include <functional>
#include <vector>

#include "body/matter.h"
#include "phase/phase_chance.h"
#include "phase/phase_rule.h"

namespace thixo {

/// Changes of phase: which particles melt, freeze, stiffen and soften, and how soft a solid is that is about to melt.
class PhaseTransitions {
public:
    PhaseTransitions(const std::vector<Material>& materials, double spacing, std::uint64_t seed);

    /// Whether any material ever changes its phase.
    bool any() const { return !rules_.empty(); }

    /// The step that random numbers belong to.
    struct Step {
        std::uint64_t number;
        double length;  ///< of the last one, s
    };

    /// The rows that change their phase now. Rows freeze only where may_freeze(row) holds.
    PhaseChanges find(const Device& device, const Matter& matter, const Step& step,
                      const std::function<bool(Index)>& may_freeze) const;

    /// Makes elastic matter and lattices as soft as their temperatures require.
    void soften(const Device& device, Matter& matter);

    /// Lowers the sizes of liquid particles that are about to freeze, and of their neighbours, to `limit`: solids are made of the
    /// finest particles, and the freezing front must find them split already.
    void limit_sizes(const Device& device, const Matter& matter, float limit, View<float> sizes) const;

private:
    bool happens(const Matter& matter, Index row, const Step& step) const;

    std::vector<PhaseRule> rules_;      ///< of each material; empty if none ever changes its phase
    std::vector<PhaseChance> chances_;  ///< of each material
    double spacing_;                    ///< m
    std::uint64_t seed_;
    std::vector<float> stiffness_;  ///< of each row, relative to that of its cold material
};

}  // namespace thixo
