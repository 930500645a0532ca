#include "view/viewer.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "scene/events_file.h"
#include "view/page_files.h"
#include "view/stage.h"

namespace thixo {

namespace {

using Json = nlohmann::json;

/// Hands of different pages have different numbers.
constexpr std::uint64_t hands_a_page = 100;
constexpr int most_requested = 4;

std::string_view type_of(std::string_view name) {
    if (name.ends_with(".html")) return "text/html; charset=utf-8";
    if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
    if (name.ends_with(".css")) return "text/css; charset=utf-8";
    if (name.ends_with(".svg")) return "image/svg+xml";
    return "application/octet-stream";
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class A>
concept HasHand = requires(A& a) {
    a.hand;
};

Vec3d vector_in(const Json& list) {
    if (!list.is_array() || list.size() != 3) throw InputError("a vector has three numbers");
    Vec3d v{list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
    if (!is_finite(to_float(v))) throw InputError("vectors must be finite");
    return v;
}

double number_in(const Json& value, double low, double high) {
    const double number = value.get<double>();
    if (!(number >= low && number <= high))
        throw InputError(fmt::format("{} is not in {} to {}", number, low, high));
    return number;
}

}  // namespace

Viewer::Viewer(Subject& subject, const ViewerSettings& settings, Log log)
    : subject_(subject),
      log_(std::move(log)),
      device_(settings.device),
      playing_(settings.playing),
      speed_(settings.speed),
      server_(settings.port, callbacks()) {}

ServerCallbacks Viewer::callbacks() {
    static const std::map<std::string, ServerCallbacks::File, std::less<>> files = [] {
        std::map<std::string, ServerCallbacks::File, std::less<>> out;
        for (const PageFile& file : page_files())
            out[std::string(file.name)] = {type_of(file.name), file.contents};
        return out;
    }();
    return {.file =
                [](std::string_view name) {
                    const auto found = files.find(name);
                    return found == files.end() ? nullptr : &found->second;
                },
            .opened =
                [this](std::uint64_t page) {
                    arrive({Arrival::Kind::opened, page, ""});
                },
            .closed =
                [this](std::uint64_t page) {
                    arrive({Arrival::Kind::closed, page, ""});
                },
            .message =
                [this](std::uint64_t page, const std::string& text) {
                    return arrive({Arrival::Kind::message, page, text});
                },
            .log = [this](const std::string& line) { log_(line); }};
}

bool Viewer::arrive(Arrival arrival) {
    {
        const std::lock_guard lock(mutex_);
        const bool full = arrivals_.size() >= most_arrivals || arrived_bytes_ > most_arrived_bytes;
        if (arrival.kind == Arrival::Kind::closed) {
            const auto of_page = [&](const Arrival& other) { return other.page == arrival.page; };
            const auto opened = std::find_if(arrivals_.begin(), arrivals_.end(), of_page);
            if (opened != arrivals_.end() && opened->kind == Arrival::Kind::opened) {
                // It came and went within one step.
                std::erase_if(arrivals_, of_page);
                return true;
            }
        }
        // That a page comes or goes is never lost.
        if (full && arrival.kind == Arrival::Kind::message) return false;
        arrived_bytes_ += arrival.text.size();
        arrivals_.push_back(std::move(arrival));
    }
    arrived_.notify_one();
    return true;
}

void Viewer::run(const std::function<bool()>& interrupted) {
    pace();
    while (!interrupted()) {
        std::deque<Arrival> arrivals;
        {
            std::unique_lock lock(mutex_);
            if (!is_due() && arrivals_.empty()) arrived_.wait_for(lock, std::chrono::milliseconds(5));
            arrivals.swap(arrivals_);
            arrived_bytes_ = 0;
        }
        for (const Arrival& arrival : arrivals) take(arrival);
        if (is_due()) advance();
        publish();
    }
}

/// Time goes on from here at the chosen speed.
void Viewer::pace() {
    paced_from_ = subject_.time();
    paced_at_ = Clock::now();
}

bool Viewer::is_due() const {
    if (steps_ > 0) return true;
    if (!playing_) return false;
    if (speed_ == 0) return true;
    const double passed = std::chrono::duration<double>(Clock::now() - paced_at_).count();
    const double ahead = subject_.live() ? 0 : 1 / subject_.scene().frame_rate;
    return subject_.time() + ahead - paced_from_ <= passed * speed_;
}

void Viewer::advance() {
    try {
        const bool more = subject_.advance();
        steps_ = std::max(0, steps_ - 1);
        if (!more) {
            ended_ = !subject_.live();
            if (playing_) tell_all(R"({"says": "the end"})");
            playing_ = false;
            steps_ = 0;
        }
    } catch (const RunError& error) {
        playing_ = false;
        steps_ = 0;
        log_(error.what());
        tell_all(dumped({{"failed", error.what()}}));
    }
    // What cannot be computed in time is late for good.
    const double passed = std::chrono::duration<double>(Clock::now() - paced_at_).count();
    if (speed_ > 0 && passed * speed_ - (subject_.time() - paced_from_) > 0.25) pace();
}

void Viewer::tell(std::uint64_t page, std::string text) {
    server_.send(page, MessageKind::text, std::make_shared<const std::string>(std::move(text)));
}

void Viewer::tell_all(const std::string& text) {
    for (const auto& [number, page] : pages_) tell(number, text);
}

void Viewer::take(const Arrival& arrival) {
    if (arrival.kind == Arrival::Kind::opened) {
        pages_[arrival.page].colour = subject_.attributes().front();
        return tell(arrival.page, "{\"stage\": " + describe_stage(subject_) + "}");
    }
    const auto found = pages_.find(arrival.page);
    if (found == pages_.end()) return;
    if (arrival.kind == Arrival::Kind::closed) {
        release_all(found->second);
        pages_.erase(found);
        return;
    }
    std::string why;
    try {
        return take_message(arrival.page, found->second, arrival.text);
    } catch (const InputError& error) {
        why = error.what();
    } catch (const Json::exception&) {
        why = "this is not a message that a page may send";
    }
    tell(arrival.page, dumped({{"refused", why}}));
}

void Viewer::take_message(std::uint64_t number, Page& page, const std::string& text) {
    const Json message = Json::parse(text);
    if (!message.is_object() || message.size() != 1) throw InputError("a message is an object with one key");
    const std::string key = message.begin().key();
    const Json& value = message.begin().value();
    if (key == "next") {
        page.requested = std::min(most_requested, page.requested + 1);
    } else if (key == "play") {
        playing_ = value.get<bool>();
        if (playing_ && ended_) subject_.seek(0);
        ended_ = false;
        pace();
        for (auto& [other, shown] : pages_) shown.version = 0;
    } else if (key == "step") {
        playing_ = false;
        steps_ = std::min(1000, steps_ + static_cast<int>(number_in(value, 1, 1000)));
    } else if (key == "speed") {
        speed_ = number_in(value, 0, 1000);
        pace();
    } else if (key == "frame") {
        playing_ = ended_ = false;
        subject_.seek(std::lround(number_in(value, 0, 1e9)));
        pace();
    } else if (key == "colour") {
        const std::vector<std::string> known = subject_.attributes();
        if (std::find(known.begin(), known.end(), value.get<std::string>()) == known.end())
            throw InputError("there is no such attribute");
        page.colour = value.get<std::string>();
        page.version = 0;
    } else if (key == "meshes") {
        page.meshes = value.get<bool>();
        page.version = 0;
    } else if (key == "pick") {
        const Vec3d direction = vector_in(value.at("direction"));
        if (!(norm(direction) > 0)) throw InputError("a direction must not be zero");
        PickRay ray{vector_in(value.at("origin")), normalized(direction)};
        if (value.contains("clip")) {
            ray.clip_normal = vector_in(value["clip"].at("normal"));
            ray.clip_offset = number_in(value["clip"].at("offset"), -1e9, 1e9);
        }
        tell(number, "{\"picked\": " + subject_.pick(ray) + "}");
    } else if (key == "act") {
        act(number, page, value.dump());
    } else if (key == "restart") {
        restart();
    } else {
        throw InputError("there is no such message");
    }
}

void Viewer::act(std::uint64_t number, Page& page, const std::string& text) {
    Action action = parse_action(text);
    std::visit(
        [&]<class A>(A& a) {
            if constexpr (HasHand<A>) {
                if (a.hand >= hands_a_page)
                    throw InputError(fmt::format("hands have numbers below {}", hands_a_page));
                a.hand += hands_a_page * number;
            }
        },
        action);
    subject_.act(action);
    std::visit(
        [&]<class A>(const A& a) {
            if constexpr (std::is_same_v<A, ReleaseAction>)
                page.hands.erase(a.hand);
            else if constexpr (HasHand<A> && !std::is_same_v<A, DragAction>)
                page.hands.insert(a.hand);
        },
        action);
    tell(number, R"({"done": true})");
    if (std::holds_alternative<GravityAction>(action) || std::holds_alternative<MaterialAction>(action))
        tell_constants();
}

/// What pages show of gravity and materials is what applies.
void Viewer::tell_constants() { tell_all("{\"constants\": " + describe_constants(subject_.model()) + "}"); }

void Viewer::release_all(Page& page) {
    for (const std::uint64_t hand : page.hands) {
        try {
            subject_.act(ReleaseAction{hand});
        } catch (const InputError& error) {
            log_(error.what());
        }
    }
    page.hands.clear();
}

void Viewer::restart() {
    subject_.restart();
    for (auto& [number, page] : pages_) {
        page.hands.clear();
        page.ledger = 0;
    }
    tell_all(R"({"restarted": true})");
    tell_constants();
    pace();
}

void Viewer::publish() {
    struct Messages {
        std::shared_ptr<const std::string> particles, mesh;
    };
    std::map<std::string, Messages> encoded;  // by what is shown in colour
    for (auto& [number, page] : pages_) {
        if (page.requested == 0 || page.version == subject_.version()) continue;
        Messages& messages = encoded[page.colour];
        if (!messages.particles || (page.meshes && !messages.mesh)) {
            subject_.show(page.colour, shown_);
            shown_.playing = playing_;
            shown_.ended = ended_;
            if (!messages.particles) {
                const std::shared_ptr<std::string> message = messages_.take();
                encode_particles(device_, shown_, *message);
                messages.particles = message;
            }
            if (page.meshes)
                messages.mesh = std::make_shared<const std::string>(subject_.mesh(page.colour, shown_));
        }
        if (const std::string poses = obstacle_poses(subject_.scene(), subject_.time()); !poses.empty())
            tell(number, poses);
        if (page.meshes) server_.send(number, MessageKind::binary, messages.mesh);
        if (page.ledger < subject_.ledger_rows()) {
            tell(number, "{\"ledger\": " + subject_.ledger(page.ledger) + "}");
            page.ledger = subject_.ledger_rows();
        }
        server_.send(number, MessageKind::binary, messages.particles);
        page.version = subject_.version();
        --page.requested;
    }
}

}  // namespace thixo
