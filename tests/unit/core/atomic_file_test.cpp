#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <iterator>

#include "core/atomic_file.h"
#include "core/error.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;
namespace fs = std::filesystem;

namespace {

/// Runs `work` while no file can grow beyond `bytes`: writing fails in the middle as on a full disk.
void with_file_size_limit(rlim_t bytes, const std::function<void()>& work) {
    struct ::rlimit before {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    struct ::rlimit small = before;
    small.rlim_cur = bytes;
    const auto former_handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    work();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, former_handler);
}

/// The message of the RunError that `work` throws; empty if it throws none.
std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

std::ptrdiff_t entries(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

}  // namespace

TEST_CASE("a file appears when it is committed, whole") {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    AtomicFile file(path);
    file.write("one ");
    CHECK_FALSE(fs::exists(path));
    const char bytes[] = {'t', 'w', 'o', '\0', 'x'};
    file.write(bytes, 4);
    CHECK_FALSE(fs::exists(path));
    file.commit();
    CHECK(read_text(path) == std::string("one two\0", 8));
    CHECK(entries(folder.path) == 1);
}

TEST_CASE("a commit replaces the former content; no commit leaves it alone") {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    write_whole(path, "a long former content");
    {
        AtomicFile file(path);
        file.write("never");
        CHECK(read_text(path) == "a long former content");
    }
    CHECK(read_text(path) == "a long former content");
    CHECK(entries(folder.path) == 1);
    write_whole(path, "new");
    CHECK(read_text(path) == "new");
    CHECK(entries(folder.path) == 1);
}

TEST_CASE("an empty file and a large one") {
    const TemporaryFolder folder;
    write_whole(folder / "empty", "");
    CHECK(fs::file_size(folder / "empty") == 0);
    AtomicFile nothing(folder / "nothing");
    nothing.write(nullptr, 0);
    nothing.commit();
    CHECK(fs::file_size(folder / "nothing") == 0);
    std::string text;
    while (text.size() < 3'000'000) text += std::to_string(text.size()) + ' ';
    AtomicFile file(folder / "large");
    for (std::size_t at = 0; at < text.size(); at += 1013)
        file.write(std::string_view(text).substr(at, 1013));
    file.commit();
    CHECK(read_text(folder / "large") == text);
}

TEST_CASE("a full disk is an error that names file and reason, and leaves the former file as it was") {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.bin";
    write_whole(path, "former");
    // More than the buffer holds fails while writing; less fails at the commit.
    for (const std::size_t size : {std::size_t{2'000'000}, std::size_t{20'000}}) {
        std::string message;
        with_file_size_limit(4096,
                             [&] { message = error_of([&] { write_whole(path, std::string(size, 'x')); }); });
        CHECK(message == "cannot write " + path.string() + ": File too large");
        CHECK(read_text(path) == "former");
        CHECK(entries(folder.path) == 1);
    }
    write_whole(path, "works again");
    CHECK(read_text(path) == "works again");
}

TEST_CASE("a folder that is missing, a file or read-only is an error") {
    const TemporaryFolder folder;
    const fs::path missing = folder / "missing/a.txt";
    CHECK(error_of([&] { AtomicFile file(missing); }) ==
          "cannot create " + missing.string() + ": No such file or directory");
    write_text(folder / "file", "x");
    const fs::path inside_a_file = folder / "file/a.txt";
    CHECK(error_of([&] { AtomicFile file(inside_a_file); }) ==
          "cannot create " + inside_a_file.string() + ": Not a directory");
    CHECK(read_text(folder / "file") == "x");
    if (::geteuid() != 0) {  // nothing is read-only for root
        fs::create_directory(folder / "locked");
        ::chmod((folder / "locked").c_str(), 0555);
        CHECK(error_of([&] { AtomicFile file(folder / "locked/a.txt"); }).ends_with(": Permission denied"));
        ::chmod((folder / "locked").c_str(), 0755);
    }
}

TEST_CASE("a name that cannot be taken is an error that leaves nothing beside it") {
    const TemporaryFolder folder;
    fs::create_directories(folder / "taken/by/folders");
    const std::string message = error_of([&] { write_whole(folder / "taken", "text"); });
    CHECK(message.starts_with("cannot rename " + (folder / "taken").string() + ": "));
    CHECK(fs::is_directory(folder / "taken/by/folders"));
    CHECK(entries(folder.path) == 1);
}
