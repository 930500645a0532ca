// Height images in PNG and PGM files: as they are, or with a header that the input chooses.

#include "core/byte_order.h"
#include "geometry/height_surface.h"
#include "readers.h"

namespace {

using namespace thixo;

std::string chunk(const std::string& name, const std::string& content) {
    std::string bytes;
    append_big_endian(bytes, static_cast<std::uint32_t>(content.size()));
    return bytes + name + content + std::string(4, '\0');  // stb_image does not check sums
}

/// Scan lines in blocks that are not compressed, so that what the input holds reaches the filters.
std::string stored(const std::string& lines) {
    std::string bytes = "\x78\x01";
    bytes += '\1';
    const auto size = static_cast<std::uint16_t>(lines.size());
    for (const unsigned value : {unsigned{size}, 0xffffu - size}) {
        bytes += static_cast<char>(value & 0xff);
        bytes += static_cast<char>(value >> 8);
    }
    return bytes + lines + std::string(4, '\0');
}

std::string drawn_png(FuzzedDataProvider& draw) {
    constexpr std::uint8_t depths[] = {1, 2, 4, 8, 16, 3}, colours[] = {0, 2, 3, 4, 6, 1};
    std::string head;
    for (int k = 0; k < 2; ++k) append_big_endian(head, awkward_count(draw));
    head += static_cast<char>(draw.PickValueInArray(depths));
    head += static_cast<char>(draw.PickValueInArray(colours));
    head += std::string(2, '\0');
    head += draw.ConsumeBool() ? '\1' : '\0';  // interlaced
    std::string bytes = "\x89PNG\r\n\x1a\n" + chunk("IHDR", head);
    if (draw.ConsumeBool())
        bytes += chunk("PLTE", draw.ConsumeBytesAsString(draw.ConsumeIntegralInRange<std::size_t>(0, 12)));
    if (draw.ConsumeBool())
        bytes += chunk("tRNS", draw.ConsumeBytesAsString(draw.ConsumeIntegralInRange<std::size_t>(0, 6)));
    const bool raw = draw.ConsumeBool();
    const std::string rest = draw.ConsumeRemainingBytesAsString();
    return bytes + chunk("IDAT", raw ? rest : stored(rest.substr(0, 60000))) + chunk("IEND", "");
}

std::string drawn_pgm(FuzzedDataProvider& draw) {
    std::string bytes = "P5";
    for (int k = 0; k < 3; ++k) {
        bytes += draw.ConsumeBool() ? "\n" : " # c\n";
        bytes += draw.ConsumeBool() ? std::to_string(awkward_count(draw)) : awkward_number(draw);
    }
    return bytes + "\n" + draw.ConsumeRemainingBytesAsString();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("\x89PNG") && !bytes.starts_with("P5")) {
        FuzzedDataProvider draw(data, size);
        bytes = draw.ConsumeBool() ? drawn_png(draw) : drawn_pgm(draw);
    }
    expect_read_or_refused([&] {
        const GreyImage image = parse_grey_image(bytes);
        if (image.pixels.size() !=
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height))
            std::abort();
    });
    return 0;
}
