#pragma once

#include "render/image.h"

namespace thixo {

/// What is behind everything: a sheet of paper lit from the middle, bright behind the subject, darker towards the corners.
Rgb backdrop(float x, float y, int width, int height);

/// Half a step of noise in an ordered pattern: gradients do not show bands in eight bits.
float dither(int x, int y);

/// Eight bits of linear light. Not a number becomes black, the one value no lit surface has.
std::uint8_t to_byte(float linear, float noise);

}  // namespace thixo
