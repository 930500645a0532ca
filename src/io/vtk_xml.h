#pragma once

#include <charconv>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/scalar_type.h"
#include "core/words.h"

namespace thixo {

/// A tag of VTK's XML files.
struct VtkTag {
    std::string name;  ///< "/Piece" for a closing tag
    std::map<std::string, std::string, std::less<>> attributes;

    std::string_view get(std::string_view key, std::string_view otherwise = "") const {
        const auto found = attributes.find(key);
        return found == attributes.end() ? otherwise : std::string_view(found->second);
    }
};

/// The tags of an XML text in order, without regard to entities or DTDs: VTK's files have none.
class VtkTagScanner {
public:
    explicit VtkTagScanner(std::string_view text) : text_(text) {}

    /// False at the end of the text.
    bool next(VtkTag& tag);

    /// What stands between the last tag and the next.
    std::string_view text() const { return text_.substr(0, text_.find('<')); }

private:
    std::string_view drop_until(std::string_view end);

    std::string_view text_;
};

inline constexpr std::string_view xml_blank = " \t\r\n";

/// The number that a text begins with.
template <class T>
T vtk_number(std::string_view text, std::string_view what) {
    T value{};
    const std::size_t begin = text.find_first_not_of(xml_blank);
    if (begin != std::string_view::npos) text.remove_prefix(begin);
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
        throw InputError(fmt::format("{} is no number", shown(what)));
    return value;
}

/// The bytes of a <DataArray>.
struct VtkArray {
    std::string bytes;
    ScalarType type = ScalarType::float32;
    std::size_t components = 1;
    bool big_endian = false;

    std::size_t tuple_bytes() const;
};

/// How the arrays of a file are stored; a file of another type than `expected` is refused.
class VtkEncoding {
public:
    VtkEncoding() = default;
    VtkEncoding(const VtkTag& file, std::string_view expected);

    VtkArray read(const VtkTag& tag, std::string_view name, std::string_view text) const;

private:
    std::string decode(std::string_view text, std::string_view name) const;

    bool big_endian_ = false;
    std::size_t length_bytes_ = 4;
};

/// A file of one <Piece>, section by section. What a reader makes of the arrays is its own.
class VtkReader {
public:
    virtual ~VtkReader() = default;

protected:
    /// `type`: of the <VTKFile>; arrays outside of `sections` are passed over.
    void read_file(std::string_view text, std::string_view type,
                   std::initializer_list<std::string_view> sections);

    virtual void read_array(const std::string& section, const VtkTag& tag, std::string_view text) = 0;
    virtual void end_section(const std::string&) {}

    /// How many values an array must have follows from the piece that it belongs to: an InputError if that
    /// has not begun.
    VtkArray decoded(const VtkTag& tag, std::string_view name, std::string_view text) const;

    std::size_t points() const { return points_; }  ///< of the piece

private:
    VtkEncoding encoding_;
    int pieces_ = 0;
    std::size_t points_ = 0;
};

}  // namespace thixo
