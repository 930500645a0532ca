#pragma once

#include "render/image.h"

namespace thixo {

/// What is behind everything: a sheet of paper lit from the middle, bright behind the subject, darker towards
/// the corners.
Rgb backdrop(float x, float y, int width, int height);

/// Writes a pixel of linear light, dithered.
void set_pixel(Image& image, int x, int y, const Rgb& light);

}  // namespace thixo
