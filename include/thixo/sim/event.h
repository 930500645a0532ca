#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "thixo/core/vec.h"

namespace thixo {

// What a person or a program does to a simulation while it runs. Actions that last have a hand, a number of
// one's own choice: a drag moves it, a release ends what it does, and it is free again.

/// Takes hold of the solid particles in a ball; rigid bodies as a whole.
struct GrabAction {
    std::uint64_t hand = 0;
    Vec3d at{0, 0, 0};          ///< m, centre of the ball
    double radius = 0;          ///< m
    bool whole_bodies = false;  ///< and all that is connected with them
    bool liquids = false;       ///< liquid particles too; what melts stays in the hand
};

/// Heats or cools what is in a ball.
struct HeatAction {
    std::uint64_t hand = 0;
    Vec3d at{0, 0, 0};  ///< m
    double radius = 0;  ///< m
    double power = 0;   ///< W, below zero it cools; in 2D W per metre of depth
};

/// Lets liquid out of a disc; in 2D a segment.
struct PourAction {
    std::uint64_t hand = 0;
    std::string material = {};  ///< name of a material of the scene
    Vec3d at{0, 0, 0};          ///< m, centre of the disc
    Vec3d direction{0, -1, 0};  ///< any length but zero
    double radius = 0;          ///< m
    double speed = 1;           ///< m/s
    double temperature = 20;    ///< °C
};

/// Leads what a hand grabs or heats from where it is to another place, at constant speed.
struct DragAction {
    std::uint64_t hand = 0;
    Vec3d to{0, 0, 0};   ///< m, where the centre of the ball will be
    double seconds = 0;  ///< simulated time that takes
};

/// Ends what a hand does. What was grabbed keeps its velocity.
struct ReleaseAction {
    std::uint64_t hand = 0;
};

/// An impulse on all that is in a ball, shared by mass.
struct PushAction {
    Vec3d at{0, 0, 0};       ///< m
    double radius = 0;       ///< m
    Vec3d impulse{0, 0, 0};  ///< N s; in 2D N s per metre of depth
};

/// Removes the elastic links that cross a parallelogram, and the bonds of lattice solids that can crack. In
/// 2D it is a segment.
struct CutAction {
    Vec3d from{0, 0, 0}, to{0, 0, 0};  ///< m, ends of one edge
    Vec3d depth{0, 0, 0};              ///< m, the other edge; means nothing in 2D
};

struct GravityAction {
    Vec3d acceleration{0, 0, 0};  ///< m/s²
};

/// Other constants of a material from now on.
struct MaterialAction {
    std::string name = {};
    std::optional<double> young_modulus = {};  ///< Pa
    std::optional<double> damping = {};        ///< s
    std::optional<double> viscosity = {};      ///< Pa s
    std::optional<double> melting_point = {};  ///< °C; the freezing point moves along, unless it is given too
    std::optional<double> freezing_point = {};  ///< °C
};

using Action = std::variant<GrabAction, HeatAction, PourAction, DragAction, ReleaseAction, PushAction,
                            CutAction, GravityAction, MaterialAction>;

/// An action before a step.
struct Event {
    std::uint64_t step = 0;  ///< steps that were taken before it
    Action action = {};
    std::string origin = {};  ///< where it was read, for messages: "events.jsonl:12"
};

}  // namespace thixo
