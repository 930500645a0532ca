#pragma once

#include <filesystem>
#include <vector>

#include "render_frames.h"

namespace thixo {

/// `count` of the files for a contact sheet, first and last among them: close to each other where matter
/// moves, melts, freezes, comes or goes, as `stats.csv` of the run says, and far apart where it rests. Evenly
/// spread if there is no such table.
std::vector<std::size_t> telling_moments(const std::filesystem::path& folder,
                                         const std::vector<FrameFile>& files, std::size_t count);

/// The same for amounts of change in front of each moment (that of the first does not count).
std::vector<std::size_t> chosen_by_change(const std::vector<double>& change, std::size_t count);

}  // namespace thixo
