#pragma once

#include <vector>

#include "body/matter.h"
#include "collide/wall_adhesion.h"
#include "collide/walls.h"
#include "fluid/fluid.h"
#include "heat/heat_flow.h"
#include "sim/active_rows.h"
#include "sim/model.h"
#include "sph/half_space.h"
#include "sph/heat_contact.h"

namespace thixo {

/// The walls of the scene, and what they contribute to the kernel sums, velocities and heat of each row.
class WallFields {
public:
    explicit WallFields(const Model& model);

    const Walls& walls() const { return walls_; }
    View<const WallTerm> terms() const { return terms_; }
    View<const WallMotion> motion() const {
        return motion_;
    }  ///< empty while all walls are fixed and slippery

    View<const Wetting> wetting() const { return wetting_; }  ///< empty where no wall has a contact angle

    /// Computes the terms of the active rows: those of walls, and for solids those of the same body.
    void compute(const Device& device, const Matter& matter, const ActiveRows& active = {});
    /// Does so unless they are current.
    void refresh(const Device& device, const Matter& matter) {
        if (!current_) compute(device, matter);
    }
    /// Positions, sizes or the order of rows have changed.
    void invalidate() { current_ = false; }

    /// For densities by the continuity equation, which carries the contribution of the fluid to the new
    /// positions: adds the change of the walls' contribution.
    void update_density(const Device& device, View<const FluidConstants> constants, const ActiveRows& active,
                        Matter& matter);

    /// What walls contribute to the heat of each row; empty where they do not matter.
    View<const WallHeat> compute_heat(const Device& device, const Matter& matter, const HeatFlow& heat);

    /// The nearest wall with a temperature of each row; empty where none has one.
    View<const HeatContact> find_heat_contacts(const Device& device, const Matter& matter,
                                               const HeatFlow& heat);

    /// Moves the walls to where they are at a time (s).
    void move_to(double time) { walls_.move_to(time); }

    /// Last resort behind the pressure of walls: moves rows out of them; friction and restitution. `impulse`
    /// (m/s) is what the pressure of walls gave each row in its step.
    void push_out(const Device& device, const Rows& rows, View<const float> impulse,
                  ParticleTable& particles) const;

    /// Arrays with an entry for each row that last from one set of active rows to the next.
    template <class Visit>
    void visit_rows(const Visit& visit) {
        visit(terms_);
        visit(motion_);
        visit(wetting_);
    }

    std::size_t bytes() const;

private:
    Walls walls_;
    HalfSpaceIntegral half_space_;
    WallForm liquids_;       ///< what walls add to the sums of liquids
    bool by_continuity_;     ///< densities follow the continuity equation
    bool may_stay_current_;  ///< no solid can appear and change the terms
    std::vector<WallTerm> terms_;
    std::vector<WallMotion> motion_;
    std::size_t materials_;
    std::vector<float>
        contact_cosines_;  ///< of each obstacle with each material; empty without contact angles
    std::vector<Wetting> wetting_;
    std::vector<WallHeat> heat_;
    std::vector<HeatContact> heat_contacts_;
    std::vector<float> old_gamma_;
    bool current_ = false;
};

}  // namespace thixo
