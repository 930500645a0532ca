#pragma once

#include <vector>

#include "core/vec.h"

/// The surface that OpenVDB makes of balls: particles to level set, then volume to mesh.
struct VdbSurface {
    std::vector<thixo::Vec3f> vertices;
    std::size_t polygons = 0;
    double rasterising = 0, meshing = 0;  ///< s
};

VdbSurface vdb_surface(const std::vector<thixo::Vec3f>& centers, float radius, double cell, int threads);
