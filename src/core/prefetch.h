#pragma once

#include <cstddef>

namespace thixo {

/// Prefetches memory that will be read soon. Rows that change are scattered over arrays that have long left
/// the caches: waiting for each takes longer than all that is computed from it.
inline void prefetch(const void* begin, std::size_t bytes) {
    const char* line = static_cast<const char*>(begin);
    for (const char* end = line + bytes; line < end; line += 64) __builtin_prefetch(line);
}

/// How many rows ahead of the one that is looked at.
inline constexpr std::size_t prefetch_ahead = 6;

}  // namespace thixo
