#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/byte_order.h"
#include "io/mesh_files.h"
#include "io/vtk_xml.h"

namespace thixo {
namespace {

/// Triangles and lines of a file of ParaView's polygons.
class VtpReader : private VtkReader {
public:
    SurfaceMesh read(std::string_view text) {
        read_file(text, "PolyData", {"Points", "PointData", "Lines", "Polys", "Strips"});
        if (mesh_.vertices.size() != points()) throw InputError("does not hold as many points as it says");
        return std::move(mesh_);
    }

private:
    static std::vector<double> numbers_of(const VtkArray& array) {
        std::vector<double> out;
        const std::size_t size = info(array.type).size;
        out.reserve(array.bytes.size() / size);
        with_scalar_type(array.type, [&](auto zero) {
            for (std::size_t at = 0; at + size <= array.bytes.size(); at += size)
                out.push_back(
                    static_cast<double>(load<decltype(zero)>(array.bytes.data() + at, array.big_endian)));
        });
        return out;
    }

    void read_array(const std::string& section, const VtkTag& tag, std::string_view text) override {
        const std::string name(tag.get("Name"));
        const VtkArray array = decoded(tag, name, text);
        std::vector<double> numbers = numbers_of(array);
        if (section == "Points" || section == "PointData") {
            if (numbers.size() != points() * array.components)
                throw InputError(
                    fmt::format("array {} does not hold {} values per point", shown(name), array.components));
            add_points(section, name, array.components, numbers);
        } else if (name == "connectivity") {
            connectivity_ = std::move(numbers);
        } else if (name == "offsets") {
            offsets_ = std::move(numbers);
        }
    }

    void add_points(const std::string& section, const std::string& name, std::size_t components,
                    const std::vector<double>& numbers) {
        const bool is_normal = section == "PointData" && name == "normal";
        if (section == "Points" && components != 3) throw InputError("has points without three coordinates");
        if (section == "Points" || (is_normal && components == 3)) {
            std::vector<Vec3f>& to = is_normal ? mesh_.normals : mesh_.vertices;
            to.clear();
            for (std::size_t v = 0; v < points(); ++v)
                to.push_back(to_float(Vec3d{numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]}));
        } else if (components == 1) {
            mesh_.attributes.push_back({name, "", std::vector<float>(numbers.begin(), numbers.end())});
        }
    }

    void end_section(const std::string& section) override {
        if (section == "Polys") take_cells(mesh_.triangles, "polygons that are no triangles");
        if (section == "Lines") take_cells(mesh_.edges, "lines of more than two points");
        if (section == "Strips" && !offsets_.empty())
            throw InputError("has strips of triangles, which are not read");
        connectivity_.clear();
        offsets_.clear();
    }

    template <class Cell>
    void take_cells(std::vector<Cell>& cells, std::string_view otherwise) const {
        constexpr std::size_t corners = std::tuple_size_v<Cell>;
        for (std::size_t k = 0; k < offsets_.size(); ++k)
            if (offsets_[k] != static_cast<double>(corners * (k + 1)))
                throw InputError(fmt::format("has {}", otherwise));
        if (connectivity_.size() != corners * offsets_.size())
            throw InputError("has cells whose corners are missing");
        cells.resize(offsets_.size());
        for (std::size_t k = 0; k < connectivity_.size(); ++k) {
            const double v = connectivity_[k];
            if (!(v >= 0 && v < static_cast<double>(points()) && v == std::floor(v)))
                throw InputError("a cell names a point that is not there");
            cells[k / corners][k % corners] = static_cast<std::uint32_t>(v);
        }
    }

    std::vector<double> connectivity_, offsets_;
    SurfaceMesh mesh_;
};

}  // namespace

SurfaceMesh parse_vtp_mesh(std::string_view bytes) { return VtpReader().read(bytes); }

}  // namespace thixo
