#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "view/history.h"
#include "view/http.h"
#include "view/websocket.h"

using namespace thixo;

namespace {

constexpr std::size_t longest = 300;

/// What a reader makes of some bytes that come in blocks of so many: results and payloads, until an end.
std::vector<std::string> read_all(const std::string& bytes, std::size_t block) {
    using Result = FrameReader::Result;
    FrameReader reader(longest);
    std::vector<std::string> out;
    std::string input;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        input += bytes.substr(at, block);
        for (;;) {
            const std::size_t before = input.size();
            const Result result = reader.next(input);
            if (result == Result::nothing) break;
            out.push_back(std::to_string(static_cast<int>(result)));
            if (result == Result::message || result == Result::ping) {
                RC_ASSERT(reader.payload().size() <= longest);
                out.back() += reader.payload();
            }
            if (result == Result::broken || result == Result::too_long || result == Result::closing)
                return out;
            RC_ASSERT(input.size() < before);  // or it would go on for ever
        }
        // A whole frame is never kept: only the longest that is allowed may be unfinished.
        RC_ASSERT(input.size() < longest + 14);
    }
    return out;
}

/// Bytes that are frames in parts: heads that are almost right are where mistakes are.
std::string some_frames() {
    std::string out;
    for (int k = *rc::gen::inRange(0, 12); k > 0; --k) {
        const int opcode = *rc::gen::element(0, 0, 1, 1, 1, 2, 8, 9, 10, 3, 15),
                  last = *rc::gen::element(0, 0x80);
        const auto length = *rc::gen::element<std::size_t>(0, 1, 5, 125, 126, 127, 299, 300, 301);
        out += static_cast<char>(last | opcode | (*rc::gen::inRange(0, 40) == 0 ? 0x40 : 0));
        const int masked = *rc::gen::inRange(0, 40) == 0 ? 0 : 0x80;
        if (length < 126) {
            out += static_cast<char>(masked | static_cast<int>(length));
        } else if (*rc::gen::arbitrary<bool>()) {
            out += {static_cast<char>(masked | 126), static_cast<char>(length >> 8),
                    static_cast<char>(length & 255)};
        } else {
            out += static_cast<char>(masked | 127) + std::string(6, '\0') + static_cast<char>(length >> 8) +
                   static_cast<char>(length & 255);
        }
        out += "mask" + *rc::gen::container<std::string>(length, rc::gen::arbitrary<char>());
    }
    return out + *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
}

}  // namespace

TEST_CASE("frames mean the same however they are cut, and are bounded") {
    CHECK(rc::check([] {
        const std::string bytes = some_frames();
        const auto whole = read_all(bytes, std::max<std::size_t>(1, longest / 2));
        RC_ASSERT(read_all(bytes, 1) == whole);
        RC_ASSERT(read_all(bytes, 1 + *rc::gen::inRange<std::size_t>(1, longest)) == whole);
    }));
}

TEST_CASE("a head of a request is understood as a whole or not at all") {
    CHECK(rc::check([] {
        std::string head =
            "GET /token/live HTTP/1.1\r\nHost: 127.0.0.1:80\r\nOrigin: http://127.0.0.1:80\r\nUpgrade: "
            "websocket\r\n\r\n";
        for (int k = *rc::gen::inRange(0, 6); k > 0; --k) {
            const auto at = *rc::gen::inRange<std::size_t>(0, head.size());
            switch (*rc::gen::inRange(0, 3)) {
                case 0:
                    head[at] = *rc::gen::arbitrary<char>();
                    break;
                case 1:
                    head.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
                    break;
                default:
                    head.insert(at, *rc::gen::element<std::string>("\r\n", ": ", "\n", "\r",
                                                                   std::string(1, '\0'), "Host: x\r\n", " "));
            }
            if (head.empty()) return;
        }
        const auto request = parse_request(head);
        if (!request) return;
        RC_ASSERT(!request->method.empty());
        RC_ASSERT(request->method.find(' ') == std::string::npos);
        for (const auto& [name, value] : request->headers) {
            RC_ASSERT(!name.empty());
            for (const unsigned char c : name + value) RC_ASSERT((c >= 32 && c < 127) || c == '\t');
            RC_ASSERT(
                std::none_of(name.begin(), name.end(), [](unsigned char c) { return c >= 'A' && c <= 'Z'; }));
        }
        request->wants_websocket();
    }));
}

TEST_CASE("the history of a body goes back to what it came from, up to the time that is shown") {
    const BodyRecords records = parse_bodies(
        "frame,time,body,event,parents,particles,mass\n0,0,1,started,,100,1\n0,0,2,started,,50,1\n"
        "3,0.1,3,came off,1,20,1\n5,0.2,3,merged,3 2,70,1\n9,0.4,3,melted,,0,0\nbroken\n");
    REQUIRE(records.size() == 5);
    CHECK(records[3].parents == std::vector<std::uint32_t>{2});
    const std::string text = history_of(records, 3, 0.3);
    CHECK(text.find("merged") < text.find("came off"));
    CHECK(text.find("came off") < text.find("existed at the start"));
    CHECK(text.find("melted") == std::string::npos);
    CHECK(history_of(records, 0, 1) == "[]");
    CHECK(parse_bodies("").empty());
    CHECK(parse_bodies("a,b\n1,2\n").empty());
}
