#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "elastic/elastic_columns.h"
#include "elastic/places.h"
#include "elastic/undeformed_state.h"

namespace thixo {

/// The two passes of elastic forces: what the neighbourhood of each particle exerts, because it is deformed,
/// and the forces that follow.
///
///     Sᵢ = I + Rᵢᵀ Σⱼ V̄ⱼ wᵢⱼ (xⱼᵢ − Rᵢ Xⱼᵢ) Xⱼᵢᵀ Lᵢ,   Qᵢ = Rᵢ P(Sᵢ) Lᵢ
///     Fᵢ = V̄ᵢ Σⱼ V̄ⱼ wᵢⱼ (Qᵢ + Qⱼ) Xⱼᵢ
class ElasticForces {
public:
    /// `stresses`: whether they are kept for fracture.
    ElasticForces(const std::vector<Material>& materials, int dimensions, bool stresses);

    void resize(Index n);

    /// Reads positions, velocities and bodies of the particles, and where they are in the table.
    void read(const Device& device, const ParticleTable& particles, ElasticColumns& columns);

    /// Computes what is exerted at the positions that were read; rotations and plastic strains follow.
    void compute(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                 ElasticColumns& columns);

    /// Adds the forces to `acceleration`, of the rows.
    void add_to(const Device& device, const Reference& reference, const ElasticColumns& columns,
                View<const float> mass_of_rows, View<Vec3f> acceleration) const;

    /// The force on an index, N.
    Vec3f force(const Reference& reference, const ElasticColumns& columns, Index s) const;

    bool damped() const { return damped_; }  ///< any material
    Places places() const { return {x_.data()}; }
    View<const Place> positions() const { return x_; }
    /// In the undeformed frame, Pa; empty unless they are kept.
    View<const Sym3f> stresses() const { return stress_; }

    std::size_t bytes() const { return bytes_of(x_, v_, turn_, exerted_, stress_); }

private:
    void respond(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                 ElasticColumns& columns);

    int dimensions_;
    bool damped_ = false, keeps_stresses_;
    std::vector<Place> x_;
    std::vector<Packed4> v_;        ///< where anything is damped
    std::vector<Mat3f> turn_;       ///< rotation of each body, by number, about
    std::vector<Exerted> exerted_;  ///< by each index
    std::vector<Sym3f> stress_;
};

}  // namespace thixo
