#include "sim/event_effects.h"

#include <algorithm>
#include <type_traits>

#include "core/error.h"
#include "particles/cut_plane.h"
#include "sim/derive.h"
#include "sim/snapshot.h"

namespace thixo {

void EventEffects::apply(const Action& action) {
    std::visit(
        [&]<class A>(const A& a) {
            if constexpr (std::is_same_v<A, DragAction> || std::is_same_v<A, ReleaseAction>) {
                change_hand(action, a.hand);
            } else if constexpr (std::is_same_v<A, GravityAction> || std::is_same_v<A, MaterialAction>) {
                remodel(action);
            } else if constexpr (std::is_same_v<A, PushAction>) {
                hands_.apply(action, sim_.clock_.time, sim_.model_);
                push(a);
            } else if constexpr (std::is_same_v<A, CutAction>) {
                hands_.apply(action, sim_.clock_.time, sim_.model_);
                cut(a);
            } else {
                begin(a);
            }
        },
        action);
}

void EventEffects::remodel(const Action& action) {
    Model model = sim_.model_;
    hands_.apply(action, sim_.clock_.time, model);
    // The model has what events made of it.
    Simulation next(sim_.device_, {std::move(model), std::make_unique<Events>()}, Snapshot(sim_));
    next.events_ = std::move(sim_.events_);
    next.external_ = std::move(sim_.external_);
    next.times_ = sim_.times_;
    sim_ = std::move(next);
}

void EventEffects::begin(const GrabAction& grab) {
    const double time = sim_.clock_.time;
    hands_.apply(grab, time, sim_.model_);
    Matter& matter = sim_.matter_;
    if (sim_.kinematics_.add(sim_.device_, sim_.model_.dimensions, time,
                             hold_of(sim_.model_.grabs.back(), names_in(sim_.model_)), matter.particles,
                             matter.solids.rigid) == 0) {
        sim_.model_.grabs.pop_back();
        throw InputError(grab.liquids ? "there is nothing to grab, or it is held already"
                                      : "there is nothing solid to grab, or it is held already");
    }
    sim_.record_.clear();
}

void EventEffects::begin(const HeatAction& heat) {
    // Lists of all pairs are kept from the first heater on.
    if (!sim_.heat_.acts()) return remodel(heat);
    hands_.apply(heat, sim_.clock_.time, sim_.model_);
    sim_.heat_.set_heaters(sim_.model_.heaters);
}

void EventEffects::begin(const PourAction& pour) {
    for (const Wall& wall : sim_.walls_.walls().view())
        if (distance_to(wall, to_float(pour.at)).distance < 0)
            throw InputError("the opening is inside an obstacle");
    hands_.apply(pour, sim_.clock_.time, sim_.model_);
    sim_.emitters_ = EmittersAndSinks(sim_.model_);
    sim_.emitter_state_.layers.push_back(0);
    sim_.emitter_state_.held.push_back(0);
}

void EventEffects::change_hand(const Action& action, std::uint64_t number) {
    const Hands::Hand by = hands_.hand(number);
    Model& model = sim_.model_;
    hands_.apply(action, sim_.clock_.time, model);
    if (by.work == Hands::Work::heats) sim_.heat_.set_heaters(model.heaters);
    if (by.work == Hands::Work::pours) sim_.emitters_ = EmittersAndSinks(model);
    if (by.work == Hands::Work::grabs) {
        const Grab& grab = model.grabs[by.entry];
        sim_.kinematics_.change(model.grabs.size() - 1 - by.entry, grab.motion, grab.stop);
    }
}

/// v += J / Σ m of all that is in the ball; rigid bodies get the momentum of their particles there.
void EventEffects::push(const PushAction& push) {
    ParticleTable& p = sim_.matter_.particles;
    const auto r = static_cast<float>(push.radius);
    const auto pushed = [at = to_float(push.at), r2 = r * r, x = View<const Vec3f>(p.position),
                         held = View<const std::uint16_t>(p.kinematic_id)](Index i) {
        return held[i] == 0 && norm2(x[i] - at) <= r2;
    };
    const double mass = reduce_sum(sim_.device_, p.size(), [=, m = View<const float>(p.mass)](Index i) {
        return pushed(i) ? m[i] : 0.0;
    });
    if (!(mass > 0)) throw InputError("there is nothing to push, or it is held");
    sim_.record_.clear();
    RigidBodies& rigid = sim_.matter_.solids.rigid;
    if (!rigid.empty()) rigid.scatter_velocities(sim_.device_, p);
    launch(sim_.device_, p.size(),
           [=, change = to_float(push.impulse / mass), v = View(p.velocity)](Index i) {
               if (pushed(i)) v[i] += change;
           });
    if (!rigid.empty()) rigid.project_velocities(sim_.device_, p);
}

void EventEffects::cut(const CutAction& cut) {
    const CutPlane plane(cut.from, cut.to - cut.from, cut.depth, sim_.model_.dimensions);
    if (!sim_.matter_.cut_bodies(sim_.device_, plane, {sim_.clock_.time, sim_.clock_.frame + 1}))
        throw InputError(
            "the cut meets nothing that can be cut: elastic bodies, or lattice solids with a docking_rate");
    sim_.build_lists();
}

}  // namespace thixo
