#pragma once

#include <string>
#include <vector>

#include "render/colour_map.h"
#include "render/image.h"

namespace thixo {

/// Legend of the colours of a picture.
struct Legend {
    std::string title;                 ///< name of the attribute; empty: no legend
    std::string unit;                  ///< empty for a pure number
    std::vector<std::string> names;    ///< of the categories in use, for a categorical map
    std::vector<std::size_t> numbers;  ///< and their numbers
};

/// Round numbers inside [min, max], about five of them.
std::vector<double> nice_ticks(double min, double max);
/// The smallest range with round ends that contains min and max.
struct Range {
    double min, max;
};
Range nice_range(double min, double max);
/// Tick labels, all with enough digits to differ.
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

/// Height of a capital that reads well in a picture of this height (pixels).
float lettering_height(int picture_height);

/// Pixels at the right of a picture that a legend with letters of this height needs.
float legend_width(const Legend& legend, const ColourScale& colours, float letter);
/// A colour bar with ticks, or a list of categories, at the right of the picture.
void draw_legend(Image& image, const Legend& legend, const ColourScale& colours, float letter);

}  // namespace thixo
