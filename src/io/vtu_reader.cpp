#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "core/error.h"
#include "core/words.h"
#include "core/base64.h"
#include "io/particle_file.h"

namespace thixo {
namespace {

constexpr std::string_view xml_blank = " \t\r\n";

struct Tag {
    std::string name;  ///< "/Piece" for a closing tag
    std::map<std::string, std::string, std::less<>> attributes;

    std::string_view get(std::string_view key, std::string_view otherwise = "") const {
        const auto found = attributes.find(key);
        return found == attributes.end() ? otherwise : std::string_view(found->second);
    }
};

/// The tags of an XML text in order, without regard to entities or DTDs: VTK's files have none.
class TagScanner {
public:
    explicit TagScanner(std::string_view text) : text_(text) {}

    /// False at the end of the text.
    bool next(Tag& tag) {
        for (;;) {
            const std::size_t begin = text_.find('<');
            if (begin == std::string_view::npos) return false;
            text_.remove_prefix(begin + 1);
            if (text_.starts_with("!--"))
                drop_until("-->");
            else if (text_.starts_with("?"))
                drop_until("?>");
            else
                break;
        }
        const std::string_view inside = drop_until(">");
        const std::size_t end_of_name = std::min(inside.find_first_of(" \t\r\n"), inside.size());
        tag.name = inside.substr(0, end_of_name);
        tag.attributes.clear();
        read_attributes(inside.substr(end_of_name), tag);
        return true;
    }

    /// What stands between the last tag and the next.
    std::string_view text() const { return text_.substr(0, text_.find('<')); }

private:
    std::string_view drop_until(std::string_view end) {
        const std::size_t position = text_.find(end);
        if (position == std::string_view::npos) throw InputError("the file is cut short: a tag does not end");
        const std::string_view dropped = text_.substr(0, position);
        text_.remove_prefix(position + end.size());
        return dropped;
    }

    static void read_attributes(std::string_view text, Tag& tag) {
        for (;;) {
            const std::size_t begin = text.find_first_not_of(xml_blank);
            const std::size_t equals = text.find('=');
            if (begin == std::string_view::npos || equals == std::string_view::npos) return;
            const std::size_t open = text.find_first_of("\"'", equals);
            if (open == std::string_view::npos) return;
            const std::size_t close = text.find(text[open], open + 1);
            if (close == std::string_view::npos) return;
            const std::string_view name = text.substr(begin, equals - begin);
            tag.attributes.emplace(name.substr(0, name.find_first_of(xml_blank)),
                                   text.substr(open + 1, close - open - 1));
            text.remove_prefix(close + 1);
        }
    }

    std::string_view text_;
};

template <class T>
T number(std::string_view text, std::string_view what) {
    T value{};
    const std::size_t begin = text.find_first_not_of(xml_blank);
    if (begin != std::string_view::npos) text.remove_prefix(begin);
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
        throw InputError(fmt::format("{} is no number", shown(what)));
    return value;
}

class VtuReader {
public:
    explicit VtuReader(ParticleFile& file) : file_(file) {}

    void read(std::string_view text) {
        TagScanner scanner(text);
        Tag tag;
        bool closed = false;
        std::string section;
        while (scanner.next(tag)) {
            if (tag.name == "VTKFile")
                check_header(tag);
            else if (tag.name == "Piece")
                start_piece(tag, text.size());
            else if (tag.name == "Points" || tag.name == "PointData" || tag.name == "FieldData")
                section = tag.name;
            else if (!section.empty() && tag.name == "/" + section)
                section.clear();
            else if (tag.name == "DataArray" && section == "FieldData")
                read_field(tag, scanner.text());
            else if (tag.name == "DataArray" && !section.empty())
                read_array(tag, section == "Points" ? "position" : tag.get("Name"), scanner.text());
            closed = closed || tag.name == "/VTKFile";
        }
        if (!closed) throw InputError("the file is cut short: </VTKFile> is missing");
        if (pieces_ == 0) throw InputError("has no <Piece>");
    }

private:
    void check_header(const Tag& tag) {
        if (tag.get("type") != "UnstructuredGrid")
            throw InputError(
                fmt::format("is a VTK file of type {}, not an UnstructuredGrid", shown(tag.get("type"))));
        if (!tag.get("compressor").empty()) throw InputError("holds compressed data, which is not read");
        big_endian_ = tag.get("byte_order") == "BigEndian";
        length_bytes_ = tag.get("header_type", "UInt32") == "UInt64" ? 8 : 4;
    }

