#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collide/walls.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// What particles of liquid that come during a run have in common, whether an emitter or a program adds them.
struct LiquidKind {
    std::uint16_t material, object;
    float mass;         ///< kg
    float density;      ///< kg/m³
    float latent;       ///< J/kg
    float temperature;  ///< °C
    Vec3f velocity;     ///< m/s
};

LiquidKind liquid_kind(const Model& model, const std::string& material, double temperature,
                       const Vec3d& velocity, std::uint16_t object);

/// The points that are farther than `room` (m) from every particle, and not in a wall.
std::vector<Vec3d> points_with_room(std::vector<Vec3d> points, double room, double spacing,
                                    const Walls& walls, const ParticleTable& particles);

/// Adds rows behind the others. Throws a RunError that names `source` when numbers of particles run out.
void append_liquid(const LiquidKind& kind, const std::vector<Vec3d>& points, double spacing,
                   const std::string& source, std::uint64_t& next_id, ParticleTable& particles);

/// Removes the rows that are marked; returns whether there were any.
bool remove_rows(const Device& device, View<const std::uint8_t> marked, ParticleTable& particles);

/// Adds so many joules to each row; none gets colder than absolute zero.
void add_heat(const Device& device, const std::vector<Material>& materials, View<const double> joules,
              ParticleTable& particles);

}  // namespace thixo
