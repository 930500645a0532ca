#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/core.h>

#include "core/launch.h"
#include "core/wait_policy.h"

namespace thixo {

/// The device of a benchmark whose only option is `--threads N`; one thread unless told otherwise.
inline Device device_of(int argc, char** argv, const char* name) {
    limit_spinning(argv);
    if (argc == 1) return Device{1};
    if (argc == 3 && std::strcmp(argv[1], "--threads") == 0) return Device{std::max(1, std::atoi(argv[2]))};
    fmt::print(stderr, "usage: {} [--threads N]\n", name);
    std::exit(2);
}

}  // namespace thixo
