#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/atomic_file.h"
#include "core/base64.h"
#include "core/byte_order.h"
#include "io/mesh_files.h"

namespace thixo {

namespace {

/// Bytes that are handed to the file at a time.
constexpr std::size_t portion = std::size_t{1} << 18;

/// The same bits whatever the machine: PLY and VTP files are little endian, and so is every machine that this
/// program is made for.
static_assert(std::endian::native == std::endian::little);

template <class T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void flush(AtomicFile& file, std::string& bytes, bool all) {
    if (!all && bytes.size() < portion) return;
    file.write(bytes);
    bytes.clear();
}

std::string ply_header(const SurfaceMesh& mesh, const FrameInfo& frame) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header += "comment Thixo surface: SI units, temperatures in degC, y is up\n";
    header += fmt::format("comment time {}\ncomment frame {}\n", frame.time, frame.frame);
    header += provenance_lines(frame, "comment ");
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        if (!attribute.unit.empty())
            header += fmt::format("comment unit {} {}\n", attribute.name, attribute.unit);
    for (const std::string& file : mesh.textures) header += fmt::format("comment TextureFile {}\n", file);
    header += fmt::format("element vertex {}\n", mesh.vertices.size());
    for (const char* name : {"x", "y", "z"}) header += fmt::format("property float {}\n", name);
    if (!mesh.normals.empty())
        for (const char* name : {"nx", "ny", "nz"}) header += fmt::format("property float {}\n", name);
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        header += fmt::format("property float {}\n", attribute.name);
    if (!mesh.edges.empty())
        header +=
            fmt::format("element edge {}\nproperty uint vertex1\nproperty uint vertex2\n", mesh.edges.size());
    header +=
        fmt::format("element face {}\nproperty list uchar uint vertex_indices\n", mesh.triangles.size());
    // The names that MeshLab has for textures.
    if (mesh.has_parts())
        header += "property list uchar float texcoord\nproperty uchar texnumber\nproperty uchar part\n";
    return header + "end_header\n";
}

/// One array, base64 inline, with its length in front, as VTU files have it.
void write_array(AtomicFile& file, std::string_view type, std::string_view name, std::size_t components,
                 const void* data, std::size_t size) {
    std::string bytes;
    append(bytes, static_cast<std::uint64_t>(size));
    bytes.append(static_cast<const char*>(data), size);
    file.write(
        fmt::format(R"(        <DataArray type="{}" Name="{}" NumberOfComponents="{}" format="binary">)",
                    type, name, components));
    file.write(base64_encode(bytes));
    file.write("</DataArray>\n");
}

template <class T>
std::size_t bytes_of(const std::vector<T>& column) {
    return column.size() * sizeof(T);
}

/// Lines or polygons, all with the same number of corners.
template <class Cell>
void write_cells(AtomicFile& file, std::string_view kind, const std::vector<Cell>& cells) {
    file.write(fmt::format("      <{}>\n", kind));
    std::vector<std::int64_t> numbers;
    for (const Cell& cell : cells) numbers.insert(numbers.end(), cell.begin(), cell.end());
    write_array(file, "Int64", "connectivity", 1, numbers.data(), bytes_of(numbers));
    numbers.resize(cells.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = static_cast<std::int64_t>(std::tuple_size_v<Cell> * (k + 1));
    write_array(file, "Int64", "offsets", 1, numbers.data(), bytes_of(numbers));
    file.write(fmt::format("      </{}>\n", kind));
}

}  // namespace

std::string_view file_ending(MeshFormat format) {
    switch (format) {
        case MeshFormat::ply:
            return "ply";
        case MeshFormat::obj:
            return "obj";
        case MeshFormat::vtp:
            return "vtp";
        case MeshFormat::vdb:
            break;
    }
    return "vdb";
}

void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh, MeshFormat format,
                const FrameInfo& frame) {
    if (format == MeshFormat::ply) return write_mesh_ply(path, mesh, frame);
    if (format == MeshFormat::obj) return write_mesh_obj(path, mesh, frame);
    write_mesh_vtp(path, mesh, frame);
}

