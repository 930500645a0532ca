#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace thixo {

struct Seconds {
    double wall = 1e9, cpu = 1e9;
};

/// Of several runs the best; cpu is that of all threads.
template <class Work>
Seconds best_of(int rounds, const Work& work) {
    Seconds best;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t busy = std::clock();
        const auto start = std::chrono::steady_clock::now();
        work();
        best.wall = std::min(best.wall,
                             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        best.cpu = std::min(best.cpu, static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC);
    }
    return best;
}

}  // namespace thixo
