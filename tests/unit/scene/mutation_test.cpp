#include <doctest/doctest.h>

#include <array>
#include <cstdlib>

#include "core/hash.h"
#include "schema_check.h"
#include "support.h"

using namespace thixo;
using namespace thixo::test;

namespace {

/// The same sequence on every machine, unlike std::uniform_int_distribution.
struct Dice {
    std::uint64_t state;
    std::size_t below(std::size_t n) { return static_cast<std::size_t>((state = mix(state)) % n); }
};

void replace_one(std::string& text, Dice& dice, std::string_view from, std::string_view to) {
    std::vector<std::size_t> places;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        places.push_back(at);
    if (!places.empty()) text.replace(places[dice.below(places.size())], from.size(), to);
}

constexpr std::array<std::string_view, 22> tokens = {
    "{",   "}",    "[",  "]",  ",",  ":", "\"", "null",  "true", "-1",          "1e400",
    "1e9", "\xff", "/*", "//", "\\", "0", "-",  "\"a\"", "1e-9", "\"density\"", "[0, 0, 0]"};
constexpr std::array<std::string_view, 12> keys = {"density",  "objects", "shape",     "box",
                                                   "min",      "name",    "solver",    "kernel",
                                                   "material", "seed",    "materials", "radius"};

void mutate(std::string& text, Dice& dice) {
    if (text.empty()) return;
    const std::size_t at = dice.below(text.size()), length = 1 + dice.below(12);
    switch (dice.below(8)) {
        case 0:
            text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            std::swap(text[at], text[dice.below(text.size())]);
            break;
        case 3: {
            std::string renamed(keys[dice.below(keys.size())]);
            const std::string key = renamed;
            renamed[dice.below(renamed.size())] = static_cast<char>('a' + dice.below(26));
            replace_one(text, dice, "\"" + key + "\"", "\"" + renamed + "\"");
            break;
        }
        case 4:
            text.replace(at, dice.below(6), tokens[dice.below(tokens.size())]);
            break;
        case 5:
            replace_one(text, dice, ",", " /* , */\r\n,\t");
            break;
        case 6: {
            const std::string digit(1, static_cast<char>('1' + dice.below(9)));
            replace_one(text, dice, digit, std::string(1, static_cast<char>('1' + dice.below(9))));
            break;
        }
        default:
            text.insert(at, text.substr(dice.below(text.size()), length * 4));
            break;
    }
}

/// Every scene that ships, or the one of the tests.
std::vector<std::string> originals() {
    std::vector<std::string> texts{std::string(full_scene)};
    std::vector<std::filesystem::path> files;
    if (const auto folder = repository() / "scenes"; std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) texts.push_back(read_text(file));
    return texts;
}

}  // namespace

TEST_CASE("mutated scenes are refused in words or understood completely") {
    const JsonValue schema = parse_json(json_schema());
    const auto scenes = originals();
    std::size_t accepted = 0, refused = 0;
    // Each scene that ships twice; the label `full` has more.
    const std::size_t each = std::getenv("THIXO_FULL") != nullptr ? 20 : 2;
    for (std::uint64_t i = 0; i < 200 + each * scenes.size(); ++i) {
        Dice dice{i};
        std::string text = scenes[i % scenes.size()];
        for (std::size_t k = 0, count = 1 + dice.below(3); k < count; ++k) mutate(text, dice);
        CAPTURE(text);
        std::string resolved;
        const std::string message = message_of([&] { resolved = to_json(parse_scene(text, "x.json")); });
        if (message.empty()) {
            // The schema is walked by code of the tests: no key that is missing in it may have passed.
            CHECK(schema_violation(schema, parse_json(text)) == "");
            CHECK(to_json(parse_scene(resolved, "x.json")) == resolved);
            ++accepted;
        } else {
            CHECK(message.starts_with("x.json:"));
            ++refused;
        }
    }
    CHECK(accepted > 10);
    CHECK(refused > 100);
}
