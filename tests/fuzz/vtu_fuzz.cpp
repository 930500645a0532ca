// Particles in VTU files: as they are, or tags in an order that the input chooses, with arrays whose lengths
// fit or not.

#include "core/base64.h"
#include "particle_reader.h"

namespace {

using namespace thixo;

std::string drawn_array(FuzzedDataProvider& draw) {
    constexpr const char* types[] = {"Float32", "Float64", "UInt8", "Int64", "UInt32", "Int16", "\x07"};
    constexpr const char* names[] = {"position", "velocity", "radius", "id", "TimeValue", "\x1b[2J", ""};
    constexpr const char* formats[] = {"binary", "ascii", "appended", ""};
    const std::string format = draw.PickValueInArray(formats);
    std::string text = std::string("<DataArray type=\"") + draw.PickValueInArray(types) + "\" Name=\"" +
                       draw.PickValueInArray(names) + "\"";
    if (draw.ConsumeBool()) text += " NumberOfComponents=\"" + std::to_string(awkward_count(draw)) + "\"";
    text += " format=\"" + format + "\">";
    if (format == "binary") {
        std::string bytes = draw.ConsumeBytesAsString(draw.ConsumeIntegralInRange<std::size_t>(0, 64));
        const std::uint64_t length = draw.ConsumeBool() ? bytes.size() : awkward_count(draw);
        std::string head(reinterpret_cast<const char*>(&length), draw.ConsumeBool() ? 8 : 4);
        text += draw.ConsumeBool() ? base64_encode(head + bytes) : bytes;
    } else {
        for (int left = draw.ConsumeIntegralInRange(0, 9); left > 0; --left)
            text += awkward_number(draw) + " ";
    }
    return text + (draw.ConsumeBool() ? "</DataArray>" : "");
}

std::string drawn_vtu(FuzzedDataProvider& draw) {
    constexpr const char* tags[] = {"<Points>",    "</Points>",         "<PointData>", "</PointData>",
                                    "<FieldData>", "</FieldData>",      "<Cells>",     "</Cells>",
                                    "</Piece>",    "<!-- -->",          "<!--",        "</VTKFile>",
                                    "<",           "<UnstructuredGrid>"};
    std::string text = "<VTKFile type=\"UnstructuredGrid\" byte_order=\"";
    text += draw.ConsumeBool() ? "LittleEndian\"" : "BigEndian\"";
    text += draw.ConsumeBool() ? " header_type=\"UInt64\">" : ">";
    while (draw.remaining_bytes() > 0) {
        const int kind = draw.ConsumeIntegralInRange(0, 3);
        if (kind == 0) text += draw.PickValueInArray(tags);
        if (kind == 1) text += "<Piece NumberOfPoints=\"" + std::to_string(awkward_count(draw)) + "\">";
        if (kind >= 2) text += drawn_array(draw);
    }
    return text + "</VTKFile>";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!bytes.starts_with("<")) {
        FuzzedDataProvider draw(data, size);
        bytes = drawn_vtu(draw);
    }
    read_all(parse_vtu, std::move(bytes));
    return 0;
}
