#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "view/message_pool.h"
#include "view/server.h"
#include "view/subject.h"

namespace thixo {

struct ViewerSettings {
    int port = 0;         ///< 0: any that is free
    bool playing = true;  ///< from the start
    double speed = 1;     ///< simulated seconds in a second at most; 0: as many as can be computed
    Device device;        ///< encodes what is sent
};

/// Shows a subject to pages, and applies their commands between two steps. A page gets the newest state for
/// each of its requests: one that is slow gets fewer, and nothing waits for it.
class Viewer {
public:
    /// What pages sent and was not looked at yet, since a step takes long.
    static constexpr std::size_t most_arrivals = 20000, most_arrived_bytes = 4 << 20;

    using Log = std::function<void(const std::string& line)>;
    Viewer(Subject& subject, const ViewerSettings& settings, Log log);

    std::string address() const { return server_.address(); }
    /// Goes on until a page or a signal stops it.
    void run(const std::function<bool()>& interrupted);

private:
    struct Page {
        int requested = 0;          ///< frames
        std::uint64_t version = 0;  ///< that it has
        std::string colour;
        bool meshes = false;
        std::size_t ledger = 0;  ///< rows that it has
        std::set<std::uint64_t> hands;
    };
    struct Arrival {
        enum class Kind { opened, closed, message } kind;
        std::uint64_t page;
        std::string text;
    };
    using Clock = std::chrono::steady_clock;

    ServerCallbacks callbacks();
    bool arrive(Arrival arrival);
    void take(const Arrival& arrival);
    void take_message(std::uint64_t number, Page& page, const std::string& text);
    void act(std::uint64_t number, Page& page, const std::string& action);
    void release_all(Page& page);
    void restart();
    bool is_due() const;
    void advance();
    void pace();
    void publish();
    void tell(std::uint64_t page, std::string text);
    void tell_all(const std::string& text);
    void tell_constants();

    Subject& subject_;
    Log log_;
    Device device_;
    bool playing_;
    double speed_;
    int steps_ = 0;  ///< that were requested one by one
    bool ended_ = false;
    double paced_from_ = 0;  ///< s, simulated
    Clock::time_point paced_at_ = Clock::now();
    std::map<std::uint64_t, Page> pages_;
    ShownParticles shown_;  ///< of the last frame: its memory is used again
    MessagePool messages_;

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Arrival> arrivals_;
    std::size_t arrived_bytes_ = 0;  ///< of their texts
    Server server_;                  ///< last: its thread uses all the others
};

}  // namespace thixo
