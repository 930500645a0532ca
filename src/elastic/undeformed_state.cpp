#include "elastic/undeformed_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "core/eight.h"
#include "core/symmetric_eigen.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// A direction in which neighbours spread by less than this fraction of the widest spread (of squares) does
/// not count. Derived: a sheet that is bent to a radius of about two spacings in its undeformed state stays
/// below it, and solids have 0.3 and more, at corners too.
constexpr double thin = 0.1;

/// Fraction of the usual κ that layers and rods keep without bending stiffness: κ also resists their zigzag
/// modes. Chosen small beside the bending stiffness of a plate one spacing thick (docs/theory/elastic.md).
constexpr double least_kappa = 0.02;

/// Whether the smallest eigenvalue of a symmetric matrix is above `thin` times the largest for sure: A − thin
/// |A| I is positive definite (Sylvester), and |A| is not below the largest. Nearly all neighbourhoods of
/// solids pass, and need no eigenvectors.
bool spreads_everywhere(const Mat3d& a) {
    const Mat3d b = a - identity<double>() * (thin * std::sqrt(norm2(a)));
    return b.x.x > 0 && b.x.x * b.y.y - b.x.y * b.x.y > 0 && determinant(b) > 0;
}

/// The union of two sorted lists.
std::vector<Index> united(View<const Index> a, View<const Index> b) {
    std::vector<Index> out;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
}

/// Σⱼ mⱼ W Xⱼᵢ Xⱼᵢᵀ
Mat3d mass_moment(const Reference& reference, Index s) {
    Mat3d out;
    reference.for_each_block_twice(s, [&](const ReferenceBlock& block, Lanes w) {
        for (Index l = 0; l < lane_count; ++l) {
            const Vec3d X{block.x[l], block.y[l], block.z[l]};
            out += outer(X, X) * double{w[l]};
        }
    });
    return out;
}

}  // namespace

UndeformedState::UndeformedState(const std::vector<Material>& materials, const ElasticMethods& methods,
                                 KernelName contact_kernel, double support, int dimensions, double spacing)
    : materials_(materials),
      models_(models_of(materials)),
      methods_(methods),
      contact_kernel_(contact_kernel),
      support_(support),
      dimensions_(dimensions),
      spacing_(spacing) {
    for (const ElasticModel& model : models_) turns_by_mass_ |= model.turns_by_mass();
}

void UndeformedState::clear() {
    blocks_.clear();
    softness_.clear();
}

void UndeformedState::resize(Index n) {
    cell_.resize(n);
    volume_.resize(n);
    contact_sum_.resize(n);
    frequencies_.resize(n);
    blocks_.resize(whole_blocks(n) / lane_count);
    if (turns_by_mass_) mass_moment_.resize(blocks_.size());
    if (softness_.empty()) return;
    softness_.resize(n, 1.f);
    full_.resize(n);
}

/// Sums of strain energy need the space that particles fill. Their volume m/ρ₀ is calibrated for density and
/// differs from it by the kernel's discretisation error, which is known for the nearest lattice.
void UndeformedState::measure_cells(const ElasticColumns& columns, View<const Index> indices) {
    struct Calibrated {
        double rest, cell;
    };
    std::map<float, std::array<Calibrated, 2>> by_radius;
    auto known = by_radius.end();
    for (const Index s : indices) {
        // Mostly they are all of one size.
        bool is_new = false;
        if (known == by_radius.end() || known->first != columns.radius[s])
            std::tie(known, is_new) = by_radius.try_emplace(columns.radius[s]);
        const double spacing = 2 * double{columns.radius[s]}, support = support_ / spacing_ * spacing;
        const auto calibrate = [&](Lattice lattice) {
            return Calibrated{rest_volume(contact_kernel_, support, dimensions_, lattice, spacing),
                              cell_volume(lattice, spacing, dimensions_)};
        };
        if (is_new) known->second = {calibrate(Lattice::cubic), calibrate(Lattice::closest)};
        const double volume = columns.mass[s] / materials_[columns.material[s]].density;
        // The nearest by its ratio: on which side of their geometric mean.
        const auto& [cubic, closest] = known->second;
        const bool above = volume * volume >= cubic.rest * closest.rest;
        const Calibrated& nearest = above == (cubic.rest >= closest.rest) ? cubic : closest;
        cell_[s] = static_cast<float>(volume * nearest.cell / nearest.rest);
    }
}

