#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "thixo/api/columns.h"
#include "thixo/core/export.h"
#include "thixo/core/vec.h"
#include "thixo/scene/scene.h"

namespace thixo {

enum class ColourBy { speed, temperature, density, pressure, material, object, body };

struct PictureSettings {
    int width = 1280;  ///< pixels
    int height = 720;  ///< pixels
    int samples = 6;   ///< rays through each pixel
    int threads = 0;   ///< 0: all processors. The picture is the same for any number
    ColourBy colour_by = ColourBy::speed;
    std::optional<double> min = {},
                          max =
                              {};  ///< ends of the colours, in the attribute's unit; none: from the particles
    std::optional<Vec3d> eye = {}, target = {};  ///< m; none: so that all is seen
};

/// Eight-bit sRGB, three bytes a pixel, rows from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels = {};
};

/// What `write_picture` writes.
THIXO_API Picture make_picture(const Scene& scene, const Columns& columns, double time,
                               const PictureSettings& settings = {});

/// A PNG of the particles as shaded spheres among the scene's obstacles, at a time (s): thixo::render, which
/// needs Embree.
THIXO_API void write_picture(const std::filesystem::path& file, const Scene& scene, const Columns& columns,
                             double time, const PictureSettings& settings = {});

}  // namespace thixo
