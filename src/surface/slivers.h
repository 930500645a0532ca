#pragma once

#include "surface/keep_vertices.h"

namespace thixo {

/// Collapses edges shorter than `shortest` (m), which takes most of the thin triangles of marching cubes
/// away. An edge stays where its ends have more than two neighbours in common or three triangles would become
/// two (the mesh would not be a manifold any more, or have another genus), where a triangle would turn over,
/// and where a vertex would leave its wall. Closed meshes stay closed, with as many components and handles.
void collapse_slivers(SurfaceMesh& mesh, double shortest, VertexNotes& notes);

}  // namespace thixo
