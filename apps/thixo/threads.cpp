#include "threads.h"

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"

namespace thixo {

namespace {

/// How many of so many threads can live at the same time.
int startable(int threads) {
    std::latch done(1);
    std::vector<std::jthread> started;
    started.reserve(static_cast<std::size_t>(threads));
    try {
        while (static_cast<int>(started.size()) < threads) started.emplace_back([&] { done.wait(); });
    } catch (const std::system_error&) {
        // A limit of processes or of memory.
    }
    done.count_down();
    return static_cast<int>(started.size());
}

}  // namespace

Device started_device(int threads) {
    Device device;
    if (threads > 0) device.threads = threads;
    // The thread that is here already counts.
    const int possible = 1 + startable(device.threads - 1);
    if (possible < device.threads)
        throw InputError(
            fmt::format("{} threads cannot be started, only {} (limits of processes or memory, see `ulimit "
                        "-a`); choose fewer by --threads",
                        device.threads, possible));
    return device;
}

}  // namespace thixo
