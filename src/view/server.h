#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "view/websocket.h"

namespace thixo {

/// What the server calls, from its own thread.
struct ServerCallbacks {
    /// A file of the page by its name, or null.
    struct File {
        std::string_view type, contents;
    };
    std::function<const File*(std::string_view name)> file;
    std::function<void(std::uint64_t page)> opened, closed;
    /// False: too much waits to be looked at; the page is dropped.
    std::function<bool(std::uint64_t page, const std::string& text)> message;
    std::function<void(const std::string& line)> log;
};

/// HTTP and WebSockets on the loopback address, for pages that have the token. One thread serves all
/// connections and waits for none of them: what a page does not read stays in a queue of bounded length.
/// Messages, their rate, heads, and the number of connections are bounded.
class Server {
public:
    static constexpr std::size_t longest_message = 64 << 10, longest_head = 8 << 10;
    static constexpr std::size_t most_connections = 64, most_pages = 8;
    static constexpr double most_messages = 400;  ///< a second
    static constexpr double patience = 5;         ///< s, for a request to arrive
    static constexpr std::size_t most_waiting =
        64 << 20;  ///< bytes that a page has not read when there is more for it

    /// `port` 0: any that is free. Throws a RunError if it is not.
    Server(int port, ServerCallbacks callbacks);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int port() const { return port_; }
    const std::string& token() const { return token_; }
    std::string address() const;

    /// From any thread. Does nothing if the page is gone.
    void send(std::uint64_t page, MessageKind kind, std::shared_ptr<const std::string> payload);

private:
    class Connection;
    void serve();
    void accept_new();
    void deliver();
    void drop_finished();
    void wake() const;

    ServerCallbacks callbacks_;
    int listener_ = -1, wake_in_ = -1, wake_out_ = -1, port_ = 0;
    std::string token_;
    std::vector<std::unique_ptr<Connection>> connections_;  ///< of the server's thread alone
    std::uint64_t next_page_ = 1;

    struct Outgoing {
        std::uint64_t page;
        MessageKind kind;
        std::shared_ptr<const std::string> payload;
    };
    std::mutex mutex_;
    std::vector<Outgoing> outgoing_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

/// 128 random bits in hexadecimal digits.
std::string random_token();

/// In constant time, wherever the two differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace thixo
