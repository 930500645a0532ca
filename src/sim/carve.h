#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collide/walls.h"
#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// How many particles an object would have, and what took some of them away.
struct Carving {
    std::uint64_t sampled = 0;
    std::vector<std::uint64_t> by_obstacle,
        by_object;       ///< particles that were left out, by what is in their place
    double room = 0;     ///< how many of them what is left of a liquid's shape holds; 0: not counted
    double lift = 0;     ///< m by which it starts above the floor, so that liquid is below it
    bool stays = false;  ///< it lies flush on the floor, and would float if liquid got below it

    std::uint64_t carved() const;
};

/// Finds where an object's particles cannot start because an obstacle or an earlier object is there.
///
/// Particles rest half a spacing from a wall, and lattices keep at least a quarter of it from the faces of
/// their box. So one that starts nearer than that to an obstacle or to the shape of an earlier object is in
/// its way; so is one within half a spacing of an earlier particle, where curved surfaces meet, within 0.74
/// of one of a sheet or rod, and between solids one within 0.85, where contact would throw them apart. Boxes
/// that touch each other or a wall lose nothing.
class Carver {
public:
    /// `walls` are the obstacles at the start, `particles` those of the objects before number `object`.
    Carver(const Model& model, const Walls& walls, const std::vector<Object>& objects,
           const ParticleTable& particles, std::size_t object);

    /// Leaves out the points where something is in the way, and counts what it is.
    void carve(const Device& device, std::vector<Vec3d>& points, Carving& carving) const;

    /// The same for a liquid, but as many points are left as the rest of the shape holds: its volume in
    /// points, less what obstacles and earlier objects take of it. Where those nearest to them are too many
    /// they go, where too few they stay.
    void carve_to_volume(const Device& device, std::vector<Vec3d>& points, Carving& carving) const;

private:
    double free_part(const Device& device) const;
    double room(const Vec3d& x) const;
    void push_out(Vec3d& x) const;
    void leave_out(std::vector<Vec3d>& points, const std::vector<std::uint32_t>& met, Carving& carving) const;
    std::uint32_t nearest_to(const Vec3d& x) const;
    std::uint32_t what_is_at(const Vec3d& x) const;
    std::optional<std::uint32_t> obstacle_at(const Vec3d& x) const;
    std::optional<std::uint32_t> object_at(const Vec3d& x) const;
    std::uint64_t cell(const Vec3d& x, int dx, int dy, int dz) const;

    const Model& model_;
    const Walls& walls_;
    const std::vector<Object>& objects_;
    const ParticleTable& particles_;
    bool solid_;                  ///< whether the object is
    std::vector<Bounds> bounds_;  ///< of the earlier objects
    std::vector<double> reach_;   ///< m, within which their particles are in the way
    std::unordered_map<std::uint64_t, std::vector<Index>>
        near_;  ///< earlier particles by cell; looked up, never iterated over
};

}  // namespace thixo
