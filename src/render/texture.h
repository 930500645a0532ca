#pragma once

#include <filesystem>

#include "geometry/colour_image.h"
#include "render/image.h"

namespace thixo {

/// A picture on the skin of a body. v = 0 is its lowest row, v = 1 its highest; beyond 0 and 1 it repeats.
class Texture {
public:
    explicit Texture(ColourImage image) : image_(std::move(image)) {}

    /// Blended between the four pixels around, in linear light.
    Rgb at(float u, float v) const;

private:
    ColourImage image_;
};

}  // namespace thixo