void UndeformedState::refresh(const Device& device, const ElasticColumns& columns, View<const Index> touched,
                              ReferenceNeighbourhoods& links) {
    sum_contacts(device, columns, links.view(), touched);
    // Volumes follow from links, and weights of links from the volumes at both ends.
    std::vector<std::uint8_t> resized = measure_volumes(device, columns, links.view(), touched);
    std::vector<Index> indices;
    for (const Index s : touched) {
        if (resized[s]) indices.push_back(s);
    }
    if (indices.empty()) resized.clear();
    indices = united(touched, links.with_neighbours(device, indices));
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        if (turns_by_mass_) {
            links.weigh_twice(device, touched, [kernel, &columns](Index, const ReferenceLink& link) {
                return columns.mass[link.neighbour] * kernel.value(norm(link.X));
            });
        }
        // Eight indices share a block, so one thread does them all.
        launch<small_grain>(device, static_cast<Index>(indices.size()),
                            [this, kernel, &columns, &links, all = View<const Index>(indices),
                             resized = View<const std::uint8_t>(resized)](Index i) {
                                const Index block = all[i] / lane_count;
                                if (i > 0 && all[i - 1] / lane_count == block) return;
                                for (; i < all.size() && all[i] / lane_count == block; ++i) {
                                    const Index s = all[i];
                                    links.view().prefetch_after(all, i);
                                    weigh_links(kernel, columns, s, resized, links);
                                    precompute(columns, s, neighbourhood(links.view(), s));
                                    if (turns_by_mass_)
                                        set_lane(mass_moment_[block], s % lane_count,
                                                 mass_moment(links.view(), s));
                                    frequencies_.precompute(links.view(), blocks_[block], volume_[s], s);
                                }
                            });
    });
    // Steps are as short as for full stiffness: what is soft may harden.
    frequencies_.refresh(device, columns, links, indices, materials_.size());
    if (softness_.empty()) return;
    for (const Index s : indices) {
        keep_full_stiffness(s);
        apply_softness(s);
    }
}

void UndeformedState::keep_full_stiffness(Index s) {
    const ElasticBlock& block = blocks_[s / lane_count];
    const Index l = s % lane_count;
    const bool whole = trace(lane(block.span.full(), l)) > 2.5f;  // in 2D z counts as there
    full_[s] = {block.lambda[l], block.mu[l], block.kappa[l],
                whole ? 2.f / static_cast<float>(dimensions_) : 0.f};
}

void UndeformedState::apply_softness(Index s) {
    ElasticBlock& block = blocks_[s / lane_count];
    const Index l = s % lane_count;
    // What is soft yields to shear; a body keeps its bulk modulus λ + 2μ/d. It would sink into itself by its
    // weight otherwise, until it melts and is pressed apart as the compressed liquid that it then is. Sheets
    // and rods have no bulk.
    const float shear = full_[s].y * (1 - softness_[s]);
    block.lambda[l] = full_[s].w > 0 ? full_[s].x + full_[s].w * shear : full_[s].x * softness_[s];
    block.mu[l] = full_[s].y * softness_[s];
    block.kappa[l] = full_[s].z * softness_[s];
}

/// Notes what an index that becomes stiffer, up to this, has to relax by; one that becomes softer keeps the
/// lower κ of before.
void UndeformedState::relax(Index s, float stiffness, ElasticColumns& columns) const {
    if (columns.plastic.empty()) return;
    PlasticBlock& block = columns.plastic[s / lane_count];
    const Index l = s % lane_count;
    if (stiffness < softness_[s]) {
        block.hourglass[l] = std::min(1.f, block.hourglass[l] * softness_[s] / stiffness);
        return;
    }
    block.relaxed[l] = 1 - (1 - block.relaxed[l]) * softness_[s] / stiffness;
    block.bulk[l] = 0.5f * full_[s].w;
}

void UndeformedState::restore_softness(const Device& device, const std::vector<float>& softness,
                                       const ElasticColumns& columns, ReferenceNeighbourhoods& links) {
    if (softness.empty()) return;
    softness_ = softness;
    full_.resize(softness_.size());
    std::vector<Index> all(softness_.size());
    std::iota(all.begin(), all.end(), 0);
    refresh(device, columns, all, links);
}

