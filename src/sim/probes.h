#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/simulation.h"

namespace thixo {

/// One number that a probe measures.
struct ProbeColumn {
    std::string_view name;  ///< "level"; in `probes.csv` the name of the probe and a dot come before it
    std::string_view unit;
    std::string_view meaning;
};

/// What probes of a kind measure, in the order of the columns.
std::vector<ProbeColumn> probe_columns(ProbeKind kind);

/// The numbers of a probe of a simulation between two steps; NaN where there is nothing to measure.
std::vector<double> measure(const Simulation& simulation, std::size_t probe);

/// Header and row of `probes.csv`, with their line ends.
std::string probes_header(const Model& model);
std::string probes_row(const Simulation& simulation);

}  // namespace thixo
