#include "lattice/lattice_momentum.h"

namespace thixo {

namespace {

/// Rods have no inertia about themselves: this fraction of the trace is added. Any number far above the
/// rounding of sums in double precision and far below 1 will do.
constexpr double thinnest_lattice = 1e-6;

}  // namespace

/// Serial: sums over components, in the order of sites.
void LatticeMomentum::prepare(const LatticeSites& sites, View<const Vec3f> position,
                              View<const Index> component, View<const float> mass) {
    const Index n = sites.size();
    struct Sums {
        Vec3d first;
        Mat3d second{};
        bool kinematic = false;
    };
    std::vector<Sums> sums;
    part_.assign(n, not_free);
    arm_.resize(n);
    parts_.clear();
    for (Index s = 0; s < n; ++s) {
        if (sites.row[s] == LatticeSites::vacant) continue;
        if (component[s] == s) {
            part_[s] = static_cast<Index>(parts_.size());
            parts_.push_back({});
            sums.push_back({});
        }
        part_[s] = part_[component[s]];
        Sums& of = sums[part_[s]];
        of.first += double{mass[s]} * to_double(position[sites.row[s]]);
        of.kinematic |= !(mass[s] > 0);
        parts_[part_[s]].mass += double{mass[s]};
    }
    for (Index s = 0; s < n; ++s) {
        if (part_[s] == not_free) continue;
        Sums& of = sums[part_[s]];
        if (of.kinematic) continue;
        const Vec3d arm = to_double(position[sites.row[s]]) - of.first / parts_[part_[s]].mass;
        arm_[s] = to_float(arm);
        of.second += outer(arm, arm) * double{mass[s]};
    }
    for (Index& part : part_)
        if (part != not_free && sums[part].kinematic) part = not_free;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        Mat3d inertia = identity<double>() * trace(sums[k].second) - sums[k].second;
        const double size = trace(inertia);
        if (!(size > 0)) continue;
        inertia += identity<double>() * (thinnest_lattice * size);
        parts_[k].inverse_inertia = inverse_of_symmetric(inertia);
    }
}

void LatticeMomentum::give(const Device& device, View<const Vec3f> missing, View<Vec3f> solution) {
    motion_.assign(parts_.size(), {});
    for (Index s = 0; s < part_.size(); ++s) {
        if (part_[s] == not_free) continue;
        RigidMotion& sum = motion_[part_[s]];  // of momentum and angular momentum, first
        const Vec3d own = to_double(missing[s]);
        sum.velocity += own;
        sum.spin += cross(to_double(arm_[s]), own);
    }
    for (std::size_t k = 0; k < parts_.size(); ++k)
        if (parts_[k].mass > 0)
            motion_[k] = {motion_[k].velocity / parts_[k].mass, parts_[k].inverse_inertia * motion_[k].spin};
    launch(device, static_cast<Index>(part_.size()), [this, solution](Index s) { solution[s] += given(s); });
}

}  // namespace thixo
