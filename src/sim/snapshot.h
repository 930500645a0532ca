#pragma once

#include <vector>

#include "body/lineage.h"
#include "elastic/elastic_state.h"
#include "lattice/lattice_state.h"
#include "particles/table.h"
#include "rigid/contact.h"
#include "rigid/rigid_state.h"
#include "sim/applied_event.h"
#include "sim/clock.h"
#include "sim/emitters_and_sinks.h"
#include "sim/instruments.h"
#include "sim/kinematics.h"
#include "sim/model.h"
#include "sph/neighbours.h"

namespace thixo {

/// A saved state: with the model, all that the future of a run depends on. Its sections have the names that
/// the parts of a simulation give them (`Simulation::visit_parts`); a reader refuses files in which one is
/// missing, or one too many.
struct Snapshot {
    Clock clock;
    ParticleTable particles;
    std::vector<Vec3f> built_positions;  ///< positions when the neighbour lists were last built
    float skin = usual_skin;             ///< that they were built with
    EmitterState emitters;
    std::vector<KinematicPlace> kinematic_places;
    Lineage lineage;
    ElasticState elastic;
    std::vector<Vec3f> elastic_guess;  ///< where implicit elasticity starts
    LatticeState lattice;
    RigidState rigid;
    std::vector<ContactMemory> rigid_contacts;
    std::vector<ImpulseSum> probes;    ///< of forces, since the last frame
    std::vector<AppliedEvent> events;  ///< what was done to the simulation so far

    template <class Visitor>
    void visit_state(Visitor&& visit) {
        visit("clock", clock, StateOrder::listed);
        particles.visit_state(visit);
        visit("skin", skin, StateOrder::listed);
        visit("built_positions", built_positions, StateOrder::by_row);
        emitters.visit_state(visit);
        visit("kinematic_places", kinematic_places, StateOrder::listed);
        visit("lineage", lineage, StateOrder::listed);
        elastic.visit_state(visit);
        visit("elastic_guess", elastic_guess, StateOrder::listed);
        lattice.visit_state(visit);
        rigid.visit_state(visit);
        visit("rigid_contacts", rigid_contacts, StateOrder::listed);
        visit("probes", probes, StateOrder::listed);
        visit("events", events, StateOrder::listed);
    }

    /// Refuses, by an InputError that names the section, numbers that lead nowhere: whatever the checksums of
    /// a file are worth, no step reads outside of an array.
    void check() const;
    /// What must fit the model.
    void check(const Model& model) const;
};

}  // namespace thixo
