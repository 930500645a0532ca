#pragma once

#include <string>
#include <vector>

#include "core/evenly_chosen.h"
#include "render/image.h"
#include "render/legend.h"

namespace thixo {

struct ContactSheetEntry {
    Image picture;
    std::string label;
};

/// All pictures (of equal size) in rows and columns on one page, each with its label, under a title, and
/// one legend for all of them.
Image contact_sheet(const std::vector<ContactSheetEntry>& entries, const std::string& title,
                    const Legend& legend, const ColourScale& colours);

}  // namespace thixo
