#pragma once

#include <doctest/doctest.h>

namespace thixo {

/// Equal up to a fraction of the larger of both. (doctest's own tolerance is absolute for numbers below one.)
inline doctest::Approx near(double value, double tolerance = 1e-5) {
    return doctest::Approx(value).epsilon(tolerance).scale(0);
}

}  // namespace thixo
