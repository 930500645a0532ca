#pragma once

namespace thixo {

/// Weights of three neighbouring samples under the quadratic B-spline, and their derivatives; t in [-½, ½] is
/// how far the place is from the middle one, in samples. The sum over samples is smooth (its slope has no
/// jumps), never beyond the samples' range, exact for straight lines, and takes f to f + f''/8.
template <class T>
struct QuadraticWeights {
    T w[3], slope[3];

    explicit QuadraticWeights(T t)
        : w{T(0.5) * (T(0.5) - t) * (T(0.5) - t), T(0.75) - t * t, T(0.5) * (T(0.5) + t) * (T(0.5) + t)},
          slope{t - T(0.5), T(-2) * t, t + T(0.5)} {}
};

}  // namespace thixo
