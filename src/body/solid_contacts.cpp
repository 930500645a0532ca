#include "body/solid_contacts.h"

#include <limits>

#include "body/wall_contacts.h"
#include "elastic/nearest_links.h"

namespace thixo {

namespace {

/// In spacings: holes in a body are as wide as its nearest links are long, diagonals of the lattice included.
constexpr double nearest = 1.5;

}  // namespace

SolidContacts::SolidContacts(const std::vector<Material>& materials, const Discretisation& discretisation,
                             double gravity)
    : materials_(materials),
      spacing_(discretisation.spacing),
      deformable_(materials, discretisation),
      rigid_(materials, discretisation.spacing, gravity) {}

void SolidContacts::collect_rigid(const Device& device, const ParticleTable& particles, const Solids& solids,
                                  const Neighbours& all, const PhaseChanges* changes) {
    std::vector<Index> moved;  // clusters that merge or split change those of other rows, too
    if (changes) {
        moved = changes->all();
        moved.insert(moved.end(), solids.rigid.moved().begin(), solids.rigid.moved().end());
    }
    rigid_.collect(device, particles, solids.rigid, all, solids.elastic.contact_pairs(particles),
                   changes ? Rows(moved) : Rows());
}

void SolidContacts::collect_deformable(const Device& device, const ParticleTable& particles,
                                       const Solids& solids, const Neighbours& contact_pairs) {
    deformable_.collect(device, particles, contact_pairs);
    deformable_.link(nearest_links(device, solids.elastic, particles, static_cast<float>(nearest * spacing_),
                                   deformable_.rows()));
}

bool SolidContacts::solve_deformable(const Device& device, double kick, double dt, const BodyAnswer& answer,
                                     ParticleTable& particles) {
    if (deformable_.empty()) return false;
    contact_mass_.resize(particles.size());
    launch(device, particles.size(),
           [m = View<const float>(particles.mass),
            kinematic = View<const std::uint16_t>(particles.kinematic_id), out = View(contact_mass_)](
               Index i) { out[i] = kinematic[i] > 0 ? std::numeric_limits<float>::infinity() : m[i]; });
    return deformable_.solve(device, particles, contact_mass_, kick, dt, answer);
}

bool SolidContacts::solve_rigid(const Device& device, const Walls& walls, double dt, RigidBodies& bodies,
                                ParticleTable& particles, View<const float> ease, bool again, bool late) {
    if (bodies.empty()) return false;
    rigid_.solve(device, contacts_at_walls(device, walls, bodies, rigid_, materials_, particles, dt), dt,
                 bodies, particles, ease, again, late);
    return rigid_.contacts() > 0;
}

}  // namespace thixo
