#include "scene/wording.h"

#include <doctest/doctest.h>

#include <array>

using namespace thixo;

TEST_CASE("edit distance counts swaps as one and ignores case") {
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("density", "density") == 0);
    CHECK(edit_distance("densty", "density") == 1);
    CHECK(edit_distance("visocsity", "viscosity") == 1);
    CHECK(edit_distance("Density", "density") == 0);
    CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("only near words are suggested") {
    constexpr std::array<std::string_view, 4> known = {"density", "liquid", "heat", "min"};
    CHECK(nearest("densty", known) == "density");
    CHECK(nearest("Heat", known) == "heat");
    CHECK(nearest("mni", known) == "min");
    CHECK(nearest("color", known) == "");
    CHECK(nearest("x", known) == "");
    CHECK(nearest(std::string(100000, 'd'), known) == "");
    CHECK(suggestion("zzz", known) == " (allowed: density, liquid, heat, min)");
}

TEST_CASE("printable text") {
    CHECK(printable("a\tb\x7f\x1b") == "a\\u0009b\\u007f\\u001b");
    CHECK(printable("öl €") == "öl €");
    CHECK(printable("\u0085\u2028\u202e") == "\\u0085\\u2028\\u202e");
    CHECK(printable("\xff\xc3") == "??");
    CHECK(printable("ööö", 2) == "öö…");
    CHECK(count_text(10.2e9) == "10.2 billion");
    CHECK(count_text(740) == "740");
}
