#pragma once

#include <memory>
#include <vector>

#include "collide/obstacle.h"
#include "core/launch.h"
#include "core/view.h"
#include "geometry/distance_grid.h"
#include "sph/half_space.h"

namespace thixo {

/// One surface that holds matter back. A plane (or one side of a container box) is told by normal and offset;
/// any other shape by its signed distance.
struct Wall {
    Vec3f normal{};
    float offset = 0;
    const Shape* shape = nullptr;
    const DistanceGrid* grid = nullptr;  ///< of the shape, if that is costly to ask
    bool inside = false;
    Vec3f reach_min{}, reach_max{};  ///< beyond this box the shape is out of every particle's reach
    int dimensions = 3;
    float friction = 0, restitution = 0;
};

struct WallDistance {
    float distance;
    Vec3f normal;  ///< into the fluid
};

WallDistance distance_to(const Wall& wall, const Vec3f& x);

/// The scene's obstacles, taken apart into walls. A container box becomes its faces, so that a particle in a
/// corner feels each of them.
class Walls {
public:
    Walls(const std::vector<Obstacle>& obstacles, int dimensions, double reach);

    View<const Wall> view() const { return walls_; }

    /// What the walls add to each particle's kernel sums.
    void sense(const Device& device, View<const Vec3f> x, const HalfSpaceIntegral& integral,
               View<WallTerm> out) const;

private:
    void add_plane(const Obstacle& obstacle, const Vec3d& normal, const Vec3d& point);
    void add_container(const Obstacle& obstacle, const Box& box, int dimensions);
    void add_shape(const Obstacle& obstacle, int dimensions, double reach);

    std::vector<std::unique_ptr<const Shape>> shapes_;
    std::vector<std::unique_ptr<const DistanceGrid>> grids_;
    std::vector<Wall> walls_;
};

/// Keeps particles out of walls: the wall's pressure does that as a rule, this is the last resort, and the
/// place of friction and restitution. `push` is the speed (m/s) that the walls' pressure gave each particle
/// in this step.
struct ResolveContacts {
    View<const Wall> walls;
    float nearest;   ///< no particle comes closer to a wall (m)
    float touching;  ///< within this distance friction acts (m)
    View<const float> push;
    View<Vec3f> x;
    View<Vec3f> v;

    void operator()(Index i) const;
};

}  // namespace thixo
