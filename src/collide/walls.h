#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collide/obstacle.h"
#include "core/launch.h"
#include "core/time_step.h"
#include "core/view.h"
#include "geometry/distance_grid.h"
#include "geometry/mesh_sequence.h"
#include "particles/table.h"
#include "sph/half_space.h"

namespace thixo {

/// One surface of an obstacle. A plane (or one side of a container box) is given by normal and offset; any
/// other shape by its signed distance, in the frame of its obstacle.
struct Wall {
    Vec3f normal{};
    float offset = 0;
    const Shape* shape = nullptr;
    const DistanceGrid* grid = nullptr;  ///< of the shape, if its distance is costly
    bool inside = false;
    Vec3f low{}, high{};  ///< bounds of the shape
    float reach = 0;      ///< largest distance that matters to any particle
    int dimensions = 3;
    float friction = 0, restitution = 0;
    bool no_slip = false;
    std::uint32_t obstacle = 0;             ///< number of the obstacle it belongs to
    bool heats = false;                     ///< it has a temperature
    float temperature = 0;                  ///< °C
    float resistance = 0;                   ///< m² K/W, of the contact
    const Pose* pose = nullptr;             ///< current pose of the obstacle; null if it never moves
    const MeshMoment* deforming = nullptr;  ///< its mesh now, if it deforms; then it has a pose too
};

struct WallDistance {
    float distance;
    Vec3f normal;  ///< into the fluid
};

WallDistance distance_to_surface(const Wall& wall, const Vec3f& x);

/// Planes directly, other shapes by their signed distance.
inline WallDistance distance_to(const Wall& wall, const Vec3f& x) {
    if (!wall.shape) return {dot(wall.normal, x) - wall.offset, wall.normal};
    return distance_to_surface(wall, x);
}

/// Whether x is outside the bounds of a solid shape by that much, in the frame of its obstacle. Far outside a
/// container is deep inside its wall.
inline bool is_outside(const Wall& wall, const Vec3f& x, float distance) {
    return !wall.inside &&
           (x.x <= wall.low.x - distance || x.y <= wall.low.y - distance || x.z <= wall.low.z - distance ||
            x.x >= wall.high.x + distance || x.y >= wall.high.y + distance || x.z >= wall.high.z + distance);
}

/// Conservative test whether a wall is at least that far away: one dot product for the many particles without
/// contact.
inline bool is_beyond(const Wall& wall, const Vec3f& x, float distance) {
    if (!wall.shape) return dot(wall.normal, x) - wall.offset >= distance;
    return !wall.pose && is_outside(wall, x, distance);
}

/// All walls, and the box that those of them leave free which are planes across the axes and never move: of
/// particles far within it the planes need not be visited.
struct WallRoom {
    Vec3f low, high;
    View<const Wall> walls;
    View<const Index> others;  ///< the walls that are not such planes

    /// All walls, or none if every one of them is at least that far away by `is_beyond`.
    View<const Wall> near(const Vec3f& x, float distance) const {
        const bool free = x.x - low.x >= distance && x.y - low.y >= distance && x.z - low.z >= distance &&
                          high.x - x.x >= distance && high.y - x.y >= distance && high.z - x.z >= distance;
        const auto is_far = [&](Index other) { return is_beyond(walls[other], x, distance); };
        return free && std::all_of(others.begin(), others.end(), is_far) ? View<const Wall>{} : walls;
    }
};

/// Of a mesh that deforms, beside its pose.
Vec3f velocity_of_surface(const Wall& wall, const Vec3f& x);

/// Velocity of the wall's matter at x (m/s).
inline Vec3f velocity_at(const Wall& wall, const Vec3f& x) {
    if (!wall.pose) return {};
    return wall.deforming ? velocity_of_surface(wall, x) : to_float(wall.pose->velocity_at(to_double(x)));
}

/// Properties of the particles for which walls are evaluated.
struct WallSubjects {
    View<const float> supports = {};      ///< m, if they differ from the integral's
    WallForm liquids = WallForm::energy;  ///< what liquids get; other phases get that of an energy
    View<const Phase> phase = {};         ///< empty if all are liquid
    Rows rows = {};                       ///< selected rows
};

/// The obstacles of a scene, decomposed into walls. A container box becomes its faces and a container
/// cylinder its side and ends, so that each of them acts on a particle in a corner; of any other shape only
/// the nearest point acts. Moving walls come first: if one presses a particle against a fixed wall, the fixed
/// wall is resolved last, and no particle is pushed out of its container.
class Walls {
public:
    /// The walls at t = 0.
    Walls(const std::vector<Obstacle>& obstacles, int dimensions, double reach);

    View<const Wall> view() const { return walls_; }
    WallRoom room() const { return {room_low_, room_high_, walls_, others_}; }
    bool any_moves() const { return !moving_.empty(); }

    /// Moves obstacles to their pose at a time (s).
    void move_to(double time);

