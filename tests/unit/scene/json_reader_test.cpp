#include "scene/json_reader.h"

#include <doctest/doctest.h>

#include <string>

using namespace thixo;

namespace {

std::string place(const Position& at) { return std::to_string(at.line) + ":" + std::to_string(at.column); }

const JsonMember& member(const JsonValue& object, std::string_view key) {
    const JsonMember* found = object.find(key);
    REQUIRE(found);
    return *found;
}

std::string failure(std::string_view text) {
    try {
        parse_json(text);
    } catch (const JsonError& error) {
        return place(error.at) + ": " + (error.path.empty() ? "" : error.path + ": ") + error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("every key and value has its position in the file") {
    const JsonValue root = parse_json(
        "{ \"a\": 12, \"text\": \"x\\\"y\",\n  \"list\": [1,-2.5e3 , [true,null]],\n\"o\":{\"k\":false}}");
    CHECK(place(root.at) == "1:1");
    CHECK(place(member(root, "a").at) == "1:3");
    CHECK(place(member(root, "a").value.at) == "1:8");
    CHECK(place(member(root, "text").at) == "1:12");
    CHECK(place(member(root, "text").value.at) == "1:20");
    const auto& list = *member(root, "list").value.as<JsonValue::Array>();
    CHECK(place(member(root, "list").at) == "2:3");
    CHECK(place(member(root, "list").value.at) == "2:11");
    CHECK(place(list[0].at) == "2:12");
    CHECK(place(list[1].at) == "2:14");
    CHECK(place(list[2].at) == "2:23");
    CHECK(place((*list[2].as<JsonValue::Array>())[0].at) == "2:24");
    CHECK(place((*list[2].as<JsonValue::Array>())[1].at) == "2:29");
    CHECK(place(member(root, "o").value.at) == "3:5");
    CHECK(place(member(member(root, "o").value, "k").at) == "3:6");
    CHECK(place(member(member(root, "o").value, "k").value.at) == "3:10");
}

TEST_CASE("positions after comments, tabs, CRLF, lone CR, wide characters and a byte order mark") {
    CHECK(place(parse_json("// one\n/* two\n three */ 7").at) == "3:11");
    CHECK(place(parse_json("/* // */7//").at) == "1:9");
    CHECK(place(parse_json("[\t\t7]").as<JsonValue::Array>()->front().at) == "1:4");
    CHECK(place(parse_json("[\r\n\r\n 7]").as<JsonValue::Array>()->front().at) == "3:2");
    CHECK(place(parse_json("[\r\r 7]").as<JsonValue::Array>()->front().at) == "3:2");
    CHECK(place(parse_json("\xef\xbb\xbf 7").at) == "1:2");
    const JsonValue wide = parse_json("[\"ö€😀\", /*ü*/ 7]");
    CHECK(place((*wide.as<JsonValue::Array>())[1].at) == "1:15");
    CHECK(place(parse_json("[1//,:\n, /*]*/ 2]").as<JsonValue::Array>()->back().at) == "2:9");
    const JsonValue quotes = parse_json("[\"\\\\\",\"//\",\"\\\"\",1]");
    CHECK(place(quotes.as<JsonValue::Array>()->back().at) == "1:17");
}

TEST_CASE("numbers keep what was written") {
    const auto number = [](std::string_view text) { return *parse_json(text).as<JsonNumber>(); };
    CHECK(number("18446744073709551615").magnitude == 18446744073709551615u);
    CHECK(number("-9223372036854775808").magnitude == 9223372036854775808u);
    CHECK(number("-9223372036854775808").negative);
    CHECK_FALSE(number("18446744073709551616").integer);
    CHECK(number("1e3").integer);
    CHECK(number("30.0").magnitude == 30);
    CHECK_FALSE(number("0.1").integer);
    CHECK(number("0.1").value == 0.1);
    CHECK(number("5e-324").value == 5e-324);
    CHECK(number("1.7976931348623157e308").value == 1.7976931348623157e308);
    CHECK(number("0e999").value == 0);
}

TEST_CASE("what is not a number in range is refused") {
    CHECK(failure("{\"a\": [1e400]}") == "1:8: a.0: the number 1e400 is too large to be represented");
    CHECK(failure("{\"a\": -1e400}") == "1:7: a: the number -1e400 is too large to be represented");
    CHECK(failure("1e-400") == "1:1: the number 1e-400 is too small to be represented");
    CHECK(failure("[1, 01]") == "1:6: expected ',' or ']', found 1");
    CHECK(failure("[-]") == "1:2: invalid number; expected digit after '-'");
    CHECK(failure("Infinity") == "1:1: expected a value, found Infinity");
}

TEST_CASE("broken text names the place and what was expected") {
    CHECK(failure("") == "1:1: the file holds nothing but blanks and comments");
    CHECK(failure(" \n// x\n/**/") == "1:1: the file holds nothing but blanks and comments");
    CHECK(failure("[1,\n 2") == "2:3: the text ends too early: '[' at line 1, column 1 is never closed");
    CHECK(failure("{\"a\": {\"b\" ") ==
          "1:12: the text ends too early: '{' at line 1, column 7 is never closed");
    CHECK(failure("{} x") == "1:4: expected nothing more after the scene, found x");
    CHECK(failure("{}{}") == "1:3: expected nothing more after the scene, found {");
    CHECK(failure("{,}") == "1:2: expected a key in double quotes, found ,");
    CHECK(failure("{\"a\":1,}") == "1:8: a comma before '}' is not allowed");
    CHECK(failure("{\"a\":,}") == "1:6: expected a value, found ,");
    CHECK(failure("{\"a\"::1}") == "1:6: expected a value, found :");
    CHECK(failure("[1:2]") == "1:3: expected ',' or ']', found :");
    CHECK(failure("[1 /* x") == "1:4: invalid comment; missing closing '*/'");
    CHECK(failure("[truefalse]") == "1:6: expected ',' or ']', found false");
    CHECK(failure("[\"a\nb\"]").starts_with("1:2: invalid string: control character U+000A (LF)"));
    CHECK(failure("[\"a\x1b[31m\"]").find('\x1b') == std::string::npos);
    CHECK(failure("{\"a\":1,\n \"b\":2,\n \"a\":3}") ==
          "3:2: a: duplicate key; it is already at line 1, column 2");
    CHECK(failure("{\"o\":[{\"k\":1,\"k\":2}]}") ==
          "1:14: o.0.k: duplicate key; it is already at line 1, column 8");
    CHECK(failure("{\"a\":1, \"\\u0061\":2}") == "1:9: a: duplicate key; it is already at line 1, column 2");
}

TEST_CASE("what is not text is refused at the first bad byte") {
    CHECK(failure(std::string_view("{\n \0}", 5)) == "2:2: this is not a text file: it holds a zero byte");
    CHECK(failure("[1,\n\"\xff\"]") == "2:2: this is not a text file: byte 0xff is not valid UTF-8");
    CHECK(failure("\"\xc0\xaf\"") == "1:2: this is not a text file: byte 0xc0 is not valid UTF-8");
    CHECK(failure("\"\xed\xa0\x80\"") == "1:2: this is not a text file: byte 0xed is not valid UTF-8");
    CHECK(failure("\"\xe2\x82") == "1:2: this is not a text file: byte 0xe2 is not valid UTF-8");
    CHECK(failure("\xff\xfe{") == "1:1: this is UTF-16 text; save it as UTF-8");
    CHECK(failure("\xef\xbb\xbf\xef\xbb\xbf{}").starts_with("1:1: expected a value"));
}

TEST_CASE("nesting and counts are limited") {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(failure(nested(deepest_nesting)) == "accepted");
    CHECK(failure(nested(deepest_nesting + 1)) == "1:65: more than 64 brackets are open");
    std::string many = "[0";
    for (std::size_t i = 0; i < most_values; ++i) many += ",0";
    CHECK(failure(many + "]") == "1:4000000: the scene holds more than 2000000 values");
}
