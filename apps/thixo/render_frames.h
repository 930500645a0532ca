#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/particle_frame.h"

namespace thixo {

/// A particle file of a run and the frame it shows.
struct FrameFile {
    int number;
    std::filesystem::path path;
};

/// DIR/particles/*.ply in order, or where a run wrote none, the files of the first other format. None at all is
/// an InputError.
std::vector<FrameFile> particle_files(const std::filesystem::path& folder);

/// The files a text such as "all", "12" or "0:100:2,150" asks for.
std::vector<FrameFile> selected(const std::vector<FrameFile>& files, const std::string& frames);

/// As many of the files, evenly spread, as can be read in a moment.
std::vector<FrameFile> surveyed(const std::vector<FrameFile>& files);

/// What can be coloured by, `speed` included.
std::vector<std::string> attribute_names(const ParticleFrame& frame);

/// The values of an attribute, `speed` included; an unknown one is an InputError.
std::vector<float> attribute(const ParticleFrame& frame, const std::string& name);

}  // namespace thixo
