#include "core/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/words.h"

namespace thixo {
namespace {

/// Names are compared with all before them; no file needs more.
constexpr std::size_t most_properties = 1000, most_elements = 1000;

/// The lines of a header, one call each.
class HeaderParser {
public:
    explicit HeaderParser(std::string_view bytes) : bytes_(bytes) {}

    PlyHeader parse() {
        if (words(next_line()) != std::vector<std::string_view>{"ply"}) fail("the first line is not \"ply\"");
        bool has_format = false;
        for (;;) {
            const std::string_view line = next_line();
            const std::vector<std::string_view> word = words(line);
            if (word.empty() || word[0] == "obj_info") continue;
            if (word[0] == "end_header") break;
            if (word[0] == "comment")
                header_.comments.emplace_back(line.substr(std::min(line.find("comment") + 8, line.size())));
            else if (word[0] == "format")
                has_format = parse_format(word);
            else if (word[0] == "element")
                parse_element(word);
            else if (word[0] == "property")
                parse_property(word);
            else
                fail(fmt::format("\"{}\" is no PLY keyword", shown(word[0])));
        }
        if (!has_format) fail("the header has no format line");
        header_.data_begin = position_;
        return std::move(header_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("bad PLY header, line {}: {}", line_number_, what));
    }

    std::string_view next_line() {
        ++line_number_;
        const std::size_t end = bytes_.find('\n', position_);
        if (end == std::string_view::npos) fail("the file ends before end_header");
        const std::string_view line = bytes_.substr(position_, end - position_);
        position_ = end + 1;
        return line;
    }

    bool parse_format(const std::vector<std::string_view>& word) {
        const std::string_view name = word.size() > 1 ? word[1] : "";
        if (name == "ascii")
            header_.format = PlyFormat::ascii;
        else if (name == "binary_little_endian")
            header_.format = PlyFormat::binary_little_endian;
        else if (name == "binary_big_endian")
            header_.format = PlyFormat::binary_big_endian;
        else
            fail(fmt::format("unknown format \"{}\"", shown(name)));
        return true;
    }

    void parse_element(const std::vector<std::string_view>& word) {
        if (word.size() != 3) fail("expected \"element NAME COUNT\"");
        PlyElement element;
        element.name = word[1];
        const char* end = word[2].data() + word[2].size();
        const auto [stop, error] = std::from_chars(word[2].data(), end, element.count);
        if (error != std::errc{} || stop != end)
            fail(fmt::format("\"{}\" is no element count", shown(word[2])));
        if (header_.elements.size() == most_elements)
            fail(fmt::format("the file has more than {} elements", most_elements));
        for (const PlyElement& other : header_.elements)
            if (other.name == element.name) fail(fmt::format("element {} is declared twice", shown(word[1])));
        header_.elements.push_back(std::move(element));
    }

    void parse_property(const std::vector<std::string_view>& word) {
        if (header_.elements.empty()) fail("a property before the first element");
        PlyProperty property;
        if (word.size() == 5 && word[1] == "list") {
            property.list_length_type = scalar_type(word[2]);
            property.type = scalar_type(word[3]);
            if (*property.list_length_type >= ScalarType::float32) fail("a list length must be an integer");
        } else if (word.size() == 3) {
            property.type = scalar_type(word[1]);
        } else {
            fail("expected \"property TYPE NAME\" or \"property list TYPE TYPE NAME\"");
        }
        property.name = word.back();
        auto& properties = header_.elements.back().properties;
        if (properties.size() == most_properties)
            fail(fmt::format("an element has more than {} properties", most_properties));
        for (const PlyProperty& other : properties)
            if (other.name == property.name)
                fail(fmt::format("property {} is declared twice", shown(word.back())));
        properties.push_back(std::move(property));
    }

    ScalarType scalar_type(std::string_view name) const {
        for (const ScalarTypeInfo& type : scalar_types)
            if (!type.ply.empty() && (name == type.ply || name == type.ply_long)) return type.type;
        fail(fmt::format("unknown property type \"{}\"", shown(name)));
    }

    std::string_view bytes_;
    std::size_t position_ = 0;
    int line_number_ = 0;
    PlyHeader header_;
};

}  // namespace

bool PlyElement::has_lists() const {
    return std::any_of(properties.begin(), properties.end(),
                       [](const PlyProperty& property) { return property.list_length_type.has_value(); });
}

std::size_t PlyElement::row_bytes() const {
    std::size_t bytes = 0;
    for (const PlyProperty& property : properties) bytes += info(property.type).size;
    return bytes;
}

PlyHeader parse_ply_header(std::string_view bytes) { return HeaderParser(bytes).parse(); }

}  // namespace thixo
