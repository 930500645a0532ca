#include "io/vtk_xml.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "core/base64.h"
#include "core/byte_order.h"

namespace thixo {
namespace {

void read_tag_attributes(std::string_view text, VtkTag& tag) {
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

/// Numbers in plain text, as doubles.
std::string parse_vtk_numbers(std::string_view text, std::string_view name) {
    std::string bytes;
    for (std::size_t begin = text.find_first_not_of(xml_blank); begin != std::string_view::npos;
         begin = text.find_first_not_of(xml_blank)) {
        text.remove_prefix(begin);
        const auto value = std::bit_cast<std::array<char, 8>>(vtk_number<double>(text, name));
        bytes.append(value.data(), value.size());
        text.remove_prefix(std::min(text.find_first_of(xml_blank), text.size()));
    }
    return bytes;
}

}  // namespace

bool VtkTagScanner::next(VtkTag& tag) {
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
    read_tag_attributes(inside.substr(end_of_name), tag);
    return true;
}

std::string_view VtkTagScanner::drop_until(std::string_view end) {
    const std::size_t position = text_.find(end);
    if (position == std::string_view::npos) throw InputError("the file is cut short: a tag does not end");
    const std::string_view dropped = text_.substr(0, position);
    text_.remove_prefix(position + end.size());
    return dropped;
}

std::size_t VtkArray::tuple_bytes() const { return components * info(type).size; }

VtkEncoding::VtkEncoding(const VtkTag& file, std::string_view expected)
    : big_endian_(file.get("byte_order") == "BigEndian"),
      length_bytes_(file.get("header_type", "UInt32") == "UInt64" ? 8 : 4) {
    if (file.get("type") != expected)
        throw InputError(fmt::format("is a VTK file of type {}, not {}", shown(file.get("type")),
                                     expected == "UnstructuredGrid" ? "an UnstructuredGrid" : expected));
    if (!file.get("compressor").empty()) throw InputError("holds compressed data, which is not read");
}

VtkArray VtkEncoding::read(const VtkTag& tag, std::string_view name, std::string_view text) const {
    VtkArray array{.big_endian = big_endian_};
    bool known = false;
    for (const ScalarTypeInfo& type : scalar_types)
        if (type.vtk == tag.get("type")) array.type = type.type, known = true;
    if (!known)
        throw InputError(
            fmt::format("array {} has the unknown type {}", shown(name), shown(tag.get("type"))));
    array.components = vtk_number<std::size_t>(tag.get("NumberOfComponents", "1"), "NumberOfComponents");
    if (array.components > 1000)
        throw InputError(fmt::format("array {} has {} components", shown(name), array.components));
    if (tag.get("format") == "ascii") {
        array.type = ScalarType::float64;
        array.big_endian = false;
    } else if (tag.get("format") != "binary") {
        throw InputError(fmt::format("array {} is stored as {}; only ascii and inline binary are read",
                                     shown(name), shown(tag.get("format", "appended"))));
    }
    array.bytes = tag.get("format") == "ascii" ? parse_vtk_numbers(text, name) : decode(text, name);
    return array;
}

std::string VtkEncoding::decode(std::string_view text, std::string_view name) const {
    std::optional<std::string> bytes = base64_decode(text);
    if (!bytes || bytes->size() < length_bytes_)
        throw InputError(fmt::format("array {} is not base64", shown(name)));
    const std::uint64_t length = length_bytes_ == 8 ? load<std::uint64_t>(bytes->data(), big_endian_)
                                                    : load<std::uint32_t>(bytes->data(), big_endian_);
    if (length != bytes->size() - length_bytes_)
        throw InputError(fmt::format("array {} is cut short or too long", shown(name)));
    return bytes->substr(length_bytes_);
}

void VtkReader::read_file(std::string_view text, std::string_view type,
                          std::initializer_list<std::string_view> sections) {
    VtkTagScanner scanner(text);
    VtkTag tag;
    bool closed = false;
    std::string section;
    while (scanner.next(tag)) {
        if (tag.name == "VTKFile") {
            encoding_ = VtkEncoding(tag, type);
        } else if (tag.name == "Piece") {
            if (++pieces_ > 1) throw InputError("has more than one <Piece>");
            points_ = vtk_number<std::size_t>(tag.get("NumberOfPoints"), "NumberOfPoints");
            if (points_ > text.size()) throw InputError("has a NumberOfPoints larger than the file");
        } else if (std::find(sections.begin(), sections.end(), tag.name) != sections.end()) {
            section = tag.name;
        } else if (!section.empty() && tag.name == "/" + section) {
            end_section(section);
            section.clear();
        } else if (tag.name == "DataArray" && !section.empty()) {
            read_array(section, tag, scanner.text());
        }
        closed = closed || tag.name == "/VTKFile";
    }
    if (!closed) throw InputError("the file is cut short: </VTKFile> is missing");
    if (pieces_ == 0) throw InputError("has no <Piece>");
}

VtkArray VtkReader::decoded(const VtkTag& tag, std::string_view name, std::string_view text) const {
    if (pieces_ == 0) throw InputError(fmt::format("array {} stands before <Piece>", shown(name)));
    return encoding_.read(tag, name, text);
}

}  // namespace thixo
