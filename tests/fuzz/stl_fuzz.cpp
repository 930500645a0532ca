// Meshes in STL files: as they are, or triangles that the input chooses, binary or in words.

#include "mesh_fuzz.h"

namespace {

using namespace thixo;

std::string drawn_binary(FuzzedDataProvider& draw) {
    std::string bytes(80, ' ');
    const std::uint32_t triangles = draw.ConsumeIntegralInRange<std::uint32_t>(0, 12);
    const std::uint32_t count = draw.ConsumeBool() ? triangles : awkward_count(draw);
    bytes.append(reinterpret_cast<const char*>(&count), 4);
    for (std::uint32_t k = 0; k < triangles; ++k) {
        for (int value = 0; value < 12; ++value) {
            const float x = draw.ConsumeBool() ? static_cast<float>(draw.ConsumeIntegralInRange(-1, 1))
                                               : awkward_float(draw);
            bytes.append(reinterpret_cast<const char*>(&x), 4);
        }
        bytes.append(2, '\0');
    }
    return bytes;
}

std::string drawn_words(FuzzedDataProvider& draw) {
    constexpr const char* words[] = {"facet normal 0 0 1", "outer loop", "endloop",
                                     "endfacet",           "endsolid",   "solid"};
    std::string text = "solid a\n";
    while (draw.remaining_bytes() > 0) {
        if (draw.ConsumeBool()) {
            text += "vertex";
            for (int k = 0; k < 3; ++k) text += " " + awkward_number(draw);
        } else {
            text += draw.PickValueInArray(words);
        }
        text += "\n";
    }
    return text + "endsolid\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("solid") && bytes.size() < 84) {
        FuzzedDataProvider draw(data, size);
        bytes = draw.ConsumeBool() ? drawn_binary(draw) : drawn_words(draw);
    }
    read_mesh(parse_stl_mesh, bytes);
    return 0;
}
