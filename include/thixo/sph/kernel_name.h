#pragma once

namespace thixo {

/// Kernels that can weigh density and pressure. (The viscosity kernel is singular at r = 0: only its
/// laplacian is ever used.)
enum class KernelName { spiky, poly6, cubic_spline, wendland_c2, cosine };

}  // namespace thixo
