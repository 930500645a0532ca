#pragma once

#include <cstdint>
#include <vector>

#include "collide/walls.h"
#include "core/state.h"
#include "core/time_step.h"
#include "particles/emitter_layers.h"
#include "particles/table.h"
#include "sim/added_liquid.h"
#include "sim/model.h"

namespace thixo {

/// What emitters and sinks have done so far.
struct EmitterState {
    std::vector<std::uint64_t> layers;   ///< by emitter: layers emitted
    std::vector<std::uint64_t> held;     ///< by emitter: particles of them left out because there is no room
    std::vector<std::uint64_t> removed;  ///< by sink: particles removed

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("layers", self.layers, StateOrder::listed);
        visit("held", self.held, StateOrder::listed);
        visit("removed", self.removed, StateOrder::listed);
    }
};

/// Emitters and sinks: where the number of particles changes.
class EmittersAndSinks {
public:
    explicit EmittersAndSinks(const Model& model);

    EmitterState initial_state() const;

    /// Removes the liquid particles in open sinks, then adds the layers that are due until `time` (s), each
    /// moved on by the distance flown since. A particle that would start in an obstacle or on top of another
    /// one is left out. Returns whether rows came or went; those that stay keep their order, new ones come
    /// last.
    bool apply(const Device& device, const Walls& walls, double time, std::uint64_t& next_id,
               ParticleTable& particles, EmitterState& state) const;

    /// In front of an opening the jet is guided: particles there are brought to the speed of the jet,
    ///
    ///     a = (v_out − v) 2 speed / ℓ,
    ///
    /// and no other force acts on them, unless they are compressed by more than 5 %. A free layer at the cut
    /// would be pushed back by the pressure of the one before it; the next finds less room, is pushed back
    /// harder, and after some ten layers the jet bursts. And liquid at rest in front of the opening would
    /// clog it.
    void guide_jets(const Device& device, const ParticleTable& particles, double time,
                    View<Vec3f> acceleration, const Rows& rows = {}) const;

    /// The same for velocities that a solver has just changed, over a step of dt (s).
    void guide_jet_velocity(const Device& device, ParticleTable& particles, double time, double dt) const;

    /// Particles of a guided jet keep the finest size: out[i] = 1.
    void limit_jet_sizes(const Device& device, const ParticleTable& particles, double time,
                         View<float> out) const;

    /// Particles that an emitter has made.
    std::uint64_t emitted(const EmitterState& state, std::size_t emitter) const;

    /// Particles that an emitter makes until a time (s) if none is left out.
    std::uint64_t expected(std::size_t emitter, double time) const;

    /// An open emitter limits the step by the speed of its jet.
    void limit_time_step(double time, double distance, TimeStepLimit& limit) const;

private:
    struct Source {
        Emitter emitter;
        EmitterLayers layers;
        Nozzle nozzle;
        Vec3d velocity;
        LiquidKind kind;  ///< objects of emitters follow those of the scene
    };

    /// Calls guide(i, velocity of the jet, rate 1/s) for every particle in front of an open emitter.
    template <class Guide>
    void for_each_in_jet(const Device& device, const ParticleTable& particles, double time,
                         const Guide& guide, const Rows& rows = {}) const;
    bool remove(const Device& device, double time, ParticleTable& particles, EmitterState& state) const;
    bool emit(const Source& source, const Walls& walls, double time, std::uint64_t& next_id,
              ParticleTable& particles, std::uint64_t& layers, std::uint64_t& held) const;

    int dimensions_;
    double spacing_;
    std::vector<Source> sources_;
    std::vector<Sink> sinks_;
};

}  // namespace thixo
