#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>

#include "core/atomic_file.h"
#include "core/byte_order.h"
#include "io/base64.h"
#include "io/mesh_files.h"

namespace thixo {

namespace {

/// Bytes that are handed to the file at a time.
constexpr std::size_t portion = std::size_t{1} << 18;

/// The same bits whatever the machine: PLY and VTP files are little endian, and so is every machine that this program is made for.
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
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        if (!attribute.unit.empty())
            header += fmt::format("comment unit {} {}\n", attribute.name, attribute.unit);
    header += fmt::format("element vertex {}\n", mesh.vertices.size());
    for (const char* name : {"x", "y", "z"}) header += fmt::format("property float {}\n", name);
    if (!mesh.normals.empty())
        for (const char* name : {"nx", "ny", "nz"}) header += fmt::format("property float {}\n", name);
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        header += fmt::format("property float {}\n", attribute.name);
    return header + fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
                                mesh.triangles.size());
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

}  // namespace

std::string_view file_ending(MeshFormat format) {
    return format == MeshFormat::ply ? "ply" : format == MeshFormat::obj ? "obj" : "vtp";
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
    for (const SurfaceMesh::Corners& triangle : mesh.triangles) {
        bytes += char{3};
        append(bytes, triangle);
        flush(file, bytes, false);
    }
    flush(file, bytes, true);
    file.commit();
}

void write_mesh_obj(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame) {
    AtomicFile file(path);
    file.write(fmt::format("# Thixo surface, time {} s, frame {}, y is up\n", frame.time, frame.frame));
    std::string text;
    const auto line = [&](const char* kind, const Vec3f& a) {
        fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", kind, a.x, a.y, a.z);
        flush(file, text, false);
    };
    for (const Vec3f& x : mesh.vertices) line("v", x);
    for (const Vec3f& n : mesh.normals) line("vn", n);
    for (const SurfaceMesh::Corners& t : mesh.triangles) {
        const auto corner = [&](std::uint32_t v) {
            return mesh.normals.empty() ? fmt::format(" {}", v + 1) : fmt::format(" {0}//{0}", v + 1);
        };
        text += fmt::format("f{}{}{}\n", corner(t[0]), corner(t[1]), corner(t[2]));
        flush(file, text, false);
    }
    flush(file, text, true);
    file.commit();
}

void write_mesh_vtp(const std::filesystem::path& path, const SurfaceMesh& mesh, const FrameInfo& frame) {
    AtomicFile file(path);
    file.write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  "
        "<PolyData>\n");
    file.write(fmt::format(
        "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{}</DataArray>\n    </FieldData>\n",
        frame.time));
    file.write(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n      <Points>\n",
                           mesh.vertices.size(), mesh.triangles.size()));
    const auto bytes_of = [](const auto& column) { return column.size() * sizeof(column[0]); };
    write_array(file, "Float32", "position", 3, mesh.vertices.data(), bytes_of(mesh.vertices));
    file.write("      </Points>\n      <Polys>\n");
    std::vector<std::int64_t> numbers;
    for (const SurfaceMesh::Corners& t : mesh.triangles) numbers.insert(numbers.end(), t.begin(), t.end());
    write_array(file, "Int64", "connectivity", 1, numbers.data(), bytes_of(numbers));
    numbers.resize(mesh.triangles.size());
    for (std::size_t t = 0; t < numbers.size(); ++t) numbers[t] = static_cast<std::int64_t>(3 * (t + 1));
    write_array(file, "Int64", "offsets", 1, numbers.data(), bytes_of(numbers));
    file.write("      </Polys>\n      <PointData Normals=\"normal\">\n");
    if (!mesh.normals.empty())
        write_array(file, "Float32", "normal", 3, mesh.normals.data(), bytes_of(mesh.normals));
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes)
        write_array(file, "Float32", attribute.name, 1, attribute.values.data(), bytes_of(attribute.values));
    file.write("      </PointData>\n    </Piece>\n  </PolyData>\n</VTKFile>\n");
    file.commit();
}

}  // namespace thixo