bool UndeformedState::soften(const Device& device, View<const float> stiffness, ElasticColumns& columns,
                             ReferenceNeighbourhoods& links) {
    const Index n = columns.size();
    const View<const Index> row(columns.row);
    bool any = false;
    if (softness_.empty()) {
        const auto is_soft = [&](Index s) {
            return row[s] != vacant_index && stiffness[row[s]] != 1 ? 1 : 0;
        };
        if (!reduce_max(device, n, 0, is_soft)) return false;
        softness_.assign(n, 1.f);
        full_.resize(n);
        std::vector<Index> all(n);
        std::iota(all.begin(), all.end(), 0);
        refresh(device, columns, all, links);
        any = true;
    }
    // Eight indices share a block, so one thread sets them all. Mostly few have changed.
    any |= reduce_max(device, whole_blocks(n) / lane_count, 0, [&](Index block) {
               int changed = 0;
               for (Index s = block * lane_count; s < std::min((block + 1) * lane_count, n); ++s) {
                   if (row[s] == vacant_index || softness_[s] == stiffness[row[s]]) continue;
                   relax(s, stiffness[row[s]], columns);
                   softness_[s] = stiffness[row[s]];
                   apply_softness(s);
                   changed = 1;
               }
               return changed;
           }) != 0;
    return any;
}

void UndeformedState::harden(View<const Index> indices) {
    if (softness_.empty()) return;
    for (const Index s : indices) softness_[s] = 1;
}

void UndeformedState::sum_contacts(const Device& device, const ElasticColumns& columns,
                                   const Reference& reference, View<const Index> indices) {
    with_kernel(contact_kernel_, support_, dimensions_, [&](const auto& kernel) {
        launch<small_grain>(
            device, static_cast<Index>(indices.size()),
            [=, volume = View<const float>(columns.contact_volume), out = View(contact_sum_)](Index i) {
                const Index s = indices[i];
                reference.prefetch_after(indices, i);
                DoubleLanes sums{};
                reference.for_each_block(s, [&](const ReferenceBlock& block) {
                    const LaneMask there = load(block.neighbour) != static_cast<std::int32_t>(s);
                    const Lanes volumes = there ? gather(volume.data(), block.neighbour) : Lanes{};
                    sums += in_double(volumes) * in_double(kernel.value(square_root(norm2(block.X()))));
                });
                out[s] = static_cast<float>(std::min(sum(sums), 1 - double{volume[s]} * kernel.value(0.f)));
            });
    });
}

/// Returns for which indices the volume is another one than before.
std::vector<std::uint8_t> UndeformedState::measure_volumes(const Device& device,
                                                           const ElasticColumns& columns,
                                                           const Reference& reference,
                                                           View<const Index> indices) {
    std::vector<std::uint8_t> resized(reference.size());
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        launch<small_grain>(device, static_cast<Index>(indices.size()),
                            [=, this, &columns, resized = View(resized)](Index i) {
                                const Index s = indices[i];
                                const std::vector<float>& mass = columns.mass;
                                const float before = volume_[s];
                                volume_[s] = cell_[s];
                                if (models_[columns.material[s]].volume == BodyVolume::density) {
                                    double density = mass[s] * kernel.value(0.f);
                                    for (Index k = 0; k < reference.count(s); ++k) {
                                        const ReferenceLink link = reference.link(s, k);
                                        density += mass[link.neighbour] * kernel.value(norm(link.X));
                                    }
                                    volume_[s] = static_cast<float>(mass[s] / density);
                                }
                                resized[s] = volume_[s] != before;
                            });
    });
    return resized;
}

template <class Kernel>
void UndeformedState::weigh_links(const Kernel& kernel, const ElasticColumns& columns, Index s,
                                  View<const std::uint8_t> resized, ReferenceNeighbourhoods& links) const {
    const auto by_value = [&](Index k) { return models_[columns.material[k]].weight == LinkWeight::value; };
    const auto each = [](const ReferenceBlock& block, const auto& holds) {
        LaneMask mask;
        for (Index l = 0; l < lane_count; ++l) mask[l] = holds(block.neighbour[l]) ? -1 : 0;
        return mask;
    };
    const bool value = by_value(s);
    links.weigh(
        s,
        [&](const ReferenceBlock& block) {
            const Lanes r = square_root(norm2(block.X()));
            Lanes w = -kernel.gradient_over_distance(r);
            if (value) w = each(block, by_value) ? kernel.value(r) : w;
            return w * (volume_[s] * gather(volume_.data(), block.neighbour));
        },
        [&](const ReferenceBlock& block) {
            if (resized.empty()) return LaneMask{};
            return each(block, [&](Index k) { return resized[s] || resized[k]; });
        });
}

