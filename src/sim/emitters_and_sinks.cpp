#include "sim/emitters_and_sinks.h"

#include <algorithm>

namespace thixo {

namespace {

// By trial; pinned by tests/unit/sim/emitters_and_sinks_test.cpp: jets in the open, under water and without
// room fail with others (docs/theory/constants.md).

/// A particle is left out if its nearest neighbour is closer than this fraction of the jet's pitch. With
/// less, the pressure of a crowded opening scatters particles; with more, a jet that slows down a little
/// tears.
constexpr double room_fraction = 0.8;

/// Particles that are compressed more than this are not guided: the pump is not stronger.
constexpr float pump_limit = 1.05f;

/// Free particles must have a whole support of guided ones behind them, also just before the next layer
/// comes.
constexpr double jet_supports = 1.5;

bool is_open(const Emitter& emitter, double time) { return time >= emitter.start && time < emitter.stop; }

}  // namespace

EmittersAndSinks::EmittersAndSinks(const Model& model)
    : dimensions_(model.dimensions), spacing_(model.particles.spacing), sinks_(model.sinks) {
    const double support = model.particles.support * spacing_;
    for (std::size_t k = 0; k < model.emitters.size(); ++k) {
        const Emitter& emitter = model.emitters[k];
        const Vec3d velocity = emitter.speed * normalized(emitter.direction);
        sources_.push_back({emitter, EmitterLayers(emitter, spacing_, dimensions_),
                            nozzle_of(emitter, spacing_, jet_supports * support, dimensions_), velocity,
                            liquid_kind(model, emitter.material, emitter.temperature, velocity,
                                        static_cast<std::uint16_t>(model.objects.size() + k))});
    }
}

EmitterState EmittersAndSinks::initial_state() const {
    return {std::vector<std::uint64_t>(sources_.size()), std::vector<std::uint64_t>(sources_.size()),
            std::vector<std::uint64_t>(sinks_.size())};
}

bool EmittersAndSinks::apply(const Device& device, const Walls& walls, double time, std::uint64_t& next_id,
                             ParticleTable& particles, EmitterState& state) const {
    bool changed = remove(device, time, particles, state);
    for (std::size_t k = 0; k < sources_.size(); ++k)
        changed |= emit(sources_[k], walls, time, next_id, particles, state.layers[k], state.held[k]);
    return changed;
}

bool EmittersAndSinks::remove(const Device& device, double time, ParticleTable& particles,
                              EmitterState& state) const {
    bool changed = false;
    for (std::size_t k = 0; k < sinks_.size(); ++k) {
        const Sink& sink = sinks_[k];
        if (!sink.is_open(time)) continue;
        std::vector<std::uint8_t> taken(particles.size());
        launch(device, particles.size(),
               [x = View<const Vec3f>(particles.position), phase = View<const Phase>(particles.phase),
                shape = &sink.shape, box = bounds(sink.shape), d = dimensions_, out = View(taken)](Index i) {
                   const Vec3d at = to_double(x[i]);
                   out[i] = phase[i] == Phase::liquid && box.holds(at) &&
                            signed_distance(*shape, at, d).distance < 0;
               });
        const Index before = particles.size();
        changed |= remove_rows(device, taken, particles);
        state.removed[k] += before - particles.size();
    }
    return changed;
}

bool EmittersAndSinks::emit(const Source& source, const Walls& walls, double time, std::uint64_t& next_id,
                            ParticleTable& particles, std::uint64_t& layers, std::uint64_t& held) const {
    const Index before = particles.size();
    for (const std::uint64_t due = source.layers.due(time); layers < due; ++layers) {
        std::vector<Vec3d> points = source.layers.points();
        for (Vec3d& x : points) x += (time - source.layers.time_of(layers)) * source.velocity;
        const std::size_t all = points.size();
        points = points_with_room(std::move(points), room_fraction * source.layers.pitch(), spacing_, walls,
                                  particles);
        held += all - points.size();
        append_liquid(source.kind, points, spacing_, source.emitter.name, next_id, particles);
    }
    return particles.size() != before;
}

template <class Guide>
void EmittersAndSinks::for_each_in_jet(const Device& device, const ParticleTable& particles, double time,
                                       const Guide& guide, const Rows& rows) const {
    for (const Source& source : sources_) {
        if (!is_open(source.emitter, time)) continue;
        launch(device, particles.size(), rows,
               [=, nozzle = source.nozzle, out = to_float(source.velocity),
                rate = static_cast<float>(2 * source.emitter.speed / spacing_),
                densest = pump_limit * source.kind.density, x = View<const Vec3f>(particles.position),
                rho = View<const float>(particles.density)](Index i) {
                   if (rho[i] < densest && nozzle.holds(x[i])) guide(i, out, rate);
               });
    }
}

void EmittersAndSinks::guide_jets(const Device& device, const ParticleTable& particles, double time,
                                  View<Vec3f> acceleration, const Rows& rows) const {
    for_each_in_jet(
        device, particles, time,
        [=, v = View<const Vec3f>(particles.velocity)](Index i, const Vec3f& out, float rate) {
            acceleration[i] = rate * (out - v[i]);
        },
        rows);
}

void EmittersAndSinks::guide_jet_velocity(const Device& device, ParticleTable& particles, double time,
                                          double dt) const {
    for_each_in_jet(
        device, particles, time,
        [dt = static_cast<float>(dt), v = View(particles.velocity)](Index i, const Vec3f& out, float rate) {
            v[i] += std::min(1.f, rate * dt) * (out - v[i]);
        });
}

void EmittersAndSinks::limit_jet_sizes(const Device& device, const ParticleTable& particles, double time,
                                       View<float> out) const {
    for_each_in_jet(device, particles, time, [=](Index i, const Vec3f&, float) { out[i] = 1; });
}

std::uint64_t EmittersAndSinks::emitted(const EmitterState& state, std::size_t emitter) const {
    return state.layers[emitter] * sources_[emitter].layers.points().size() - state.held[emitter];
}

std::uint64_t EmittersAndSinks::expected(std::size_t emitter, double time) const {
    return sources_[emitter].layers.due(time) * sources_[emitter].layers.points().size();
}

void EmittersAndSinks::limit_time_step(double time, double distance, TimeStepLimit& limit) const {
    for (const Source& source : sources_) {
        const Emitter& emitter = source.emitter;
        if (!is_open(emitter, time)) continue;
        limit.tighten(distance / emitter.speed, [&] { return "flow from `" + emitter.name + "`"; });
    }
}

}  // namespace thixo
