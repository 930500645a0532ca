#include "render/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "render/font.h"

namespace thixo {

Image contact_sheet(const std::vector<ContactSheetEntry>& entries, const std::string& title,
                    const Legend& legend, const ColourScale& colours) {
    if (entries.empty()) throw InputError("a contact sheet needs at least one picture");
    const int w = entries.front().picture.width, h = entries.front().picture.height;
    const int count = static_cast<int>(entries.size());
    const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
    const int rows = (count + columns - 1) / columns;
    const float letter = std::max(9.0f, 0.045f * static_cast<float>(h));
    const int gap = std::max(4, h / 20), head = static_cast<int>(title.empty() ? 0 : 3.5f * letter);
    const int side = static_cast<int>(legend_width(legend, colours, letter));
    // Labels stand below pictures: above them they would cover what is there.
    const int foot = static_cast<int>(2 * letter);

    Image page(columns * (w + gap) + gap + side, rows * (h + foot + gap) + gap + head);
    page.fill(rgb_from_hex(0xf4f6f8));
    draw_text(page, static_cast<float>(gap), static_cast<float>(gap) + 1.7f * letter, title,
              {.height = 1.5f * letter});
    for (int i = 0; i < count; ++i) {
        const int x = gap + i % columns * (w + gap), y = head + gap + i / columns * (h + foot + gap);
        page.paste(entries[i].picture, x, y);
        draw_text(page, static_cast<float>(x), static_cast<float>(y + h) + 1.6f * letter, entries[i].label,
                  {.height = letter});
    }
    draw_legend(page, legend, colours, letter);
    return page;
}

}  // namespace thixo
