#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace thixo {

/// The file beside a table that names program and scene, and the unit and meaning of each column.
/// [W3C 2015, Model for Tabular Data and Metadata on the Web, 5.2]
std::filesystem::path table_notes(const std::filesystem::path& table);

/// Whether a file is called as the notes of one of our tables.
bool is_table_notes(const std::filesystem::path& name);

/// `header`: first line of the table; `scene`: empty if it is not known.
void write_table_notes(const std::filesystem::path& table, std::string_view header, const std::string& scene);

}  // namespace thixo
