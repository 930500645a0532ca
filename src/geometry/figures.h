#pragma once

#include "geometry/shape.h"

namespace thixo {

/// What a kind of fixed form is built of, at height 1.
struct Figure {
    Shape solid;
    Shape profile;  ///< in the plane z = 0: the outline from the side
    Box box;        ///< holds it, and touches it at the bottom and at the top
};

const Figure& figure_of(const Bunny&);
const Figure& figure_of(const Duck&);

}  // namespace thixo
