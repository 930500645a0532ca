// Checkpoints whose sections are changed one at a time and then given the checksum that fits, so that what
// lies behind it is reached.

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "core/hash.h"
#include "readers.h"
#include "sim/checkpoint.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace thixo;

/// Of a file: magic, version, byte order. Of a section: name, size of an entry, count, checksum.
constexpr std::size_t file_head = 16, section_head = 56, size_at = 32, count_at = 40, checksum_at = 48;

std::uint64_t number_at(const std::uint8_t* bytes) {
    std::uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Where sections begin, as far as they are whole.
std::vector<std::size_t> sections_of(const std::uint8_t* data, std::size_t size) {
    std::vector<std::size_t> starts;
    for (std::size_t at = file_head; at + section_head <= size;) {
        const std::uint64_t each = number_at(data + at + size_at), count = number_at(data + at + count_at);
        const std::size_t left = size - at - section_head;
        if (each > 0 && count > left / each) break;
        starts.push_back(at);
        at += section_head + each * count;
    }
    return starts;
}

/// A file that can only be reached by its descriptor.
class MemoryFile {
public:
    MemoryFile() : descriptor_(::memfd_create("checkpoint", 0)) {}
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    void write(const void* data, std::size_t size) const {
        if (::pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    }

private:
    int descriptor_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    const std::vector<std::size_t> starts = sections_of(data, size);
    if (starts.empty() || seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
    const std::size_t at = starts[seed / 16 % starts.size()];
    const std::uint64_t each = number_at(data + at + size_at), count = number_at(data + at + count_at);
    std::size_t bytes = each * count;
    std::uint8_t* payload = data + at + section_head;
    if (seed / 16 % 8 == 0 && each > 0 && count > 0) {
        // One entry less.
        std::memmove(payload + bytes - each, payload + bytes, size - at - section_head - bytes);
        const std::uint64_t fewer = count - 1;
        std::memcpy(data + at + count_at, &fewer, sizeof fewer);
        bytes -= each;
        size -= each;
    } else if (bytes > 0) {
        LLVMFuzzerMutate(payload, bytes, bytes);
    }
    const std::uint64_t checksum = hash_bytes(payload, bytes);
    std::memcpy(data + at + checksum_at, &checksum, sizeof checksum);
    return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file;
    file.write(data, size);
    expect_read_or_refused([&] {
        const Checkpoint checkpoint = load_checkpoint(file.path());
        // What is read can be taken as a table: columns are equally long.
        const SavedParticles saved(checkpoint.snapshot);
        saved.particles.for_each_field([&](const auto& column, std::string_view, std::string_view) {
            if (column.size() != saved.particles.id.size()) std::abort();
        });
        // The states of solids, which have most of the indices.
        SnapshotReader reader(checkpoint.snapshot);
        ElasticState elastic;
        LatticeState lattice;
        RigidState rigid;
        visit_state(elastic, reader);
        visit_state(lattice, reader);
        visit_state(rigid, reader);
        elastic.check(saved.particles);
        lattice.check(saved.particles);
        rigid.check(saved.particles);
    });
    return 0;
}
