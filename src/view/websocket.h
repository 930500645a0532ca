#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thixo {

enum class MessageKind { text, binary };

/// The head of a message from here, in one frame (RFC 6455, sec. 5.2).
std::string message_head(MessageKind kind, std::uint64_t bytes);
/// Control frames.
std::string close_frame(std::uint16_t code);
std::string pong_frame(std::string_view payload);

/// Takes frames of a client apart. Never keeps more than the longest message that is allowed: what a head
/// announces is checked before any of it is kept.
class FrameReader {
public:
    explicit FrameReader(std::size_t longest) : longest_(longest) {}

    enum class Result {
        nothing,   ///< more bytes are needed
        partial,   ///< part of a message, or a pong: there may be more in `input`
        message,   ///< `payload` is a whole text message
        ping,      ///< `payload` is to be sent back
        closing,   ///< the other side ends the connection
        too_long,  ///< a message above the limit
        broken     ///< not what the protocol allows
    };

    /// Takes the next frame from the front of `input`.
    Result next(std::string& input);
    const std::string& payload() const { return payload_; }

private:
    std::size_t longest_;
    std::string payload_, parts_;  ///< parts: of a message in several frames
    bool in_parts_ = false, text_ = false;
};

}  // namespace thixo
