#include "sim/checkpoint.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <type_traits>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"

namespace thixo {

namespace {

// A checkpoint is a FileHeader and then sections: SectionHeader, payload. Sections are found by their names. Numbers are in the byte
// order of the machine that wrote them; a reader with the other one recognises it by `byte_order`.

/// To be raised whenever a section comes, goes or changes its meaning.
constexpr std::uint32_t format_version = 9;

struct FileHeader {
    char magic[8] = {'T', 'H', 'I', 'X', 'O', 'C', 'K', 'P'};
    std::uint32_t version = format_version;
    std::uint32_t byte_order = 0x01020304;
};

struct SectionHeader {
    char name[32] = {};
    std::uint64_t element_size = 0;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0;
};

/// A visitor that writes what it is shown.
class Writer {
public:
    explicit Writer(AtomicFile& file) : file_(file) {
        const FileHeader header;
        file_.write(&header, sizeof header);
    }

    template <class T>
    void operator()(std::string_view name, const T& value, StateOrder) {
        write(name, entries_of(value));
    }
    void operator()(std::string_view name, const std::string& text) {
        write(name, View<const char>(text.data(), text.size()));
    }

private:
    template <class T>
    void write(std::string_view name, View<const T> entries) {
        static_assert(std::is_trivially_copyable_v<T>);
        SectionHeader header;
        name.copy(header.name, sizeof header.name - 1);
        header.element_size = sizeof(T);
        header.count = entries.size();
        header.checksum = hash_bytes(entries.data(), entries.size() * sizeof(T));
        file_.write(&header, sizeof header);
        file_.write(entries.data(), entries.size() * sizeof(T));
    }

    AtomicFile& file_;
};

/// A visitor that fills what it is shown with the section of that name.
class Reader {
public:
    explicit Reader(const std::filesystem::path& path)
        : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
        std::error_code error;
        left_ = std::filesystem::file_size(path, error);
        if (!file_ || error) fail("cannot be read");
        read_header();
        while (left_ > 0) find_section();
    }

    template <class T>
    void operator()(std::string_view name, std::vector<T>& array, StateOrder order) {
        read(name, array);
        if (order != StateOrder::by_row) return;
        if (!rows_known_) rows_ = array.size();
        rows_known_ = true;
        if (array.size() != rows_) fail("is damaged: its columns differ in length");
    }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void operator()(std::string_view name, T& value, StateOrder) {
        std::vector<T> one;
        read(name, one);
        if (one.size() != 1) fail(fmt::format("is damaged: it has {} values of `{}`", one.size(), name));
        value = one.front();
    }
    void operator()(std::string_view name, std::string& text) { read(name, text); }

    /// Every section must have been read.
    void expect_no_more() const {
        for (const auto& [name, section] : sections_)
            if (!section.used)
                fail(fmt::format("has a section `{}`, which this program does not know", name));
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("checkpoint {} {}", path_.string(), what));
    }

private:
    struct Section {
        SectionHeader header;
        long begin;
        bool used = false;
    };

    void read_header() {
        FileHeader header, expected;
        if (left_ < sizeof header) fail("is not a checkpoint: it is too short");
        read_bytes(&header, sizeof header);
        if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) fail("is not a checkpoint");
        if (header.byte_order != expected.byte_order)
            fail("was written on a machine with another byte order");
        if (header.version == expected.version) return;
        fail(fmt::format(
            "has version {}, but this program reads version {}: resume the run with the {} program "
            "that wrote it, or start again with --force",
            header.version, format_version, header.version < format_version ? "older" : "newer"));
    }

    /// Notes where the next section is, and goes on behind it.
    void find_section() {
        Section section;
        SectionHeader& header = section.header;
        if (left_ < sizeof header) fail(fmt::format("is damaged: {} bytes follow its last section", left_));
        read_bytes(&header, sizeof header);
        const std::string name(header.name, strnlen(header.name, sizeof header.name));
        SectionHeader padded;
        name.copy(padded.name, sizeof padded.name - 1);
        if (std::memcmp(header.name, padded.name, sizeof header.name) != 0)
            fail(fmt::format("is damaged in the name of section `{}`", name));
        if (header.element_size == 0 || header.count > left_ / header.element_size)
            fail(fmt::format("is cut short in section `{}`", name));
        section.begin = std::ftell(file_.get());
        const std::uint64_t bytes = header.element_size * header.count;
        if (std::fseek(file_.get(), static_cast<long>(bytes), SEEK_CUR) != 0) fail("cannot be read");
        left_ -= bytes;
        if (!sections_.emplace(name, section).second)
            fail(fmt::format("is damaged: it has two sections `{}`", name));
    }

    template <class Container>
    void read(std::string_view name, Container& out) {
        using T = typename Container::value_type;
        const auto found = sections_.find(std::string(name));
        if (found == sections_.end()) fail(fmt::format("is damaged: it has no section `{}`", name));
        Section& section = found->second;
        if (section.header.element_size != sizeof(T))
            fail(fmt::format("is damaged: entries of section `{}` have {} bytes, which must be {}", name,
                             section.header.element_size, sizeof(T)));
        section.used = true;
        out.resize(section.header.count);
        if (std::fseek(file_.get(), section.begin, SEEK_SET) != 0) fail("cannot be read");
        read_bytes(out.data(), section.header.count * sizeof(T));
        if (hash_bytes(out.data(), section.header.count * sizeof(T)) != section.header.checksum)
            fail(fmt::format("is damaged: the checksum of section `{}` does not match", name));
    }

    void read_bytes(void* bytes, std::size_t count) {
        if (std::fread(bytes, 1, count, file_.get()) != count) fail("cannot be read");
        left_ -= std::min<std::uintmax_t>(count, left_);
    }

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uintmax_t left_ = 0;  ///< bytes behind the sections that were found so far
    std::map<std::string, Section> sections_;
    std::size_t rows_ = 0;
    bool rows_known_ = false;
};

/// A line for each file: its hash and its path.
std::string to_text(const FileHashes& files) {
    std::string text;
    for (const auto& [path, hash] : files) text += fmt::format("{:016x} {}\n", hash, path);
    return text;
}

FileHashes files_in(const std::string& text) {
    FileHashes files;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::uint64_t hash = 0;
        std::string path;
        words >> std::hex >> hash;
        words.get();
        std::getline(words, path);
        files[path] = hash;
    }
    return files;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Simulation& simulation,
                     const std::string& scene, const FileHashes& files) {
    AtomicFile file(path);
    Writer write(file);
    write("scene", scene);
    write("files", to_text(files));
    simulation.visit_state(write);
    file.commit();
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
    Reader read(path);
    Checkpoint out;
    std::string files;
    read("scene", out.scene);
    read("files", files);
    out.files = files_in(files);
    out.snapshot.visit_state(read);
    read.expect_no_more();
    try {
        out.snapshot.check();
    } catch (const InputError& error) {
        read.fail(fmt::format("is damaged: {}", error.what()));
    }
    return out;
}

}  // namespace thixo
