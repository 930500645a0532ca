#include "elastic/rigid_parts.h"

#include <utility>

namespace thixo {

void RigidRows::begin(RigidParts parts) {
    of = std::move(parts);
    solution.assign(of.parts.size(), {});
    residual.assign(of.parts.size(), {});
}

void RigidRows::write(View<Packed4> direction) const {
    for (const RigidParts::Member& member : of.members) {
        const Vec3f v = member.at(search_[member.part]);
        direction[member.elastic] = {v.x, v.y, v.z, 0};
    }
}

double RigidRows::begin_search(View<Packed4> direction) {
    search_.resize(of.parts.size());
    double rz = 0;
    for (Index k = 0; k < of.parts.size(); ++k) {
        search_[k] = of.over_mass(k, residual[k]);
        rz += dot(residual[k], search_[k]);
    }
    write(direction);
    return rz;
}

DirectionProducts RigidRows::multiply(const Device& device, const LinearResponse& response) {
    pull_.resize(of.members.size());
    launch(device, static_cast<Index>(pull_.size()),
           [response, member = View<const RigidParts::Member>(of.members), pull = View(pull_)](Index k) {
               pull[k] = response.force(member[k].elastic);
           });
    product_.clear();
    for (Index k = 0; k < of.parts.size(); ++k) product_.push_back(of.times_mass(k, search_[k]));
    for (std::size_t k = 0; k < pull_.size(); ++k) {
        const RigidParts::Member& member = of.members[k];
        product_[member.part] += member.moment(-to_double(pull_[k]));
    }
    DirectionProducts out;
    for (Index k = 0; k < of.parts.size(); ++k) {
        out.curvature += dot(search_[k], product_[k]);
        out.size += dot(product_[k], of.over_mass(k, product_[k]));
    }
    return out;
}

double RigidRows::advance(double step, double turn, View<Packed4> direction) {
    double rz = 0;
    for (Index k = 0; k < of.parts.size(); ++k) {
        solution[k] += step * search_[k];
        residual[k] += -step * product_[k];
        Twist z = of.over_mass(k, residual[k]);
        rz += dot(residual[k], z);
        z += turn * search_[k];
        search_[k] = z;
    }
    write(direction);
    return rz;
}

}  // namespace thixo
