#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace thixo {

/// A table with a header, its columns as numbers; what is no number (names, hashes) is NaN.
struct NumberTable {
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> columns;
    std::size_t rows = 0;

    bool has(const std::string& name) const { return columns.contains(name); }
};

/// A row that was cut short ends the table. Throws InputError for a file that cannot be read or has no
/// header.
NumberTable read_number_table(const std::filesystem::path& file);

}  // namespace thixo
