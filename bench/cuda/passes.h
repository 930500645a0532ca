#pragma once

#include "core/real.h"
#include "fluid/density.h"
#include "fluid/forces.h"
#include "fluid/pressure_law.h"

namespace thixo {

// The passes that are compared: density by summation, pressure by `tait`, and forces with `laplacian`, from
// the headers of the program.

using Pairs = PairLoop<EqualSizes<CubicSpline>>;
using DensityPass = Density<Pairs>;
using ForcePass = Forces<Pairs, Laplacian, false>;

/// p/s² beside the velocity.
struct PressurePass {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rho;
    View<Packed4> velocity_pressure;

    THIXO_HOST_DEVICE void operator()(Index i) const {
        const FluidConstants& c = constants[material[i]];
        const float s = rho[i] / c.rest_density;
        velocity_pressure[i].w = larger(Tait{}(c, s), 0.f) / (s * s);
    }
};

/// Everything that the passes read and write, on the CPU. Arrays of rows that pair loops gather from have an
/// entry for the padding.
struct Case {
    Index n = 0;
    EqualSizes<CubicSpline> sizes;
    View<const Index> lists;        ///< of all rows, padded to whole eights
    View<const Index> block_begin;  ///< where the lists of each `rows_per_block` rows begin
    View<const Index> begin;        ///< where the list of a row begins, from there
    View<const Index> count;
    View<const Packed4> position_volume;
    View<const Packed4> velocity;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
};

struct Result {
    View<float> rho;
    View<Vec3f> acceleration;
};

/// Milliseconds of each pass, the fastest of some runs.
struct PassTimes {
    double density = 0, pressure = 0, forces = 0;
};

bool device_present();
/// The passes on the GPU.
PassTimes run_on_device(const Case& in, const Result& out);

}  // namespace thixo
