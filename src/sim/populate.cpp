#include "sim/populate.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/core.h>

#include "collide/walls.h"
#include "particles/lattice.h"
#include "sim/simulation.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

std::uint16_t material_index(const Model& model, const std::string& name) {
    const auto found = std::find_if(model.materials.begin(), model.materials.end(),
                                    [&](const Material& material) { return material.name == name; });
    if (found == model.materials.end()) throw std::logic_error("no material named " + name);
    return static_cast<std::uint16_t>(found - model.materials.begin());
}

void append(ParticleTable& particles, const Model& model, const Object& object, std::uint16_t number) {
    const double spacing = model.particles.spacing;
    const std::uint16_t material = material_index(model, object.material);
    const double density = model.materials[material].density;
    const double volume = rest_volume(model.solver.kernel, model.particles.support * spacing,
                                      model.dimensions, object.lattice, spacing);
    const Vec3d center = bounds(object.shape).center();

    const std::vector<Vec3d> points = sample(object.shape, object.lattice, spacing, model.dimensions);
    const Index first = particles.size();
    particles.resize(first + static_cast<Index>(points.size()));
    for (Index k = 0; k < points.size(); ++k) {
        const Index i = first + k;
        Vec3d v = object.velocity + cross(object.angular_velocity, points[k] - center);
        if (model.dimensions == 2) v.z = 0;
        particles.id[i] = i;
        particles.position[i] = to_float(points[k]);
        particles.velocity[i] = to_float(v);
        particles.mass[i] = static_cast<float>(density * volume);
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.density[i] = static_cast<float>(density);
        particles.temperature[i] = static_cast<float>(object.temperature);
        particles.phase[i] = object.phase;
        particles.material[i] = material;
        particles.object[i] = number;
    }
}

}  // namespace

ParticleTable populate(const Model& model, const std::vector<Object>& objects) {
    ParticleTable particles;
    for (std::size_t k = 0; k < objects.size(); ++k) {
        append(particles, model, objects[k], static_cast<std::uint16_t>(k));
    }
    return particles;
}

std::optional<Misplacement> find_misplacement(const Model& model, const std::vector<Object>& objects,
                                              const ParticleTable& particles) {
    struct Burial {
        std::size_t particles = 0;
        double depth = 0;
    };
    const double spacing = model.particles.spacing;
    std::vector<std::size_t> counts(objects.size());
    std::vector<std::vector<Burial>> burials(objects.size(), std::vector<Burial>(model.obstacles.size()));
    for (Index i = 0; i < particles.size(); ++i) {
        ++counts[particles.object[i]];
        for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
            const Obstacle& obstacle = model.obstacles[k];
            const double d =
                signed_distance(obstacle.shape, to_double(particles.position[i]), model.dimensions).distance;
            const double depth = obstacle.inside ? d : -d;
            if (depth <= spacing) continue;
            Burial& burial = burials[particles.object[i]][k];
            ++burial.particles;
            burial.depth = std::max(burial.depth, depth);
        }
    }

    for (std::size_t o = 0; o < objects.size(); ++o) {
        if (counts[o] == 0) {
            return Misplacement{o, fmt::format("no particle fits into it at a spacing of {:g} m", spacing)};
        }
        for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
            const Burial& burial = burials[o][k];
            if (burial.particles == 0) continue;
            const Obstacle& obstacle = model.obstacles[k];
            return Misplacement{
                o, fmt::format("{} of its {} particles lie {} `{}`, up to {:.3g} m deep; move it, or make "
                               "it smaller",
                               burial.particles, counts[o],
                               obstacle.inside ? "outside the container" : "inside the obstacle",
                               obstacle.name, burial.depth)};
        }
    }
    return std::nullopt;
}

Overlaps count_overlaps(const Simulation& simulation) {
    const Model& model = simulation.model();
    const ParticleTable& particles = simulation.particles();
    const Walls walls(model.obstacles, model.dimensions, simulation.support());
    const auto spacing = static_cast<float>(model.particles.spacing);
    const Neighbours neighbours = simulation.neighbour_search().view();
    Overlaps overlaps;
    for (Index i = 0; i < particles.size(); ++i) {
        const auto& x = particles.position;
        overlaps.in_obstacles += std::any_of(walls.view().begin(), walls.view().end(), [&](const Wall& wall) {
            return distance_to(wall, x[i]).distance < 0.25f * spacing;
        });
        const View<const Index> near = neighbours.of(i);
        overlaps.in_other_objects += std::any_of(near.begin(), near.end(), [&](Index j) {
            return particles.object[i] != particles.object[j] && norm(x[i] - x[j]) < 0.5f * spacing;
        });
    }
    return overlaps;
}

}  // namespace thixo
