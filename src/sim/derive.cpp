#include "sim/derive.h"

#include <algorithm>
#include <stdexcept>

#include "body/matter.h"
#include "particles/lattice.h"

namespace thixo {

MatterSettings matter_settings(const Model& model) {
    return {.materials = model.materials,
            .elasticity = model.solver,
            .discretisation = discretisation_of(model),
            .support = model.particles.support,
            .gravity = norm(model.gravity),
            .seed = model.seed};
}

std::vector<Mat3d> lattice_frames(const Model& model, const ParticleTable& particles) {
    std::vector<Mat3d> frames = lattice_frames(model.objects, model.dimensions);
    for (const std::uint16_t object : particles.object)
        if (object >= frames.size()) frames.resize(object + 1u, identity<double>());
    return frames;
}

std::uint16_t material_index(const Model& model, const std::string& name) {
    const auto found = std::find_if(model.materials.begin(), model.materials.end(),
                                    [&](const Material& material) { return material.name == name; });
    if (found == model.materials.end()) throw std::logic_error("no material named " + name);
    return static_cast<std::uint16_t>(found - model.materials.begin());
}

Names names_in(const Model& model) {
    Names names;
    for (const Object& object : model.objects) names.objects.push_back(object.name);
    for (const Emitter& emitter : model.emitters) names.objects.push_back(emitter.name);
    for (const Material& material : model.materials) names.materials.push_back(material.name);
    return names;
}

std::vector<Hold> holds_of(const Model& model) {
    const Names names = names_in(model);
    std::vector<Hold> holds = holds_of(model.objects);
    for (const Pause& pause : model.pauses) holds.push_back(hold_of(pause, names));
    for (const Grab& grab : model.grabs) holds.push_back(hold_of(grab, names));
    return holds;
}

}  // namespace thixo
