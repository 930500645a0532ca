#pragma once

#include <cstdint>
#include <vector>

#include "collide/walls.h"
#include "core/time_step.h"
#include "particles/emitter_layers.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// What emitters and sinks have done so far. Saved in checkpoints.
struct Traffic {
    std::vector<std::uint64_t> layers;   ///< by emitter: layers that were due
    std::vector<std::uint64_t> held;     ///< by emitter: particles of them that found no room
    std::vector<std::uint64_t> removed;  ///< by sink: particles it took
};

/// Emitters and sinks: where the number of particles changes.
class Exchange {
public:
    explicit Exchange(const Model& model);

    Traffic no_traffic() const;

    /// Removes what is in an open sink, then adds the layers that are due until `time` (s), each moved on by what
    /// it has flown since. A particle that would start in an obstacle or on top of another one is held back for
    /// good. Returns whether rows came or went; those that stay keep their order, new ones come last.
    bool apply(const Device& device, const Walls& walls, double time, std::uint64_t& next_id,
               ParticleTable& particles, Traffic& traffic) const;

    /// In front of an opening the jet is led: whoever is there is brought to the speed of the jet,
    ///
    ///     a = (v_out − v) 2 speed / ℓ,
    ///
    /// and feels no other force, unless it is compressed by more than 5 %. A layer that were free where it is cut
    /// off would be pushed back by the pressure of the one before it; the next finds less room, is pushed back
    /// harder, and after some ten layers the jet bursts. And what has come to stand in front of the opening would
    /// clog it.
    void guide(const Device& device, const ParticleTable& particles, double time, View<Vec3f> acceleration,
               const Rows& rows = {}) const;

    /// The same for velocities that a solver has just changed, over a step of dt (s).
    void guide_velocity(const Device& device, ParticleTable& particles, double time, double dt) const;

    /// All who are led stay as fine as they came: out[i] = 1.
    void limit_led(const Device& device, const ParticleTable& particles, double time, View<float> out) const;

    /// Particles that an emitter has made.
    std::uint64_t emitted(const Traffic& traffic, std::size_t emitter) const;

    /// Particles that an emitter makes until a time (s) if none is held back.
    std::uint64_t expected(std::size_t emitter, double time) const;

    /// A jet limits the step while it is open, as particles do that are there already.
    void limit_time_step(double time, double distance, TimeStepLimit& limit) const;

private:
    struct Source {
        Emitter emitter;
        EmitterLayers layers;
        Nozzle nozzle;
        Vec3d velocity;
        std::uint16_t material, object;  ///< objects of emitters follow those of the scene
        float mass, density, latent;
    };

    /// Calls lead(i, velocity of the jet, rate 1/s) for every particle in front of an open emitter.
    template <class Lead>
    void for_each_led(const Device& device, const ParticleTable& particles, double time, const Lead& lead,
                      const Rows& rows = {}) const;
    bool remove(const Device& device, double time, ParticleTable& particles, Traffic& traffic) const;
    bool emit(const Source& source, const Walls& walls, double time, std::uint64_t& next_id,
              ParticleTable& particles, std::uint64_t& layers, std::uint64_t& held) const;
    void append(const Source& source, const std::vector<Vec3d>& points, std::uint64_t& next_id,
                ParticleTable& particles) const;
    std::vector<Vec3d> with_room(const Source& source, std::vector<Vec3d> points, const Walls& walls,
                                 const ParticleTable& particles) const;

    int dimensions_;
    double spacing_;
    std::vector<Source> sources_;
    std::vector<Sink> sinks_;
};

}  // namespace thixo
