#include "sim/load_contacts.h"

#include <algorithm>
#include <cmath>

#include "collide/walls.h"
#include "fluid/pressure_methods.h"
#include "geometry/layer.h"
#include "sim/derive.h"
#include "sph/kernels.h"
#include "sph/neighbours.h"

namespace thixo {

namespace {

/// How far down, and up, an object may go, in spacings. What finds nothing to carry it within this does not
/// lie on anything.
constexpr double lowest_place = -0.15, highest_place = 0.05;

/// The same for what no obstacle is near to: rows of lattice solids that lie on each other fit into each
/// other, and carry nothing before that.
constexpr double lowest_on_solids = -0.4;

/// Halvings of that range: to a hundred-thousandth of a spacing.
constexpr int halvings = 14;

/// Objects that lie on each other are moved in turns. Each turn halves about what is left, and a stack is a
/// few objects high.
constexpr int most_turns = 20;
constexpr double settled = 1e-4;  ///< spacings

/// Contact pressure of the solids, by the law of the run, as a function of how far each object was moved up.
class ContactLoads {
public:
    ContactLoads(const Model& model, const std::vector<Object>& objects, const ParticleTable& all,
                 const Device& device)
        : model_(model),
          objects_(objects),
          device_(device),
          up_(norm(model.gravity) > 0 ? to_float(-1 / norm(model.gravity) * model.gravity) : Vec3f{}),
          support_(model.particles.support * model.particles.spacing),
          walls_(model.obstacles, model.dimensions, support_),
          half_space_(discretisation_of(model)),
          place_(objects.size()),
          load_(objects.size()),
          beside_walls_(objects.size()),
          carried_(objects.size()),
          rows_(objects.size()) {
        for (const Material& material : model.materials)
            constants_.push_back({static_cast<float>(material.density),
                                  static_cast<float>(std::pow(material.liquid.sound_speed, 2)), 0});
        take_solids(all);
        std::vector<float> supports(solids_.size(), static_cast<float>(support_));
        solids_.permute(device, search_.sort(device, solids_.position, supports));
        search_.build(device, solids_.position, supports);
        for (std::size_t k = 0; k < objects.size(); ++k)
            if (may_move(objects[k])) load_[k] = load_of(k);
        find_rows();
    }

    /// What is too much beside solids at the start has no pressure.
    void give_slack(ParticleTable& all) const {
        for (Index i = 0; i < solids_.size(); ++i) all.contact_slack[solids_.id[i]] = slack_[i];
    }

    /// Of each object: whether its contacts carry its weight where it was put.
    const std::vector<bool>& carried() const { return carried_; }

    /// In spacings, of each object.
    const std::vector<double>& solve() {
        for (int turn = 0; turn < most_turns; ++turn) {
            double change = 0;
            for (std::size_t k = 0; k < objects_.size(); ++k)
                if (load_[k] > 0 && !rows_[k].empty()) change = std::max(change, lower(k));
            if (change < settled) break;
        }
        return place_;
    }

private:
    static bool may_move(const Object& object) {
        return object.phase == Phase::elastic && object.velocity == Vec3d{} &&
               object.angular_velocity == Vec3d{} && object.held.empty() && object.release == 0 &&
               !is_layer(object.shape);
    }

    /// Rigid bodies have contacts that are solved for; pressure does not act between them and others.
    void take_solids(const ParticleTable& all) {
        std::vector<Index> rows;
        for (Index i = 0; i < all.size(); ++i)
            if (all.phase[i] == Phase::elastic) rows.push_back(i);
        solids_.resize(static_cast<Index>(rows.size()));
        for (Index i = 0; i < solids_.size(); ++i) {
            solids_.id[i] = rows[i];
            solids_.position[i] = all.position[rows[i]];
            solids_.mass[i] = all.mass[rows[i]];
            solids_.object[i] = all.object[rows[i]];
            solids_.material[i] = all.material[rows[i]];
            solids_.phase[i] = Phase::elastic;
        }
    }

