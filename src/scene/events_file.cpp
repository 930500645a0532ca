#include "scene/events_file.h"

#include <fmt/format.h>

#include <type_traits>

#include "core/error.h"
#include "core/input_file.h"
#include "scene/describe_events.h"
#include "scene/json_reader.h"
#include "scene/json_text.h"
#include "scene/member_writer.h"
#include "scene/problems.h"
#include "scene/read.h"
#include "scene/wording.h"
#include "sim/hands.h"

namespace thixo {

namespace {

constexpr std::size_t most_events = 1'000'000;

/// One line of JSON.
struct LineWriter {
    std::string text;

    void key(std::string_view name) {
        if (text.back() != '{') text += ", ";
        text += json_text(std::string(name)) + ": ";
    }

    template <class T>
    void write(const T& value) {
        if constexpr (std::is_class_v<T> && !is_json_scalar<T>) {
            text += '{';
            write_members(value);
            text += '}';
        } else {
            text += json_text(value);
        }
    }

    template <class T>
    void write_members(const T& value) {
        MemberWriter<LineWriter, T> walk{*this, value};
        describe(walk, Tag<T>{});
    }
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

std::string to_json(const Event& event) {
    LineWriter line{"{"};
    line.write_members(event);
    KindWriter<LineWriter, Action> walk{line, event.action};
    describe(walk, Tag<Action>{});
    return line.text + '}';
}

Action parse_action(std::string_view text) {
    const Sources sources("");
    Problems problems(sources);
    try {
        Action action = read_action(parse_json(text, {0, 0, 0}), problems);
        problems.throw_if_any();
        return action;
    } catch (const JsonError& error) {
        throw InputError(error.what());
    }
}

std::vector<Event> parse_events(std::string_view text, const std::string& file_name, const Scene& scene) {
    const Sources sources(file_name);
    Problems problems(sources);
    Model model = scene.model;
    Hands hands;
    std::vector<Event> events;
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const Position at{0, ++number, 1};
        if (is_blank(line)) continue;
        if (events.size() == most_events)
            throw InputError(
                sources.line(at, "", fmt::format("more than {} events", with_commas(most_events))));
        JsonValue value;
        try {
            value = parse_json(line, at);
        } catch (const JsonError& error) {
            throw InputError(sources.line(error.at, error.path, error.what()));
        }
        const std::size_t before = problems.count();
        Event event = read_event(value, problems);
        event.origin = fmt::format("{}:{}", printable(file_name, 500), number);
        if (!events.empty() && event.step < events.back().step)
            problems.add(
                at, "step",
                fmt::format("{} follows {}; steps must not decrease", event.step, events.back().step));
        if (problems.count() > before) continue;
        try {
            hands.apply(event.action, static_cast<double>(number), model);
        } catch (const InputError& error) {
            problems.add(at, "", error.what());
        }
        events.push_back(std::move(event));
    }
    problems.throw_if_any();
    return events;
}

std::vector<Event> load_events(const std::filesystem::path& file, const Scene& scene) {
    std::string text;
    try {
        text = read_whole(file.string());
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", printable(file.string(), 500), error.what()));
    }
    return parse_events(text, file.string(), scene);
}

}  // namespace thixo