    /// Boundary volume γ and ∇γ of each particle and, for moving or no-slip walls, their action on
    /// velocities.
    void sense(const Device& device, View<const Vec3f> x, const HalfSpaceIntegral& integral,
               View<WallTerm> out, View<WallMotion> motion = {}, const WallSubjects& of = {}) const;

    /// Lowers target sizes, in spacings (m), but not below 1, so that obstacles within reach are flat at the
    /// scale of a particle. Larger particles would bridge hollows and pass through thin walls. Planes allow
    /// all sizes.
    void limit_sizes(const Device& device, View<const Vec3f> x, View<const float> supports, float spacing,
                     View<float> sizes) const;

    /// Heat exchange of each particle with walls. `conductivity` is that of each material (W/(m K));
    /// `supports` (m) if they differ from the integral's.
    void sense_heat(const Device& device, View<const Vec3f> x, View<const std::uint16_t> material,
                    View<const float> conductivity, const HalfSpaceIntegral& integral, View<WallHeat> out,
                    View<const float> supports = {}) const;

    /// Whether any wall has a temperature.
    bool any_heats() const;

    /// Whether any wall moves or is no-slip.
    bool act_on_velocity() const;

    /// Limits the step that begins at `time` so that no wall moves farther than `distance` (m) and passes a
    /// particle within a step. Planes are unbounded; the bounds of the particles are used for them.
    void limit_time_step(const Device& device, View<const Vec3f> x, double time, double distance,
                         TimeStepLimit& limit) const;

private:
    struct Moving {
        Motion motion;
        Pose pose;
        std::string name;
        Bounds bounds;                                 ///< in its own frame
        std::shared_ptr<const MeshSequence> sequence;  ///< null: it does not deform
        double scale;                                  ///< of the sequence
    };
    /// A mesh that deforms; `shape` is the one that its wall refers to.
    struct Deforming {
        std::size_t wall;
        Shape shape;
        std::shared_ptr<const MeshSequence> sequence;
        MeshMoment now;
        double time;  ///< s, of `now`
    };
    /// A plane in the frame of its obstacle.
    struct MovingPlane {
        std::size_t wall;
        Vec3d normal;
        double offset;
    };

    void add(const Obstacle& obstacle, std::uint32_t number, int dimensions, double reach);
    void add_plane(const Wall& kind, const Vec3d& normal, const Vec3d& point);
    void add_container(const Wall& kind, const Box& box, const Placement& place, int dimensions);
    void add_container(const Wall& kind, const Cylinder& cylinder, const Placement& place, int dimensions,
                       double reach);
    void add_shape(const Wall& kind, const Shape& shape, int dimensions, double reach);
    void add_deforming(const Wall& kind, const Obstacle& obstacle, double reach);
    void find_room();

    std::vector<std::unique_ptr<const Shape>> shapes_;
    std::vector<std::unique_ptr<const DistanceGrid>> grids_;
    std::vector<std::unique_ptr<Moving>> moving_;
    std::vector<MovingPlane> moving_planes_;
    std::vector<std::unique_ptr<Deforming>> deforming_;
    std::vector<Wall> walls_;
    Vec3f room_low_, room_high_;
    std::vector<Index> others_;  ///< walls that are no sides of the room
};

/// Position correction, friction and restitution at walls. Normally the pressure of a wall keeps particles
/// out; this corrects the rest. Speeds are relative to the wall. `push` is the speed (m/s) that the walls'
/// pressure gave each particle in this step.
struct ResolveContacts {
    WallRoom room;
    float nearest;   ///< no particle comes closer to a wall, in its radii
    float touching;  ///< within this distance friction acts, in its radii
    View<const float> radius;
    View<const float> push;
    View<Vec3f> x;
    View<Vec3f> v;

    void operator()(Index i) const {
        Vec3f at = x[i], u = v[i];
        const float least = nearest * radius[i], reach = touching * radius[i];
        bool touched = false;
        for (const Wall& wall : room.near(at, reach)) {
            if (is_beyond(wall, at, reach)) continue;
            const auto [d, n] = distance_to(wall, at);
            if (d >= reach) continue;
            touched = true;
            float impulse = push[i];
            const Vec3f of_wall = velocity_at(wall, at);
            const float approach = -dot(u - of_wall, n);
            if (d < least) {
                at += (least - d) * n;
                if (approach > 0) {
                    u += (1 + wall.restitution) * approach * n;
                    impulse += (1 + wall.restitution) * approach;
                }
            }
            // Coulomb: friction takes at most μ times the normal impulse from the sliding speed.
            const Vec3f relative = u - of_wall, slide = relative - dot(relative, n) * n;
            const float speed = norm(slide);
            if (speed > 0) u -= std::min(1.f, wall.friction * impulse / speed) * slide;
        }
        if (!touched) return;
        x[i] = at;
        v[i] = u;
    }
};

}  // namespace thixo
