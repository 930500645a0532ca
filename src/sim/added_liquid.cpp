#include "sim/added_liquid.h"

#include <algorithm>
#include <limits>

#include "adapt/split.h"
#include "core/error.h"
#include "heat/absolute_zero.h"
#include "heat/content.h"
#include "sim/derive.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

/// In spacings: nearer to a wall than this a particle counts as inside it, as at the start of a run.
constexpr double wall_fraction = 0.24;

constexpr std::uint64_t most_ids = std::numeric_limits<std::uint32_t>::max();

}  // namespace

LiquidKind liquid_kind(const Model& model, const std::string& material, double temperature,
                       const Vec3d& velocity, std::uint16_t object) {
    const std::uint16_t index = material_index(model, material);
    const double density = model.materials[index].density, spacing = model.particles.spacing;
    const double volume = rest_volume(model.solver.kernel, model.particles.support * spacing,
                                      model.dimensions, Lattice::cubic, spacing);
    const auto mass = static_cast<float>(density * volume);
    const double latent = HeatConstants(model.materials[index]).latent_at(temperature, Phase::liquid);
    return {.material = index,
            .object = object,
            .mass = model.adaptivity.active() ? whole_mass(mass) : mass,
            .density = static_cast<float>(density),
            .latent = static_cast<float>(latent),
            .temperature = static_cast<float>(temperature),
            .velocity = to_float(velocity)};
}

std::vector<Vec3d> points_with_room(std::vector<Vec3d> points, double room, double spacing,
                                    const Walls& walls, const ParticleTable& particles) {
    Bounds box;
    for (const Vec3d& x : points) box.include(x);
    const Vec3f low = to_float(box.min - Vec3d{room, room, room}),
                high = to_float(box.max + Vec3d{room, room, room});
    std::vector<Vec3d> near;
    for (const Vec3f& x : particles.position) {
        if (x.x >= low.x && x.y >= low.y && x.z >= low.z && x.x <= high.x && x.y <= high.y && x.z <= high.z)
            near.push_back(to_double(x));
    }
    std::erase_if(points, [&](const Vec3d& x) {
        return std::any_of(near.begin(), near.end(),
                           [&](const Vec3d& other) { return norm2(x - other) < room * room; }) ||
               std::any_of(walls.view().begin(), walls.view().end(), [&](const Wall& wall) {
                   return distance_to(wall, to_float(x)).distance < wall_fraction * spacing;
               });
    });
    return points;
}

void append_liquid(const LiquidKind& kind, const std::vector<Vec3d>& points, double spacing,
                   const std::string& source, std::uint64_t& next_id, ParticleTable& particles) {
    if (next_id + points.size() > most_ids)
        throw RunError("`" + source + "` has run out of particle numbers: over 4 billion were made");
    const Index first = particles.size();
    particles.resize(first + static_cast<Index>(points.size()));
    for (Index k = 0; k < points.size(); ++k) {
        const Index i = first + k;
        particles.id[i] = static_cast<std::uint32_t>(next_id++);
        particles.position[i] = to_float(points[k]);
        particles.velocity[i] = kind.velocity;
        particles.mass[i] = kind.mass;
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.density[i] = kind.density;
        particles.temperature[i] = kind.temperature;
        particles.latent[i] = kind.latent;
        particles.material[i] = kind.material;
        particles.object[i] = kind.object;
    }
}

bool remove_rows(const Device& device, View<const std::uint8_t> marked, ParticleTable& particles) {
    std::vector<Index> order;
    order.reserve(particles.size());
    for (Index i = 0; i < particles.size(); ++i) {
        if (!marked[i]) order.push_back(i);
    }
    if (order.size() == particles.size()) return false;
    particles.permute(device, order);
    return true;
}

void add_heat(const Device& device, const std::vector<Material>& materials, View<const double> joules,
              ParticleTable& particles) {
    const std::vector<HeatConstants> constants = heat_constants(materials);
    const HeatColumns heat = heat_columns(constants, particles);
    launch(device, particles.size(), [=, m = View<const float>(particles.mass)](Index i) {
        if (joules[i] == 0) return;
        heat.set(i, above_absolute_zero(heat.constants[heat.material[i]], heat[i] + joules[i] / m[i]));
    });
}

}  // namespace thixo
