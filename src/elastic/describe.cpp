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
#include "elastic/elastic_bodies.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// A direction in which neighbours spread less than this share of the widest spread (of squares) does not count: a sheet may be
/// bent to a radius of about two spacings in its undeformed state. Solids have 0.3 and more, at corners too.
constexpr double thin = 0.1;

/// What resists bending in layers and rods is also what resists their zigzag modes, so some of it there always is.
constexpr double least_share = 0.02;

/// Whether the smallest eigenvalue of a symmetric matrix is above `thin` times the largest for sure: A − thin |A| I is positive definite
/// (Sylvester), and |A| is not below the largest. Nearly all neighbourhoods of solids are told that way, without a search for axes.
bool spreads_everywhere(const Mat3d& a) {
    const Mat3d b = a - identity<double>() * (thin * std::sqrt(norm2(a)));
    return b.x.x > 0 && b.x.x * b.y.y - b.x.y * b.x.y > 0 && determinant(b) > 0;
}

/// All that is in one of two sorted lists.
std::vector<Index> united(View<const Index> a, View<const Index> b) {
    std::vector<Index> out;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
}

}  // namespace

bool ElasticBodies::corrects(std::uint16_t material) const {
    const SolidModel model = materials_[material].solid.model;
    return model == SolidModel::corrected || model == SolidModel::mls;
}

bool ElasticBodies::turns_by_mass(std::uint16_t material) const {
    return materials_[material].solid.model == SolidModel::corotated;
}

/// Sums of strain energy need the space that particles fill. Their volume m/ρ₀ is calibrated for density and differs from it
/// by the kernel's discretisation error, which the nearest lattice tells.
void ElasticBodies::measure_cells(View<const Index> slots) {
    struct Calibrated {
        double rest, cell;
    };
    std::map<float, std::array<Calibrated, 2>> by_radius;
    auto known = by_radius.end();
    for (const Index s : slots) {
        // Mostly they are all of one size.
        bool is_new = false;
        if (known == by_radius.end() || known->first != radius_[s])
            std::tie(known, is_new) = by_radius.try_emplace(radius_[s]);
        const double spacing = 2 * double{radius_[s]}, support = support_ / spacing_ * spacing;
        const auto calibrate = [&](Lattice lattice) {
            return Calibrated{rest_volume(contact_kernel_, support, dimensions_, lattice, spacing),
                              cell_volume(lattice, spacing, dimensions_)};
        };
        if (is_new) known->second = {calibrate(Lattice::cubic), calibrate(Lattice::closest)};
        const double volume = mass_[s] / materials_[material_[s]].density;
        // The nearest by its ratio: on which side of their geometric mean.
        const auto& [cubic, closest] = known->second;
        const bool above = volume * volume >= cubic.rest * closest.rest;
        const Calibrated& nearest = above == (cubic.rest >= closest.rest) ? cubic : closest;
        cell_[s] = static_cast<float>(volume * nearest.cell / nearest.rest);
    }
}

void ElasticBodies::refresh(const Device& device) {
    std::vector<Index> all(reference_.size());
    std::iota(all.begin(), all.end(), 0);
    refresh(device, all);
}

void ElasticBodies::refresh(const Device& device, View<const Index> touched) {
    weigh_contact(device, touched);
    // Volumes follow from links, and weights of links from the volumes at both ends.
    std::vector<std::uint8_t> resized = measure_volumes(device, touched);
    std::vector<Index> slots;
    for (const Index s : touched) {
        if (resized[s]) slots.push_back(s);
    }
    if (slots.empty()) resized.clear();
    slots = united(touched, reference_.with_neighbours(device, slots));
    if (turned_by_mass_) weigh_turns(device, touched);
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        // Eight slots share a block, so one thread describes them all.
        launch<small_grain>(device, static_cast<Index>(slots.size()),
                            [this, kernel, all = View<const Index>(slots),
                             resized = View<const std::uint8_t>(resized)](Index i) {
                                const Index block = all[i] / lane_count;
                                if (i > 0 && all[i - 1] / lane_count == block) return;
                                for (; i < all.size() && all[i] / lane_count == block; ++i) {
                                    reference_.view().prefetch_after(all, i);
                                    weigh_links(kernel, all[i], resized);
                                    describe_slot(all[i], neighbourhood(all[i]));
                                    if (turned_by_mass_)
                                        set_lane(mass_moment_[block], all[i] % lane_count,
                                                 mass_moment(all[i]));
                                    bound_stiffness(all[i]);
                                }
                            });
    });
    // Steps are as short as for full stiffness: what is soft may harden.
    find_frequencies(device, slots);
    if (!softness_.empty()) {
        for (const Index s : slots) {
            const SlotBlock& block = blocks_[s / lane_count];
            const Index l = s % lane_count;
            const bool whole = trace(lane(block.span.full(), l)) > 2.5f;  // in 2D z counts as there
            full_[s] = {block.lambda[l], block.mu[l], block.kappa[l],
                        whole ? 2.f / static_cast<float>(dimensions_) : 0.f};
            apply_softness(s);
        }
    }
    stiffness_links_.invalidate();
}

