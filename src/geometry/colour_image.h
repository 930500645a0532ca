#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace thixo {

/// Eight-bit sRGB, three bytes a pixel, row by row from the top.
struct ColourImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

/// A PNG file. Throws InputError that names the file.
ColourImage load_colour_image(const std::filesystem::path& file);

/// The same from the bytes of a file, whose name the caller adds to what is wrong with it.
ColourImage parse_colour_image(const std::string& bytes);

}  // namespace thixo
