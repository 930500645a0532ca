#pragma once

#include "geometry/shape.h"

namespace thixo {

/// Parts of a kind of fixed form, at height 1.
struct Figure {
    Shape solid;
    Shape profile;  ///< in the plane z = 0: the outline from the side
    Box box;        ///< bounding box; touches the shape at the bottom and at the top
};

const Figure& figure_of(const Bunny&);
const Figure& figure_of(const Duck&);

}  // namespace thixo
