#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "view/http.h"
#include "view/message_pool.h"
#include "view/server.h"
#include "view/sha1.h"
#include "view/wire.h"

using namespace thixo;

namespace {

std::string hex(std::string_view bytes) {
    std::string out;
    for (const unsigned char byte : bytes) {
        constexpr char digits[] = "0123456789abcdef";
        out += {digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

/// A frame of a client, with a mask that is not zero.
std::string frame(unsigned first, std::string_view payload) {
    const std::string mask = "\x12\x34\x56\x78";
    std::string out{static_cast<char>(first), static_cast<char>(0x80 | payload.size())};
    out += mask;
    for (std::size_t k = 0; k < payload.size(); ++k) out += static_cast<char>(payload[k] ^ mask[k % 4]);
    return out;
}

/// In memory that had another message before.
std::string particle_message(const Device& device, const ShownParticles& shown) {
    MessagePool pool;
    pool.take()->assign(3000, 'x');
    const std::shared_ptr<std::string> message = pool.take();
    CHECK(message->size() == 3000);
    encode_particles(device, shown, *message);
    return *message;
}

}  // namespace

TEST_CASE("SHA-1 of RFC 3174") {
    CHECK(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(hex(sha1("")) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    CHECK(hex(sha1(std::string(1000000, 'a'))) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_CASE("the handshake of RFC 6455") {
    CHECK(websocket_answer("dGhlIHNhbXBsZSBub25jZQ==").find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") !=
          std::string::npos);
    const auto request = parse_request(
        "GET /t/live HTTP/1.1\r\nHost: a\r\nUPGRADE: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    REQUIRE(request);
    CHECK(request->path == "/t/live");
    CHECK(request->wants_websocket());
}

TEST_CASE("heads that are none") {
    for (const char* head : {"", "\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                             "GET / HTTP/1.1\r\nA: 1\r\na: 2\r\n\r\n", "GET / HTTP/1.1\r\nA: \x01\r\n\r\n",
                             "GET / HTTP/1.1\r\n"})
        CHECK_FALSE(parse_request(head));
}

TEST_CASE("frames are put together, byte by byte") {
    using Result = FrameReader::Result;
    FrameReader reader(100);
    const std::string bytes =
        frame(0x01, "hel") + frame(0x89, "ping") + frame(0x80, "lo") + frame(0x81, "next");
    std::string input;
    std::vector<std::string> messages;
    int pings = 0;
    for (const char byte : bytes) {
        input += byte;
        const Result result = reader.next(input);
        if (result == Result::partial) CHECK(input.empty());
        pings += result == Result::ping;
        if (result == Result::message) messages.push_back(reader.payload());
    }
    CHECK(pings == 1);
    CHECK(messages == std::vector<std::string>{"hello", "next"});
}

TEST_CASE("what is too long is refused by its head") {
    FrameReader reader(100);
    std::string input = "\x81\xff";  // and eight bytes of length
    input += std::string(8, '\x7f');
    CHECK(reader.next(input) == FrameReader::Result::too_long);
    FrameReader parts(10);
    input = frame(0x01, "1234567") + frame(0x80, "89abc");
    CHECK(parts.next(input) == FrameReader::Result::partial);
    CHECK(parts.next(input) == FrameReader::Result::too_long);
}

TEST_CASE("tokens are long, different, and compared as a whole") {
    const std::string token = random_token();
    CHECK(token.size() == 32);
    CHECK(token != random_token());
    CHECK(same_secret(token, token));
    CHECK_FALSE(same_secret(token, token.substr(1)));
    CHECK_FALSE(same_secret(token, std::string(32, '0')));
}

TEST_CASE("particles come within 1/65535 of the box") {
    std::vector<Vec3f> x;
    ShownParticles shown;
    for (int k = 0; k < 1000; ++k) {
        const auto t = static_cast<float>(k);
        x.push_back({std::sin(t), 3 * std::cos(1.7f * t), -2 + 0.001f * t});
        shown.value.push_back(t);
        shown.kind.push_back(static_cast<std::uint8_t>(k % 3));
    }
    shown.position = x;
    const std::vector<float> radius{0.05f};
    shown.radius = radius;
    const std::string message = particle_message(Device{2}, shown);
    REQUIRE(message.size() == 80 + 10 * 1000);
    float low[3], high[3];
    std::memcpy(low, message.data() + 40, sizeof low);
    std::memcpy(high, message.data() + 52, sizeof high);
    std::vector<std::uint16_t> places(4000);
    std::memcpy(places.data(), message.data() + 80, 8000);
    for (std::size_t k = 0; k < 1000; ++k) {
        const float at[3] = {x[k].x, x[k].y, x[k].z};
        for (std::size_t a = 0; a < 3; ++a) {
            const float read = low[a] + (high[a] - low[a]) * static_cast<float>(places[3 * k + a]) / 65535;
            CHECK(std::abs(read - at[a]) <= 0.51f * (high[a] - low[a]) / 65535 + 1e-6f);
        }
        // To the nearest, but for what single precision makes of 65535.
        CHECK(std::abs(places[3000 + k] - 65535.0 * static_cast<double>(k) / 999) <= 0.51);
    }
    CHECK(message == particle_message(Device{1}, shown));
}

TEST_CASE("messages that are in use are not written over") {
    MessagePool pool;
    std::shared_ptr<std::string> first = pool.take(), second = pool.take();
    const std::string *one = first.get(), *other = second.get();
    CHECK(one != other);
    const std::shared_ptr<const std::string> also = first;
    first.reset();
    CHECK(pool.take().get() != one);
    second.reset();
    CHECK(pool.take().get() == other);
}

TEST_CASE("the box is that of the particles, however many there are") {
    for (const int count : {1, 2, 7, 8, 9, 23, 24, 25, 511, 512, 513, 520, 1031}) {
        std::vector<Vec3f> x;
        const std::vector<float> radius{0.1f};
        ShownParticles shown;
        shown.radius = radius;
        for (int k = 0; k < count; ++k) {
            x.push_back({5 + static_cast<float>(k), -static_cast<float>(k), 2});
            shown.value.push_back(100 - static_cast<float>(k));
            shown.kind.push_back(0);
        }
        shown.position = x;
        const std::string message = particle_message(Device{2}, shown);
        float box[8];
        std::memcpy(box, message.data() + 40, sizeof box);
        const auto last = static_cast<float>(count - 1);
        const float expected[8] = {5, -last, 2, 5 + last, 0, 2, 100 - last, 100};
        for (std::size_t k = 0; k < 8; ++k) CHECK(box[k] == expected[k]);
    }
}

TEST_CASE("meshes have the colours of the particles that they are of") {
    const std::vector<Vec3f> x{{0, 0, 0}, {1, 1, 1}};
    ShownParticles shown;
    shown.position = x;
    shown.value = {10, 20};
    SurfaceMesh mesh;
    mesh.vertices = {{-1, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    mesh.normals = {{0, 0, 1}, {1e30f, -1e30f, std::nanf("")}, {-1, 0, 0}};
    mesh.triangles = {{0, 1, 2}};
    mesh.edges = {{0, 1}};
    const std::string message = encode_mesh(mesh, {10, 15, 99}, shown);
    REQUIRE(message.size() == 48 + 3 * 12 + 12 + 8);
    std::uint16_t place[12];
    std::memcpy(place, message.data() + 48, sizeof place);
    CHECK(place[3] == 0);
    CHECK(place[7] == 32768);
    CHECK(place[11] == 65535);  // beyond the range of the particles
    CHECK(place[4] == 65535);
    CHECK(static_cast<int>(message[48 + 24 + 2]) == 127);
    CHECK(static_cast<int>(message[48 + 24 + 4]) == 127);
    CHECK(static_cast<int>(message[48 + 24 + 5]) == -127);
    CHECK(encode_mesh({}, {}, {}).size() == 48);
}
