#pragma once

// All of libthixo (docs/library.md).
#include "thixo/api/columns.h"
#include "thixo/api/run.h"
#include "thixo/core/error.h"
#include "thixo/scene/events_file.h"
#include "thixo/scene/scene.h"
#include "thixo/scene/scene_file.h"
#include "thixo/version.h"
