#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/surface_mesh.h"
#include "io/particle_frame.h"

namespace thixo {

/// A particle file of a run and the frame it shows.
struct FrameFile {
    int number;
    std::filesystem::path path;
};

/// DIR/particles/*.ply in order, or else the files of the first other format. A folder without any is an
/// InputError.
std::vector<FrameFile> particle_files(const std::filesystem::path& folder);

/// The files selected by a text such as "all", "12" or "0:100:2,150".
std::vector<FrameFile> selected(const std::vector<FrameFile>& files, const std::string& frames);

/// An evenly spaced subset of the files, small enough to be read quickly.
std::vector<FrameFile> surveyed(const std::vector<FrameFile>& files);

/// Attributes to colour by, including `speed`.
std::vector<std::string> attribute_names(const ParticleFrame& frame);

/// Values of an attribute, including `speed`; an unknown one is an InputError.
std::vector<float> attribute(const ParticleFrame& frame, const std::string& name);

/// `surface/NAME/0000.ply` of a frame, by name.
std::vector<std::filesystem::path> surface_files(const std::filesystem::path& folder, int number);
inline bool has_surfaces(const std::filesystem::path& folder, int number) {
    return !surface_files(folder, number).empty();
}

/// All surfaces of a frame of a run as one mesh. None at all is an InputError.
SurfaceMesh surfaces_of_frame(const std::filesystem::path& folder, int number);

/// An outline as it is drawn: beads along its edges, with the values of its vertices between them.
struct OutlineBeads {
    std::vector<Vec3f> position;
    std::vector<float> radius, values;
};
OutlineBeads beads_along(const SurfaceMesh& outline, const std::vector<float>& values, float radius);

/// The values of an attribute at the vertices, `speed` included; an unknown one is an InputError.
std::vector<float> attribute(const SurfaceMesh& mesh, const std::string& name);

}  // namespace thixo
