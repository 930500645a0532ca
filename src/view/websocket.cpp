#include "view/websocket.h"

namespace thixo {

namespace {

enum Opcode : unsigned {
    opcode_continuation = 0,
    opcode_text = 1,
    opcode_binary = 2,
    opcode_close = 8,
    opcode_ping = 9,
    opcode_pong = 10
};

std::string frame_head(unsigned opcode, std::uint64_t bytes) {
    std::string out(1, static_cast<char>(0x80 | opcode));
    const auto put = [&](int count) {
        for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
            out += static_cast<char>(bytes >> shift & 0xff);
    };
    if (bytes < 126) {
        put(1);
    } else if (bytes < 65536) {
        out += static_cast<char>(126);
        put(2);
    } else {
        out += static_cast<char>(127);
        put(8);
    }
    return out;
}

}  // namespace

std::string message_head(MessageKind kind, std::uint64_t bytes) {
    return frame_head(kind == MessageKind::text ? opcode_text : opcode_binary, bytes);
}

std::string close_frame(std::uint16_t code) {
    return frame_head(opcode_close, 2) + static_cast<char>(code >> 8) + static_cast<char>(code & 0xff);
}

std::string pong_frame(std::string_view payload) {
    return frame_head(opcode_pong, payload.size()) + std::string(payload);
}

FrameReader::Result FrameReader::next(std::string& input) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(input[k]); };
    if (input.size() < 2) return Result::nothing;
    const bool last = byte(0) & 0x80, masked = byte(1) & 0x80;
    const unsigned opcode = byte(0) & 0x0f;
    if ((byte(0) & 0x70) || !masked)
        return Result::broken;  // extensions that were not negotiated; clients must mask

    std::uint64_t bytes = byte(1) & 0x7f;
    std::size_t head = 2;
    if (bytes >= 126) {
        const std::size_t count = bytes == 126 ? 2 : 8;
        if (input.size() < 2 + count) return Result::nothing;
        bytes = 0;
        for (std::size_t k = 0; k < count; ++k) bytes = bytes << 8 | byte(2 + k);
        head += count;
    }
    const bool control = opcode >= 8;
    if (control && (bytes > 125 || !last)) return Result::broken;
    if (bytes > longest_ || parts_.size() + bytes > longest_) return Result::too_long;
    if (input.size() < head + 4 + bytes) return Result::nothing;

    payload_.assign(input, head + 4, bytes);
    for (std::size_t k = 0; k < payload_.size(); ++k)
        payload_[k] = static_cast<char>(payload_[k] ^ input[head + k % 4]);
    input.erase(0, head + 4 + bytes);
    switch (opcode) {
        case opcode_close:
            return Result::closing;
        case opcode_ping:
            return Result::ping;
        case opcode_pong:
            return Result::partial;
        case opcode_text:
        case opcode_binary:
            if (in_parts_) return Result::broken;
            text_ = opcode == opcode_text;
            break;
        case opcode_continuation:
            if (!in_parts_) return Result::broken;
            break;
        default:
            return Result::broken;
    }
    in_parts_ = !last;
    if (last && parts_.empty()) return text_ ? Result::message : Result::broken;
    parts_ += payload_;
    if (!last) return Result::partial;
    payload_ = std::move(parts_);
    parts_.clear();
    return text_ ? Result::message : Result::broken;
}

}  // namespace thixo
