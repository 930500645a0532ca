#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "geometry/shape.h"
#include "particles/object.h"

namespace thixo {

/// Space that one particle fills on the lattice: m³, or m² in 2D.
double cell_volume(Lattice lattice, double spacing, int dimensions);

/// Distances of the layers of particles along the lattice's axes (m).
Vec3d layer_pitch(Lattice lattice, double spacing, int dimensions);

/// Lattice points closer to the origin than `radius`; the origin itself comes first.
std::vector<Vec3d> lattice_around_origin(Lattice lattice, double spacing, int dimensions, double radius);

/// Lattice points inside the shape, row by row along x, then y, then z. The lattice is centred in the shape's
/// bounding box with half a spacing left to either side: a box flush with a wall is sampled the way particles
/// rest against the wall. It turns with a shape that is rotated, whose faces are as even then; `orientation`
/// turns it within the shape.
std::vector<Vec3d> sample(const Shape& shape, Lattice lattice, double spacing, int dimensions,
                          const Device& device = {}, const Rotation& orientation = {});

/// What turns the lattice around the origin into that of an object: by its orientation, then with its shape.
Mat3d lattice_frame(const Object& object, int dimensions);

/// That of each object.
std::vector<Mat3d> lattice_frames(const std::vector<Object>& objects, int dimensions);

}  // namespace thixo