void write_mesh_ply(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame) {
    AtomicFile file(path);
    file.write(ply_header(mesh, frame));
    std::string bytes;
    bytes.reserve(portion + 4096);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        append(bytes, mesh.vertices[v]);
        if (!mesh.normals.empty()) append(bytes, mesh.normals[v]);
        for (const SurfaceMesh::Attribute& attribute : mesh.attributes) append(bytes, attribute.values[v]);
        flush(file, bytes, false);
    }
    for (const SurfaceMesh::Ends& edge : mesh.edges) {
        append(bytes, edge);
        flush(file, bytes, false);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        bytes += char{3};
        append(bytes, mesh.triangles[t]);
        if (mesh.has_parts()) {
            bytes += char{6};
            append(bytes, mesh.texture[t]);
            append(bytes, mesh.texture_number[t]);
            append(bytes, mesh.part[t]);
        }
        flush(file, bytes, false);
    }
    flush(file, bytes, true);
    file.commit();
}

void write_mesh_obj(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame) {
    AtomicFile file(path);
    file.write(fmt::format("# Thixo surface, time {} s, frame {}, y is up\n", frame.time, frame.frame));
    file.write(provenance_lines(frame, "# "));
    std::string text;
    const auto line = [&](const char* kind, const Vec3f& a) {
        fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", kind, a.x, a.y, a.z);
        flush(file, text, false);
    };
    for (const Vec3f& x : mesh.vertices) line("v", x);
    for (const Vec3f& n : mesh.normals) line("vn", n);
    for (const SurfaceMesh::Ends& edge : mesh.edges) {
        text += fmt::format("l {} {}\n", edge[0] + 1, edge[1] + 1);
        flush(file, text, false);
    }
    for (const SurfaceMesh::TextureCorners& corners : mesh.texture)
        for (const auto& [u, v] : corners) {
            text += fmt::format("vt {} {}\n", u, v);
            flush(file, text, false);
        }
    constexpr std::array part_names{"skin", "crack", "liquid"};
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        if (mesh.has_parts() && (k == 0 || mesh.part[k] != mesh.part[k - 1]))
            text += fmt::format("usemtl {}\n", part_names[static_cast<std::size_t>(mesh.part[k])]);
        text += "f";
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t v = mesh.triangles[k][c] + 1;
            text += fmt::format(" {}", v);
            if (mesh.has_parts()) text += fmt::format("/{}", 3 * k + c + 1);
            if (!mesh.normals.empty()) text += fmt::format("{}{}", mesh.has_parts() ? "/" : "//", v);
        }
        text += "\n";
        flush(file, text, false);
    }
    flush(file, text, true);
    file.commit();
}

void write_mesh_vtp(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame) {
    AtomicFile file(path);
    file.write(
        fmt::format("<?xml version=\"1.0\"?>\n<!-- Thixo surface, frame {}, SI units, y is up.{} -->\n",
                    frame.frame, provenance_in_xml(frame)));
    file.write(
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  "
        "<PolyData>\n");
    file.write(fmt::format(
        "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n    </FieldData>\n",
        frame.time));
    // Points alone are not drawn unless they are cells.
    std::vector<std::array<std::uint32_t, 1>> points;
    if (mesh.triangles.empty() && mesh.edges.empty())
        for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) points.push_back({v});
    file.write(fmt::format(
        "    <Piece NumberOfPoints=\"{}\" NumberOfLines=\"{}\" NumberOfPolys=\"{}\"{}>\n      <Points>\n",
        mesh.vertices.size(), mesh.edges.size(), mesh.triangles.size(),
        points.empty() ? std::string{} : fmt::format(" NumberOfVerts=\"{}\"", points.size())));
    write_array(file, "Float32", "position", 3, mesh.vertices.data(), bytes_of(mesh.vertices));
    file.write("      </Points>\n");
    if (!points.empty()) write_cells(file, "Verts", points);
    if (!mesh.edges.empty()) write_cells(file, "Lines", mesh.edges);
    write_cells(file, "Polys", mesh.triangles);
    file.write("      <PointData Normals=\"normal\">\n");
    if (!mesh.normals.empty())
        write_array(file, "Float32", "normal", 3, mesh.normals.data(), bytes_of(mesh.normals));
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        write_array(file, "Float32", attribute.name, 1, attribute.values.data(), bytes_of(attribute.values));
    file.write("      </PointData>\n");
    if (mesh.has_parts()) {
        file.write("      <CellData>\n");
        write_array(file, "UInt8", "part", 1, mesh.part.data(), bytes_of(mesh.part));
        file.write("      </CellData>\n");
    }
    file.write("    </Piece>\n  </PolyData>\n</VTKFile>\n");
    file.commit();
}

}  // namespace thixo
