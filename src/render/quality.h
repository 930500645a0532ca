#pragma once

#include <string_view>

#include "render/trace.h"

namespace thixo {

/// What `thixo render --quality` chooses. Drafts are to take a second, final pictures a minute, on two cores.
struct PictureQuality {
    std::string_view name;
    int samples, first_samples, bounces;
    float noise;
    double resolution;  ///< of surfaces, in radii

    TraceSettings trace() const {
        return {.samples = samples, .first_samples = first_samples, .noise = noise, .bounces = bounces};
    }
};

inline constexpr PictureQuality picture_qualities[] = {
    {"draft", 8, 4, 1, 0.03f, 1.0}, {"good", 64, 8, 3, 0.012f, 0.75}, {"final", 192, 16, 6, 0.01f, 0.6}};

/// An unknown name is a draft.
inline const PictureQuality& picture_quality(std::string_view name) {
    for (const PictureQuality& q : picture_qualities)
        if (name == q.name) return q;
    return picture_qualities[0];
}

}  // namespace thixo
