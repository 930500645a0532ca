#pragma once

#include "core/scalar_type.h"
#include "io/particle_file.h"
#include "readers.h"

namespace thixo {

/// Reads particles, and every value of every column: what lies outside of the file is met there.
inline void read_all(ParticleFile (*parse)(std::string), std::string bytes) {
    expect_read_or_refused([&] {
        const ParticleFile file = parse(std::move(bytes));
        double sum = 0;
        for (const StoredColumn& column : file.columns)
            column.for_each(file.count, [&](auto value) { sum += static_cast<double>(value); });
        volatile double used = sum;
        static_cast<void>(used);
    });
}

}  // namespace thixo
