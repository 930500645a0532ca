#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/statistics.h"

namespace thixo {

/// stats.csv as an earlier run left it.
struct Ledger {
    std::string text;           ///< header and rows that are kept, with line ends as we write them
    long last_frame = -1;       ///< of the newest row that is kept
    std::vector<long> missing;  ///< frames before the last one without a row
};

/// The rows up to and including frame `until` of a file with these columns. A last row that was cut short is
/// dropped: a killed run leaves one. Line ends may be those of Windows. Throws InputError for columns that
/// are not ours and for rows that no run writes, because rewriting such a file would destroy it. A file that
/// does not exist has no rows.
Ledger read_ledger(const std::filesystem::path& file, long until, std::string header = statistics_header());

/// "3, 5 to 7"
std::string frame_ranges(const std::vector<long>& frames);

}  // namespace thixo
