#include "collide/impact_zones.h"

#include <algorithm>
#include <cmath>

#include "core/disjoint_sets.h"
#include "core/rigid_fit.h"

namespace thixo {

namespace {

/// In spacings. Above 1/√2, the half diagonal of a square of neighbours: no particle fits through.
constexpr float hard_distance = 0.75f;

/// In spacings; margin for rounding of a motion.
constexpr float slack = 1e-4f;

/// A pair has no inertia about its own axis, nor any spin: this fraction of the trace is added, which must
/// only exceed rounding.
constexpr double thinnest = 1e-9;

/// Members that are held weigh this many times the others of their zone: these follow them.
constexpr double immovable = 1e6;

/// Replaces the velocities of some members by v̄ + ω × (x − x̄), with the momentum and angular momentum they
/// had.
void make_rigid(ContactState& state, View<const Index> members) {
    const Vec3d near = to_double(state.x(members[0]));
    double free = 0;  // kg
    for (const Index a : members)
        if (state.velocity[a].w > 0) free += 1 / double{state.velocity[a].w};
    RigidFit fit;
    for (const Index a : members) {
        const double m = state.velocity[a].w > 0 ? 1 / double{state.velocity[a].w} : immovable * free;
        fit.add(m, to_double(state.x(a)) - near, m * to_double(state.v(a)));
    }
    const RigidMotion motion = fit.motion(thinnest);
    for (const Index a : members) {
        const Vec3f v = to_float(motion.at(to_double(state.x(a)) - near));
        state.velocity[a] = {v.x, v.y, v.z, state.velocity[a].w};
    }
}

/// Calls visit(b) for every b that a crosses, or is about to tear off.
template <class Visit>
void for_each_crossing(const ContactPairs& pairs, const ContactState& state, const ContactLimits& limits,
                       float dt, Index a, const Visit& visit) {
    for (Index k = pairs.begin[a]; k < pairs.begin[a + 1]; ++k) {
        if (crosses(state, a, pairs.other[k], limits, dt)) visit(pairs.other[k]);
    }
    for (Index k = pairs.link_begin[a]; k < pairs.link_begin[a + 1]; ++k) {
        if (tears(state, a, pairs.linked[k], pairs.length[k], limits, dt)) visit(pairs.linked[k]);
    }
}

/// Joins the sets of all that cross each other; whether there were any in different sets.
bool join_crossing(const Device& device, const ContactPairs& pairs, const ContactState& state,
                   const ContactLimits& limits, float dt, DisjointSets& sets) {
    std::vector<std::uint8_t> crossing(pairs.size());
    launch(device, pairs.size(), [&pairs, &state, &limits, dt, out = View(crossing)](Index a) {
        for_each_crossing(pairs, state, limits, dt, a, [&](Index) { out[a] = 1; });
    });
    bool any = false;
    for (Index a = 0; a < pairs.size(); ++a) {
        if (!crossing[a]) continue;
        for_each_crossing(pairs, state, limits, dt, a, [&](Index b) { any |= sets.join(a, b); });
    }
    return any;
}

/// Members of sets of more than one, set after set.
std::vector<std::vector<Index>> zones_of(DisjointSets& sets, Index n) {
    std::vector<std::vector<Index>> by_name(n), zones;
    for (Index a = 0; a < n; ++a) by_name[sets.find(a)].push_back(a);
    for (std::vector<Index>& zone : by_name) {
        if (zone.size() > 1) zones.push_back(std::move(zone));
    }
    return zones;
}

}  // namespace

float nearest_approach(const Vec3f& x, const Vec3f& v, float dt) {
    const float v2 = norm2(v), t = v2 > 0 ? std::clamp(-dot(x, v) / v2, 0.f, dt) : 0.f;
    return norm(x + t * v);
}

bool crosses(const ContactState& state, Index a, Index b, const ContactLimits& limits, float dt) {
    if (both_held(state, a, b)) return false;
    const Vec3f x = state.x(a) - state.x(b);
    const float hard = hard_distance * limits.spacing * state.stretch(a, b);
    return nearest_approach(x, state.v(a) - state.v(b), dt) <
           std::min(hard, norm(x)) - slack * limits.spacing;
}

bool tears(const ContactState& state, Index a, Index b, float length, const ContactLimits& limits, float dt) {
    if (both_held(state, a, b)) return false;
    const Vec3f x = state.x(a) - state.x(b);
    const float r = norm(x), room = std::max(0.f, limits.hard_stretch * length - r);
    return dt * dot(x, state.v(a) - state.v(b)) > r * (room + slack * limits.spacing);
}

Index freeze_zones(const Device& device, const ContactPairs& pairs, ContactState& state,
                   const ContactLimits& limits, float dt) {
    DisjointSets sets(pairs.size());
    Index frozen = 0;
    while (join_crossing(device, pairs, state, limits, dt, sets)) {
        frozen = 0;
        for (const std::vector<Index>& zone : zones_of(sets, pairs.size())) {
            make_rigid(state, zone);
            frozen += static_cast<Index>(zone.size());
        }
    }
    return frozen;
}

}  // namespace thixo
