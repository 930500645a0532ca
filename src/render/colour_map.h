#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "render/image.h"

namespace thixo {

/// A continuous map from 0…1 to colour, or a list of well-separated colours for categories.
class ColourMap {
public:
    /// One of `colour_map_names()`; anything else is an InputError that lists them.
    static ColourMap named(std::string_view name);
    static ColourMap categories();
    /// These colours, of the categories 0, 1, …; the first 256 of them.
    static ColourMap categories(const std::vector<Rgb>& colours);

    /// t is clamped to 0…1; NaN gives the colour of 0.
    Rgb operator()(float t) const;
    /// Colours of categories repeat: after `category_count`, if they were not given.
    Rgb category(std::size_t number) const { return table_[number % count_]; }
    bool categorical() const { return categorical_; }

    static constexpr std::size_t category_count = 30;

private:
    static constexpr std::size_t entries = 256;
    std::array<Rgb, entries> table_{};
    bool categorical_ = false;
    std::size_t count_ = category_count;
};

const std::vector<std::string>& colour_map_names();

/// How an attribute becomes a colour: the same for all frames of a movie.
struct ColourScale {
    ColourMap map = ColourMap::named("viridis");
    float min = 0;  ///< of a continuous map
    float max = 1;

    Rgb operator()(float value) const;
};

}  // namespace thixo
