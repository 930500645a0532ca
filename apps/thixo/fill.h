#pragma once

#include "particles/table.h"
#include "scene/load.h"

namespace thixo {

/// The particles a scene starts with. An object that cannot start where it is is an InputError with its place in
/// the file.
ParticleTable fill(const SceneWithSource& source);

}  // namespace thixo
