#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "body/lineage.h"

namespace thixo {

/// A line in the history of bodies, as `bodies.csv` has it.
struct BodyRecord {
    double time = 0;  ///< s
    std::uint32_t body = 0;
    std::string event;
    std::vector<std::uint32_t> parents;  ///< bodies it came from; the body itself is left out
    std::uint64_t particles = 0;
};
using BodyRecords = std::vector<BodyRecord>;

BodyRecords records_of(const Lineage& lineage);
/// From the text of a `bodies.csv`: lines that are none are left out.
BodyRecords parse_bodies(const std::string& text);

/// The history of a body up to a time (s) and of the bodies it came off from, the newest first, as JSON.
std::string history_of(const BodyRecords& records, std::uint32_t body, double time);

}  // namespace thixo
