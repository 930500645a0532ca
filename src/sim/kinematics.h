#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/state.h"
#include "core/time_step.h"
#include "geometry/bounds.h"
#include "particles/hold.h"
#include "particles/table.h"
#include "rigid/rigid_bodies.h"

namespace thixo {

/// The place of a kinematic particle when its prescribed motion started.
struct KinematicPlace {
    std::uint32_t id;
    std::uint32_t kinematic_id;  ///< number of the prescribed motion, from 1
    Vec3d position;              ///< X, in the frame of the motion, m
    Vec3f velocity;              ///< m/s
    std::uint32_t unused = 0;
};

/// Kinematic particles: their motion is prescribed, x(t) = pose(t) X with the place X = pose(t₀)⁻¹ x(t₀) of
/// the moment when it started, so that nothing adds up over the steps. Solvers take the velocities of
/// kinematic rows as given.
class Kinematics {
public:
    /// The rows that are kinematic at the start.
    Kinematics(const std::vector<Hold>& holds, const ParticleTable& particles);
    const std::vector<KinematicPlace>& places() const { return places_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("kinematic_places", self.places_, StateOrder::listed);
    }
    /// To be called when places that were saved at a time (s) have been loaded.
    void restore(double time);
    bool none_ever() const { return holds_.empty(); }

    /// Forces do not act on kinematic rows: they do not limit the time step by an acceleration.
    void clear_acceleration(const Device& device, const ParticleTable& particles,
                            View<Vec3f> acceleration) const;

    /// Gives kinematic rows the mean velocity of their motion from one time to another (s); the velocity of
    /// the moment, if the two are the same.
    void prescribe_velocity(const Device& device, ParticleTable& particles, double from, double to) const;
    /// The same for kinematic rigid bodies.
    void prescribe_bodies(RigidBodies& bodies, double from, double to) const;

    /// Ends a step: puts kinematic rows at their places, with the velocity that brought them there, whatever
    /// contacts did to them. Releases those whose time has come.
    void place(const Device& device, ParticleTable& particles, double from, double to) const;

    /// Starts the pauses and grabs whose time (s) has come, between two steps. Rigid bodies become kinematic
    /// as a whole. Rows that are kinematic already keep their motion.
    void start(const Device& device, int dimensions, double time, ParticleTable& particles,
               RigidBodies& bodies);

    /// Adds a motion behind the others, with a grip on what fits at this time (s). Returns how many rows it
    /// took; if none, it is not added.
    std::size_t add(const Device& device, int dimensions, double time, Hold hold, ParticleTable& particles,
                    RigidBodies& bodies);
    /// Of the motion number `from_last` from the last, 0: of that; it must be the same up to now.
    void change(std::size_t from_last, const Motion& motion, double until);

    /// Releases rows that melted, where only solids are kinematic.
    void release_melted(const Device& device, ParticleTable& particles) const;

    /// Of each prescribed motion.
    std::vector<Pose> poses_at(double time) const;

    /// No kinematic row may move farther than `distance` (m) in a step that begins at `time`.
    void limit_time_step(double time, double distance, TimeStepLimit& limit) const;

private:
    bool starts(const Hold& hold, double time) const;
    bool start_rows(int dimensions, double time, ParticleTable& particles);
    std::vector<KinematicPlace> grip_rows(std::size_t k, int dimensions, double time,
                                          ParticleTable& particles) const;
    void keep(std::vector<KinematicPlace> places, const ParticleTable& particles);
    void take_bodies(const Device& device, double time, ParticleTable& particles, RigidBodies& bodies) const;
    void find_bounds();

    std::vector<Hold> holds_;
    std::vector<KinematicPlace> places_;  ///< by id
    std::vector<Bounds> bounds_;          ///< of the places, by motion
    double started_until_;                ///< s; grabs up to then have started
};

}  // namespace thixo
