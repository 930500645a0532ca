#include "scene/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "scene/json_value.h"

namespace thixo {

namespace {

char32_t decode(std::string_view sequence) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
    if (sequence.size() == 1) return byte(0);
    char32_t code = byte(0) & (0x7fu >> sequence.size());
    for (std::size_t i = 1; i < sequence.size(); ++i) code = (code << 6) | (byte(i) & 0x3fu);
    return code;
}

/// Characters that would break or reorder a line on a terminal.
bool hidden(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

constexpr std::size_t longest_compared = 64;
constexpr std::size_t most_listed = 20;

}  // namespace

// Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    if (text.empty()) return 0;
    const unsigned lead = byte(0), second = byte(1);
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4 || !follows(1)) return 0;
    if (lead < 0xe0) return 2;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || !follows(2)) return 0;
    if (lead < 0xf0) return 3;
    if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f) || !follows(3)) return 0;
    return 4;
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string shown;
    for (std::size_t count = 0; !text.empty(); ++count) {
        if (count == limit) return shown + "…";
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            shown += '?';
        } else if (const char32_t code = decode(text.substr(0, length)); hidden(code)) {
            shown += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

std::string quoted(std::string_view text, std::size_t limit) { return '"' + printable(text, limit) + '"'; }

std::string number_text(const JsonNumber& number) {
    if (number.integer) return fmt::format("{}{}", number.negative ? "-" : "", number.magnitude);
    return fmt::format("{}", number.value);
}

std::string count_text(double count) {
    if (count >= 1e9) return fmt::format("{:.3g} billion", count / 1e9);
    if (count >= 1e6) return fmt::format("{:.3g} million", count / 1e6);
    return fmt::format("{:.0f}", count);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > longest_compared) return {};
    // A third of the letters may be wrong: "densty" and "visocsity" are found, "color" does not become
    // "solver".
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string_view found;
    for (const std::string_view candidate : known) {
        const std::size_t difference =
            std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
        if (candidate.size() > longest_compared || difference >= best) continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best && distance < candidate.size()) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    if (known.empty()) return " (none is defined)";
    std::string text;
    if (const auto near = nearest(word, known); !near.empty())
        text = fmt::format("; did you mean {}?", thixo::quoted(near));
    text += " (allowed: ";
    for (std::size_t i = 0; i < std::min(known.size(), most_listed); ++i)
        text += (i > 0 ? ", " : "") + printable(known[i], 40);
    if (known.size() > most_listed) text += fmt::format(", … {} more", known.size() - most_listed);
    return text + ")";
}

}  // namespace thixo
