#include "fluid/friction.h"

#include <cmath>
#include <utility>

#include "fluid/forces.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// What a viscosity with μ = 1 makes of the velocity ½y² along x on a cubic lattice whose rows have slid
/// along x, on average over how far; in the continuum it would be 1. Sums over a lattice differ from
/// integrals: by 15 % for the Laplacian in 2D, by 25 % for the central form of ImplicitViscosity.
double lattice_laplacian(ViscosityMethod method, const Discretisation& of) {
    constexpr int shifts = 16;
    const double volume = rest_volume(of), support = of.support;
    const ViscosityKernel<double> viscosity(support, of.dimensions);
    return with_kernel(of, [&](const auto& kernel) {
        double sum = 0;
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, of.spacing, of.dimensions, 3 * support)) {
            for (int k = 0; k < shifts; ++k) {
                const double x = v.x + v.y * k / shifts, y2 = v.y * v.y, r2 = x * x + y2 + v.z * v.z;
                const double r = std::sqrt(r2);
                sum += method == ViscosityMethod::laplacian
                           ? 0.5 * y2 * viscosity.laplacian(r)
                           : -(of.dimensions + 2) * y2 * x * x *
                                 kernel.gradient_over_distance(static_cast<float>(r)) /
                                 (r2 + pair_softening * support * support);
            }
        }
        return volume * sum / shifts;
    });
}

}  // namespace

Friction::Friction(const std::vector<Material>& materials, ViscosityMethod method,
                   const Discretisation& discretisation) {
    const double laplacian = lattice_laplacian(method, discretisation),
                 wall = lattice_laplacian(ViscosityMethod::laplacian, discretisation);
    at_walls_ = static_cast<float>(laplacian / wall);
    for (const Material& material : materials) {
        const LiquidSettings& liquid = material.liquid;
        const double c = liquid.sound_speed, h = 0.5 * discretisation.support;
        const double friction = method == ViscosityMethod::artificial
                                    ? liquid.artificial_viscosity * c * material.density * h
                                    : liquid.viscosity / laplacian;
        constant_.push_back(static_cast<float>(friction));
        curves_.push_back(method == ViscosityMethod::artificial
                              ? ViscosityCurve{}
                              : ViscosityCurve(liquid.viscosity_table, 1 / laplacian));
        differs_ |= !curves_.back().empty() || constant_.back() != constant_.front();
        any_ |= friction > 0 || !curves_.back().empty();
    }
    largest_ = constant_;
}

void Friction::update(const Device& device, const ParticleTable& particles) {
    if (!differs_) return;
    const Index n = particles.size();
    rows_.resize(n + 1);
    const View<const std::uint16_t> material(particles.material);
    launch(device, n,
           [=, constants = View<const float>(constant_), curves = View<const ViscosityCurve>(curves_),
            t = View<const float>(particles.temperature), out = View(rows_)](Index i) {
               const ViscosityCurve& curve = curves[material[i]];
               out[i] = curve.empty() ? constants[material[i]] : curve.at(t[i]);
           });
    for (std::uint16_t k = 0; k < curves_.size(); ++k) {
        if (curves_[k].empty()) continue;
        largest_[k] = reduce_max(device, n, 0.f, [=, mu = View(std::as_const(rows_))](Index i) {
            return material[i] == k ? mu[i] : 0.f;
        });
    }
}

}  // namespace thixo