    void start_piece(const Tag& tag, std::size_t file_size) {
        if (++pieces_ > 1) throw InputError("has more than one <Piece>");
        file_.count = number<std::size_t>(tag.get("NumberOfPoints"), "NumberOfPoints");
        if (file_.count > file_size) throw InputError("has a NumberOfPoints larger than the file");
    }

    void read_field(const Tag& tag, std::string_view text) {
        if (tag.get("Name") != "TimeValue" || tag.get("format") != "ascii") return;
        const auto time = number<double>(text, "TimeValue");
        if (std::isfinite(time)) file_.time = time;
    }

    void read_array(const Tag& tag, std::string_view name, std::string_view text) {
        // How many values an array must have is known from the piece it belongs to.
        if (pieces_ == 0) throw InputError(fmt::format("array {} stands before <Piece>", shown(name)));
        StoredColumn column;
        column.big_endian = big_endian_;
        bool known = false;
        for (const ScalarTypeInfo& type : scalar_types)
            if (type.vtk == tag.get("type")) column.type = type.type, known = true;
        if (!known)
            throw InputError(
                fmt::format("array {} has the unknown type {}", shown(name), shown(tag.get("type"))));
        const auto components = number<std::size_t>(tag.get("NumberOfComponents", "1"), "NumberOfComponents");
        if (components > 1000)
            throw InputError(fmt::format("array {} has {} components", shown(name), components));
        if (tag.get("format") == "ascii") {
            column.type = ScalarType::float64;
            column.big_endian = false;
        } else if (tag.get("format") != "binary") {
            throw InputError(fmt::format("array {} is stored as {}; only ascii and inline binary are read",
                                         shown(name), shown(tag.get("format", "appended"))));
        }
        const std::string& bytes = file_.storage.emplace_back(
            tag.get("format") == "ascii" ? parse_numbers(text, name) : decode(text, name));
        column.stride = components * info(column.type).size;
        if (bytes.size() != file_.count * column.stride)
            throw InputError(
                fmt::format("array {} does not hold {} values per point", shown(name), components));
        column.first = bytes.data();
        file_.add_attribute(name, components, column);
    }

    std::string decode(std::string_view text, std::string_view name) const {
        std::optional<std::string> bytes = base64_decode(text);
        if (!bytes || bytes->size() < length_bytes_)
            throw InputError(fmt::format("array {} is not base64", shown(name)));
        const std::uint64_t length = length_bytes_ == 8 ? load<std::uint64_t>(bytes->data(), big_endian_)
                                                        : load<std::uint32_t>(bytes->data(), big_endian_);
        if (length != bytes->size() - length_bytes_)
            throw InputError(fmt::format("array {} is cut short or too long", shown(name)));
        return bytes->substr(length_bytes_);
    }

    static std::string parse_numbers(std::string_view text, std::string_view name) {
        std::string bytes;
        for (std::size_t begin = text.find_first_not_of(xml_blank); begin != std::string_view::npos;
             begin = text.find_first_not_of(xml_blank)) {
            text.remove_prefix(begin);
            const auto value = std::bit_cast<std::array<char, 8>>(number<double>(text, name));
            bytes.append(value.data(), value.size());
            text.remove_prefix(std::min(text.find_first_of(xml_blank), text.size()));
        }
        return bytes;
    }

    ParticleFile& file_;
    bool big_endian_ = false;
    std::size_t length_bytes_ = 4;
    int pieces_ = 0;
};

}  // namespace

ParticleFile parse_vtu(std::string bytes) {
    ParticleFile file;
    file.format = "VTU, unstructured grid";
    VtuReader(file).read(bytes);
    return file;
}

}  // namespace thixo
