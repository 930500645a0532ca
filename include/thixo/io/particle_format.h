#pragma once

namespace thixo {

enum class ParticleFormat { ply, vtu, bgeo };

}  // namespace thixo
