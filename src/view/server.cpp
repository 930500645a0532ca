#include "view/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>

#include <fmt/format.h>

#include "core/error.h"
#include "view/http.h"

namespace thixo {

namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void make_nonblocking(int descriptor) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

constexpr std::string_view plain_text = "text/plain; charset=utf-8";

}  // namespace

std::string random_token() {
    unsigned char bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        throw RunError("no random numbers for the viewer's token");
    std::string out;
    for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
    return out;
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k) difference |= static_cast<unsigned char>(a[k] ^ b[k]);
    return difference == 0;
}

/// One connection: a request and its answer, or a WebSocket.
class Server::Connection {
public:
    Connection(Server& server, int descriptor) : server_(server), descriptor_(descriptor) {}
    ~Connection() {
        if (page_) server_.callbacks_.closed(page_);
        ::close(descriptor_);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    int descriptor() const { return descriptor_; }
    std::uint64_t page() const { return page_; }  ///< 0: no WebSocket
    bool wants_to_write() const { return !waiting_.empty(); }
    bool finished() const {
        if (gone_ || (ending_ && waiting_.empty())) return true;
        return (!page_ || ending_) && seconds_now() - since_ > patience;
    }

    void read() {
        char block[65536];
        const ssize_t count = ::recv(descriptor_, block, sizeof block, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) gone_ = true;
        if (count <= 0 || ending_) return;
        input_.append(block, static_cast<std::size_t>(count));
        if (page_)
            read_messages();
        else
            read_request();
    }

    void write() {
        while (!waiting_.empty()) {
            const std::string& part = *waiting_.front();
            const ssize_t count =
                ::send(descriptor_, part.data() + sent_, part.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
            if (count < 0) return void(gone_ = true);
            sent_ += static_cast<std::size_t>(count);
            bytes_waiting_ -= static_cast<std::size_t>(count);
            if (sent_ < part.size()) continue;
            waiting_.pop_front();
            sent_ = 0;
        }
    }

    void send(std::shared_ptr<const std::string> bytes) {
        if (gone_ || bytes->empty()) return;
        if (bytes_waiting_ > most_waiting) {
            server_.callbacks_.log("a page that does not read was dropped");
            gone_ = true;
            return;
        }
        bytes_waiting_ += bytes->size();
        waiting_.push_back(std::move(bytes));
    }
    void send(std::string bytes) { send(std::make_shared<const std::string>(std::move(bytes))); }

private:
    void answer(int status, std::string_view type, std::string_view body, std::string_view headers = {}) {
        send(http_answer(status, type, body, headers));
        ending_ = true;
    }
    void refuse(int status, std::string_view why) {
        server_.callbacks_.log(fmt::format("refused a request: {}", why));
        answer(status, plain_text, fmt::format("{}\n", why));
    }

    void read_request() {
        const std::size_t end = input_.find("\r\n\r\n");
        if (end == std::string::npos) {
            if (input_.size() > longest_head) refuse(400, "the head of the request is too long");
            return;
        }
        const std::optional<HttpRequest> request = parse_request(std::string_view(input_).substr(0, end + 4));
        input_.erase(0, end + 4);
        if (!request) return refuse(400, "this is not a request");
        // A page of another site can make a browser send requests here, under its own name that leads to
        // this machine.
        const std::string_view host = request->header("host"), origin = request->header("origin");
        const std::string here[] = {fmt::format("127.0.0.1:{}", server_.port_),
                                    fmt::format("localhost:{}", server_.port_)};
        if (host != here[0] && host != here[1]) return refuse(403, "wrong host");
        if (!origin.empty() && origin != fmt::format("http://{}", host)) return refuse(403, "wrong origin");
        if (request->method != "GET") return refuse(405, "only GET is known here");
        const std::string& path = request->path;
        const std::size_t slash = path.find('/', 1);
        if (path.empty() || path[0] != '/' || slash == std::string::npos ||
            !same_secret(std::string_view(path).substr(1, slash - 1), server_.token_))
            return refuse(403, "wrong token");
        const std::string name = path.substr(slash + 1);
        if (name == "live") return open(*request, origin);
        const ServerCallbacks::File* file = server_.callbacks_.file(name.empty() ? "index.html" : name);
        if (!file) return refuse(404, "there is no such file");
        answer(200, file->type, file->contents,
               "Content-Security-Policy: default-src 'none'; script-src 'self'; worker-src 'self'; style-src "
               "'self'; "
               "connect-src 'self' ws:; img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'; "
               "form-action 'none'\r\n");
    }

    void open(const HttpRequest& request, std::string_view origin) {
        if (!request.wants_websocket()) return refuse(400, "this address is for a WebSocket");
        if (origin.empty()) return refuse(403, "no origin");
        const auto pages = std::count_if(server_.connections_.begin(), server_.connections_.end(),
                                         [](const auto& other) { return other->page_ != 0; });
        if (static_cast<std::size_t>(pages) >= most_pages) return refuse(503, "too many pages");
        send(websocket_answer(request.header("sec-websocket-key")));
        page_ = server_.next_page_++;
        server_.callbacks_.opened(page_);
        read_messages();
    }

    void read_messages() {
        using Result = FrameReader::Result;
        while (!ending_) {
            const Result result = reader_.next(input_);
            if (result == Result::nothing) return;
            // Every frame counts: one without an effect costs time too.
            if (!may_speak()) return end(1008, "a page sent too many messages");
            switch (result) {
                case Result::nothing:
                case Result::partial:
                    break;
                case Result::message:
                    if (!server_.callbacks_.message(page_, reader_.payload()))
                        return end(1008, "a page sent messages faster than they are taken");
                    break;
                case Result::ping:
                    send(pong_frame(reader_.payload()));
                    break;
                case Result::closing:
                    return end(1000, "");
                case Result::too_long:
                    return end(1009, "a page sent a message that is too long");
                case Result::broken:
                    return end(1002, "a page sent something that is no message");
            }
        }
    }

    void end(std::uint16_t code, const std::string& why) {
        if (!why.empty()) server_.callbacks_.log(why);
        send(close_frame(code));
        ending_ = true;
        since_ = seconds_now();
        input_.clear();
    }

    /// So many messages a second, and as many at once.
    bool may_speak() {
        const double time = seconds_now();
        allowance_ = std::min(most_messages, allowance_ + (time - last_message_) * most_messages);
        last_message_ = time;
        allowance_ -= 1;
        return allowance_ >= 0;
    }

    Server& server_;
    int descriptor_;
    std::uint64_t page_ = 0;
    std::string input_;
    FrameReader reader_{longest_message};
    std::deque<std::shared_ptr<const std::string>> waiting_;
    std::size_t sent_ = 0, bytes_waiting_ = 0;
    double since_ = seconds_now(), last_message_ = seconds_now(), allowance_ = most_messages;
    bool ending_ = false, gone_ = false;
};

Server::Server(int port, ServerCallbacks callbacks)
    : callbacks_(std::move(callbacks)), token_(random_token()) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 128) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        const std::string why = std::strerror(errno);
        if (listener_ >= 0) ::close(listener_);
        throw RunError(fmt::format("cannot listen on port {}: {}", port, why));
    }
    port_ = ntohs(address.sin_port);
    int pipe[2];
    if (::pipe2(pipe, O_NONBLOCK | O_CLOEXEC) != 0) {
        ::close(listener_);
        throw RunError("cannot make a pipe for the viewer");
    }
    wake_in_ = pipe[0], wake_out_ = pipe[1];
    make_nonblocking(listener_);
    thread_ = std::thread([this] { serve(); });
}

