#pragma once

#include <string>

#include "sim/ledger.h"
#include "sim/simulation.h"

namespace thixo {

Statistics gather_statistics(const Simulation& simulation);

/// bodies.csv: a row for each body that there ever was, by number.
std::string lineage_table(const Lineage& lineage);

/// Header and row of stats.csv; `wall_seconds` is the time the frame took to compute.
std::string statistics_header();
std::string statistics_row(const Statistics& statistics, double wall_seconds);

}  // namespace thixo