void ElasticBodies::apply_softness(Index s) {
    SlotBlock& block = blocks_[s / lane_count];
    const Index l = s % lane_count;
    // What is soft yields to shear; a body keeps its bulk modulus λ + 2μ/d. It would sink into itself by its weight otherwise, until
    // it melts and is pressed apart as the compressed liquid that it then is. Sheets and rods have no bulk.
    const float shear = full_[s].y * (1 - softness_[s]);
    block.lambda[l] = full_[s].w > 0 ? full_[s].x + full_[s].w * shear : full_[s].x * softness_[s];
    block.mu[l] = full_[s].y * softness_[s];
    block.kappa[l] = full_[s].z * softness_[s];
}

void ElasticBodies::soften(const Device& device, View<const float> stiffness) {
    const Index n = reference_.size();
    if (softness_.empty()) {
        const auto is_soft = [&](Index s) { return row_[s] != vacant && stiffness[row_[s]] != 1 ? 1 : 0; };
        if (!reduce_max(device, n, 0, is_soft)) return;
        softness_.assign(n, 1.f);
        full_.resize(n);
        refresh(device);
    }
    // Eight slots share a block, so one thread sets them all. Mostly few have changed.
    const bool any = reduce_max(device, whole_blocks(n) / lane_count, 0, [&](Index block) {
        int changed = 0;
        for (Index s = block * lane_count; s < std::min((block + 1) * lane_count, n); ++s) {
            if (row_[s] == vacant || softness_[s] == stiffness[row_[s]]) continue;
            softness_[s] = stiffness[row_[s]];
            apply_softness(s);
            changed = 1;
        }
        return changed;
    });
    if (any) stiffness_links_.invalidate();
}

void ElasticBodies::weigh_contact(const Device& device, View<const Index> slots) {
    with_kernel(contact_kernel_, support_, dimensions_, [&](const auto& kernel) {
        launch<small_grain>(
            device, static_cast<Index>(slots.size()),
            [=, reference = reference_.view(), volume = View<const float>(contact_volume_),
             out = View(share_)](Index i) {
                const Index s = slots[i];
                reference.prefetch_after(slots, i);
                DoubleLanes share{};
                reference.for_each_block(s, [&](const ReferenceBlock& block) {
                    const LaneMask there = load(block.neighbour) != static_cast<std::int32_t>(s);
                    const Lanes volumes = there ? gather(volume.data(), block.neighbour) : Lanes{};
                    share += in_double(volumes) * in_double(kernel.value(square_root(norm2(block.X()))));
                });
                out[s] = static_cast<float>(std::min(sum(share), 1 - double{volume[s]} * kernel.value(0.f)));
            });
    });
}

/// V̄ after [SSP07, eq. 11] for the models of the papers. Returns for which slots it is another one than before.
std::vector<std::uint8_t> ElasticBodies::measure_volumes(const Device& device, View<const Index> slots) {
    std::vector<std::uint8_t> resized(reference_.size());
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        const Reference reference = reference_.view();
        launch<small_grain>(device, static_cast<Index>(slots.size()),
                            [=, this, resized = View(resized)](Index i) {
                                const Index s = slots[i];
                                const float before = volume_[s];
                                volume_[s] = cell_[s];
                                if (materials_[material_[s]].solid.model != SolidModel::corrected) {
                                    double density = mass_[s] * kernel.value(0.f);
                                    for (Index k = 0; k < reference.count(s); ++k) {
                                        const ReferenceLink link = reference.link(s, k);
                                        density += mass_[link.neighbour] * kernel.value(norm(link.X));
                                    }
                                    volume_[s] = static_cast<float>(mass_[s] / density);
                                }
                                resized[s] = volume_[s] != before;
                            });
    });
    return resized;
}

