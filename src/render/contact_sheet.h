#pragma once

#include <string>
#include <vector>

#include "render/image.h"
#include "render/legend.h"

namespace thixo {

struct ContactSheetEntry {
    Image picture;
    std::string label;
};

/// `count` of the numbers 0 … frames − 1, evenly spread, first and last among them.
std::vector<std::size_t> evenly_chosen(std::size_t frames, std::size_t count);

/// All pictures (of equal size) in rows and columns on one page, each with its label, under a title, and
/// one legend for all of them.
Image contact_sheet(const std::vector<ContactSheetEntry>& entries, const std::string& title,
                    const Legend& legend, const ColourScale& colours);

}  // namespace thixo
