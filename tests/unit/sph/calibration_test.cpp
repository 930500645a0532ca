#include <doctest/doctest.h>

#include <cmath>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr KernelName kernel_names[] = {KernelName::spiky, KernelName::poly6, KernelName::cubic_spline,
                                       KernelName::wendland_c2, KernelName::cosine};

}  // namespace

TEST_CASE("calibrated volumes make the kernel sum of a lattice one") {
    for (const KernelName name : kernel_names) {
        for (const Lattice lattice : {Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal}) {
            for (const int d : {2, 3}) {
                for (const double ratio : {1.3, 2.0, 2.7}) {
                    const double s = 0.013, H = ratio * s;
                    const double volume = rest_volume(name, H, d, lattice, s);
                    // A large block of the lattice, and a sum that does not use the calibration.
                    double sum = 0;
                    with_kernel(name, H, d, [&](const auto& w) {
                        for (const Vec3d& p : lattice_around_origin(lattice, s, d, 2 * H))
                            sum += volume * double{w.value(static_cast<float>(norm(p)))};
                        return 0;
                    });
                    CHECK(std::abs(sum - 1) < 1e-6);
                    CHECK(volume > 0);
                }
            }
        }
    }
}

TEST_CASE("lattice sums over cell volumes are the known ones") {
    // Printed to two or three digits; Σ V W with V the cell's volume is that volume over the calibrated one.
    const auto sum = [](KernelName kernel, Lattice lattice, int d, double ratio) {
        return cell_volume(lattice, 0.1, d) / rest_volume(kernel, 0.1 * ratio, d, lattice, 0.1);
    };
    CHECK(std::abs(sum(KernelName::spiky, Lattice::cubic, 3, 2) - 1.24) < 0.005);
    CHECK(std::abs(sum(KernelName::spiky, Lattice::closest, 3, 2) - 1.14) < 0.005);
    CHECK(std::abs(sum(KernelName::spiky, Lattice::closest, 2, 2) - 1.22) < 0.005);
    CHECK(std::abs(sum(KernelName::poly6, Lattice::cubic, 3, 2) - 1.010) < 0.0005);
    CHECK(std::abs(sum(KernelName::poly6, Lattice::closest, 3, 2) - 0.995) < 0.0005);
    CHECK(std::abs(sum(KernelName::poly6, Lattice::closest, 2, 2) - 0.999) < 0.0005);
    CHECK(std::abs(sum(KernelName::poly6, Lattice::closest, 3, 1.3) - 0.916) < 0.0005);
}

TEST_CASE("with many neighbours the calibrated volume tends to the cell's") {
    for (const KernelName name : kernel_names) {
        for (const Lattice lattice : {Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal}) {
            for (const int d : {2, 3}) {
                const auto error = [&](double ratio) {
                    return std::abs(
                        rest_volume(name, 0.1 * ratio, d, lattice, 0.1) / cell_volume(lattice, 0.1, d) - 1);
                };
                CHECK(error(8) < 0.03);
                CHECK(error(8) < error(1.5));
            }
        }
    }
}

TEST_CASE("the calibrated volume scales with the spacing") {
    for (const int d : {2, 3}) {
        const double small = rest_volume(KernelName::wendland_c2, 0.02, d, Lattice::cubic, 0.01);
        const double large = rest_volume(KernelName::wendland_c2, 0.2, d, Lattice::cubic, 0.1);
        CHECK(large / small == near(std::pow(10, d), 1e-6));
    }
}
