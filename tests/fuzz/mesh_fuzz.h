#pragma once

#include <cstdlib>

#include "geometry/mesh_file.h"
#include "readers.h"

namespace thixo {

/// A mesh that is understood names vertices that are there, and stays so when it is closed.
inline void check_indices(const TriangleMesh& mesh) {
    for (const auto& corners : mesh.triangles)
        for (const std::uint32_t corner : corners)
            if (corner >= mesh.vertices.size()) std::abort();
}

inline void read_mesh(TriangleMesh (*parse)(std::string_view), const std::string& bytes) {
    expect_read_or_refused([&] {
        TriangleMesh mesh = parse(bytes);
        check_indices(mesh);
        check_indices(closed_mesh(std::move(mesh)));
    });
    expect_read_or_refused([&] { check_indices(open_mesh(parse(bytes))); });
}

}  // namespace thixo
