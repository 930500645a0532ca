#include "sim/populate.h"

#include "particles/lattice.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

void append(ParticleTable& particles, const Model& model, const Object& object, std::uint16_t number,
            const std::vector<Vec3d>& points) {
    const double spacing = model.particles.spacing;
    const std::uint16_t material = material_index(model, object.material);
    const double density = model.materials[material].density;
    const double volume = rest_volume(model.solver.kernel, model.particles.support * spacing,
                                      model.dimensions, object.lattice, spacing);
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

ParticleTable populate(const Model& model, const std::vector<Object>& objects, std::vector<Carving>* carvings,
                       const Device& device) {
    const double spacing = model.particles.spacing;
    const Walls walls(model.obstacles, model.dimensions, model.particles.support * spacing);
    ParticleTable particles;
    std::size_t number = 1;  // of the next hold
    for (std::size_t k = 0; k < objects.size(); ++k) {
        const Object& object = objects[k];
        std::vector<Vec3d> points = sample(object.shape, object.lattice, spacing, model.dimensions, device);
        Carving carving{points.size(), std::vector<std::uint64_t>(model.obstacles.size()),
                        std::vector<std::uint64_t>(k)};
        Carver(model, walls, objects, particles, k).carve(device, points, carving);
        const Index first = particles.size();
        append(particles, model, object, static_cast<std::uint16_t>(k), points);
        hold(object, static_cast<std::uint16_t>(number), model.dimensions, particles, first);
        number += count_holds(object);
        if (carvings) carvings->push_back(std::move(carving));
    }
    return particles;
}

}  // namespace thixo
