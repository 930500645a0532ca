#include "render/movie.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "core/error.h"

namespace thixo {
namespace {

std::string shell_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// What ffmpeg makes of the pictures, by the ending of the file.
std::string encoding(const std::string& ending) {
    if (ending == ".webm") return "-c:v libvpx-vp9 -crf 24 -b:v 0 -pix_fmt yuv420p -f webm";
    if (ending == ".gif") return "-filter_complex 'split[a][b];[a]palettegen[p];[b][p]paletteuse' -f gif";
    return "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p "
           "-movflags +faststart -f mp4";
}

/// What all containers have: a title and a comment, into which the other notes go.
std::string metadata(const ImageNotes& notes) {
    std::string title, comment;
    for (const ImageNote& note : notes) {
        if (note.keyword == "Title")
            title = note.text;
        else
            comment += (comment.empty() ? "" : "; ") + note.text;
    }
    std::string words;
    if (!title.empty()) words += " -metadata " + shell_quoted("title=" + title);
    if (!comment.empty()) words += " -metadata " + shell_quoted("comment=" + comment);
    return words;
}

bool on_path(const char* program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

}  // namespace

void Movie::require_encoder() {
    if (on_path("ffmpeg")) return;
    throw InputError(
        "a movie needs the program ffmpeg, which is not installed (Debian and Ubuntu: apt install ffmpeg); "
        "without --movie the pictures are still written");
}

Movie::Movie(std::filesystem::path destination, int width, int height, double frame_rate,
             const ImageNotes& notes)
    : destination_(std::move(destination)), beside_(destination_) {
    require_encoder();
    beside_ += ".part";
    // An encoder that stops early must be an error message here, not a silent end of the whole program.
    std::signal(SIGPIPE, SIG_IGN);
    const std::string command =
        fmt::format("ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i - {}{} {}", width,
                    height, frame_rate, encoding(destination_.extension().string()), metadata(notes),
                    shell_quoted(beside_.string()));
    pipe_ = ::popen(command.c_str(), "w");
    if (pipe_ == nullptr) throw RunError("ffmpeg could not be started");
}

Movie::~Movie() {
    if (pipe_ == nullptr) return;
    ::pclose(pipe_);
    std::error_code ignored;
    std::filesystem::remove(beside_, ignored);
}

void Movie::add(const Image& image) {
    if (std::fwrite(image.pixels.data(), 1, image.pixels.size(), pipe_) != image.pixels.size()) {
        throw RunError(fmt::format("ffmpeg stopped while writing {}", destination_.string()));
    }
}

void Movie::finish() {
    const int status = ::pclose(std::exchange(pipe_, nullptr));
    std::error_code error;
    if (status == 0) std::filesystem::rename(beside_, destination_, error);
    if (status != 0 || error) {
        std::filesystem::remove(beside_, error);
        throw RunError(fmt::format("ffmpeg could not write {}", destination_.string()));
    }
}

}  // namespace thixo
