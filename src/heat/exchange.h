#pragma once

#include <vector>

#include "heat/heat_state.h"
#include "heat/sources.h"

namespace thixo {

/// What comes from outside to a particle at the temperature T: gain − loss T, in W.
struct HeatExchange {
    double gain = 0;  ///< W
    double loss = 0;  ///< W/K
};

/// Flows between particles and what is not particles: walls, the air and heaters.
class OutsideHeat {
public:
    OutsideHeat(const Ambient& ambient, const std::vector<Heater>& heaters, int dimensions)
        : ambient_(ambient), heaters_(heaters), dimensions_(dimensions) {}

    /// Whether surfaces that face the air lose heat to it.
    bool faces_air() const { return ambient_.heat_transfer > 0; }
    /// Whether the air or a heater can ever change a temperature.
    bool acts() const { return faces_air() || !heaters_.empty(); }
    void set_heaters(const std::vector<Heater>& heaters) { heaters_ = heaters; }
    /// When a heater is next turned on or off after a time (s): steps end there, so that none is passed over.
    double next_switch(double time) const;

    /// How heat gets from particles to what is around them.
    struct Surroundings {
        View<const HeatConstants> constants;
        View<const Packed4> field;     ///< .y: conductivity
        View<const float> area;        ///< that faces the air, m²; in 2D m
        View<const float> to_contact;  ///< weights by which rows exchange heat with their nearest wall, 1/m²
        double nearest;                ///< m, distance from walls below which conductances do not grow
        double calibration;            ///< κ over Σ V⁰∇²W on the lattice
    };
    /// Sums them up for each particle, over a step from `time` to time + dt (s).
    void gather(const Device& device, const HeatState& state, const Surroundings& surroundings, double time,
                double dt);
    /// Empty if nothing comes from outside.
    View<const HeatExchange> exchange() const { return exchange_; }

    std::size_t bytes() const { return exchange_.capacity() * sizeof(HeatExchange); }

private:
    void add_heater(const Device& device, const ParticleTable& particles, View<const HeatConstants> constants,
                    const Heater& heater, double time, double fraction);

    Ambient ambient_;
    std::vector<Heater> heaters_;
    int dimensions_;
    std::vector<HeatExchange> exchange_;
};

}  // namespace thixo
