#include "io/gltf_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace thixo {
namespace {

/// Bytes of the UTF-8 sequence at the start of the text; 0 if it is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const std::size_t length = byte(0) < 0x80                      ? 1
                               : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                               : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                               : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                   : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80) return 0;
    return length;
}

}  // namespace

std::string json_string(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const auto c = static_cast<unsigned char>(text[0]);
        if (length == 0)
            out += '?';
        else if (c == '"' || c == '\\')
            (out += '\\') += text[0];
        else if (c < 0x20)
            out += fmt::format("\\u{:04x}", c);
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return out + '"';
}

std::string GltfList::member(std::string_view name) const {
    if (entries_.empty()) return {};
    return fmt::format(",\n\"{}\": [\n{}\n]", name, fmt::join(entries_, ",\n"));
}

std::size_t GltfBuffer::add(const void* data, std::size_t count, std::size_t components,
                            std::string_view type, bool integers, Target target, bool bounds) {
    const std::size_t offset = bytes_.size(), size = 4 * count * components;
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
    const std::string aim =
        target == Target::none ? "" : fmt::format(", \"target\": {}", static_cast<int>(target));
    const std::size_t view = views_.add(fmt::format(
        "{{\"buffer\": {}, \"byteOffset\": {}, \"byteLength\": {}{}}}", number_, offset, size, aim));
    std::string limits;
    if (bounds) {
        std::vector<float> low(components), high(components), row(components);
        for (std::size_t k = 0; k < count; ++k) {
            std::memcpy(row.data(), static_cast<const char*>(data) + 4 * k * components, 4 * components);
            for (std::size_t c = 0; c < components; ++c) {
                low[c] = k == 0 ? row[c] : std::min(low[c], row[c]);
                high[c] = k == 0 ? row[c] : std::max(high[c], row[c]);
            }
        }
        limits = fmt::format(", \"min\": [{}], \"max\": [{}]", fmt::join(low, ", "), fmt::join(high, ", "));
    }
    return accessors_.add(
        fmt::format("{{\"bufferView\": {}, \"componentType\": {}, \"count\": {}, \"type\": \"{}\"{}}}", view,
                    integers ? 5125 : 5126, count, type, limits));
}

std::size_t GltfBuffer::floats(const std::vector<float>& values, Target target, bool bounds) {
    return add(values.data(), values.size(), 1, "SCALAR", false, target, bounds);
}

std::size_t GltfBuffer::vectors(const std::vector<Vec3f>& values, Target target, bool bounds) {
    static_assert(sizeof(Vec3f) == 12);
    return add(values.data(), values.size(), 3, "VEC3", false, target, bounds);
}

std::size_t GltfBuffer::pairs(const std::vector<std::array<float, 2>>& values, Target target) {
    return add(values.data(), values.size(), 2, "VEC2", false, target, false);
}

std::size_t GltfBuffer::quaternions(const std::vector<std::array<float, 4>>& values) {
    return add(values.data(), values.size(), 4, "VEC4", false, Target::none, false);
}

std::size_t GltfBuffer::triangles(const std::vector<std::array<std::uint32_t, 3>>& values) {
    static_assert(sizeof(values[0]) == 12);
    return add(values.data(), 3 * values.size(), 1, "SCALAR", true, Target::indices, false);
}

}  // namespace thixo
