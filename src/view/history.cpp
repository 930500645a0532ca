#include "view/history.h"

#include <array>
#include <charconv>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

namespace thixo {

namespace {

using Json = nlohmann::json;

template <class Number>
Number number_of(const std::string& text) {
    Number value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

std::string in_words(const std::string& event) {
    static const std::map<std::string, std::string> words{{"started", "existed at the start"},
                                                          {"froze", "froze"},
                                                          {"came off", "came off body"},
                                                          {"merged", "merged with body"},
                                                          {"melted", "melted"}};
    const auto found = words.find(event);
    return found == words.end() ? event : found->second;
}

}  // namespace

BodyRecords records_of(const Lineage& lineage) {
    constexpr std::array<const char*, 5> names{"started", "froze", "came off", "merged", "melted"};
    BodyRecords records;
    records.reserve(lineage.size());
    for (const BodyChange& change : lineage) {
        records.push_back({.time = change.time,
                           .body = change.body,
                           .event = names[static_cast<std::size_t>(change.event)],
                           .parents = {},
                           .particles = change.particles});
        if (change.parent > 0) records.back().parents.push_back(change.parent);
    }
    return records;
}

BodyRecords parse_bodies(const std::string& text) {
    BodyRecords records;
    std::istringstream in(text);
    std::string line;
    if (!std::getline(in, line)) return records;
    std::map<std::string, std::size_t> column;
    for (const std::string& name : split_at(line, ',')) column.emplace(name, column.size());
    for (const char* name : {"time", "body", "event", "parents", "particles"})
        if (!column.contains(name)) return records;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = split_at(line, ',');
        if (cells.size() < column.size()) continue;
        BodyRecord record{.time = number_of<double>(cells[column["time"]]),
                          .body = number_of<std::uint32_t>(cells[column["body"]]),
                          .event = cells[column["event"]],
                          .parents = {},
                          .particles = number_of<std::uint64_t>(cells[column["particles"]])};
        for (const std::string& parent : split_at(cells[column["parents"]], ' '))
            if (const auto number = number_of<std::uint32_t>(parent); number != record.body)
                record.parents.push_back(number);
        records.push_back(std::move(record));
    }
    return records;
}

std::string history_of(const BodyRecords& records, std::uint32_t body, double time) {
    constexpr std::size_t most = 12;
    Json out = Json::array();
    for (auto record = records.rbegin(); record != records.rend() && body > 0 && out.size() < most;
         ++record) {
        if (record->body != body || record->time > time) continue;
        out.push_back({{"time", record->time},
                       {"body", record->body},
                       {"what", in_words(record->event)},
                       {"parents", record->parents},
                       {"particles", record->particles}});
        if (record->event == "came off" && !record->parents.empty()) body = record->parents.front();
    }
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace thixo
