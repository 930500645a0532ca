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
#include "particles/table.h"
#include "sph/half_space.h"

namespace thixo {

/// One surface that holds matter back. A plane (or one side of a container box) is told by normal and offset;
/// any other shape by its signed distance, in the frame of its obstacle.
struct Wall {
    Vec3f normal{};
    float offset = 0;
    const Shape* shape = nullptr;
    const DistanceGrid* grid = nullptr;  ///< of the shape, if that is costly to ask
    bool inside = false;
    Vec3f low{}, high{};  ///< bounds of the shape
    float reach = 0;      ///< of any particle: where the shape is farther away, its distance does not matter
    int dimensions = 3;
    float friction = 0, restitution = 0;
    bool no_slip = false;
    std::uint32_t obstacle = 0;  ///< number of the obstacle it belongs to
    bool heats = false;          ///< it has a temperature
    float temperature = 0;       ///< °C
    float resistance = 0;        ///< m² K/W, of the contact
    const Pose* pose = nullptr;  ///< where the obstacle is now; null if it never moves
};

struct WallDistance {
    float distance;
    Vec3f normal;  ///< into the fluid
};

WallDistance distance_to_surface(const Wall& wall, const Vec3f& x);

/// Planes at once, everything else by its shape.
inline WallDistance distance_to(const Wall& wall, const Vec3f& x) {
    if (!wall.shape) return {dot(wall.normal, x) - wall.offset, wall.normal};
    return distance_to_surface(wall, x);
}

/// Whether x is outside the bounds of a solid shape by that much, in the frame of its obstacle. Far outside a container is deep inside its
/// wall.
inline bool is_outside(const Wall& wall, const Vec3f& x, float distance) {
    return !wall.inside &&
           (x.x <= wall.low.x - distance || x.y <= wall.low.y - distance || x.z <= wall.low.z - distance ||
            x.x >= wall.high.x + distance || x.y >= wall.high.y + distance || x.z >= wall.high.z + distance);
}

/// Whether a wall is certainly at least that far away: for the many particles that none touches, at the price of a product.
inline bool is_beyond(const Wall& wall, const Vec3f& x, float distance) {
    if (!wall.shape) return dot(wall.normal, x) - wall.offset >= distance;
    return !wall.pose && is_outside(wall, x, distance);
}

/// Velocity of the wall's matter at x (m/s).
inline Vec3f velocity_at(const Wall& wall, const Vec3f& x) {
    return wall.pose ? to_float(wall.pose->velocity_at(to_double(x))) : Vec3f{};
}

/// What is known of the particles that sense walls.
struct WallSubjects {
    View<const float> supports = {};      ///< m, if they differ from the integral's
    WallForm liquids = WallForm::energy;  ///< what liquids get; other phases get that of an energy
    View<const Phase> phase = {};         ///< empty if all are liquid
    Rows rows = {};                       ///< those that are asked for
};

/// The scene's obstacles, taken apart into walls. A container box becomes its faces and a container cylinder its
/// side and ends, so that a particle in a corner feels each of them; of any other shape it feels the nearest
/// place. Moving walls come first: where one presses a particle against scenery that
/// stands still, the last word is the scenery's, and nothing is pushed out of its container.
class Walls {
public:
    /// The walls as they are at t = 0.
    Walls(const std::vector<Obstacle>& obstacles, int dimensions, double reach);

    View<const Wall> view() const { return walls_; }
    bool any_moves() const { return !moving_.empty(); }

    /// Brings moving obstacles to where they are at a time (s).
    void move_to(double time);

    /// What the walls add to each particle's kernel sums and, where they act on velocities, how.
    void sense(const Device& device, View<const Vec3f> x, const HalfSpaceIntegral& integral,
               View<WallTerm> out, View<WallMotion> motion = {}, const WallSubjects& of = {}) const;

    /// Lowers the sizes that particles may have, in spacings (m), but not below 1: so that obstacles in reach look flat to them. Larger ones
    /// would bridge what is hollow and pass through what is thin. Planes hold all sizes.
    void limit_sizes(const Device& device, View<const Vec3f> x, View<const float> supports, float spacing,
                     View<float> sizes) const;

    /// What walls do to each particle's heat. `conductivity` is that of each material (W/(m K)); `supports` (m) if they differ from the
    /// integral's.
    void sense_heat(const Device& device, View<const Vec3f> x, View<const std::uint16_t> material,
                    View<const float> conductivity, const HalfSpaceIntegral& integral, View<WallHeat> out,
                    View<const float> supports = {}) const;

    /// Whether some wall has a temperature.
    bool any_heats() const;

    /// Whether some wall moves, or holds the fluid that touches it.
    bool act_on_velocity() const;

    /// No wall may move farther than `distance` (m) in a step that begins at `time`, or it would pass a particle
    /// between two looks. Planes have no end: they count as far as there are particles.
    void limit_time_step(const Device& device, View<const Vec3f> x, double time, double distance,
                         TimeStepLimit& limit) const;

private:
    struct Moving {
        Motion motion;
        Pose pose;
        std::string name;
        Bounds bounds;  ///< in its own frame
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

    std::vector<std::unique_ptr<const Shape>> shapes_;
    std::vector<std::unique_ptr<const DistanceGrid>> grids_;
    std::vector<std::unique_ptr<Moving>> moving_;
    std::vector<MovingPlane> moving_planes_;
    std::vector<Wall> walls_;
};

/// Keeps particles out of walls: the wall's pressure does that as a rule, this is the last resort, and the
/// place of friction and restitution. Speeds are those relative to the wall. `push` is the speed (m/s) that the
/// walls' pressure gave each particle in this step.
struct ResolveContacts {
    View<const Wall> walls;
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
        for (const Wall& wall : walls) {
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
