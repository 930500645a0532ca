#include "sim/populate.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "heat/content.h"
#include "particles/fit.h"
#include "particles/hold.h"
#include "particles/lattice.h"
#include "particles/layer_sample.h"
#include "sim/derive.h"
#include "sim/lift_off.h"
#include "sim/touch.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

struct Sample {
    std::vector<Vec3d> points;
    double volume;  ///< m³ that a particle stands for, in 2D m²
};

/// A relative error of the mass below this is not reported; the kernel's error on a lattice is corrected up
/// to it.
constexpr double mass_error = 2.5e-3;

/// What the faces of an object keep to walls. Matter that melts must have its density inside, too.
FaceRule face_rule(const Model& model, const Object& object) {
    const Material& material = model.materials[material_index(model, object.material)];
    if (object.phase == Phase::liquid) return FaceRule::half_pitch;
    if (object.phase == Phase::elastic && material.solid.model == SolidModel::lattice) return FaceRule::keep;
    return material.heat.melting_point ? FaceRule::half_pitch : FaceRule::half_spacing;
}

/// Stretches a sample to its shape, and gives its particles the mass of the shape. On the lattice that
/// `calibrated` is for, the density is exact; on one that is stretched by some percent the same correction
/// leaves half a percent.
void fit(const Model& model, const Object& object, double calibrated, Sample& sample) {
    const double spacing = model.particles.spacing;
    const Fit fit = fit_to_shape(object, spacing, model.dimensions, face_rule(model, object), sample.points);
    const double correction = calibrated / cell_volume(object.lattice, spacing, model.dimensions);
    sample.volume = fit.volume * std::clamp(correction, 1 - mass_error, 1 + mass_error);
    if (std::abs(sample.volume / calibrated - 1) < 1e-6) sample.volume = calibrated;
}

/// Moves each particle by up to `jitter` spacings along each axis.
void disturb(const Model& model, const Object& object, Index first_id, std::vector<Vec3d>& points) {
    const double largest = object.jitter * model.particles.spacing;
    if (largest == 0) return;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const auto words = random_words(model.seed, first_id + static_cast<Index>(k), 0, Purpose::jitter);
        const auto shift = [&](int axis) { return largest * (2.0 * to_unit(words[axis]) - 1); };
        points[k] += Vec3d{shift(0), shift(1), model.dimensions == 3 ? shift(2) : 0.0};
    }
}

/// Bodies are calibrated; sheets are one spacing thick, rods one spacing wide and thick.
Sample sample(const Model& model, const Object& object, Start start, const Device& device) {
    const double spacing = model.particles.spacing;
    if (is_layer(object.shape)) {
        LayerSample layer = sample_layer(object.shape, object.lattice, spacing, model.seed, device);
        const int missing = model.dimensions - (is_sheet(object.shape) ? 2 : 1);
        return {std::move(layer.points), layer.measure * std::pow(spacing, missing)};
    }
    const double calibrated = rest_volume(model.solver.kernel, model.particles.support * spacing,
                                          model.dimensions, object.lattice, spacing);
    Sample filled{
        thixo::sample(object.shape, object.lattice, spacing, model.dimensions, device, object.orientation),
        calibrated};
    if (start == Start::rest && !filled.points.empty()) fit(model, object, calibrated, filled);
    return filled;
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

ParticleTable populate(const Model& model, const std::vector<Object>& given, std::vector<Carving>* carvings,
                       const Device& device, Start start) {
    std::vector<Object> objects = given;
    const double spacing = model.particles.spacing;
    const Walls walls(model.obstacles, model.dimensions, model.particles.support * spacing);
    ParticleTable particles;
    std::size_t number = 1;  // of the next hold
    for (std::size_t k = 0; k < objects.size(); ++k) {
        Object& object = objects[k];
        Sample filled = sample(model, object, start, device);
        const Afloat afloat =
            start == Start::rest ? way_off_the_floor(model, walls, objects, k, filled.points) : Afloat{};
        const Vec3d& lift = afloat.way;
        object.shape.placement.translate += lift;
        for (Vec3d& x : filled.points) x += lift;
        disturb(model, object, particles.size(), filled.points);
        if (start == Start::rest && object.phase != Phase::liquid)
            bring_into_contact(model, walls, objects, particles, k, filled.points);
        Carving carving{filled.points.size(), std::vector<std::uint64_t>(model.obstacles.size()),
                        std::vector<std::uint64_t>(k)};
        carving.lift = norm(lift);
        carving.stays = afloat.stays;
        const Carver carver(model, walls, objects, particles, k);
        if (start == Start::rest && object.phase == Phase::liquid && !is_layer(object.shape))
            carver.carve_to_volume(device, filled.points, carving);
        else
            carver.carve(device, filled.points, carving);
        const Index first = particles.size();
        append(particles, model, object, static_cast<std::uint16_t>(k), filled);
        hold(object, static_cast<std::uint16_t>(number), model.dimensions, particles, first);
        number += count_holds(object);
        if (carvings) carvings->push_back(std::move(carving));
    }
    return particles;
}

}  // namespace thixo
