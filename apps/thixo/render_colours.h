#pragma once

#include "render_look.h"

namespace thixo {

/// What colours show: as the options say, or else the scene, or else the materials' looks in 3D; in 2D
/// temperature if it varies by more than 1 °C, and speed otherwise.
void choose_attribute(Look& look, const RenderOptions& options, const Setting& setting,
                      const ParticleFrame& first, const ParticleFrame& last);

/// Colours of the attribute and their legend, from its values in all frames.
void choose_colours(Look& look, const RenderOptions& options, const ValueSurvey& survey,
                    const Setting& setting);

}  // namespace thixo
