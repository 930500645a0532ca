#include "geometry/gltf_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base64.h"
#include "core/byte_order.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/words.h"

namespace thixo {

namespace {

using Json = GltfData::Json;

constexpr std::size_t most_numbers = 300'000'000;

std::size_t component_bytes(std::size_t type) {
    constexpr std::size_t signed_byte = 5120, bytes[] = {1, 1, 2, 2, 0, 4, 4};
    if (type < signed_byte || type - signed_byte >= std::size(bytes) || bytes[type - signed_byte] == 0)
        throw InputError(fmt::format("{} is no component type of glTF", type));
    return bytes[type - signed_byte];
}

std::size_t width_of(std::string_view type) {
    if (type == "SCALAR") return 1;
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4") return 4;
    if (type == "MAT4") return 16;
    throw InputError(fmt::format("accessors of the type {} are not read", shown(type)));
}

double component_at(const char* at, std::size_t type, bool normalised) {
    const auto integer = [&](auto value, double largest) {
        const auto number = static_cast<double>(value);
        return normalised ? std::max(number / largest, -1.) : number;
    };
    switch (type) {
        case 5120:
            return integer(load<std::int8_t>(at, false), 127);
        case 5121:
            return integer(load<std::uint8_t>(at, false), 255);
        case 5122:
            return integer(load<std::int16_t>(at, false), 32767);
        case 5123:
            return integer(load<std::uint16_t>(at, false), 65535);
        case 5125:
            return integer(load<std::uint32_t>(at, false), 4294967295.);
        default:
            return static_cast<double>(load<float>(at, false));
    }
}

/// "my%20buffer.bin" → "my buffer.bin"
std::string without_percent(std::string_view uri) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
            text += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
            i += 2;
        } else {
            text += uri[i];
        }
    }
    return text;
}

/// The JSON of a file, and the buffer that a `.glb` has behind it.
struct Chunks {
    std::string_view json, binary;
};

Chunks chunks_of(std::string_view bytes) {
    constexpr std::size_t header = 12, chunk_header = 8;
    constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
    if (!bytes.starts_with("glTF")) return {bytes, {}};
    if (bytes.size() < header + chunk_header) throw InputError("ends within its header");
    if (load<std::uint32_t>(bytes.data() + 4, false) != 2) throw InputError("is not glTF of version 2");
    Chunks chunks;
    for (std::string_view rest = bytes.substr(header); rest.size() >= chunk_header;) {
        const auto size = load<std::uint32_t>(rest.data(), false),
                   kind = load<std::uint32_t>(rest.data() + 4, false);
        if (size > rest.size() - chunk_header) throw InputError("ends within a chunk");
        if (kind == json_chunk) chunks.json = rest.substr(chunk_header, size);
        if (kind == binary_chunk) chunks.binary = rest.substr(chunk_header, size);
        rest.remove_prefix(chunk_header + size);
    }
    return chunks;
}

}  // namespace

/// Some rows of components of one type, `stride` bytes apart.
struct GltfData::Rows {
    const char* begin;
    std::size_t stride, width, type;
};

std::size_t gltf_count(const nlohmann::json& of, const char* key, std::size_t fallback) {
    const auto found = of.is_object() ? of.find(key) : of.end();
    if (found == of.end()) return fallback;
    if (!found->is_number_unsigned()) throw InputError(fmt::format("its `{}` is no count", key));
    return found->get<std::size_t>();
}

GltfData::GltfData(std::string_view bytes, const std::filesystem::path& folder) {
    const Chunks chunks = chunks_of(bytes);
    tree_ = Json::parse(chunks.json.begin(), chunks.json.end(), nullptr, false);
    if (!tree_.is_object()) throw InputError("is not JSON, as glTF is");
    check_version();
    read_buffers(chunks.binary, folder);
}

void GltfData::check_version() const {
    const auto asset = tree_.find("asset");
    if (asset == tree_.end() || !asset->is_object() || !asset->contains("version") ||
        (*asset)["version"] != "2.0")
        throw InputError("is not glTF of version 2.0");
    for (const Json& extension : list("extensionsRequired"))
        if (extension != "KHR_mesh_quantization")  // other component types, which are read anyway
            throw InputError(
                fmt::format("needs the extension {}, which is not read; export without compression",
                            extension.is_string() ? shown(extension.get<std::string>()) : "?"));
}