    float volume(Index i) const { return solids_.mass[i] / constants_[solids_.material[i]].rest_density; }

    /// Weight (N) less that of the liquid whose place it takes. Solids are carved out of liquids that were
    /// put over them.
    double load_of(std::size_t k) const {
        double weight = 0;
        for (Index i = 0; i < solids_.size(); ++i) {
            if (solids_.object[i] != k) continue;
            double mass = solids_.mass[i];
            for (const Object& other : objects_) {
                if (other.phase != Phase::liquid || is_layer(other.shape)) continue;
                const Vec3d x = to_double(solids_.position[i]);
                if (signed_distance(other.shape, x, model_.dimensions).distance > 0) continue;
                mass -= double{volume(i)} * model_.materials[material_index(model_, other.material)].density;
                break;
            }
            weight += mass;
        }
        return weight * norm(model_.gravity);
    }

    /// Those within reach of a wall or of another object, and what their own body adds to their sum, as in
    /// the run: for elastic bodies that of their undeformed state up to rest, for lattice solids (1 − V⁰W(0))
    /// n/z; less the slack, s − 1 where walls and other objects leave it above.
    void find_rows() {
        std::vector<WallTerm> terms(solids_.size());
        walls_.sense(device_, solids_.position, half_space_, terms, {}, {{}, {}, solids_.phase, {}});
        own_.resize(solids_.size());
        slack_.resize(solids_.size());
        with_kernel(discretisation_of(model_), [&](const auto& kernel) {
            for (Index i = 0; i < solids_.size(); ++i) {
                const float self = volume(i) * kernel.value(0.f);
                float sum = self, others = terms[i].gamma;
                int near = 0;
                bool touches = terms[i].gamma > 0;
                if (touches) beside_walls_[solids_.object[i]] = 1;
                for (const Index j : search_.view().of(i)) {
                    const float r = norm(solids_.position[i] - solids_.position[j]);
                    touches |= solids_.object[i] != solids_.object[j];
                    (solids_.object[i] != solids_.object[j] ? others : sum) += volume(j) * kernel.value(r);
                    if (solids_.object[i] != solids_.object[j]) continue;
                    near += r < nearest_neighbours * static_cast<float>(model_.particles.spacing);
                }
                own_[i] = own_sum(model_, solids_.material[i], Phase::elastic, self, sum, near);
                slack_[i] = std::clamp(own_[i] + others - 1, 0.f, std::max(0.f, own_[i] - self));
                own_[i] -= slack_[i];
                if (touches) rows_[solids_.object[i]].push_back(i);
            }
        });
    }

    Vec3f position(Index i) const {
        return solids_.position[i] +
               static_cast<float>(place_[solids_.object[i]] * model_.particles.spacing) * up_;
    }

    /// p/s² of a row, with the wall's part of the sum.
    template <class Kernel>
    float pressure(const Kernel& kernel, Index i, float walls) const {
        float s = own_[i] + walls;
        for (const Index j : search_.view().of(i))
            if (solids_.object[i] != solids_.object[j])
                s += volume(j) * kernel.value(norm(position(i) - position(j)));
        if (s <= 1) return 0;
        const FluidConstants& own = constants_[solids_.material[i]];
        return entry_of(model_.solver.pressure).law(own, s) / (s * s);
    }

