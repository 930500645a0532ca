#include "ledger.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "core/error.h"
#include "core/input_file.h"

namespace thixo {

namespace {

/// The lines of a text without their ends. The last one counts only if it has an end.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    std::optional<std::string_view> next() {
        const std::size_t end = text_.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        std::string_view line = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++number_;
        return line;
    }
    int number() const { return number_; }

private:
    std::string_view text_;
    int number_ = 0;
};

/// The frame of a row that has all its fields.
std::optional<long> frame_of(std::string_view row, std::string_view header) {
    long frame = -1;
    const char* end = row.data() + row.size();
    const auto [stop, error] = std::from_chars(row.data(), end, frame);
    if (error != std::errc{} || stop == end || *stop != ',' || frame < 0) return std::nullopt;
    if (std::count(row.begin(), row.end(), ',') != std::count(header.begin(), header.end(), ','))
        return std::nullopt;
    return frame;
}

[[noreturn]] void refuse(const std::filesystem::path& file, int line, std::string_view what) {
    throw InputError(
        fmt::format("{}, line {}: {}; mend it, move it away to go on without its rows, or start over with "
                    "--force",
                    file.string(), line, what));
}

}  // namespace

Ledger read_ledger(const std::filesystem::path& file, long until, std::string header) {
    Ledger ledger;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return ledger;
    std::string text;
    try {
        text = read_whole(file);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
    if (text.empty()) return ledger;

    header.pop_back();
    Lines lines(text);
    const auto first = lines.next();
    if (!first || *first != header) refuse(file, 1, "these are not the columns that this program writes");
    ledger.text = header + "\n";
    long before = -1;
    while (const auto row = lines.next()) {
        const std::optional<long> frame = frame_of(*row, header);
        if (!frame) refuse(file, lines.number(), "this row is damaged");
        if (*frame <= before)
            refuse(file, lines.number(), fmt::format("frame {} comes after frame {}", *frame, before));
        // Rows behind the checkpoint are computed again.
        if (*frame > until) break;
        for (long missing = before + 1; missing < *frame; ++missing) ledger.missing.push_back(missing);
        before = *frame;
        ledger.text += *row;
        ledger.text += '\n';
    }
    ledger.last_frame = before;
    return ledger;
}

std::string frame_ranges(const std::vector<long>& frames) {
    std::string text;
    for (std::size_t k = 0; k < frames.size();) {
        std::size_t end = k + 1;
        while (end < frames.size() && frames[end] == frames[end - 1] + 1) ++end;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", frames[k]);
        if (end - k > 1) text += fmt::format(" to {}", frames[end - 1]);
        k = end;
    }
    return text;
}

}  // namespace thixo
