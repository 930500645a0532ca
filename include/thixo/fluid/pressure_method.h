#pragma once

namespace thixo {

enum class PressureMethod { state_equation, tait, dfsph };

}  // namespace thixo
