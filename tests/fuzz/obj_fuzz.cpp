// Meshes in OBJ files: as they are, or lines that the input chooses.

#include "mesh_fuzz.h"

namespace {

using namespace thixo;

std::string drawn_obj(FuzzedDataProvider& draw) {
    constexpr const char* ends[] = {"\n", "\r\n", "\\\n", " ", "\n\n"};
    constexpr const char* others[] = {"vn 0 0 1", "vt 0 0", "usemtl a", "g", "s off", "#"};
    std::string text = "#\n";
    while (draw.remaining_bytes() > 0) {
        const int kind = draw.ConsumeIntegralInRange(0, 4);
        if (kind < 2) {
            text += "v";
            for (int k = 0; k < 3; ++k)
                text += " " + (kind == 0 ? std::to_string(draw.ConsumeIntegralInRange(-2, 2))
                                         : awkward_number(draw));
        } else if (kind < 4) {
            text += "f";
            for (int left = draw.ConsumeIntegralInRange(0, 7); left > 0; --left) {
                text += " " + std::to_string(draw.ConsumeIntegralInRange(-9, 9));
                if (draw.ConsumeBool()) text += "/" + awkward_number(draw);
            }
        } else {
            text += draw.PickValueInArray(others);
        }
        text += draw.ConsumeBool() ? "\n" : draw.PickValueInArray(ends);
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("v ") && !bytes.starts_with("#")) {
        FuzzedDataProvider draw(data, size);
        bytes = drawn_obj(draw);
    }
    read_mesh(parse_obj_mesh, bytes);
    return 0;
}
