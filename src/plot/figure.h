#pragma once

#include <string>
#include <vector>

#include "plot/drawing.h"

namespace thixo {

struct PlotCurve {
    std::string name;
    std::vector<double> x, y;  ///< of equal length; a y that is not finite leaves a gap
    std::size_t run = 0;       ///< which of the figure's runs it is of
    std::size_t kind = 0;      ///< which of the panel's quantities it is
};

struct Panel {
    std::string title;  ///< with the unit
    std::vector<PlotCurve> curves;
    bool from_zero = false;
    bool log = false;  ///< where the values span more than a decade and a half
};

/// Curves over time, a panel for each quantity, two side by side. Of one run quantities have colours; of
/// several, runs have colours and quantities are dashed differently.
struct Figure {
    std::string title;
    std::vector<std::string> runs;
    std::vector<Panel> panels;
    std::string x_title = "time, s";
};

Drawing drawn(const Figure& figure);

}  // namespace thixo
