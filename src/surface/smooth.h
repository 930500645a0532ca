#pragma once

#include <vector>

#include "core/launch.h"
#include "surface/keep_vertices.h"
#include "surface/mesh_report.h"

namespace thixo {

/// Moves each vertex towards the mean of its neighbours, `steps` times. A vertex moves by weight[v] of the
/// way, so that what has the weight 0 stays. The volume is then restored by an equal shift of all vertices
/// along their normals, as far as they have weight. Triangles stay as they are; vertices of one that would
/// lose its area are put back.
void smooth(const Device& device, SurfaceMesh& mesh, View<const float> weight, int steps);
/// With triangles_of_vertices(mesh) at hand. Where the surface meets walls it is smoothed along its rim;
/// where that would fold the triangles on the wall, vertices are put back.
void smooth(const Device& device, SurfaceMesh& mesh, const VertexTriangles& around, const VertexNotes& notes,
            int steps);

/// How far vertices move in a step: those of particles with few neighbours less, those on walls not, but for
/// rims.
inline constexpr float full_neighbours = 13;

/// Normals of the triangles around each vertex, by their areas.
void set_mesh_normals(const Device& device, SurfaceMesh& mesh);

/// Drops the components that enclose less than `least` (m³), and cavities likewise.
void drop_specks(SurfaceMesh& mesh, double least, VertexNotes& notes);

/// Puts back the vertices of triangles that lost their area, and of edges that lost their length, until there
/// are none: at the latest where all are back.
void put_back_degenerate(const Device& device, SurfaceMesh& mesh, const std::vector<Vec3f>& before);

/// Puts back the vertices of triangles that turned over, or of those on walls alone: what is below a rim on
/// the wall stays where it is.
void put_back_turned(SurfaceMesh& mesh, View<const WallContact> contact, const std::vector<Vec3f>& before,
                     bool of_walls);

}  // namespace thixo