UndeformedState::Neighbourhood UndeformedState::neighbourhood(const Reference& reference, Index s) const {
    Neighbourhood out;
    if (reference.count(s) == 0) return out;
    Sym3<DoubleLanes> moment;
    DoubleLanes fourth{};
    reference.for_each_block(s, [&](const ReferenceBlock& block) {
        const DoubleLanes x = in_double(load(block.x)), y = in_double(load(block.y)),
                          z = in_double(load(block.z)), w = in_double(block.w());
        const DoubleLanes wx = w * x, wy = w * y, wz = w * z, r2 = x * x + y * y + z * z;
        moment.xx += wx * x;
        moment.yy += wy * y;
        moment.zz += wz * z;
        moment.xy += wx * y;
        moment.xz += wx * z;
        moment.yz += wy * z;
        fourth += w * r2 * r2;
    });
    const double per_volume = 1 / double{volume_[s]};
    Sym3<double> sums;
    sums.xx = sum(moment.xx), sums.yy = sum(moment.yy), sums.zz = sum(moment.zz);
    sums.xy = sum(moment.xy), sums.xz = sum(moment.xz), sums.yz = sum(moment.yz);
    out.moment = sums.full() * per_volume;
    out.fourth = sum(fourth) * per_volume;
    if (spreads_everywhere(out.moment)) {
        out.rank = 3;
        out.fit = inverse_of_symmetric(out.moment);
        return out;
    }
    const SymmetricEigen axes = symmetric_eigen(out.moment);
    const auto keep = [&](double value, const Vec3d& axis) {
        if (!(value > thin * axes.values.x)) return;
        ++out.rank;
        out.fit += outer(axis, axis) * (1 / value);
    };
    keep(axes.values.x, axes.vectors.x);
    keep(axes.values.y, axes.vectors.y);
    keep(axes.values.z, axes.vectors.z);
    return out;
}

/// Constants of a neighbourhood of a rank below that of space: nothing holds it in the directions it lacks,
/// so stress there is zero. In 2D a body is in plane strain, and what lacks one direction is a strip.
void UndeformedState::precompute(const ElasticColumns& columns, Index s, const Neighbourhood& here) {
    const SolidSettings& solid = materials_[columns.material[s]].solid;
    const ElasticModel& model = models_[columns.material[s]];
    const double e = solid.young_modulus, nu = solid.poisson_ratio;
    const double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
    const int lacking = here.rank == 0 ? 0 : dimensions_ - here.rank;
    const double lambda_here = lacking == 0   ? lambda
                               : lacking == 1 ? 2 * mu * lambda / (lambda + 2 * mu)
                                              : e - 2 * mu;
    // Normalised by the mean square of the distances, so that it does not depend on how they are weighed.
    double kappa = here.rank == 0 ? 0 : solid.hourglass * e * here.rank / trace(here.moment);
    if (lacking > 0) {
        // A curvature k leaves ½ k X² of a layer's neighbours unexplained; their energy is to be that of a
        // plate or beam of thickness ℓ, ½ E' ℓ²/12 k² a volume. In a plane (n·X)⁴ is ⅜ |X|⁴ on average over
        // n, but 0.34 along the rows of a square lattice and 0.41 across.
        const double plate = lacking == 1 ? e / (1 - nu * nu) : e, spacing = 2 * double{columns.radius[s]};
        const double fourth = (here.rank == 2 ? 0.35 : 1) * here.fourth;
        kappa = std::max(least_kappa * kappa, solid.bending * plate * spacing * spacing / (3 * fourth));
    }

    const Mat3d correction = here.rank == 0 ? Mat3d{} : model.corrects() ? here.fit : identity<double>();
    ElasticBlock& block = blocks_[s / lane_count];
    const Index l = s % lane_count;
    block.inverse_volume[l] = 1 / volume_[s];
    block.lambda[l] = static_cast<float>(lambda_here);
    block.mu[l] = static_cast<float>(mu);
    block.kappa[l] = static_cast<float>(kappa);
    block.damping[l] = static_cast<float>(solid.damping);
    set_lane(block.correction, l, correction);
    set_lane(block.fit, l, here.fit);
    set_lane(block.rest, l, here.moment * correction);
    Mat3d span = here.moment * here.fit;
    if (dimensions_ == 2) span.z.z = 1;  // nothing moves there, but the body is there
    set_lane(block.span, l, span);
    const bool turned = here.rank > 0 && model.turns();
    block.turned[l] = turned ? -1 : 0;
    block.corrected[l] = turned && model.corrects() ? -1 : 0;
    block.turned_by_mass[l] = turned && model.turns_by_mass() ? -1 : 0;
    block.green[l] = model.uses_green_strain(solid.strain) ? -1 : 0;
}

std::size_t UndeformedState::bytes() const {
    return bytes_of(cell_, volume_, contact_sum_, blocks_, mass_moment_, softness_, full_) +
           frequencies_.bytes();
}

}  // namespace thixo
