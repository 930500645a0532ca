#pragma once

#include "scene/describe_things.h"
#include "sim/event.h"

/// The table of the format of events, a line of JSON each (docs/viewer.md). It is walked like that of scenes
/// (describe.h).
namespace thixo {

inline constexpr Rule event_place{.unit = "m", .min = -farthest, .max = farthest, .required = true};
inline constexpr Rule event_radius{.unit = "m", .above = 0, .max = farthest, .required = true};
inline constexpr Rule event_hand{.max = 1e9, .required = true};

template <class Walk>
void describe(Walk& walk, Tag<GrabAction>) {
    using A = GrabAction;
    walk.field("hand", &A::hand, event_hand);
    walk.field("at", &A::at, event_place);
    walk.field("radius", &A::radius, event_radius);
    walk.field("whole_bodies", &A::whole_bodies, {});
    walk.field("liquids", &A::liquids, {});
}

template <class Walk>
void describe(Walk& walk, Tag<HeatAction>) {
    using A = HeatAction;
    walk.field("hand", &A::hand, event_hand);
    walk.field("at", &A::at, event_place);
    walk.field("radius", &A::radius, event_radius);
    walk.field("power", &A::power, {.unit = "W", .min = -1e15, .max = 1e15, .required = true});
}

template <class Walk>
void describe(Walk& walk, Tag<PourAction>) {
    using A = PourAction;
    walk.field("hand", &A::hand, event_hand);
    walk.field("material", &A::material, {.required = true, .not_empty = true});
    walk.field("at", &A::at, event_place);
    walk.field("direction", &A::direction, {.min = -farthest, .max = farthest});
    walk.field("radius", &A::radius, event_radius);
    walk.field("speed", &A::speed, {.unit = "m/s", .above = 0, .max = 1e5});
    walk.field("temperature", &A::temperature, {.unit = "°C", .min = coldest, .max = hottest});
}

template <class Walk>
void describe(Walk& walk, Tag<DragAction>) {
    using A = DragAction;
    walk.field("hand", &A::hand, event_hand);
    walk.field("to", &A::to, event_place);
    walk.field("seconds", &A::seconds, {.unit = "s", .above = 0, .max = end_of_time, .required = true});
}

template <class Walk>
void describe(Walk& walk, Tag<ReleaseAction>) {
    walk.field("hand", &ReleaseAction::hand, event_hand);
}

template <class Walk>
void describe(Walk& walk, Tag<PushAction>) {
    using A = PushAction;
    walk.field("at", &A::at, event_place);
    walk.field("radius", &A::radius, event_radius);
    walk.field("impulse", &A::impulse, {.unit = "N s", .min = -1e12, .max = 1e12, .required = true});
}

template <class Walk>
void describe(Walk& walk, Tag<CutAction>) {
    using A = CutAction;
    walk.field("from", &A::from, event_place);
    walk.field("to", &A::to, event_place);
    walk.field("depth", &A::depth, {.unit = "m", .min = -farthest, .max = farthest});
}

template <class Walk>
void describe(Walk& walk, Tag<GravityAction>) {
    walk.field("acceleration", &GravityAction::acceleration,
               {.unit = "m/s²", .min = -1e5, .max = 1e5, .required = true});
}

template <class Walk>
void describe(Walk& walk, Tag<MaterialAction>) {
    using A = MaterialAction;
    walk.field("name", &A::name, {.required = true, .not_empty = true});
    walk.field("young_modulus", &A::young_modulus, {.unit = "Pa", .above = 0, .max = 1e15});
    walk.field("damping", &A::damping, {.unit = "s", .min = 0, .max = 1e6});
    walk.field("viscosity", &A::viscosity, {.unit = "Pa s", .min = 0, .max = 1e12});
    walk.field("melting_point", &A::melting_point, {.unit = "°C", .min = coldest, .max = hottest});
    walk.field("freezing_point", &A::freezing_point, {.unit = "°C", .min = coldest, .max = hottest});
}

template <class Walk>
void describe(Walk& walk, Tag<Action>) {
    walk.template alternative<GrabAction>("grab", {}, "");
    walk.template alternative<HeatAction>("heat", {}, "");
    walk.template alternative<PourAction>("pour", {}, "");
    walk.template alternative<DragAction>("drag", {}, "");
    walk.template alternative<ReleaseAction>("release", {}, "");
    walk.template alternative<PushAction>("push", {}, "");
    walk.template alternative<CutAction>("cut", {}, "");
    walk.template alternative<GravityAction>("gravity", {}, "");
    walk.template alternative<MaterialAction>("material", {}, "");
}

template <class Walk>
void describe(Walk& walk, Tag<Event>) {
    walk.field("step", &Event::step, {.required = true});
}

}  // namespace thixo
