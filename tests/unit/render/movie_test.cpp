#include "render/movie.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "core/error.h"

using namespace thixo;

TEST_CASE("a movie appears whole, or not at all") {
    try {
        Movie::require_encoder();
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("apt install ffmpeg") != std::string::npos);
        return;
    }
    const auto folder =
        std::filesystem::temp_directory_path() / ("thixo movie's test " + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto file = folder / "movie.mp4";
    {
        Movie unfinished(file, 33, 17, 30);
        unfinished.add(Image(33, 17));
    }
    CHECK(std::filesystem::is_empty(folder));
    Movie movie(file, 33, 17, 30);
    for (int i = 0; i < 3; ++i) movie.add(Image(33, 17));
    movie.finish();
    CHECK(std::filesystem::file_size(file) > 100);
    CHECK_FALSE(std::filesystem::exists(folder / "movie.mp4.part"));
    std::filesystem::remove_all(folder);
}
