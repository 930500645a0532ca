#include "sim/checkpoint.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <type_traits>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"

namespace thixo {

namespace {

// A checkpoint is a FileHeader and then sections: SectionHeader, payload. Sections are found by their names.
// Numbers are in the byte order of the machine that wrote them; a reader with the other one recognises it by
// `byte_order`.

/// To be raised whenever a section comes, goes or changes its meaning.
constexpr std::uint32_t format_version = 11;

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

/// Reads a file section by section.
class Reader {
public:
    explicit Reader(const std::filesystem::path& path)
        : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
        std::error_code error;
        left_ = std::filesystem::file_size(path, error);
        if (!file_ || error) fail("cannot be read");
        read_header();
    }

    Snapshot read_sections() {
        Snapshot out;
        while (left_ > 0) read_section(out);
        return out;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("checkpoint {} {}", path_.string(), what));
    }

private:
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

    void read_section(Snapshot& out) {
        SectionHeader header;
        if (left_ < sizeof header) fail(fmt::format("is damaged: {} bytes follow its last section", left_));
        read_bytes(&header, sizeof header);
        const std::string name(header.name, strnlen(header.name, sizeof header.name));
        SectionHeader padded;
        name.copy(padded.name, sizeof padded.name - 1);
        if (std::memcmp(header.name, padded.name, sizeof header.name) != 0)
            fail(fmt::format("is damaged in the name of section `{}`", name));
        if (header.element_size == 0 || header.count > left_ / header.element_size)
            fail(fmt::format("is cut short in section `{}`", name));
        Snapshot::Section section{header.element_size, {}};
        section.bytes.resize(header.element_size * header.count);
        read_bytes(section.bytes.data(), section.bytes.size());
        if (hash_bytes(section.bytes.data(), section.bytes.size()) != header.checksum)
            fail(fmt::format("is damaged: the checksum of section `{}` does not match", name));
        if (!out.sections.emplace(name, std::move(section)).second)
            fail(fmt::format("is damaged: it has two sections `{}`", name));
    }

    void read_bytes(void* bytes, std::size_t count) {
        if (count > 0 && std::fread(bytes, 1, count, file_.get()) != count) fail("cannot be read");
        left_ -= std::min<std::uintmax_t>(count, left_);
    }

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uintmax_t left_ = 0;  ///< bytes that were not read yet
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
    visit_state(simulation, write);
    file.commit();
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
    Reader reader(path);
    Checkpoint out;
    out.snapshot = reader.read_sections();
    out.snapshot.origin = "checkpoint " + path.string();
    const auto take_text = [&](const char* name) {
        const auto section = out.snapshot.sections.extract(name);
        if (!section) reader.fail(fmt::format("is damaged: it has no section `{}`", name));
        if (section.mapped().entry_size != 1)
            reader.fail(fmt::format("is damaged: section `{}` is no text", name));
        const std::vector<std::byte>& bytes = section.mapped().bytes;
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    out.scene = take_text("scene");
    out.files = files_in(take_text("files"));
    return out;
}

}  // namespace thixo
