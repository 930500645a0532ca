#include "elastic/body_momentum.h"

#include <algorithm>

#include "core/launch.h"

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

/// Adds up by bodies: add(s, sums) for each index s, sums that of all bodies. Each of a few parts of the
/// indices, whose number does not depend on the threads, adds up on its own.
template <class Sum, class Add>
void sum_bodies(const Device& device, Index n, const Add& add, std::vector<Sum>& sums) {
    constexpr Index least = 2048, most = 32;
    // Sums of parts are few beside the indices.
    const auto several = std::max<Index>(1, n / std::max<Index>(least, 4 * static_cast<Index>(sums.size())));
    const Index parts = std::min(most, several);
    std::vector<std::vector<Sum>> of(parts, std::vector<Sum>(sums.size()));
    launch<1>(device, parts, [=, &of, &add](Index part) {
        const auto begin = [=](Index k) { return static_cast<Index>(std::uint64_t{n} * k / parts); };
        for (Index s = begin(part); s < begin(part + 1); ++s) add(s, of[part]);
    });
    for (const std::vector<Sum>& part : of)
        for (std::size_t b = 0; b < sums.size(); ++b) sums[b] += part[b];
}

struct BodySums {
    double mass = 0;
    Vec3d first;
    Mat3d second{}, own{};
    bool kinematic = false;

    BodySums& operator+=(const BodySums& other) {
        mass += other.mass;
        first += other.first;
        second += other.second;
        own += other.own;
        kinematic |= other.kinematic;
        return *this;
    }
};

}  // namespace

void BodyMomentum::prepare(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                           View<const float> mass, const RigidParts& rigid) {
    const View<const Index> row = bodies.rows();
    const auto n = static_cast<Index>(row.size());
    body_.resize(n);
    arm_.resize(n);
    std::vector<std::uint8_t> rigid_member(rigid.empty() ? 0 : n);
    for (const RigidParts::Member& member : rigid.members) rigid_member[member.elastic] = 1;
    const View<std::uint32_t> body(body_);
    std::uint32_t count = reduce_max(
        device, n, 0u,
        [=, member = View<const std::uint8_t>(rigid_member),
         of = View<const std::uint32_t>(particles.body)](Index s) {
            body[s] =
                row[s] == ElasticBodies::vacant || (!member.empty() && member[s]) ? not_free : of[row[s]];
            return body[s] == not_free ? 0 : body[s] + 1;
        });
    for (const RigidParts::Part& part : rigid.parts) count = std::max(count, part.body + 1);
    std::vector<BodySums> sums(count);
    const auto add = [](BodySums& to, double m, const Vec3d& x) {
        to.mass += m;
        to.first += m * x;
    };
    for (const RigidParts::Part& part : rigid.parts) add(sums[part.body], part.mass, part.center);
    const View<const Vec3f> x(particles.position);
    sum_bodies(
        device, n,
        [=](Index s, std::vector<BodySums>& of) {
            if (body[s] == not_free) return;
            add(of[body[s]], double{mass[s]}, to_double(x[row[s]]));
            if (!(mass[s] > 0)) of[body[s]].kinematic = true;
        },
        sums);
    launch(device, n, [=, arm = View(arm_), of = View<const BodySums>(sums)](Index s) {
        if (body[s] == not_free) return;
        const BodySums& own = of[body[s]];
        if (own.kinematic) {
            body[s] = not_free;
        } else {
            arm[s] = to_float(to_double(x[row[s]]) - own.first / own.mass);
        }
    });
    sum_bodies(
        device, n,
        [=, arm = View<const Vec3f>(arm_)](Index s, std::vector<BodySums>& of) {
            if (body[s] == not_free) return;
            const Vec3d at = to_double(arm[s]);
            of[body[s]].second += outer(at, at) * double{mass[s]};
        },
        sums);
    parts_.clear();
    for (const RigidParts::Part& part : rigid.parts) {
        BodySums& of = sums[part.body];
        const Vec3d arm = part.center - of.first / of.mass;
        of.second += outer(arm, arm) * part.mass;
        of.own += part.inertia;
        parts_.push_back({of.kinematic ? not_free : part.body, arm});
    }
    bodies_.clear();
    for (const BodySums& of : sums) bodies_.push_back({of.mass, inverse_inertia_of(of.second, of.own)});
    motion_.resize(bodies_.size());
}

void BodyMomentum::give(const Device& device, View<const Vec3f> missing, View<Vec3f> solution,
                        RigidRows& rigid) {
    std::vector<Twist> sums(bodies_.size());  // of momentum and angular momentum
    sum_bodies(
        device, static_cast<Index>(body_.size()),
        [=, body = View<const std::uint32_t>(body_), arm = View<const Vec3f>(arm_)](Index s,
                                                                                    std::vector<Twist>& of) {
            if (body[s] == not_free) return;
            const Vec3d part = to_double(missing[s]);
            of[body[s]] += {part, cross(to_double(arm[s]), part)};
        },
        sums);
    for (Index k = 0; k < parts_.size(); ++k) {
        if (parts_[k].body == not_free) continue;
        const Twist& part = rigid.residual[k];
        sums[parts_[k].body] += {part.linear, part.angular + cross(parts_[k].arm, part.linear)};
    }
    motion_.assign(bodies_.size(), {});
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (bodies_[b].mass > 0)
            motion_[b] = {sums[b].linear / bodies_[b].mass, bodies_[b].inverse_inertia * sums[b].angular};
    launch(device, static_cast<Index>(body_.size()), [this, solution](Index s) { solution[s] += given(s); });
    for (Index k = 0; k < parts_.size(); ++k) rigid.solution[k] += given_to_part(k);
}

Twist BodyMomentum::given_to_part(Index k) const {
    if (parts_[k].body == not_free) return {};
    const RigidMotion& motion = motion_[parts_[k].body];
    return {motion.at(parts_[k].arm), motion.spin};
}

std::size_t BodyMomentum::bytes() const {
    return body_.capacity() * sizeof(std::uint32_t) + arm_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
