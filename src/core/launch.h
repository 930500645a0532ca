#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/view.h"

/// Never inlined: a function with a single copy.
#if defined(__clang__)
#define THIXO_ONE_BODY __attribute__((noinline))
#else
#define THIXO_ONE_BODY __attribute__((noipa))
#endif

namespace thixo {

/// Where passes over particles run.
struct Device {
    int threads = omp_get_max_threads();
};

/// Rows handed to a thread at a time. Results never depend on it: a body writes only its own row.
inline constexpr Index launch_grain = 512;

/// The same where rows are few and each of them is much work.
inline constexpr Index small_grain = 64;

/// Divides blocks among threads. Each thread begins with a part that is its own, the same one in every pass,
/// so that its caches hold what the last pass read and wrote there; then it takes what is left of the parts
/// of others.
class BlockShares {
public:
    BlockShares(std::int64_t blocks, int threads)
        : blocks_(blocks), parts_(std::clamp(threads, 1, most_parts)) {
        for (int part = 0; part < parts_; ++part) next_[part].block = first(part);
    }

    /// Runs run(block) for blocks that no thread has taken yet, until there is none. Each thread of a team
    /// calls it once.
    template <class Run>
    void work(int thread, const Run& run) {
        for (int k = 0; k < parts_; ++k) {
            const int part = (thread + k) % parts_;
            const std::int64_t end = first(part + 1);
            while (true) {
                const std::int64_t block = next_[part].block.fetch_add(1, std::memory_order_relaxed);
                if (block >= end) break;
                run(block);
            }
        }
    }

private:
    static constexpr int most_parts = 64;

    /// In a cache line of its own.
    struct alignas(64) Next {
        std::atomic<std::int64_t> block = 0;
    };

    std::int64_t first(int part) const { return blocks_ * part / parts_; }

    std::int64_t blocks_;
    int parts_;
    std::array<Next, most_parts> next_;
};

/// Runs work(begin, end, block) for the blocks of n rows. A single block costs no more than the loop:
/// starting even one thread takes longer than a small scene's pass over its rows. Blocks are never inlined:
/// the compiler might round differently in the two loops.
template <Index grain, class Work>
void for_each_block(const Device& device, Index n, const Work& work) {
    const auto blocks = static_cast<std::int64_t>((n + grain - 1) / grain);
    const auto run = [&](std::int64_t block) THIXO_ONE_BODY {
        const Index begin = static_cast<Index>(block) * grain;
        work(begin, std::min(n, begin + grain), static_cast<std::size_t>(block));
    };
    if (blocks <= 1 || device.threads <= 1) {
        for (std::int64_t block = 0; block < blocks; ++block) run(block);
        return;
    }
    BlockShares shares(blocks, device.threads);
#pragma omp parallel num_threads(device.threads)
    shares.work(omp_get_thread_num(), run);
}

/// Runs body(i) for every i < n. A body is a small function object of views: no virtual calls, no
/// allocation, no exceptions, and it writes row i only.
template <Index grain = launch_grain, class Body>
void launch(const Device& device, Index n, const Body& body) {
    static_assert(std::is_trivially_copyable_v<Body>, "a launch body must be trivially copyable");
    for_each_block<grain>(device, n, [&](Index begin, Index end, std::size_t) {
        for (Index i = begin; i < end; ++i) body(i);
    });
}

/// Some rows of a table, in ascending order; or all of them.
struct Rows {
    Rows() = default;
    Rows(View<const Index> rows) : list(rows), all(false) {}

    View<const Index> list;
    bool all = true;
};

/// Runs body(i) for some of the rows i < n, or all.
template <class Body>
void launch(const Device& device, Index n, const Rows& rows, const Body& body) {
    if (rows.all) return launch(device, n, body);
    launch(device, static_cast<Index>(rows.list.size()),
           [list = rows.list, body](Index k) { body(list[k]); });
}

/// combine(… combine(combine(zero, f(0)), f(1)) …, f(n-1)), the same bits for any number of threads: blocks
/// of fixed size are reduced on their own and then joined in order. `combine` is best a function object: a
/// function is called for every row.
template <class T, class Value, class Combine>
T reduce(const Device& device, Index n, T zero, const Value& value, const Combine& combine) {
    const std::size_t blocks = (n + launch_grain - 1) / launch_grain;
    // A single block needs no memory from elsewhere, which would cost as much as the pass over its rows.
    T only = zero;
    std::vector<T> several(blocks > 1 ? blocks : 0, zero);
    const View<T> partial = blocks > 1 ? View<T>(several) : View<T>(&only, blocks);
    for_each_block<launch_grain>(device, n, [&](Index begin, Index end, std::size_t block) {
        T sum = zero;
        for (Index i = begin; i < end; ++i) sum = combine(sum, value(i));
        partial[block] = sum;
    });
    T total = zero;
    for (const T& part : partial) total = combine(total, part);
    return total;
}

template <class Value>
double reduce_sum(const Device& device, Index n, const Value& value) {
    return reduce(device, n, 0.0, value, [](double a, double b) { return a + b; });
}

/// The largest value, or `lowest` for an empty range.
template <class T, class Value>
T reduce_max(const Device& device, Index n, T lowest, const Value& value) {
    return reduce(device, n, lowest, value, [](T a, T b) { return a < b ? b : a; });
}

}  // namespace thixo
