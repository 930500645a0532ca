#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>

#include "support.h"

using namespace thixo;
using namespace thixo::test;
namespace fs = std::filesystem;

namespace {

std::string load_message(const fs::path& file) {
    return message_of([&] { load_scene(file); });
}

}  // namespace

// The first line of each file under tests/golden/scenes/bad says what its only message must be.
TEST_CASE("every broken scene gives its one message") {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(repository() / "tests/golden/scenes/bad")) {
        const std::string text = read_text(entry.path());
        constexpr std::string_view mark = "// expect: ";
        REQUIRE(text.starts_with(mark));
        const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
        CHECK(load_message(entry.path()) == entry.path().string() + ":" + expected);
        ++count;
    }
    CHECK(count > 40);
}

TEST_CASE("files that are no scenes") {
    const TemporaryFolder folder;
    const fs::path file = folder.path / "x.json";
    const std::string name = file.string();
    CHECK(load_message(file) == name + ": there is no such file");
    CHECK(load_message(folder.path) == folder.path.string() + ": this is a folder, not a scene file");
    CHECK(load_message(folder.path / "a\nb") == folder.path.string() + "/a\\u000ab: there is no such file");
    write_text(file, "");
    CHECK(load_message(file) == name + ":1:1: the file is empty");
    write_text(file, " \r\n\t");
    CHECK(load_message(file) == name + ":1:1: the file holds nothing but blanks and comments");
    write_text(file, std::string_view("\x89PNG\r\n\x1a\n\0\0", 10));
    CHECK(load_message(file) == name + ":1:1: this is not a text file: byte 0x89 is not valid UTF-8");
    write_text(file, std::string_view("\x7f"
                                      "ELF\x02\0\0",
                                      7));
    CHECK(load_message(file) == name + ":1:6: this is not a text file: it holds a zero byte");
    if (::geteuid() != 0) {
        fs::permissions(file, fs::perms::none);
        CHECK(load_message(file) == name + ": the file cannot be read: Permission denied");
    }
}

TEST_CASE("a hundred megabytes of brackets are refused at once") {
    const TemporaryFolder folder;
    const fs::path file = folder.path / "brackets.json";
    {
        const std::string block(1 << 20, '[');
        std::ofstream stream(file, std::ios::binary);
        for (int i = 0; i < 100; ++i) stream << block;
    }
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    CHECK(load_message(file) == file.string() + ": the file is larger than 64 MB");
    ::getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 8 * 1024);  // kB

    // Below the limit on bytes, the limit on depth ends it.
    const std::string brackets(60u << 20, '[');
    CHECK(parse_message(brackets) == "x.json:1:65: more than 64 brackets are open");
    std::string objects;
    for (int i = 0; i < 1000; ++i) objects += "{\"a\":";
    CHECK(parse_message(objects) == "x.json:1:321: more than 64 brackets are open");
}

TEST_CASE("several mistakes are listed in the order of the file") {
    const std::string message = parse_message(R"({
  "materials": { "water": { "density": -1, "color": "blue" } },
  "duration": "long",
  "objects": [ { "material": "water", "shape": { "sphere": { "center": [0, 0], "radius": 0 } } } ]
})");
    CHECK(message ==
          "x.json:2:40: materials.water.density: -1 kg/m³ is out of range; allowed: 0.001 to 1000000 kg/m³\n"
          "x.json:2:44: materials.water.color: unknown key (allowed: like, density, liquid, solid, heat, "
          "look, scale)\n"
          "x.json:3:15: duration: expected a number (s), found the string \"long\"\n"
          "x.json:4:90: objects.0.shape.sphere.radius: 0 m is out of range; allowed: above 0 m, at most "
          "1000000 m");
    std::string many = "{";
    for (int i = 0; i < 50; ++i) many += "\"key" + std::to_string(i) + "\": 1,\n";
    const std::string cut = parse_message(many + "\"name\": \"x\"}");
    CHECK(std::count(cut.begin(), cut.end(), '\n') == 10);
    CHECK(cut.ends_with("… and 40 more"));
}

TEST_CASE("messages are printable and short whatever the input holds") {
    const std::string long_word(5000, 'x');
    for (const std::string& word :
         {std::string("\\u001b[31m\\n"), long_word, std::string("\\u202e\\u0085")}) {
        for (const std::string& text :
             {"{\"" + word + "\": 1}", "{\"name\": {\"" + word + "\": 1}}",
              "{\"duration\": \"" + word + "\"}", "{\"solver\": {\"kernel\": \"" + word + "\"}}"}) {
            const std::string message = parse_message(text);
            CHECK(!message.empty());
            CHECK(std::none_of(message.begin(), message.end(),
                               [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }));
            CHECK(message.find("\u202e") == std::string::npos);
            CHECK(message.size() < 1000);
        }
    }
}

TEST_CASE("more entries than 16 bits can number are refused") {
    std::string text = R"({"materials": {"w": {}}, "objects": [)";
    for (int i = 0; i < 65536; ++i) text += i > 0 ? ",{}" : "{}";
    CHECK(parse_message(text + "]}") == "x.json:1:37: objects: 65536 entries; allowed: at most 65535");
}

TEST_CASE("a failure found later is reported at its key, or the nearest one that was written") {
    const auto loaded = parse_scene_with_source(full_scene, "x.json");
    CHECK(std::string(loaded.error("objects.1.shape.sphere.radius", "too round").what()) ==
          "x.json:16:64: objects.1.shape.sphere.radius: too round");
    CHECK(std::string(loaded.error("objects.1.phase", "melted").what()) ==
          "x.json:15:5: objects.1.phase: melted");
    CHECK(std::string(loaded.error("", "odd").what()) == "x.json:2:1: odd");
}
