#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace thixo {

/// The text and the buffers of a glTF 2.0 file: `.gltf` with buffers beside it or within it, or `.glb`. Every
/// number that the file states is checked before it is used. [Khronos, glTF 2.0 specification]
class GltfData {
public:
    using Json = nlohmann::json;

    /// `bytes`: of the file; buffers beside it are relative to `folder`. Throws InputError.
    GltfData(std::string_view bytes, const std::filesystem::path& folder);

    /// An entry of a list of the file, such as the third of `nodes`.
    const Json& entry(const char* list, const Json& index) const;

    /// All entries of a list; none if the file has no such list.
    const Json& list(const char* name) const;

    /// The numbers of an accessor row by row; those of normalised integers from −1 or 0 to 1. `type`: as the
    /// specification calls it, "VEC3".
    std::vector<double> numbers(const Json& accessor, std::string_view type) const;

    const Json& tree() const { return tree_; }

    /// Buffers that lie beside the file.
    const std::vector<std::filesystem::path>& files() const { return files_; }

private:
    struct Rows;  ///< where the numbers of an accessor lie

    void check_version() const;
    void read_buffers(std::string_view within, const std::filesystem::path& folder);
    Rows rows_at(const Json& of, std::size_t count, std::size_t width, std::size_t component_type) const;
    void read_rows(const Rows& rows, std::size_t first, std::size_t count, bool normalised,
                   std::vector<double>& out) const;
    void put_sparse(const Json& accessor, std::size_t width, std::vector<double>& out) const;

    Json tree_;
    std::vector<std::string> buffers_;
    std::vector<std::filesystem::path> files_;
};

/// A count or an index; throws InputError if it is none.
std::size_t gltf_count(const nlohmann::json& of, const char* key, std::size_t fallback);

}  // namespace thixo
