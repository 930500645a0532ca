#pragma once

namespace thixo {

enum class PressureMethod { state_equation };
enum class DensityMethod { summation };
enum class ViscosityMethod { laplacian };

}  // namespace thixo
