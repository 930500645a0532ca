#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/words.h"
#include "io/particle_file.h"
#include "io/vtk_xml.h"

namespace thixo {
namespace {

class VtuReader {
public:
    explicit VtuReader(ParticleFile& file) : file_(file) {}

    void read(std::string_view text) {
        VtkTagScanner scanner(text);
        VtkTag tag;
        bool closed = false;
        std::string section;
        while (scanner.next(tag)) {
            if (tag.name == "VTKFile")
                encoding_ = VtkEncoding(tag, "UnstructuredGrid");
            else if (tag.name == "Piece")
                start_piece(tag, text.size());
            else if (tag.name == "Points" || tag.name == "PointData" || tag.name == "FieldData")
                section = tag.name;
            else if (!section.empty() && tag.name == "/" + section)
                section.clear();
            else if (tag.name == "DataArray" && section == "FieldData")
                read_field(tag, scanner.text());
            else if (tag.name == "DataArray" && !section.empty())
                read_array(tag, section == "Points" ? "position" : tag.get("Name"), scanner.text());
            closed = closed || tag.name == "/VTKFile";
        }
        if (!closed) throw InputError("the file is cut short: </VTKFile> is missing");
        if (pieces_ == 0) throw InputError("has no <Piece>");
    }

private:
    void start_piece(const VtkTag& tag, std::size_t file_size) {
        if (++pieces_ > 1) throw InputError("has more than one <Piece>");
        file_.count = vtk_number<std::size_t>(tag.get("NumberOfPoints"), "NumberOfPoints");
        if (file_.count > file_size) throw InputError("has a NumberOfPoints larger than the file");
    }

    void read_field(const VtkTag& tag, std::string_view text) {
        if (tag.get("Name") != "TimeValue" || tag.get("format") != "ascii") return;
        const auto time = vtk_number<double>(text, "TimeValue");
        if (std::isfinite(time)) file_.time = time;
    }

    void read_array(const VtkTag& tag, std::string_view name, std::string_view text) {
        // How many values an array must have is known from the piece it belongs to.
        if (pieces_ == 0) throw InputError(fmt::format("array {} stands before <Piece>", shown(name)));
        VtkArray array = encoding_.read(tag, name, text);
        StoredColumn column{
            .type = array.type, .big_endian = array.big_endian, .stride = array.tuple_bytes()};
        const std::string& bytes = file_.storage.emplace_back(std::move(array.bytes));
        if (bytes.size() != file_.count * column.stride)
            throw InputError(
                fmt::format("array {} does not hold {} values per point", shown(name), array.components));
        column.first = bytes.data();
        file_.add_attribute(name, array.components, column);
    }

    ParticleFile& file_;
    VtkEncoding encoding_;
    int pieces_ = 0;
};

}  // namespace

ParticleFile parse_vtu(std::string bytes) {
    ParticleFile file;
    file.format = "VTU, unstructured grid";
    VtuReader(file).read(bytes);
    return file;
}

}  // namespace thixo
