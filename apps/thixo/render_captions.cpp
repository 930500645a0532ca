#include "render_captions.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/backdrop.h"
#include "render/font.h"

namespace thixo {
namespace {

std::string time_label(double time) { return fmt::format("t = {:.2f} s", time); }

/// Pixels.
struct PixelBox {
    float left, top, right, bottom;

    bool holds(const Vec3f& x, float margin) const {
        return x.x >= left - margin && x.x < right + margin && x.y >= top - margin && x.y < bottom + margin;
    }
};

/// Left end and line of the letters.
struct TextPlace {
    float x, baseline;
};

TextPlace place_of(const Captions::Corner& corner, float letter, const std::string& text, int width,
                   int height) {
    const float edge = 2 * letter;
    return {corner.right ? static_cast<float>(width) - edge - text_width(text, letter) : edge,
            corner.bottom ? static_cast<float>(height) - edge : edge + letter};
}

/// A line of text with some room around it.
PixelBox around(const TextPlace& place, float letter, const std::string& text) {
    const float room = 0.3f * letter;
    return {place.x - room, place.baseline - letter - room, place.x + text_width(text, letter) + room,
            place.baseline + 0.3f * letter + room};
}

/// Whether matter is seen there in any of the pictures.
bool covers_matter(const PixelBox& part, const std::vector<Lens>& lenses, const Look& look, double reach) {
    const auto radius = static_cast<float>(reach);
    return std::any_of(lenses.begin(), lenses.end(), [&](const Lens& lens) {
        return std::any_of(look.sample.begin(), look.sample.end(), [&](const Vec3f& x) {
            const Vec3f at = lens.project(x);
            return at.z > 0 && part.holds(at, radius / lens.pixel_width(at.z));
        });
    });
}

}  // namespace

Captions place_captions(const Look& look, const Setting& setting, const RenderOptions& options,
                        const std::vector<FrameFile>& files) {
    Captions captions{.none = options.plain};
    if (options.plain) return captions;
    const auto lenses_of = [&](int width) {
        std::vector<Lens> lenses;
        const bool moves = options.turn != 0 || !look.keys.empty();
        for (std::size_t i = 0; i < (moves ? files.size() : 1); ++i)
            lenses.emplace_back(
                turned_camera(camera_at(look.camera, look.keys, files[i].number / setting.frame_rate),
                              look.stage, turned_at(options, i, files.size())),
                width, options.height);
        return lenses;
    };
    const float legend = legend_width(look.legend, look.colours, look.letter);
    const auto width = static_cast<float>(options.width), height = static_cast<float>(options.height);
    std::vector<Lens> lenses = lenses_of(options.width);
    // Automatic cameras leave room for the legend: what is in it then has flown off.
    const bool is_automatic = options.eye.empty() && options.target.empty() && options.fov == 0 &&
                              options.turn == 0 && options.keys.empty() && options.cameras.empty();
    if (legend > 0 && covers_matter({width - legend, 0, width, height}, lenses, look,
                                    is_automatic ? 0 : look.sample_radius)) {
        captions.strip = std::min(static_cast<int>(legend), options.width / 2);
        lenses = lenses_of(options.width - captions.strip);
    }
    const std::string text = time_label(files.back().number / setting.frame_rate);
    const int free_width = options.width - (captions.strip > 0 ? captions.strip : static_cast<int>(legend));
    for (const Captions::Corner corner : {Captions::Corner{}, {false, true}, {true, false}, {true, true}}) {
        captions.time = corner;
        const TextPlace place = place_of(corner, look.letter, text, free_width, options.height);
        if (!covers_matter(around(place, look.letter, text), lenses, look, look.sample_radius))
            return captions;
    }
    captions.time = {};
    return captions;
}

Image with_captions(const Image& picture, const Captions& captions, double time, const Look& look) {
    if (captions.none) return picture;
    Image image(picture.width + captions.strip, picture.height);
    for (int y = 0; y < image.height && captions.strip > 0; ++y)
        for (int x = picture.width; x < image.width; ++x)
            set_pixel(image, x, y,
                      backdrop(static_cast<float>(x), static_cast<float>(y), image.width, image.height));
    image.paste(picture, 0, 0);
    if (captions.time) {
        const std::string text = time_label(time);
        const int legend = captions.strip > 0
                               ? captions.strip
                               : static_cast<int>(legend_width(look.legend, look.colours, look.letter));
        const TextPlace place =
            place_of(*captions.time, look.letter, text, image.width - legend, image.height);
        draw_text(image, place.x, place.baseline, text, {.height = look.letter, .halo = 0.3f});
    }
    draw_legend(image, look.legend, look.colours, look.letter);
    return image;
}

}  // namespace thixo
