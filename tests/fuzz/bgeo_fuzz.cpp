// Particles in BGEO files: as they are, or a header and attributes that the input chooses.

#include "core/byte_order.h"
#include "particle_reader.h"

namespace {

using namespace thixo;

std::string drawn_bgeo(FuzzedDataProvider& draw) {
    constexpr const char* names[] = {"P", "v", "w", "pscale", "radius", "id", "time", "frame", "\x1b[2J"};
    constexpr std::int32_t types[] = {0, 1, 4, 5, 2};
    constexpr std::uint16_t sizes[] = {0, 1, 3, 4, 1000, 65535};
    std::string bytes = "BgeoV";
    append_big_endian(bytes, std::int32_t{5});
    for (int k = 0; k < 8; ++k)
        append_big_endian(bytes, static_cast<std::int32_t>(
                                     draw.ConsumeBool() ? draw.ConsumeIntegralInRange<std::uint32_t>(0, 4)
                                     : k == 0           ? awkward_count(draw)
                                                        : 0));
    for (int left = draw.ConsumeIntegralInRange(0, 8); left > 0; --left) {
        const std::string name = draw.PickValueInArray(names);
        const std::int32_t type = draw.PickValueInArray(types);
        const std::uint16_t components = draw.PickValueInArray(sizes);
        append_big_endian(bytes, static_cast<std::uint16_t>(name.size()));
        bytes += name;
        append_big_endian(bytes, components);
        append_big_endian(bytes, type);
        if (type == 4)
            append_big_endian(bytes, std::int32_t{0});
        else
            bytes.append(components * std::size_t{4}, '\0');
    }
    return bytes + draw.ConsumeRemainingBytesAsString();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("Bgeo")) {
        FuzzedDataProvider draw(data, size);
        bytes = drawn_bgeo(draw);
    }
    read_all(parse_bgeo, std::move(bytes));
    return 0;
}
