#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/mesh_animation.h"
#include "geometry/mesh_distance.h"
#include "geometry/shape.h"

namespace thixo {

/// A deforming mesh at one time.
struct MeshMoment {
    std::shared_ptr<const MeshDistance> distance;
    std::vector<Vec3d> velocity;  ///< m/s, of each vertex

    /// Velocity of the surface at its point nearest to x (m/s): that of the vertices, by barycentric
    /// interpolation. In 2D of the outline, whose points stay on it as long as no vertex moves along z.
    Vec3d velocity_at(const Vec3d& x, int dimensions = 3) const;
};

/// Meshes with the same triangles at equal intervals of time. In between, vertices move at constant
/// velocities.
class MeshSequence {
public:
    /// At least two meshes; throws InputError if the triangles differ. `settings` says when each is reached.
    MeshSequence(std::vector<TriangleMesh> meshes, const MeshAnimation& settings);

    MeshMoment at(double time) const;

    /// Whether the mesh and its velocities are the same at two times (s): those before its start, or those
    /// after its end.
    bool is_same(double a, double b) const;

    /// Whether the vertices move at some time between the two (s).
    bool moves_between(double from, double to) const;

    /// The highest speed of a vertex from one time to another (m/s).
    double top_speed(double from, double to) const;

    /// How far a vertex moves along z at most (m).
    double motion_along_z() const;

    const Bounds& bounds() const { return bounds_; }  ///< of all meshes

private:
    /// The mesh that was reached last, the next one, and the fraction of the way to it. At rest both are the
    /// same.
    struct Interval {
        std::size_t from, to;
        double fraction;
    };
    Interval interval_at(double time) const;

    std::vector<TriangleMesh::Corners> triangles_;
    std::vector<std::vector<Vec3d>> vertices_;  ///< m, of each mesh
    std::vector<double> speed_;                 ///< m/s, highest of a vertex from each mesh to the next
    double frame_rate_, start_;
    bool repeat_;
    Bounds bounds_;
};

/// The files of a sequence: the number at the end of the first file's name counts up to that of the last.
/// Throws InputError if the names do not differ in that number alone, or if there are more than 100,000.
std::vector<std::filesystem::path> sequence_files(const std::filesystem::path& first,
                                                  const std::filesystem::path& last);

/// A shape as its animation, if there is one, shows it at a time (s).
Shape shape_at(const Shape& shape, const std::optional<MeshAnimation>& animation, double time);

}  // namespace thixo