Server::~Server() {
    stop_ = true;
    wake();
    thread_.join();
    connections_.clear();
    for (const int descriptor : {listener_, wake_in_, wake_out_}) ::close(descriptor);
}

std::string Server::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

void Server::wake() const {
    // If the pipe is full the thread is about to wake anyway.
    [[maybe_unused]] const ssize_t written = ::write(wake_out_, "", 1);
}

void Server::send(std::uint64_t page, MessageKind kind, std::shared_ptr<const std::string> payload) {
    {
        const std::lock_guard lock(mutex_);
        outgoing_.push_back({page, kind, std::move(payload)});
    }
    wake();
}

void Server::accept_new() {
    // Only so many at once: pages are served in between.
    for (std::size_t k = 0; k < most_connections; ++k) {
        const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        const int yes = 1;
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (connections_.size() >= most_connections) {
            // The eldest that is no page makes room: a client that opens many and sends nothing keeps no
            // other out.
            const auto idle = std::find_if(connections_.begin(), connections_.end(),
                                           [](const auto& other) { return other->page() == 0; });
            if (idle != connections_.end()) connections_.erase(idle);
        }
        connections_.push_back(std::make_unique<Connection>(*this, descriptor));
    }
}

void Server::deliver() {
    std::vector<Outgoing> outgoing;
    {
        const std::lock_guard lock(mutex_);
        outgoing.swap(outgoing_);
    }
    for (const Outgoing& message : outgoing) {
        for (const auto& connection : connections_) {
            if (connection->page() != message.page) continue;
            connection->send(message_head(message.kind, message.payload->size()));
            connection->send(message.payload);
        }
    }
}

void Server::drop_finished() {
    std::erase_if(connections_, [](const auto& connection) { return connection->finished(); });
}

void Server::serve() {
    std::vector<pollfd> polled;
    while (!stop_) {
        polled.assign({{listener_, POLLIN, 0}, {wake_in_, POLLIN, 0}});
        for (const auto& connection : connections_)
            polled.push_back({connection->descriptor(),
                              static_cast<short>(POLLIN | (connection->wants_to_write() ? POLLOUT : 0)), 0});
        ::poll(polled.data(), polled.size(), 500);
        char bytes[256];
        while (::read(wake_in_, bytes, sizeof bytes) > 0) {
        }
        // In the order of `polled`: new ones come behind.
        for (std::size_t k = 0; k < connections_.size(); ++k) {
            if (polled[k + 2].revents & (POLLIN | POLLHUP | POLLERR)) connections_[k]->read();
            if (polled[k + 2].revents & POLLOUT) connections_[k]->write();
        }
        deliver();
        for (const auto& connection : connections_) connection->write();
        drop_finished();
        if (polled[0].revents) accept_new();
    }
}

}  // namespace thixo
