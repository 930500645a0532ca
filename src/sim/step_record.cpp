#include "sim/step_record.h"

namespace thixo {

namespace {

/// In that of forces: what solvers change beyond it is an impact.
constexpr double impact = 2;

template <class T>
Vec3<T> without_impact(const Vec3<T>& solved, const Vec3<T>& force) {
    return norm2(solved) > T{impact * impact} * norm2(force) ? Vec3<T>{} : solved;
}

}  // namespace

void StepRecord::begin(const RigidBodies& rigid, double kick) {
    bodies_.clear();
    for (const RigidBody& body : rigid.bodies()) bodies_.push_back({body.velocity, body.angular_momentum});
    kick_ = kick;
    known_ = true;
}

void StepRecord::kick(const Device& device, const Rows& rows, const StepLengths& lengths, View<const Vec3f> a,
                      View<Vec3f> v) {
    const auto n = static_cast<Index>(v.size());
    if (!rows.all || !lengths.own.empty()) {
        before_.clear();
        launch(device, n, rows, [=](Index i) { v[i] += lengths.kick_of(i) * a[i]; });
        return;
    }
    before_.resize(n);
    launch(device, n, [=, span = lengths.kick, before = View(before_)](Index i) {
        before[i] = v[i];
        v[i] += span * a[i];
    });
}

void StepRecord::synchronise_rigid(const RigidBodies& rigid, double half_step, View<Vec3f> velocity) const {
    struct Frame {
        Mat3d turn;
        Vec3d velocity, spin;
    };
    std::vector<Frame> frames;
    for (Index b = 0; b < rigid.bodies().size(); ++b) {
        const RigidBody& body = rigid.bodies()[b];
        Frame frame{matrix(body.orientation), body.velocity, body.angular_velocity()};
        if (body.kinematic_id == 0 && kick_ > 0) {
            const Mat3d inverse = body.inverse_inertia_in_world();
            const RigidBodies::Rate rate = rigid.rate(b);
            const Vec3d all = (body.velocity - bodies_[b].velocity) / kick_,
                        all_spin = inverse * (body.angular_momentum - bodies_[b].angular_momentum) / kick_;
            const bool impacts = norm2(all - rate.linear) > impact * impact * norm2(rate.linear);
            frame.velocity += half_step * (impacts ? rate.linear : all);
            frame.spin += half_step * (impacts ? rate.angular : all_spin);
        }
        frames.push_back(frame);
    }
    for (std::size_t k = 0; k < rigid.rows().size(); ++k) {
        const Frame& frame = frames[rigid.body_of_member()[k]];
        velocity[rigid.rows()[k]] =
            to_float(frame.velocity + cross(frame.spin, frame.turn * rigid.members()[k].place));
    }
}

Synchronised StepRecord::synchronise(const Device& device, const Matter& matter, const Forces& forces,
                                     const Lengths& lengths) const {
    const ParticleTable& particles = matter.particles;
    const Solids& solids = matter.solids;
    const Index n = particles.size();
    Synchronised out{particles.velocity};
    std::vector<Vec3f> now(n);
    const ElasticLedger elastic = solids.elastic.evaluate(device, particles, now);
    const LatticeSolids::Ledger lattice = solids.lattice.evaluate(device, particles, now);
    out.elastic_energy = elastic.energy + lattice.energy;
    out.solid_compression = elastic.compression + lattice.compression;
    if (!known_ || forces.acceleration().size() != n || !(lengths.step > 0)) return out;
    const bool solved = before_.size() == n && kick_ > 0;
    const bool follows = !forces.elasticity_is_implicit(matter);
    launch(device, n, [&, a = forces.acceleration(), v = View(out.velocity)](Index i) {
        const bool deformable =
            particles.phase[i] == Phase::elastic &&
            (particles.elastic_index[i] != no_index || particles.lattice_index[i] != no_index);
        // Implicit elastic bodies answer the solvers of such a step: their velocities end with it as well.
        if (particles.kinematic_id[i] > 0 || (lengths.end_with_step && !(deformable && follows))) return;
        Vec3f rate = a[i];
        if (solved)
            rate += without_impact(
                (particles.velocity[i] - before_[i]) * static_cast<float>(1 / kick_) - a[i], a[i]);
        if (deformable && follows)
            rate += now[i] - solids.elastic.acceleration(particles, i) -
                    solids.lattice.acceleration(particles, i);
        const auto step = lengths.own.empty() ? static_cast<float>(lengths.step) : lengths.own[i];
        v[i] += 0.5f * step * rate;
    });
    if (bodies_.size() == solids.rigid.bodies().size() && !solids.rigid.empty() && !lengths.end_with_step)
        synchronise_rigid(solids.rigid, 0.5 * lengths.step, out.velocity);
    return out;
}

}  // namespace thixo
