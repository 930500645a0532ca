#include "sim/wall_fields.h"

#include "collide/heat_contacts.h"

#include <algorithm>

#include "sim/derive.h"

namespace thixo {

namespace {

bool any_melts(const Model& model) {
    return std::any_of(model.materials.begin(), model.materials.end(),
                       [](const Material& material) { return material.heat.melting_point.has_value(); });
}

/// By obstacle, then by material; empty where no liquid has a contact angle. A liquid that has one with
/// something has 90° with the obstacles that are not listed: without an angle it would climb them as if they
/// were liquid, and a tank would lower the level of what rises in a tube.
std::vector<float> contact_cosines_of(const Model& model) {
    const std::size_t materials = model.materials.size(), obstacles = model.obstacles.size();
    if (model.contact_angles.empty() || obstacles == 0) return {};
    std::vector<float> cosines(obstacles * materials, ContactCosines::none);
    for (const ContactAngle& contact : model.contact_angles)
        for (std::size_t k = 0; k < obstacles; ++k)
            cosines[k * materials + material_index(model, contact.liquid)] = 0;
    for (const ContactAngle& contact : model.contact_angles)
        for (std::size_t k = 0; k < obstacles; ++k)
            if (model.obstacles[k].name == contact.solid)
                cosines[k * materials + material_index(model, contact.liquid)] = cosine_of(contact);
    return cosines;
}

}  // namespace

WallFields::WallFields(const Model& model)
    : walls_(model.obstacles, model.dimensions, model.adaptivity.coarsest * discretisation_of(model).support),
      half_space_(discretisation_of(model)),
      liquids_(wall_form_of(model.solver.pressure)),
      by_continuity_(model.solver.density == DensityMethod::continuity),
      may_stay_current_(!any_melts(model) && holds_of(model).empty()),
      materials_(model.materials.size()),
      contact_cosines_(contact_cosines_of(model)) {}

void WallFields::compute(const Device& device, const Matter& matter, const ActiveRows& active) {
    const ParticleTable& particles = matter.particles;
    terms_.resize(particles.size());
    if (walls_.act_on_velocity()) motion_.resize(particles.size());
    const View<const Phase> phase(particles.phase);
    walls_.sense(device, particles.position, half_space_, terms_, motion_,
                 {matter.supports.mixed(), liquids_, phase, active.rows});
    if (!contact_cosines_.empty()) {
        wetting_.resize(particles.size());
        find_wetted_walls(device, walls_, particles.position, particles.material,
                          {contact_cosines_, materials_}, half_space_,
                          {matter.supports.mixed(), liquids_, phase, active.rows}, wetting_);
    }
    if (matter.solids.any() && active.solids)
        matter.solids.add_own_compression(device, particles, active.rows, terms_, motion_);
}

void WallFields::update_density(const Device& device, View<const FluidConstants> constants,
                                const ActiveRows& active, Matter& matter) {
    if (!by_continuity_) return;
    ParticleTable& particles = matter.particles;
    old_gamma_.resize(particles.size());
    launch(
        device, particles.size(), active.rows,
        [walls = View<const WallTerm>(terms_), out = View(old_gamma_)](Index i) { out[i] = walls[i].gamma; });
    compute(device, matter, active);
    launch(device, particles.size(), active.rows,
           [old = View<const float>(old_gamma_), now = View<const WallTerm>(terms_), constants,
            material = View<const std::uint16_t>(particles.material),
            phase = View<const Phase>(particles.phase), rho = View(particles.density)](Index i) {
               if (phase[i] == Phase::liquid)
                   rho[i] += constants[material[i]].rest_density * (now[i].gamma - old[i]);
           });
    // Those of solids change with links and docked lattices.
    current_ = active.synchronised && !matter.solids.any() && may_stay_current_;
}

View<const WallHeat> WallFields::compute_heat(const Device& device, const Matter& matter,
                                              const HeatFlow& heat) {
    const ParticleTable& particles = matter.particles;
    const bool matters = walls_.any_heats() || heat.faces_air();
    heat_.resize(matters ? particles.size() : 0);
    if (matters)
        walls_.sense_heat(device, particles.position, particles.material, heat.conductivities(), half_space_,
                          heat_, matter.supports.mixed());
    return heat_;
}

View<const HeatContact> WallFields::find_heat_contacts(const Device& device, const Matter& matter,
                                                       const HeatFlow& heat) {
    const ParticleTable& particles = matter.particles;
    heat_contacts_.resize(walls_.any_heats() ? particles.size() : 0);
    if (walls_.any_heats())
        thixo::find_heat_contacts(device, walls_, particles.position, particles.material,
                                  heat.conductivities(), half_space_, matter.supports.mixed(),
                                  heat_contacts_);
    return heat_contacts_;
}

void WallFields::push_out(const Device& device, const Rows& rows, View<const float> impulse,
                          ParticleTable& particles) const {
    const ResolveContacts resolve{.room = walls_.room(),
                                  .nearest = 0.4f,
                                  .touching = 1.5f,
                                  .radius = View<const float>(particles.radius),
                                  .push = impulse,
                                  .x = particles.position,
                                  .v = particles.velocity};
    launch(device, particles.size(), rows, [=, phase = View<const Phase>(particles.phase)](Index i) {
        if (phase[i] != Phase::rigid) resolve(i);
    });
}

std::size_t WallFields::bytes() const {
    return terms_.capacity() * sizeof(WallTerm) + heat_.capacity() * sizeof(WallHeat) +
           heat_contacts_.capacity() * sizeof(HeatContact) + motion_.capacity() * sizeof(WallMotion) +
           wetting_.capacity() * sizeof(Wetting);
}

}  // namespace thixo
