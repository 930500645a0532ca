#include "elastic/body_momentum.h"

namespace thixo {

namespace {

/// Bodies of rods have no inertia about themselves: this fraction of the trace is added. Any number far above
/// the rounding of sums in double precision and far below 1 will do.
constexpr double thinnest = 1e-6;

/// `own`: that of rigid parts about their centres.
Mat3d inverse_inertia_of(const Mat3d& spread, const Mat3d& own) {
    Mat3d inertia = identity<double>() * trace(spread) - spread + own;
    const double size = trace(inertia);
    if (!(size > 0)) return {};
    inertia += identity<double>() * (thinnest * size);
    return inverse_of_symmetric(inertia);
}

}  // namespace

/// Serial: sums over bodies, in the order of elastic indices.
void BodyMomentum::prepare(const ElasticBodies& bodies, const ParticleTable& particles,
                           View<const float> mass, const RigidParts& rigid) {
    const View<const Index> row = bodies.rows();
    const auto n = static_cast<Index>(row.size());
    struct Sums {
        double mass = 0;
        Vec3d first;
        Mat3d second{}, own{};
        bool kinematic = false;
    };
    std::vector<Sums> sums;
    const auto add = [&sums](std::uint32_t body, double m, const Vec3d& x) {
        if (body >= sums.size()) sums.resize(body + 1);
        sums[body].mass += m;
        sums[body].first += m * x;
    };
    body_.assign(n, held);
    arm_.resize(n);
    std::vector<std::uint8_t> rigid_member(rigid.empty() ? 0 : n);
    for (const RigidParts::Member& member : rigid.members) rigid_member[member.elastic] = 1;
    for (const RigidParts::Part& part : rigid.parts) add(part.body, part.mass, part.center);
    for (Index s = 0; s < n; ++s) {
        if (row[s] == ElasticBodies::vacant || (!rigid.empty() && rigid_member[s])) continue;
        const std::uint32_t body = body_[s] = particles.body[row[s]];
        add(body, double{mass[s]}, to_double(particles.position[row[s]]));
        if (!(mass[s] > 0)) sums[body].kinematic = true;
    }
    for (Index s = 0; s < n; ++s) {
        if (body_[s] == held) continue;
        Sums& of = sums[body_[s]];
        if (of.kinematic) {
            body_[s] = held;
            continue;
        }
        const Vec3d arm = to_double(particles.position[row[s]]) - of.first / of.mass;
        arm_[s] = to_float(arm);
        of.second += outer(arm, arm) * double{mass[s]};
    }
    parts_.clear();
    for (const RigidParts::Part& part : rigid.parts) {
        Sums& of = sums[part.body];
        const Vec3d arm = part.center - of.first / of.mass;
        of.second += outer(arm, arm) * part.mass;
        of.own += part.inertia;
        parts_.push_back({of.kinematic ? held : part.body, arm});
    }
    bodies_.clear();
    for (const Sums& of : sums) bodies_.push_back({of.mass, inverse_inertia_of(of.second, of.own)});
    motion_.resize(bodies_.size());
}

void BodyMomentum::give(const Device& device, View<const Vec3f> missing, View<Vec3f> solution,
                        RigidRows& rigid) {
    motion_.assign(bodies_.size(), {});
    for (Index s = 0; s < body_.size(); ++s) {
        if (body_[s] == held) continue;
        RigidMotion& sum = motion_[body_[s]];  // of momentum and angular momentum, first
        const Vec3d part = to_double(missing[s]);
        sum.velocity += part;
        sum.spin += cross(to_double(arm_[s]), part);
    }
    for (Index k = 0; k < parts_.size(); ++k) {
        if (parts_[k].body == held) continue;
        RigidMotion& sum = motion_[parts_[k].body];
        const Twist& part = rigid.residual[k];
        sum.velocity += part.linear;
        sum.spin += part.angular + cross(parts_[k].arm, part.linear);
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (!(bodies_[b].mass > 0)) continue;
        motion_[b] = {motion_[b].velocity / bodies_[b].mass, bodies_[b].inverse_inertia * motion_[b].spin};
    }
    launch(device, static_cast<Index>(body_.size()), [this, solution](Index s) { solution[s] += given(s); });
    for (Index k = 0; k < parts_.size(); ++k) rigid.solution[k] += given_to_part(k);
}

Twist BodyMomentum::given_to_part(Index k) const {
    if (parts_[k].body == held) return {};
    const RigidMotion& motion = motion_[parts_[k].body];
    return {motion.at(parts_[k].arm), motion.spin};
}

std::size_t BodyMomentum::bytes() const {
    return body_.capacity() * sizeof(std::uint32_t) + arm_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
