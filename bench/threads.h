#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/core.h>

#include "core/launch.h"
#include "core/wait_policy.h"

namespace thixo {

/// The device given by `--threads N`, which is removed from the arguments if it comes first; one thread by
/// default.
inline Device take_device(int& argc, char**& argv) {
    limit_spinning(argv);
    if (argc < 3 || std::strcmp(argv[1], "--threads") != 0) return Device{1};
    argc -= 2;
    argv += 2;
    return Device{std::max(1, std::atoi(argv[0]))};
}

/// For a benchmark that has no other option.
inline Device device_of(int argc, char** argv, const char* name) {
    const Device device = take_device(argc, argv);
    if (argc == 1) return device;
    fmt::print(stderr, "usage: {} [--threads N]\n", name);
    std::exit(2);
}

}  // namespace thixo
