#include "lattice/volume_pressure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/lattice.h"
#include "sph/kernels.h"

namespace thixo {

void VolumePressure::find_sums(const Device& device, View<float> sums) const {
    with_kernel(contact.name, contact.support, contact.dimensions, [&](const auto& kernel) {
        launch<site_grain>(device, size(), [this, kernel, sums](Index s) {
            const Vec3<Lanes> self = spread(x[s]);
            Lanes sum{};
            for (std::size_t k = begin[s]; k < begin[s + 1]; k += lane_count) {
                const PackedLanes other = gather(x.data(), candidates + k);
                sum += kernel.value(square_root(norm2(other.xyz - self)));
            }
            sums[s] = volume * (kernel.value(0.f) + thixo::sum(sum));
        });
    });
}

bool VolumePressure::find_loads(const Device& device, View<const float> sums, View<float> loads) const {
    loads[size()] = 0;
    return reduce_max(device, size(), 0.f, [this, sums, loads](Index s) {
               const float excess = std::max(0.f, sums[s] - free_sum);
               loads[s] = modulus * motion[s].position.w * volume * volume * excess;
               return loads[s];
           }) > 0;
}

void VolumePressure::find_forces(const Device& device, View<const float> loads, View<Vec3f> forces) const {
    with_kernel(contact.name, contact.support, contact.dimensions, [&](const auto& kernel) {
        launch<site_grain>(device, size(), [this, kernel, loads, forces](Index s) {
            const Vec3<Lanes> self = spread(x[s]);
            Vec3<Lanes> force{};
            for (std::size_t k = begin[s]; k < begin[s + 1]; k += lane_count) {
                const PackedLanes other = gather(x.data(), candidates + k);
                const Vec3<Lanes> d = other.xyz - self;
                const Lanes load = gather(loads.data(), candidates + k) + loads[s];
                force += d * (load * kernel.gradient_over_distance(square_root(norm2(d))));
            }
            forces[s] = sum(force);
        });
    });
}

double VolumePressure::energy(const Device& device, View<const float> sums) const {
    return reduce_sum(device, size(), [this, sums](Index s) {
        const double excess = std::max(0.f, sums[s] - free_sum);
        return 0.5 * modulus * motion[s].position.w * volume * excess * excess;
    });
}

double VolumePressure::steepest(const ContactKernel& contact, double spacing) {
    constexpr int finest = 16, half_wave = 12;  // wave numbers tried along an axis, and that of one spacing
    const bool flat = contact.dimensions == 2;
    const std::vector<Vec3d> lattice =
        lattice_around_origin(Lattice::closest, spacing, contact.dimensions, contact.support);
    return with_kernel(contact.name, contact.support, contact.dimensions, [&](const auto& kernel) {
        const double unit = std::numbers::pi / (half_wave * spacing);
        double steepest2 = 0;
        for (int a = 0; a <= finest; ++a) {
            for (int b = 0; b <= finest; ++b) {
                for (int c = 0; c <= (flat ? 0 : finest); ++c) {
                    Vec3d sum;
                    for (const Vec3d& x : lattice)
                        sum += std::sin(unit * (a * x.x + b * x.y + c * x.z)) *
                               double{kernel.gradient_over_distance(static_cast<float>(norm(x)))} * x;
                    steepest2 = std::max(steepest2, norm2(sum));
                }
            }
        }
        return std::sqrt(steepest2) * cell_volume(Lattice::closest, spacing, contact.dimensions);
    });
}

}  // namespace thixo
