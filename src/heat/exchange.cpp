#include "heat/exchange.h"

#include <algorithm>

#include "heat/absolute_zero.h"

namespace thixo {

double OutsideHeat::next_switch(double time) const {
    double next = end_of_time;
    for (const Heater& heater : heaters_) {
        for (const double change : {heater.start, heater.stop}) {
            if (change > time) next = std::min(next, change);
        }
    }
    return next;
}

/// Between a particle and the air is half its own thickness, whose resistance counts too where it conducts.
void OutsideHeat::gather(const Device& device, const HeatState& state, const Surroundings& around,
                         double time, double dt) {
    const ParticleTable& particles = state.particles;
    exchange_.clear();
    bool heated = false;
    for (const Heater& heater : heaters_) heated |= heater.seconds_on(time, dt) > 0;
    if (state.walls.empty() && !faces_air() && !heated) return;
    exchange_.resize(particles.size());
    launch(device, particles.size(),
           [walls = state.walls, xs = state.records.position_volume(), field = around.field,
            radius = View<const float>(particles.radius), area = around.area, air = ambient_,
            contacts = state.contacts, contact = around.to_contact, nearest = around.nearest,
            calibration = around.calibration, out = View(exchange_)](Index i) {
               HeatExchange sum;
               const double k = field[i].y;
               if (!walls.empty()) {
                   const double through = k * xs[i].w * calibration;
                   sum = {through * walls[i].pull, through * walls[i].exchange};
                   if (!contacts.empty() && contacts[i].size > 0) {
                       // The nearest wall by the neighbours there are, the others by their distance.
                       const HeatContact& to = contacts[i];
                       const double thickness = std::max<double>(to.distance, nearest * to.size);
                       const double change = k * xs[i].w * contact[i] / (1 + k * to.resistance / thickness) -
                                             through * to.exchange;
                       sum.gain += change * to.temperature;
                       sum.loss += change;
                   }
               }
               if (!area.empty() && area[i] > 0) {
                   const double resistance = 1 / air.heat_transfer + (k > 0 ? radius[i] / k : 0);
                   const double loss = area[i] / resistance;
                   sum.gain += loss * air.temperature;
                   sum.loss += loss;
               }
               out[i] = sum;
           });
    for (const Heater& heater : heaters_) {
        const double seconds = heater.seconds_on(time, dt);
        if (seconds > 0) add_heater(device, particles, around.constants, heater, time, seconds / dt);
    }
    const bool cooled = std::any_of(heaters_.begin(), heaters_.end(),
                                    [](const Heater& heater) { return heater.power.value_or(0) < 0; });
    if (!cooled) return;
    // Coolers take what is above absolute zero and no more.
    launch(device, particles.size(),
           [dt, m = View<const float>(particles.mass), t = View<const float>(particles.temperature),
            latent = View<const float>(particles.latent), constants = around.constants,
            material = View<const std::uint16_t>(particles.material), out = View(exchange_)](Index i) {
               const double c = constants[material[i]].c;
               const double most = m[i] * (c * (t[i] - absolute_zero) + latent[i]) / dt;
               out[i].gain = std::max(out[i].gain, out[i].loss * t[i] - most);
           });
}

/// A power is spread over the masses in the region; a target temperature acts on each particle separately.
/// `fraction` is that of the step in which it is on.
void OutsideHeat::add_heater(const Device& device, const ParticleTable& particles,
                             View<const HeatConstants> constants, const Heater& heater, double time,
                             double fraction) {
    const Pose pose = heater.motion.at(time);
    const auto heated = [=, region = &heater.region, x = View<const Vec3f>(particles.position),
                         dimensions = dimensions_](Index i) {
        return signed_distance(*region, pose.from_world(to_double(x[i])), dimensions).distance <= 0;
    };
    const View<const float> m(particles.mass);
    if (heater.power) {
        const double mass =
            reduce_sum(device, particles.size(), [=](Index i) { return heated(i) ? double{m[i]} : 0.0; });
        if (mass == 0) return;
        launch(device, particles.size(),
               [=, power = fraction * *heater.power / mass, out = View(exchange_)](Index i) {
                   if (heated(i)) out[i].gain += power * m[i];
               });
    } else if (heater.temperature) {
        launch(device, particles.size(),
               [=, rate = fraction / heater.response, target = *heater.temperature,
                material = View<const std::uint16_t>(particles.material), out = View(exchange_)](Index i) {
                   if (!heated(i)) return;
                   const double loss = rate * m[i] * constants[material[i]].c;
                   out[i].gain += loss * target;
                   out[i].loss += loss;
               });
    }
}

}  // namespace thixo
