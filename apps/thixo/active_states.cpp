#include "active_states.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

struct Header {
    char magic[8] = {'T', 'H', 'I', 'X', 'O', 'A', 'C', '1'};
    double cell = 0;
    std::uint64_t blocks = 0;
    std::uint64_t checksum = 0;  ///< of places and values
};

template <class T>
std::string_view raw_bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::uint64_t checksum_of(const ActiveState& state) {
    std::uint64_t sum = 0;
    for (const std::string_view bytes : {raw_bytes(state.places), raw_bytes(state.values)}) {
        for (std::size_t k = 0; k < bytes.size(); k += 4) {
            std::uint32_t word;
            std::memcpy(&word, bytes.data() + k, sizeof word);
            sum = mix(sum ^ word);
        }
    }
    return sum;
}

/// The frame of a state's file; −1 if it is none.
int frame_of_file(const fs::path& file) {
    if (file.extension() != ActiveStates::ending) return -1;
    const std::string number = file.stem().string();
    int frame = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), frame);
    return error == std::errc{} && end == number.data() + number.size() ? frame : -1;
}

template <class Visit>
void for_each_state(const fs::path& surfaces, const Visit& visit) {
    if (!fs::is_directory(surfaces)) return;
    for (const auto& entry : fs::recursive_directory_iterator(surfaces))
        if (const int frame = frame_of_file(entry.path()); entry.is_regular_file() && frame >= 0)
            visit(entry.path(), frame);
}

}  // namespace

fs::path ActiveStates::file(const std::string& name, int frame) const {
    return surfaces_ / name / fmt::format("{:04}{}", frame, ending);
}

std::optional<ActiveState> ActiveStates::read(const std::string& name, int frame) const {
    const fs::path path = file(name, frame);
    if (!fs::exists(path)) return std::nullopt;
    const std::string bytes = read_whole(path);
    const auto damaged = [&] {
        return InputError(path.string() +
                          ": the state of an active surface is damaged; `thixo surface --again` "
                          "makes all anew");
    };
    Header header;
    if (bytes.size() < sizeof header) throw damaged();
    const Header expected;
    std::memcpy(&header, bytes.data(), sizeof header);
    constexpr std::size_t block_bytes = sizeof(BlockPlace) + sizeof(float) * block_nodes;
    const std::size_t body = bytes.size() - sizeof header;
    if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || body % block_bytes != 0 ||
        body / block_bytes != header.blocks)
        throw damaged();
    ActiveState state{.cell = header.cell, .places = {}, .values = {}};
    state.places.resize(header.blocks);
    state.values.resize(block_nodes * header.blocks);
    const char* from = bytes.data() + sizeof header;
    std::memcpy(state.places.data(), from, state.places.size() * sizeof(BlockPlace));
    std::memcpy(state.values.data(), from + state.places.size() * sizeof(BlockPlace),
                state.values.size() * sizeof(float));
    if (checksum_of(state) != header.checksum) throw damaged();
    return state;
}

void ActiveStates::write(const std::string& name, int frame, const ActiveState& state) const {
    Header header;
    header.cell = state.cell;
    header.blocks = state.places.size();
    header.checksum = checksum_of(state);
    AtomicFile out(file(name, frame));
    out.write({reinterpret_cast<const char*>(&header), sizeof header});
    out.write(raw_bytes(state.places));
    out.write(raw_bytes(state.values));
    out.commit();
}

bool ActiveStates::has(int frame) const {
    bool found = false;
    for_each_state(surfaces_, [&](const fs::path&, int k) { found = found || k == frame; });
    return found;
}

void ActiveStates::forget_before(int frame) const {
    std::vector<fs::path> old;
    for_each_state(surfaces_, [&](const fs::path& path, int k) {
        if (k < frame) old.push_back(path);
    });
    std::error_code ignored;
    for (const fs::path& path : old) fs::remove(path, ignored);
}

}  // namespace thixo
