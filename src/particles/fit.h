#pragma once

#include <vector>

#include "particles/object.h"

namespace thixo {

/// What the outermost layers of a box keep to its faces.
enum class FaceRule {
    half_pitch,    ///< each particle is in the middle of its cell: one density from face to face
    half_spacing,  ///< what solids keep to a wall: they touch it, and do not press
    keep           ///< nothing moves: crystals hold their lattice
};

/// Stretches a sample so that its particles fill the shape: `volume` is what each of them then stands for,
/// the shape's volume over their number (m³, in 2D m²).
///
/// A box whose lattice lies along its edges is stretched along each of them, so that a whole number of layers
/// fills it. Anything else is scaled about the middle of its bounds until the cells add up to its volume, by
/// at most `most_scaling`. What fits already, to the millionth, stays as it is.
struct Fit {
    double volume = 0;
    double stretch = 0;  ///< largest change of the pitch, relative
};

inline constexpr double most_scaling = 0.05;

Fit fit_to_shape(const Object& object, double spacing, int dimensions, FaceRule rule,
                 std::vector<Vec3d>& points);

}  // namespace thixo
