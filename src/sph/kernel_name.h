#pragma once

namespace thixo {

enum class KernelName { spiky, poly6, viscosity, cubic_spline, wendland_c2, cosine };

}  // namespace thixo
