#include "io/exported_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <system_error>

#include "core/atomic_file.h"
#include "core/error.h"

namespace thixo {

void begin_frames(const std::filesystem::path& folder, std::string_view list) {
    create_folder(folder / "frames");
    std::error_code ignored;
    std::filesystem::remove(folder / list, ignored);
}

const std::vector<float>* column_of(const SurfaceMesh& mesh, std::string_view name) {
    for (const SurfaceMesh::Attribute& a : mesh.attributes)
        if (a.name == name) return &a.values;
    return nullptr;
}

std::vector<Vec3f> ExportedSurface::velocity() const {
    const auto *vx = column_of(mesh, "vx"), *vy = column_of(mesh, "vy"), *vz = column_of(mesh, "vz");
    std::vector<Vec3f> out;
    if (!vx || !vy || !vz) return out;
    out.reserve(vx->size());
    for (std::size_t v = 0; v < vx->size(); ++v) out.push_back({(*vx)[v], (*vy)[v], (*vz)[v]});
    return out;
}

Pose ExportedCamera::pose() const {
    const Vec3d back = normalized(eye - target);
    // A camera that looks straight down has no horizon; any direction across will do.
    const Vec3d side = norm(cross(up, back)) > 1e-9 ? up : Vec3d{0, 0, -1};
    Pose pose;
    pose.axes[0] = normalized(cross(side, back));
    pose.axes[1] = cross(back, pose.axes[0]);
    pose.axes[2] = back;
    pose.translation = eye;
    return pose;
}

std::string unique_identifier(std::string_view name, std::set<std::string>& taken) {
    std::string word;
    for (const char c : name) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (fits)
            word += c;
        else if (word.empty() || word.back() != '_')
            word += '_';
    }
    if (word.empty() || (word[0] >= '0' && word[0] <= '9')) word = "_" + word;
    std::string unique = word;
    for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}_{}", word, k);
    return unique;
}

SplitMesh split_at_seams(const SurfaceMesh& mesh) {
    SplitMesh out;
    if (mesh.texture.empty()) {
        out.triangles = mesh.triangles;
        out.source.resize(mesh.vertices.size());
        for (std::size_t v = 0; v < out.source.size(); ++v) out.source[v] = static_cast<std::uint32_t>(v);
        return out;
    }
    std::map<std::pair<std::uint32_t, std::array<float, 2>>, std::uint32_t> known;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        SurfaceMesh::Corners corners{};
        for (std::size_t c = 0; c < 3; ++c) {
            const std::pair key{mesh.triangles[t][c], mesh.texture[t][c]};
            const auto [found, added] = known.try_emplace(key, static_cast<std::uint32_t>(out.source.size()));
            if (added) {
                out.source.push_back(key.first);
                out.texture.push_back(key.second);
            }
            corners[c] = found->second;
        }
        out.triangles.push_back(corners);
    }
    return out;
}

/// Of the four ways to divide by a component, the one with the largest divisor [Shepperd 1978].
std::array<double, 4> quaternion_of(const Pose& pose) {
    const auto m = [&](int row, int column) {
        const Vec3d& a = pose.axes[column];
        return row == 0 ? a.x : row == 1 ? a.y : a.z;
    };
    const double trace = m(0, 0) + m(1, 1) + m(2, 2);
    std::array<double, 4> q{};
    if (trace > 0) {
        const double s = 2 * std::sqrt(1 + trace);
        q = {(m(2, 1) - m(1, 2)) / s, (m(0, 2) - m(2, 0)) / s, (m(1, 0) - m(0, 1)) / s, s / 4};
    } else {
        const int i = m(0, 0) >= m(1, 1) && m(0, 0) >= m(2, 2) ? 0 : m(1, 1) >= m(2, 2) ? 1 : 2;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * std::sqrt(std::max(0.0, 1 + m(i, i) - m(j, j) - m(k, k)));
        q[static_cast<std::size_t>(i)] = s / 4;
        q[static_cast<std::size_t>(j)] = (m(j, i) + m(i, j)) / s;
        q[static_cast<std::size_t>(k)] = (m(k, i) + m(i, k)) / s;
        q[3] = (m(k, j) - m(j, k)) / s;
    }
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& x : q) x /= length;
    return q;
}

}  // namespace thixo
