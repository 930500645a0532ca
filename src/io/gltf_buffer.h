#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec.h"

namespace thixo {

/// Text in JSON's quotes. Bytes that are not UTF-8 become "?".
std::string json_string(std::string_view text);

/// The entries of one list of a glTF file, and their number.
class GltfList {
public:
    std::size_t add(std::string entry) {
        entries_.push_back(std::move(entry));
        return entries_.size() - 1;
    }
    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    /// `,\n"name": [ … ]`, or nothing if the list is empty: glTF allows no empty lists.
    std::string member(std::string_view name) const;

private:
    std::vector<std::string> entries_;
};

/// Bytes of a .bin file, with the views and accessors that describe them. All components have four bytes, so
/// that everything is aligned.
class GltfBuffer {
public:
    GltfBuffer(std::size_t number, GltfList& views, GltfList& accessors)
        : number_(number), views_(views), accessors_(accessors) {}

    /// The number of the accessor. Positions need bounds; vertices and indices name what they are for.
    enum class Target { none = 0, vertices = 34962, indices = 34963 };
    std::size_t floats(const std::vector<float>& values, Target target, bool bounds = false);
    std::size_t vectors(const std::vector<Vec3f>& values, Target target, bool bounds = false);
    std::size_t pairs(const std::vector<std::array<float, 2>>& values, Target target);
    std::size_t quaternions(const std::vector<std::array<float, 4>>& values);
    std::size_t triangles(const std::vector<std::array<std::uint32_t, 3>>& values);

    /// glTF has no empty buffers: four zeros where nothing was added.
    const std::string& bytes_or_zero() {
        if (bytes_.empty()) bytes_.assign(4, '\0');
        return bytes_;
    }

private:
    std::size_t add(const void* data, std::size_t count, std::size_t components, std::string_view type,
                    bool integers, Target target, bool bounds);

    std::size_t number_;
    GltfList &views_, &accessors_;
    std::string bytes_;
};

}  // namespace thixo
