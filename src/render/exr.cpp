#include "render/exr.h"

#include <bit>
#include <cctype>
#include <cstring>
#include <functional>
#include <string>

#include "core/atomic_file.h"

namespace thixo {
namespace {

static_assert(std::endian::native == std::endian::little, "OpenEXR files are little endian");

class Bytes {
public:
    std::string take() { return std::move(text_); }
    std::size_t size() const { return text_.size(); }

    template <class T>
    void put(T value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        text_.append(raw, sizeof value);
    }
    void name(const char* text) { text_.append(text).push_back('\0'); }
    void attribute(const char* key, const char* type, const std::string& value) {
        name(key);
        name(type);
        put(static_cast<std::int32_t>(value.size()));
        text_ += value;
    }

private:
    std::string text_;
};

template <class... T>
std::string packed(T... values) {
    Bytes bytes;
    (bytes.put(values), ...);
    return bytes.take();
}

struct Channel {
    const char* name;
    std::function<float(std::size_t)> value;
};

/// In the order of their names, as the format requires.
std::vector<Channel> channels_of(const Film& f) {
    return {{"B", [&](std::size_t p) { return f.light[p].z; }},
            {"G", [&](std::size_t p) { return f.light[p].y; }},
            {"R", [&](std::size_t p) { return f.light[p].x; }},
            {"Z", [&](std::size_t p) { return f.depth[p]; }},
            {"albedo.B", [&](std::size_t p) { return f.albedo[p].z; }},
            {"albedo.G", [&](std::size_t p) { return f.albedo[p].y; }},
            {"albedo.R", [&](std::size_t p) { return f.albedo[p].x; }},
            {"normal.X", [&](std::size_t p) { return f.normal[p].x; }},
            {"normal.Y", [&](std::size_t p) { return f.normal[p].y; }},
            {"normal.Z", [&](std::size_t p) { return f.normal[p].z; }}};
}

std::string channel_list(const std::vector<Channel>& channels) {
    Bytes list;
    for (const Channel& c : channels) {
        list.name(c.name);
        list.put(std::int32_t{2});  // float
        list.put(std::int32_t{0});  // not linear to the eye, reserved
        list.put(std::int32_t{1});
        list.put(std::int32_t{1});  // every pixel
    }
    list.put('\0');
    return list.take();
}

}  // namespace

void write_exr(const std::filesystem::path& destination, const Film& film, const ImageNotes& notes) {
    const std::vector<Channel> channels = channels_of(film);
    Bytes out;
    out.put(std::int32_t{20000630});
    out.put(std::int32_t{2});
    const std::string window =
        packed(std::int32_t{0}, std::int32_t{0}, std::int32_t{film.width - 1}, std::int32_t{film.height - 1});
    out.attribute("channels", "chlist", channel_list(channels));
    out.attribute("compression", "compression", packed('\0'));
    out.attribute("dataWindow", "box2i", window);
    out.attribute("displayWindow", "box2i", window);
    out.attribute("lineOrder", "lineOrder", packed('\0'));
    out.attribute("pixelAspectRatio", "float", packed(1.0f));
    out.attribute("screenWindowCenter", "v2f", packed(0.0f, 0.0f));
    out.attribute("screenWindowWidth", "float", packed(1.0f));
    for (const ImageNote& note : notes) {
        std::string key = note.keyword;
        for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        out.attribute(key.c_str(), "string", note.text);
    }
    out.put('\0');
    const std::size_t line = sizeof(float) * channels.size() * static_cast<std::size_t>(film.width);
    const std::size_t first = out.size() + sizeof(std::uint64_t) * static_cast<std::size_t>(film.height);
    for (std::size_t y = 0; y < static_cast<std::size_t>(film.height); ++y)
        out.put(static_cast<std::uint64_t>(first + y * (line + 2 * sizeof(std::int32_t))));
    for (int y = 0; y < film.height; ++y) {
        out.put(std::int32_t{y});
        out.put(static_cast<std::int32_t>(line));
        for (const Channel& c : channels)
            for (int x = 0; x < film.width; ++x) out.put(c.value(film.at(x, y)));
    }
    write_whole(destination, out.take());
}

}  // namespace thixo
