#pragma once

#include <cstdio>
#include <filesystem>

#include "render/image.h"

namespace thixo {

/// An MP4, WebM or GIF, by the ending of its name, made by the `ffmpeg` program, fed through a pipe. The file
/// appears whole, at `finish`; without it nothing is left behind.
class Movie {
public:
    /// Throws an InputError that names the missing package; call it before hours of rendering.
    static void require_encoder();

    Movie(std::filesystem::path destination, int width, int height, double frame_rate,
          const ImageNotes& notes = {});
    ~Movie();
    Movie(const Movie&) = delete;
    Movie& operator=(const Movie&) = delete;

    void add(const Image& image);
    void finish();

private:
    std::filesystem::path destination_, beside_;
    std::FILE* pipe_ = nullptr;
};

}  // namespace thixo
