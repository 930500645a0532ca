#include "sph/calibration.h"

#include "particles/lattice.h"
#include "sph/kernels.h"

namespace thixo {

double rest_volume(KernelName kernel, double support, int dimensions, Lattice lattice, double spacing) {
    return with_kernel(kernel, support, dimensions, [&](const auto& w) {
        double sum = 0;
        for (const Vec3d& p : lattice_around_origin(lattice, spacing, dimensions, support)) {
            sum += w.value(static_cast<float>(norm(p)));
        }
        return 1 / sum;
    });
}

double rest_volume(const Discretisation& of, Lattice lattice) {
    return rest_volume(of.kernel, of.support, of.dimensions, lattice, of.spacing);
}

}  // namespace thixo