/// wᵢⱼ = −W'/r, or W between neighbours that are both of the model `mls`: the same from both ends.
template <class Kernel>
void ElasticBodies::weigh_links(const Kernel& kernel, Index s, View<const std::uint8_t> resized) {
    const auto is_mls = [this](Index k) { return materials_[material_[k]].solid.model == SolidModel::mls; };
    const auto each = [](const ReferenceBlock& block, const auto& holds) {
        LaneMask mask;
        for (Index l = 0; l < lane_count; ++l) mask[l] = holds(block.neighbour[l]) ? -1 : 0;
        return mask;
    };
    const bool mls = is_mls(s);
    reference_.weigh(
        s,
        [&](const ReferenceBlock& block) {
            const Lanes r = square_root(norm2(block.X()));
            Lanes w = -kernel.gradient_over_distance(r);
            if (mls) w = each(block, is_mls) ? kernel.value(r) : w;
            return w * (volume_[s] * gather(volume_.data(), block.neighbour));
        },
        [&](const ReferenceBlock& block) {
            if (resized.empty()) return LaneMask{};
            return each(block, [&](Index k) { return resized[s] || resized[k]; });
        });
}

void ElasticBodies::weigh_turns(const Device& device, View<const Index> slots) {
    with_kernel(methods_.elastic_kernel, support_, dimensions_, [&](const auto& kernel) {
        reference_.weigh_twice(device, slots, [=, this](Index, const ReferenceLink& link) {
            return mass_[link.neighbour] * kernel.value(norm(link.X));
        });
    });
}

ElasticBodies::Neighbourhood ElasticBodies::neighbourhood(Index s) const {
    Neighbourhood out;
    if (reference_.view().count(s) == 0) return out;
    Sym3<DoubleLanes> moment;
    DoubleLanes fourth{};
    reference_.view().for_each_block(s, [&](const ReferenceBlock& block) {
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

Mat3d ElasticBodies::mass_moment(Index s) const {
    Mat3d out;
    reference_.view().for_each_block_twice(s, [&](const ReferenceBlock& block, Lanes w) {
        for (Index l = 0; l < lane_count; ++l) {
            const Vec3d X{block.x[l], block.y[l], block.z[l]};
            out += outer(X, X) * double{w[l]};
        }
    });
    return out;
}

/// Constants of a neighbourhood of a rank below that of space: nothing holds it in the directions it lacks, so stress there is
/// zero. In 2D a body is in plane strain, and what lacks one direction is a strip.
void ElasticBodies::describe_slot(Index s, const Neighbourhood& here) {
    const SolidSettings& solid = materials_[material_[s]].solid;
    const double e = solid.young_modulus, nu = solid.poisson_ratio;
    const double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
    const int lacking = here.rank == 0 ? 0 : dimensions_ - here.rank;
    const double lambda_here = lacking == 0   ? lambda
                               : lacking == 1 ? 2 * mu * lambda / (lambda + 2 * mu)
                                              : e - 2 * mu;
    // Normalised by the mean square of the distances, so that it does not depend on how they are weighed.
    double kappa = here.rank == 0 ? 0 : solid.hourglass * e * here.rank / trace(here.moment);
    if (lacking > 0) {
        // A curvature k leaves ½ k X² of a layer's neighbours unexplained; their energy is to be that of a plate or beam of
        // thickness ℓ, ½ E' ℓ²/12 k² a volume. In a plane (n·X)⁴ is ⅜ |X|⁴ on average over n, but 0.34 along the rows of a square
        // lattice and 0.41 across.
        const double plate = lacking == 1 ? e / (1 - nu * nu) : e, spacing = 2 * double{radius_[s]};
        const double fourth = (here.rank == 2 ? 0.35 : 1) * here.fourth;
        kappa = std::max(least_share * kappa, solid.bending * plate * spacing * spacing / (3 * fourth));
    }

    const bool corrected = corrects(material_[s]);
    const Mat3d correction = here.rank == 0 ? Mat3d{} : corrected ? here.fit : identity<double>();
    SlotBlock& block = blocks_[s / lane_count];
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
    const bool turned = here.rank > 0 && solid.model != SolidModel::green;
    block.turned[l] = turned ? -1 : 0;
    block.corrected[l] = turned && corrected ? -1 : 0;
    block.turned_by_mass[l] = turned && turns_by_mass(material_[s]) ? -1 : 0;
    block.green[l] = solid.model == SolidModel::green || solid.strain == StrainMeasure::green ? -1 : 0;
}

void ElasticBodies::set_limits(View<const Index> slots) {
    if (!yields_) return;
    const auto limit = [](double value) {
        return value > 0 ? static_cast<float>(value) : std::numeric_limits<float>::infinity();
    };
    for (const Index s : slots) {
        const SolidSettings& solid = materials_[material_[s]].solid;
        plastic_[s / lane_count].elastic_limit[s % lane_count] = limit(solid.elastic_limit);
        plastic_[s / lane_count].plastic_limit[s % lane_count] = limit(solid.plastic_limit);
    }
}

}  // namespace thixo
