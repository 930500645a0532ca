#include "fluid/equation_of_state.h"

#include <limits>
#include <vector>

#include "fluid/density.h"

namespace thixo {

namespace {

/// For `continuity` solids alone are summed: their weight in their own sum never changes.
template <class Sum>
struct OfSolids {
    Sum sum;
    View<const Phase> phase;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        if (phase[i] != Phase::liquid) sum(width, i);
    }
};

/// Weakly compressible liquids: the pressure is a function of the density.
template <class Law>
class EquationOfState : public PressureSolver {
public:
    explicit EquationOfState(const PressureSetup& setup)
        : continuity_(setup.methods.density == DensityMethod::continuity),
          tension_(setup.methods.tension),
          constants_(setup.constants) {}

    void compute_density(const Device& device, const FluidState& state) override {
        ParticleTable& p = state.particles;
        state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
            const Density density{pairs, View<const FluidConstants>(constants_),
                                  View<const std::uint16_t>(p.material), state.walls, View(p.density)};
            if (continuity_)
                launch_pairs(device, p.size(), state.rows, OfSolids{density, View<const Phase>(p.phase)});
            else
                launch_pairs(device, p.size(), state.rows, density);
        });
    }

    bool compute_pressure(const Device& device, ParticleTable& particles,
                          View<Packed4> velocity_pressure) override {
        // Where neighbours are missing, at a free surface, the sum falls below the rest density, and tension
        // would pull particles into clumps.
        const float lowest = tension_ ? -std::numeric_limits<float>::infinity() : 0.f;
        apply_law(device, Law{}, lowest, constants_, particles, velocity_pressure);
        return true;
    }

private:
    bool continuity_, tension_;
    std::vector<FluidConstants> constants_;
};

}  // namespace

std::unique_ptr<PressureSolver> make_state_equation(const PressureSetup& setup) {
    return std::make_unique<EquationOfState<StateEquation>>(setup);
}

std::unique_ptr<PressureSolver> make_tait(const PressureSetup& setup) {
    return std::make_unique<EquationOfState<Tait>>(setup);
}

}  // namespace thixo