    /// Σ −V⁰ (P ∇γ + Σⱼ V⁰ⱼ (P + Pⱼ) ∇W) upwards, of an object (N).
    double lift(std::size_t k) {
        std::vector<Index> rows = rows_[k];
        const auto own_count = rows.size();
        for (std::size_t a = 0; a < own_count; ++a)
            for (const Index j : search_.view().of(rows[a]))
                if (solids_.object[j] != k) rows.push_back(j);
        std::sort(rows.begin() + static_cast<std::ptrdiff_t>(own_count), rows.end());
        rows.erase(std::unique(rows.begin() + static_cast<std::ptrdiff_t>(own_count), rows.end()),
                   rows.end());
        std::vector<Vec3f> x;
        for (const Index i : rows) x.push_back(position(i));
        const std::vector<Phase> phase(rows.size(), Phase::elastic);
        std::vector<WallTerm> terms(rows.size());
        walls_.sense(device_, x, half_space_, terms, {}, {{}, {}, phase, {}});
        pressure_.resize(solids_.size());
        return with_kernel(discretisation_of(model_), [&](const auto& kernel) {
            for (std::size_t a = 0; a < rows.size(); ++a)
                pressure_[rows[a]] = pressure(kernel, rows[a], terms[a].gamma);
            double sum = 0;
            for (std::size_t a = 0; a < own_count; ++a) {
                const Index i = rows[a];
                Vec3f force = pressure_[i] * terms[a].gradient;
                for (const Index j : search_.view().of(i)) {
                    if (solids_.object[j] == k) continue;
                    const Vec3f d = x[a] - position(j);
                    force += volume(j) * (pressure_[i] + pressure_[j]) *
                             kernel.gradient_over_distance(norm(d)) * d;
                }
                sum -= double{volume(i)} * double{dot(force, up_)};
            }
            return sum;
        });
    }

    /// Moves an object to where it is carried; returns how far it went, in spacings.
    double lower(std::size_t k) {
        const double before = place_[k];
        double low = beside_walls_[k] ? lowest_place : lowest_on_solids, high = highest_place;
        place_[k] = low;
        const bool carried = lift(k) > load_[k];
        place_[k] = high;
        if (!carried || lift(k) > load_[k]) {
            place_[k] = before;
            carried_[k] = false;
            return 0;
        }
        carried_[k] = true;
        for (int n = 0; n < halvings; ++n) {
            place_[k] = 0.5 * (low + high);
            (lift(k) > load_[k] ? low : high) = place_[k];
        }
        return std::abs(place_[k] - before);
    }

    const Model& model_;
    const std::vector<Object>& objects_;
    const Device& device_;
    Vec3f up_;
    double support_;
    Walls walls_;
    HalfSpaceIntegral half_space_;
    std::vector<FluidConstants> constants_;
    std::vector<double> place_, load_;  ///< of each object: spacings; N
    std::vector<std::uint8_t> beside_walls_;
    std::vector<bool> carried_;
    std::vector<std::vector<Index>> rows_;  ///< of each object
    ParticleTable solids_;
    NeighbourSearch search_;
    std::vector<float> own_, slack_,
        pressure_;  ///< of each row: what its body adds to s; s − 1 at the start; p/s²
};

}  // namespace

float own_sum(const Model& model, std::uint16_t material, Phase phase, float self, float sum, int near) {
    if (phase != Phase::elastic || model.materials[material].solid.model != SolidModel::lattice)
        return std::min(1.f, sum);
    const float points = model.dimensions == 2 ? 6.f : 12.f;
    return self + (1 - self) * std::min(1.f, static_cast<float>(near) / points);
}

std::vector<bool> load_contacts(const Model& model, const std::vector<Object>& objects,
                                ParticleTable& particles, const Device& device) {
    const bool any = std::any_of(particles.phase.begin(), particles.phase.end(),
                                 [](Phase phase) { return phase == Phase::elastic; });
    if (!any) return {};
    ContactLoads loads(model, objects, particles, device);
    loads.give_slack(particles);
    if (!(norm(model.gravity) > 0)) return {};
    const std::vector<double>& places = loads.solve();
    const Vec3d up = -1 / norm(model.gravity) * model.gravity;
    for (Index i = 0; i < particles.size(); ++i) {
        const double way = places[particles.object[i]] * model.particles.spacing;
        if (particles.phase[i] != Phase::elastic || way == 0) continue;
        particles.position[i] = to_float(to_double(particles.position[i]) + way * up);
    }
    return loads.carried();
}

}  // namespace thixo
