#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/byte_order.h"
#include "core/scalar_type.h"

namespace thixo {

/// One scalar property of a particle file, where it lies in the bytes that were read.
struct StoredColumn {
    std::string name;
    ScalarType type = ScalarType::float32;
    bool big_endian = false;
    const char* first = nullptr;
    std::size_t stride = 0;  ///< bytes from one particle to the next

    /// Calls visit(value) for every particle with the value as it is stored.
    template <class Visit>
    void for_each(std::size_t count, Visit&& visit) const {
        with_scalar_type(type, [&](auto zero) {
            for (std::size_t i = 0; i < count; ++i)
                visit(load<decltype(zero)>(first + i * stride, big_endian));
        });
    }
};

/// A particle file of any format, in memory. All formats name their columns as Thixo's PLY files do.
struct ParticleFile {
    std::string format;  ///< for people: "PLY, binary little endian"
    std::size_t count = 0;
    double time = 0;           ///< s; 0 where the file does not say
    std::optional<int> frame;  ///< where the file says
    std::vector<StoredColumn> columns;
    std::deque<std::string> storage;  ///< the bytes the columns point into; a deque never moves them

    /// Columns take memory even where there are no particles: a small file must not be able to declare
    /// millions of them.
    static constexpr std::size_t most_columns = 10'000;

    const StoredColumn* find(std::string_view name) const;

    /// Adds an attribute of several components as that many columns: velocity or v becomes vx, vy, vz, and
    /// an unknown one becomes name.0, name.1, ...
    void add_attribute(std::string_view name, std::size_t components, const StoredColumn& first_component);
};

/// PLY, VTU or BGEO, recognised by their first bytes. Throws InputError with the file's name.
ParticleFile read_particle_file(const std::filesystem::path& path);

// The formats. Each takes the file's bytes; an error says what is wrong, the caller adds the file's name.
ParticleFile parse_ply(std::string bytes);
ParticleFile parse_vtu(std::string bytes);
ParticleFile parse_bgeo(std::string bytes);

}  // namespace thixo
