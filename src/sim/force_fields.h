#pragma once

#include <functional>
#include <vector>

#include "core/launch.h"
#include "core/time_step.h"
#include "particles/table.h"
#include "sim/exposed_area.h"
#include "sim/model.h"
#include "sph/discretisation.h"
#include "sph/neighbour_lists.h"

namespace thixo {

/// Forces from outside: those of a push, a function of the caller, and of fields, which follow from place,
/// velocity and time.
///
/// Attractors and vortices give the acceleration s(r) = strength (radius/r)^falloff beyond `radius`, and
/// strength r/radius within it. Damping gives −rate v. Wind gives a surface of the area A that faces it the
/// force ½ drag ρ_air |u| u A, with u = wind − v.
class ForceFields {
public:
    explicit ForceFields(const Model& model);

    /// Wind needs to know where surfaces are, also those of solids: all pairs of neighbours.
    bool need_all_pairs() const { return wind_; }

    /// Adds accelerations (m/s²) to those of each row.
    using Push = std::function<void(View<Vec3f> add)>;
    /// The accelerations (m/s²) of all rows at a time (s), until the next call; none if there are neither
    /// fields nor a push.
    View<const Vec3f> accelerations(const Device& device, double time, const ParticleTable& particles,
                                    const Neighbours& all, const Push& push);

    std::size_t bytes() const { return acceleration_.capacity() * sizeof(Vec3f); }

private:
    void add_field(const Device& device, const ForceField& field, float factor,
                   const ParticleTable& particles, View<Vec3f> acceleration) const;
    void add_wind(const Device& device, const ForceField& field, float factor, const ParticleTable& particles,
                  const ExposedAreas& exposed, View<Vec3f> acceleration) const;

    std::vector<ForceField> fields_;
    std::vector<float> rest_density_;  ///< by material, kg/m³
    Discretisation discretisation_;
    bool wind_ = false;
    std::vector<Vec3f> acceleration_;
};

/// The factor on the strength of a field at a time (s).
double factor_at(const ForceField& field, double time);

/// Damping must not turn velocities round within a step that begins at `time` (s).
void limit_time_step(const std::vector<ForceField>& fields, double time, TimeStepLimit& limit);

}  // namespace thixo
