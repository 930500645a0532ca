#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scalar_type.h"

namespace thixo {

enum class PlyFormat { ascii, binary_little_endian, binary_big_endian };

struct PlyProperty {
    std::string name;
    ScalarType type = ScalarType::float32;       ///< of the value, or of a list's items
    std::optional<ScalarType> list_length_type;  ///< set for lists
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    bool has_lists() const;
    std::size_t row_bytes() const;  ///< of a binary row; only without lists
};

struct PlyHeader {
    PlyFormat format = PlyFormat::ascii;
    std::vector<PlyElement> elements;
    std::vector<std::string> comments;
    std::size_t data_begin = 0;  ///< first byte after the header
};

/// Throws InputError with the line number and the reason. The counts are not to be trusted: they are
/// whatever the file claims.
PlyHeader parse_ply_header(std::string_view bytes);

}  // namespace thixo
