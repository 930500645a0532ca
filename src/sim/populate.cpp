#include "sim/populate.h"

#include <cmath>

#include "heat/content.h"
#include "particles/hold.h"
#include "particles/lattice.h"
#include "particles/layer_sample.h"
#include "sim/derive.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

struct Sample {
    std::vector<Vec3d> points;
    double volume;  ///< m³ that a particle stands for, in 2D m²
};

/// Bodies are calibrated; sheets are one spacing thick, rods one spacing wide and thick.
Sample sample(const Model& model, const Object& object, const Device& device) {
    const double spacing = model.particles.spacing;
    if (is_layer(object.shape)) {
        LayerSample layer = sample_layer(object.shape, object.lattice, spacing, model.seed, device);
        const int missing = model.dimensions - (is_sheet(object.shape) ? 2 : 1);
        return {std::move(layer.points), layer.share * std::pow(spacing, missing)};
    }
    return {
        thixo::sample(object.shape, object.lattice, spacing, model.dimensions, device, object.orientation),
        rest_volume(model.solver.kernel, model.particles.support * spacing, model.dimensions, object.lattice,
                    spacing)};
}

void append(ParticleTable& particles, const Model& model, const Object& object, std::uint16_t number,
            const Sample& sample) {
    const double spacing = model.particles.spacing;
    const std::uint16_t material = material_index(model, object.material);
    const double density = model.materials[material].density;
    const auto latent = static_cast<float>(
        HeatConstants(model.materials[material]).latent_at(object.temperature, object.phase));
    const std::vector<Vec3d>& points = sample.points;
    const Vec3d center = bounds(object.shape).center();

    const Index first = particles.size();
    particles.resize(first + static_cast<Index>(points.size()));
    for (Index k = 0; k < points.size(); ++k) {
        const Index i = first + k;
        Vec3d v = object.velocity + cross(object.angular_velocity, points[k] - center);
        if (model.dimensions == 2) v.z = 0;
        particles.id[i] = i;
        particles.position[i] = to_float(points[k]);
        particles.velocity[i] = to_float(v);
        particles.mass[i] = static_cast<float>(density * sample.volume);
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.density[i] = static_cast<float>(density);
        particles.temperature[i] = static_cast<float>(object.temperature);
        particles.latent[i] = latent;
        particles.phase[i] = object.phase;
        particles.material[i] = material;
        particles.object[i] = number;
    }
}

}  // namespace

ParticleTable populate(const Model& model, const std::vector<Object>& objects, std::vector<Carving>* carvings,
                       const Device& device) {
    const double spacing = model.particles.spacing;
    const Walls walls(model.obstacles, model.dimensions, model.particles.support * spacing);
    ParticleTable particles;
    std::size_t number = 1;  // of the next hold
    for (std::size_t k = 0; k < objects.size(); ++k) {
        const Object& object = objects[k];
        Sample filled = sample(model, object, device);
        Carving carving{filled.points.size(), std::vector<std::uint64_t>(model.obstacles.size()),
                        std::vector<std::uint64_t>(k)};
        Carver(model, walls, objects, particles, k).carve(device, filled.points, carving);
        const Index first = particles.size();
        append(particles, model, object, static_cast<std::uint16_t>(k), filled);
        hold(object, static_cast<std::uint16_t>(number), model.dimensions, particles, first);
        number += count_holds(object);
        if (carvings) carvings->push_back(std::move(carving));
    }
    return particles;
}

}  // namespace thixo
