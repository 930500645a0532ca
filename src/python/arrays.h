#pragma once

#include <string>

#include <pybind11/numpy.h>

#include "api/run.h"

namespace thixo {

/// (vertices, triangles, normals) of the surface around all particles, as arrays.
pybind11::tuple surface_arrays(const Run& run, const std::string& method, double resolution, int smooth);

/// Bytes of the shape (height, width, 3).
pybind11::array picture_array(const Run& run, int width, int height, const std::string& colour_by);

}  // namespace thixo
