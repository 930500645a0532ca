#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/time_step.h"
#include "geometry/bounds.h"
#include "particles/hold.h"
#include "particles/table.h"

namespace thixo {

/// A particle that something holds, as it was when that took hold of it. Saved in checkpoints.
struct HeldPlace {
    std::uint32_t id;
    std::uint32_t hold;  ///< number, from 1
    Vec3d position;      ///< X, as what holds it sees it, m
    Vec3f velocity;      ///< m/s
    std::uint32_t unused = 0;
};

/// Particles whose motion is prescribed: x(t) = pose(t) X with the place X = pose(t₀)⁻¹ x(t₀) of the moment when they were taken,
/// so that nothing adds up over the steps. Rows with `hold` above 0 are held now; whoever solves for velocities takes theirs as
/// given.
class Held {
public:
    /// All that the table holds at the start.
    Held(const std::vector<Hold>& holds, const ParticleTable& particles);
    /// As it was saved at a time (s).
    Held(const std::vector<Hold>& holds, std::vector<HeldPlace> places, double time);

    /// Whether nothing is ever held.
    bool none() const { return holds_.empty(); }
    const std::vector<HeldPlace>& places() const { return places_; }

    /// What is held feels no force: it does not limit the time step by an acceleration it will not follow.
    void still(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration) const;

    /// Gives the held rows the mean velocity of their motion from one time to another (s); that of the moment,
    /// if they are the same.
    void lead(const Device& device, ParticleTable& particles, double from, double to) const;

    /// Ends a step: whatever contacts have made of the held rows, they are at their places, with the velocity that
    /// brought them there. Lets go of those whose time has come.
    void place(const Device& device, ParticleTable& particles, double from, double to) const;

    /// Takes hold, between two steps, of whom pauses and grabs whose time (s) has come want; rigid bodies as a whole. Who is held
    /// already stays with who holds it. Returns whether anybody was taken.
    bool take(int dimensions, double time, ParticleTable& particles);

    /// Lets go of those who melted, where solids are held.
    void drop_liquids(const Device& device, ParticleTable& particles) const;

    /// Where what holds them has moved to, by hold.
    std::vector<Pose> poses_at(double time) const;

    /// Nothing that is held may move farther than `distance` (m) in a step that begins at `time`.
    void limit_time_step(double time, double distance, TimeStepLimit& limit) const;

private:
    bool due(const Hold& hold, double time) const;
    void measure();

    std::vector<Hold> holds_;
    std::vector<HeldPlace> places_;  ///< by id
    std::vector<Bounds> bounds_;     ///< of the places, by hold
    double taken_until_;             ///< s; grabs up to then have what they wanted
};

}  // namespace thixo
