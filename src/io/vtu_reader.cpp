#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/words.h"
#include "io/particle_file.h"
#include "io/vtk_xml.h"

namespace thixo {
namespace {

class VtuReader : private VtkReader {
public:
    explicit VtuReader(ParticleFile& file) : file_(file) {}

    void read(std::string_view text) {
        read_file(text, "UnstructuredGrid", {"Points", "PointData", "FieldData"});
        file_.count = points();
    }

private:
    void read_array(const std::string& section, const VtkTag& tag, std::string_view text) override {
        if (section == "FieldData")
            read_field(tag, text);
        else
            read_column(tag, section == "Points" ? "position" : tag.get("Name"), text);
    }

    void read_field(const VtkTag& tag, std::string_view text) {
        if (tag.get("Name") != "TimeValue" || tag.get("format") != "ascii") return;
        const auto time = vtk_number<double>(text, "TimeValue");
        if (std::isfinite(time)) file_.time = time;
    }

    void read_column(const VtkTag& tag, std::string_view name, std::string_view text) {
        VtkArray array = decoded(tag, name, text);
        StoredColumn column{
            .type = array.type, .big_endian = array.big_endian, .stride = array.tuple_bytes()};
        const std::string& bytes = file_.storage.emplace_back(std::move(array.bytes));
        if (bytes.size() != points() * column.stride)
            throw InputError(
                fmt::format("array {} does not hold {} values per point", shown(name), array.components));
        column.first = bytes.data();
        file_.add_attribute(name, array.components, column);
    }

    ParticleFile& file_;
};

}  // namespace

ParticleFile parse_vtu(std::string bytes) {
    ParticleFile file;
    file.format = "VTU, unstructured grid";
    VtuReader(file).read(bytes);
    return file;
}

}  // namespace thixo
