#include "physics/conservation.h"

using namespace thixo;

TEST_CASE("a spinning free bar keeps its momentum, its spin and its energy") {
    for (const int dimensions : {2, 3}) {
        for (const StrainMeasure strain : {StrainMeasure::linear, StrainMeasure::green}) {
            Material material = rubber(1e5);
            material.solid.strain = strain;
            check_conservation(weightless(dimensions, 0.02, material), 2000, 200);
        }
    }
}