void GltfData::read_buffers(std::string_view within, const std::filesystem::path& folder) {
    for (const Json& buffer : list("buffers")) {
        const auto uri = buffer.is_object() ? buffer.find("uri") : buffer.end();
        if (uri == buffer.end() || !uri->is_string()) {
            buffers_.emplace_back(within);
            continue;
        }
        const std::string name = uri->get<std::string>();
        if (name.starts_with("data:")) {
            const std::size_t comma = name.find(";base64,");
            const auto decoded = comma == std::string::npos
                                     ? std::nullopt
                                     : base64_decode(std::string_view(name).substr(comma + 8));
            if (!decoded) throw InputError("one of its buffers is not base64");
            buffers_.push_back(*decoded);
            continue;
        }
        const std::filesystem::path file = folder / without_percent(name);
        try {
            buffers_.push_back(read_whole(file));
        } catch (const InputError& error) {
            throw InputError(fmt::format("its buffer {}: {}", shown(name), error.what()));
        }
        files_.push_back(file);
    }
}

const Json& GltfData::list(const char* name) const {
    static const Json none = Json::array();
    const auto found = tree_.find(name);
    if (found == tree_.end()) return none;
    if (!found->is_array()) throw InputError(fmt::format("its `{}` is no list", name));
    return *found;
}

const Json& GltfData::entry(const char* name, const Json& index) const {
    const Json& all = list(name);
    if (!index.is_number_unsigned() || index.get<std::size_t>() >= all.size() ||
        !all[index.get<std::size_t>()].is_object())
        throw InputError(fmt::format("names an entry of `{}` that is not there", name));
    return all[index.get<std::size_t>()];
}

GltfData::Rows GltfData::rows_at(const Json& of, std::size_t count, std::size_t width,
                                 std::size_t type) const {
    const Json& view = entry("bufferViews", of.at("bufferView"));
    const std::size_t number = gltf_count(view, "buffer", buffers_.size());
    if (number >= buffers_.size()) throw InputError("names an entry of `buffers` that is not there");
    const std::string& buffer = buffers_[number];
    const std::size_t start = gltf_count(view, "byteOffset", 0), length = gltf_count(view, "byteLength", 0),
                      offset = gltf_count(of, "byteOffset", 0), row = width * component_bytes(type),
                      stride = gltf_count(view, "byteStride", row);
    if (start > buffer.size() || length > buffer.size() - start)
        throw InputError("an entry of `bufferViews` ends behind its buffer");
    if (stride < row) throw InputError("an entry of `bufferViews` has too small a stride");
    if (count > 0 &&
        (offset > length || row > length - offset || count - 1 > (length - offset - row) / stride))
        throw InputError("an entry of `accessors` ends behind its buffer");
    return {buffer.data() + start + std::min(offset, length), stride, width, type};
}

void GltfData::read_rows(const Rows& rows, std::size_t first, std::size_t count, bool normalised,
                         std::vector<double>& out) const {
    const std::size_t bytes = component_bytes(rows.type);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < rows.width; ++k)
            out[(first + i) * rows.width + k] =
                component_at(rows.begin + i * rows.stride + k * bytes, rows.type, normalised);
}

std::vector<double> GltfData::numbers(const Json& index, std::string_view type) const {
    const Json& accessor = entry("accessors", index);
    const auto stated = accessor.find("type");
    if (stated == accessor.end() || *stated != type)
        throw InputError(fmt::format("an accessor that should be of the type {} is of another", type));
    const std::size_t width = width_of(type), count = gltf_count(accessor, "count", 0);
    if (count > most_numbers / width) throw InputError("an accessor has too many entries");
    const bool has_view = accessor.contains("bufferView");
    std::vector<double> out;
    if (has_view) {
        const std::size_t component = gltf_count(accessor, "componentType", 0);
        const Rows rows = rows_at(accessor, count, width, component);
        const auto normalised = accessor.find("normalized");
        out.resize(count * width);
        read_rows(rows, 0, count, normalised != accessor.end() && *normalised == true, out);
    } else {
        if (count > most_numbers / 100) throw InputError("an accessor has too many entries");
        out.resize(count * width);
    }
    if (accessor.contains("sparse")) put_sparse(accessor, width, out);
    return out;
}

/// Entries that differ from those of the buffer, or from zero where there is none.
void GltfData::put_sparse(const Json& accessor, std::size_t width, std::vector<double>& out) const {
    const Json& sparse = accessor["sparse"];
    const std::size_t count = gltf_count(sparse, "count", 0);
    if (count > out.size()) throw InputError("a sparse accessor has too many entries");
    const Json &where = sparse.at("indices"), &what = sparse.at("values");
    std::vector<double> rows(count), values(count * width);
    read_rows(rows_at(where, count, 1, gltf_count(where, "componentType", 0)), 0, count, false, rows);
    const auto normalised = accessor.find("normalized");
    read_rows(rows_at(what, count, width, gltf_count(accessor, "componentType", 0)), 0, count,
              normalised != accessor.end() && *normalised == true, values);
    for (std::size_t i = 0; i < count; ++i) {
        if (!(rows[i] >= 0 && rows[i] < static_cast<double>(out.size() / width)))
            throw InputError("a sparse accessor names an entry that is not there");
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    out.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(rows[i]) * width));
    }
}

}  // namespace thixo
