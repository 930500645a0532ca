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

/// DIR/particles/*.ply in order, or where a run wrote none, the .vtu or .bgeo files. None at all is an
/// InputError.
std::vector<FrameFile> particle_files(const std::filesystem::path& folder);

/// The files a text such as "all", "12" or "0:100:2,150" asks for.
std::vector<FrameFile> selected(const std::vector<FrameFile>& files, const std::string& frames);

/// As many of the files, evenly spread, as can be read in a moment.
std::vector<FrameFile> surveyed(const std::vector<FrameFile>& files);

/// What can be coloured by, `speed` included.
std::vector<std::string> attribute_names(const ParticleFrame& frame);

/// The values of an attribute, `speed` included; an unknown one is an InputError.
std::vector<float> attribute(const ParticleFrame& frame, const std::string& name);

/// All surfaces of a frame of a run as one mesh. None at all is an InputError.
SurfaceMesh surfaces_of_frame(const std::filesystem::path& folder, int number);

/// The values of an attribute at the vertices, `speed` included; an unknown one is an InputError.
std::vector<float> attribute(const SurfaceMesh& mesh, const std::string& name);

}  // namespace thixo
