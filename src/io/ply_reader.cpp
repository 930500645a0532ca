#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/ply_header.h"
#include "core/words.h"
#include "io/particle_file.h"

namespace thixo {
namespace {

constexpr std::string_view blank = " \t\r\n";
constexpr std::string_view truncated = "the file is cut short: its header promises more data than there is";

/// The data of a binary file, element by element. Every step is checked against the bytes that are there,
/// so a wrong count costs an error message and no memory.
class BinaryData {
public:
    BinaryData(std::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

    void skip(const PlyElement& element) {
        if (element.has_lists())
            for (std::uint64_t i = 0; i < element.count; ++i) skip_row(element);
        else
            take(element.count, element.row_bytes());
    }

    void add_columns(const PlyElement& element, ParticleFile& file) {
        const char* first = take(element.count, element.row_bytes());
        for (const PlyProperty& property : element.properties) {
            file.columns.push_back({property.name, property.type, big_endian_, first, element.row_bytes()});
            first += info(property.type).size;
        }
    }

private:
    const char* take(std::uint64_t count, std::size_t size) {
        if (size > 0 && count > bytes_.size() / size) throw InputError(std::string(truncated));
        const char* first = bytes_.data();
        bytes_.remove_prefix(count * size);
        return first;
    }

    void skip_row(const PlyElement& element) {
        for (const PlyProperty& property : element.properties) {
            std::uint64_t items = 1;
            if (property.list_length_type)
                items = with_scalar_type(*property.list_length_type, [&](auto zero) {
                    using T = decltype(zero);
                    const T length = load<T>(take(1, sizeof(T)), big_endian_);
                    if (length < 0)
                        throw InputError(
                            fmt::format("a list of {} has a negative length", shown(element.name)));
                    return static_cast<std::uint64_t>(length);
                });
            take(items, info(property.type).size);
        }
    }

    std::string_view bytes_;
    bool big_endian_;
};

/// The data of an ascii file: white space separated numbers, lines do not matter.
class AsciiData {
public:
    explicit AsciiData(std::string_view text) : text_(text) {}

    void skip(const PlyElement& element) {
        if (element.properties.empty()) return;
        for (std::uint64_t i = 0; i < element.count; ++i)
            for (const PlyProperty& property : element.properties) {
                std::uint64_t items = property.list_length_type ? list_length(element) : 1;
                for (; items > 0; --items) next();
            }
    }

    void add_columns(const PlyElement& element, ParticleFile& file) {
        const std::size_t width = element.properties.size();
        // A number takes two characters at least, its separator included (the last one may lack it).
        if (width > 0 && element.count > (text_.size() + 1) / 2 / width)
            throw InputError(std::string(truncated));
        std::string& values = file.storage.emplace_back(element.count * width * sizeof(double), '\0');
        for (std::size_t i = 0; i < element.count * width; ++i) {
            const double value = next();
            std::memcpy(values.data() + i * sizeof(double), &value, sizeof(double));
        }
        for (std::size_t c = 0; c < width; ++c)
            file.columns.push_back({element.properties[c].name, ScalarType::float64, false,
                                    values.data() + c * sizeof(double), width * sizeof(double)});
    }

private:
    std::uint64_t list_length(const PlyElement& element) {
        const double length = next();
        if (!(length >= 0 && length <= static_cast<double>(text_.size())))
            throw InputError(fmt::format("a list of {} has the length {}", shown(element.name), length));
        return static_cast<std::uint64_t>(length);
    }

    double next() {
        const std::size_t begin = text_.find_first_not_of(blank);
        if (begin == std::string_view::npos) throw InputError(std::string(truncated));
        text_.remove_prefix(begin);
        if (text_.front() == '+') text_.remove_prefix(1);  // from_chars takes no plus sign
        double value = 0;
        const char* end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(text_.data(), end, value);
        const bool whole = stop == end || blank.find(*stop) != std::string_view::npos;
        if (error != std::errc{} || !whole)
            throw InputError("the data holds something that is no number or out of range");
        text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
        return value;
    }

    std::string_view text_;
};

void read_comments(const PlyHeader& header, ParticleFile& file) {
    const auto number = [](std::string_view text, std::string_view key, auto& value) {
        if (!text.starts_with(key)) return false;
        text.remove_prefix(key.size());
        return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
    };
    for (const std::string& comment : header.comments) {
        double time = 0;
        if (number(comment, "time ", time) && std::isfinite(time)) file.time = time;
        int frame = 0;
        if (number(comment, "frame ", frame)) file.frame = frame;
    }
}

template <class Data>
void read_vertices(const PlyHeader& header, Data data, ParticleFile& file) {
    for (const PlyElement& element : header.elements) {
        if (element.name != "vertex") {
            data.skip(element);
            continue;
        }
        if (element.has_lists()) throw InputError("list properties on vertices are not supported");
        if (element.properties.empty()) throw InputError("its vertices have no properties");
        file.count = element.count;
        data.add_columns(element, file);
        return;
    }
    throw InputError("has no element vertex");
}

}  // namespace

ParticleFile parse_ply(std::string bytes) {
    ParticleFile file;
    const std::string& stored = file.storage.emplace_back(std::move(bytes));
    const PlyHeader header = parse_ply_header(stored);
    const std::string_view data = std::string_view(stored).substr(header.data_begin);
    read_comments(header, file);
    switch (header.format) {
        case PlyFormat::ascii:
            file.format = "PLY, ascii";
            read_vertices(header, AsciiData(data), file);
            break;
        case PlyFormat::binary_little_endian:
            file.format = "PLY, binary little endian";
            read_vertices(header, BinaryData(data, false), file);
            break;
        case PlyFormat::binary_big_endian:
            file.format = "PLY, binary big endian";
            read_vertices(header, BinaryData(data, true), file);
            break;
    }
    return file;
}

}  // namespace thixo
