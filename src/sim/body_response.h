#pragma once

#include "body/matter.h"
#include "elastic/impulse_response.h"
#include "lattice/implicit_lattice.h"
#include "sim/rigid_parts_of.h"

namespace thixo {

inline LatticeScheme lattice_scheme_of(const ImplicitScheme& scheme) {
    return {scheme.response, scheme.dissipation};
}

/// How implicit elastic bodies and lattice solids answer impulses, by row. The two are not linked with each
/// other: each is a system of its own.
class BodyResponse {
public:
    BodyResponse(const ElasticMethods& methods, const ImplicitScheme& scheme)
        : elastic_(methods, scheme), lattice_(methods.elasticity_iterations, lattice_scheme_of(scheme)) {}

    /// Begins a solve at velocities as they are, over a step of dt (s).
    void begin(const Device& device, const Matter& matter, double dt) {
        elastic_index_ = matter.particles.elastic_index;
        site_ = matter.particles.lattice_index;
        elastic_.begin(device, matter.solids.elastic, matter.particles, dt, rigid_parts_of(matter));
        lattice_.begin(device, matter.solids.lattice, matter.particles, dt);
    }
    /// Begins another one at the velocities that the last one ended with.
    void begin_again(const Device& device) {
        elastic_.begin_again(device);
        lattice_.begin_again(device);
    }

    /// kg, of a row; 0 for those that do not take part.
    float mass(Index row) const {
        if (site_[row] != no_index) return lattice_.mass(site_[row]);
        return elastic_index_[row] != no_index ? elastic_.mass(elastic_index_[row]) : 0;
    }
    /// m/s, of a row that takes part.
    Vec3f velocity(Index row) const {
        return site_[row] != no_index ? lattice_.velocity(site_[row])
                                      : elastic_.velocity(elastic_index_[row]);
    }
    /// An impulse (N s) on a row that takes part, for `answer` to take up.
    void push(Index row, const Vec3f& impulse) {
        if (site_[row] != no_index) {
            lattice_.impulses()[site_[row]] += impulse;
        } else {
            elastic_.impulses()[elastic_index_[row]] += impulse;
        }
    }
    void answer(const Device& device, Solids& solids) {
        elastic_.answer(device, solids.elastic);
        if (!solids.lattice.empty()) lattice_.answer(device, solids.lattice);
    }
    /// `ImpulseResponse::spread`.
    void spread(const Device& device, Solids& solids, const Packed4* position_volume, View<Packed4> records) {
        elastic_.spread(device, solids.elastic, position_volume, records);
        if (!solids.lattice.empty()) lattice_.spread(device, solids.lattice, position_volume, records);
    }
    /// Sets the velocities of the rows that take part.
    void write(const Device& device, Matter& matter) const {
        elastic_.write(device, matter.solids.elastic, matter.particles);
        lattice_.write(device, matter.solids.lattice, matter.particles);
    }

    /// Of the rigid parts of elastic bodies.
    const RigidParts& rigid() const { return elastic_.rigid(); }
    void push_part(Index part, const Twist& change) { elastic_.push(part, change); }
    Twist part_change(Index part) const { return elastic_.part_change(part); }

    std::size_t bytes() const { return elastic_.bytes() + lattice_.bytes(); }

private:
    ImpulseResponse elastic_;
    LatticeResponse lattice_;
    View<const std::uint32_t> elastic_index_, site_;  ///< of each row
};

}  // namespace thixo
