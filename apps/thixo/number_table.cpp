#include "number_table.h"

#include <charconv>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/input_file.h"
#include "text.h"

namespace thixo {

namespace {

double number_of(const std::string& field) {
    double value = 0;
    const char* end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    return error == std::errc{} && stop == end ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

NumberTable read_number_table(const std::filesystem::path& file) {
    std::ifstream in = open_input(file);
    if (!in) throw InputError(fmt::format("{}: cannot be read", file.string()));
    NumberTable table;
    std::string line;
    std::getline(in, line);
    table.names = fields_of(line);
    if (table.names.size() < 2)
        throw InputError(fmt::format("{}: is no table: its first line names no columns", file.string()));
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() != table.names.size()) break;
        for (std::size_t k = 0; k < fields.size(); ++k)
            table.columns[table.names[k]].push_back(number_of(fields[k]));
        ++table.rows;
    }
    return table;
}

}  // namespace thixo
