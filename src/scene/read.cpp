#include "scene/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/describe.h"
#include "scene/describe_events.h"
#include "scene/value_reader.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Rows refer to materials and objects by 16 bits.
constexpr std::size_t most_entries = 65535;

template <class T>
class StructReader;

class Reader : public ValueReader {
public:
    using ValueReader::check_text;
    using ValueReader::problem;
    using ValueReader::read;
    using ValueReader::Step;
    using ValueReader::ValueReader;
    using ValueReader::wrong_type;

    template <class T>
    requires std::is_enum_v<T>
    void read(const JsonValue& value, T& out, const Rule& rule) {
        const auto* text = value.as<std::string>();
        std::vector<std::string_view> names;
        for (const auto& choice : choices(Tag<T>{})) {
            if (text && *text == choice.name && !choice.unavailable.empty())
                return problem(value.at, fmt::format("\"{}\": {}", choice.name, choice.unavailable));
            if (text && *text == choice.name) return void(out = choice.value);
            if (choice.unavailable.empty()) names.push_back(choice.name);
        }
        if (!text) return wrong_type(value, "a name" + suggestion("", names), rule);
        problem(value.at, fmt::format("unknown name {}{}", thixo::quoted(*text), suggestion(*text, names)));
    }

    template <class T>
    requires std::is_class_v<T>
    void read(const JsonValue& value, T& out, const Rule& rule) {
        if constexpr (has_shorthand<T>)
            if (value.as<std::string>()) return read(value, std::invoke(shorthand(Tag<T>{}), out), rule);
        if (!value.as<JsonValue::Object>())
            return wrong_type(value, has_shorthand<T> ? "a name or an object {…}" : "an object {…}", rule);
        StructReader<T> walk(*this, value, out);
        describe(walk, Tag<T>{});
        walk.refuse_unknown();
    }

    template <class T>
    void read(const JsonValue& value, std::vector<T>& out, const Rule& rule) {
        const auto* list = value.as<JsonValue::Array>();
        if (!list) return wrong_type(value, "a list […]", rule);
        if (!check_count(value, list->size(), rule)) return;
        out.clear();
        for (std::size_t i = 0; i < list->size(); ++i) {
            const Step step(*this, std::to_string(i));
            T element{};
            read((*list)[i], element, rule);
            if constexpr (std::is_enum_v<T>)
                if (rule.unique && std::find(out.begin(), out.end(), element) != out.end())
                    problem((*list)[i].at, describe_value((*list)[i]) + " is in the list twice");
            out.push_back(std::move(element));
        }
    }

    template <class T>
    void read(const JsonValue& value, std::optional<T>& out, const Rule& rule) {
        read(value, out.emplace(), rule);
    }

    void read(const JsonValue& value, Shape& out, const Rule& rule);
    void read(const JsonValue& value, Opening& out, const Rule& rule);

    bool check_count(const JsonValue& value, std::size_t count, const Rule& rule) {
        if (rule.not_empty && count == 0) problem(value.at, "must not be empty");
        if (count > most_entries)
            problem(value.at, fmt::format("{} entries; allowed: at most {}", count, most_entries));
        return count <= most_entries;
    }
};

/// What a key that is missing may say: the names of a choice.
template <class T>
std::string what_may_be_said() {
    std::vector<std::string_view> names;
    if constexpr (std::is_enum_v<T>)
        for (const auto& choice : choices(Tag<T>{}))
            if (choice.unavailable.empty()) names.push_back(choice.name);
    return names.empty() ? "" : suggestion("", names);
}

/// Reads one JSON object by the table: each key of the table is looked up; all other keys are unknown.
template <class T>
class StructReader {
public:
    StructReader(Reader& reader, const JsonValue& object, T& out)
        : reader_(reader), object_(object), out_(out) {}

    template <class Access>
    void field(std::string_view name, Access access, const Rule& rule) {
        using Member = std::remove_cvref_t<std::invoke_result_t<Access, T&>>;
        const JsonMember* member = find(name, false);
        if (!member && rule.required)
            reader_.problem(object_.at,
                            fmt::format("the key \"{}\" is missing{}", name, what_may_be_said<Member>()));
        if (member) {
            const Reader::Step step(reader_, name);
            reader_.read(member->value, std::invoke(access, out_), rule);
        }
    }

    template <class Access, class Key>
    void map(std::string_view name, Access access, Key key, const Rule& rule) {
        const JsonMember* member = find(name, rule.required);
        if (!member) return;
        const Reader::Step step(reader_, name);
        const auto* entries = member->value.template as<JsonValue::Object>();
        if (!entries) return reader_.wrong_type(member->value, "an object of named entries {…}", rule);
        if (!reader_.check_count(member->value, entries->size(), rule)) return;
        auto& list = std::invoke(access, out_);
        for (const JsonMember& entry : *entries) {
            const Reader::Step entry_step(reader_, entry.key);
            auto& element = list.emplace_back();
            std::invoke(key, element) = entry.key;
            reader_.check_text(entry.at, entry.key, {.not_empty = true});
            reader_.read(entry.value, element, {});
        }
    }

    void ignored(std::string_view name, std::string_view) {
        const JsonMember* member = find(name, false);
        if (!member || member->value.template as<std::string>()) return;
        const Reader::Step step(reader_, name);
        reader_.wrong_type(member->value, "a string", {});
    }

    const std::vector<std::string_view>& known() const { return known_; }

    void refuse_unknown() {
        for (const JsonMember& member : *object_.as<JsonValue::Object>()) {
            if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
            const Reader::Step step(reader_, member.key);
            reader_.problem(member.at, "unknown key" + suggestion(member.key, known_));
        }
    }

private:
    const JsonMember* find(std::string_view name, bool required) {
        known_.push_back(name);
        const JsonMember* member = object_.find(name);
        if (!member && required) reader_.problem(object_.at, fmt::format("the key \"{}\" is missing", name));
        return member;
    }

    Reader& reader_;
    const JsonValue& object_;
    T& out_;
    std::vector<std::string_view> known_;
};

/// Words for messages about a variant.
struct KindWords {
    std::string_view noun, example;
    std::string_view second;  ///< why only one is allowed
};

/// {"box": {…}, "rotate": […]}: one key that names the kind, and keys common to all kinds.
template <class Variant>
class KindReader {
public:
    KindReader(Reader& reader, const JsonValue& object, Variant& out, const Rule& rule,
               const KindWords& words, const std::vector<std::string_view>& shared)
        : reader_(reader), object_(object), out_(out), rule_(rule), words_(words), shared_(shared) {
        for (const JsonMember& member : *object.as<JsonValue::Object>())
            if (!is_in(shared, member.key)) named_.push_back(&member);
    }

    template <class T>
    void alternative(std::string_view name, const Rule& rule, std::string_view) {
        kinds_.push_back(name);
        const bool endless = rule_.bounded && !rule.bounded, misplaced = rule.layer && !rule_.layer;
        if (!endless && !misplaced) allowed_.push_back(name);
        if (named_.empty() || named_.front()->key != name) return;
        const JsonMember& member = *named_.front();
        const Reader::Step step(reader_, name);
        if (misplaced)
            return reader_.problem(
                member.at,
                fmt::format("a {} is a layer of particles: it can only be the shape of an object, not a "
                            "part of a shape",
                            name));
        if (endless)
            return reader_.problem(
                member.at, fmt::format("a {} is unbounded and cannot be filled with particles", name));
        T kind;
        reader_.read(member.value, kind, {});
        out_ = std::move(kind);
    }

    void refuse_unknown() {
        if (named_.empty())
            return reader_.problem(object_.at, fmt::format("the kind of the {} is missing{}", words_.noun,
                                                           suggestion("", allowed_)));
        for (const JsonMember* member : named_) {
            const bool first = member == named_.front(), known = is_in(kinds_, member->key);
            if (first && known) continue;
            const Reader::Step step(reader_, member->key);
            if (first)
                reader_.problem(member->at,
                                fmt::format("unknown {}{}", words_.noun, suggestion(member->key, allowed_)));
            else if (known || shared_.empty())
                reader_.problem(member->at, fmt::format("a second {} beside {}; {}", words_.noun,
                                                        thixo::quoted(named_.front()->key), words_.second));
            else
                reader_.problem(member->at, "unknown key" + suggestion(member->key, shared_));
        }
    }

private:
    static bool is_in(const std::vector<std::string_view>& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    Reader& reader_;
    const JsonValue& object_;
    Variant& out_;
    const Rule& rule_;
    const KindWords& words_;
    const std::vector<std::string_view>& shared_;
    std::vector<const JsonMember*> named_;  // keys that are not common to all kinds
    std::vector<std::string_view> kinds_, allowed_;
};

bool is_filled_object(const JsonValue& value) {
    const auto* members = value.as<JsonValue::Object>();
    return members && !members->empty();
}

template <class Variant>
void read_kind(Reader& reader, const JsonValue& value, Variant& out, const Rule& rule, const KindWords& words,
               const std::vector<std::string_view>& shared = {}) {
    KindReader walk(reader, value, out, rule, words, shared);
    describe(walk, Tag<Variant>{});
    walk.refuse_unknown();
}

void Reader::read(const JsonValue& value, Shape& out, const Rule& rule) {
    constexpr KindWords words{"shape", "a shape such as {\"box\": {…}}", "a `union` holds several"};
    if (!is_filled_object(value)) return wrong_type(value, words.example, rule);
    StructReader<Placement> placement(*this, value, out.placement);
    describe(placement, Tag<Placement>{});
    read_kind(*this, value, out.kind, rule, words, placement.known());
}

void Reader::read(const JsonValue& value, Opening& out, const Rule& rule) {
    constexpr KindWords words{"opening", "an opening such as {\"disc\": {…}}",
                              "an opening has exactly one key"};
    if (!is_filled_object(value)) return wrong_type(value, words.example, rule);
    read_kind(*this, value, out, rule, words);
}

constexpr KindWords action_words{"action", "an action such as {\"release\": {…}}",
                                 "an event has exactly one"};

}  // namespace

Event read_event(const JsonValue& value, Problems& problems) {
    Event event;
    Reader reader(problems);
    if (!is_filled_object(value)) {
        reader.wrong_type(value, "an event such as {\"step\": 12, \"release\": {…}}", {});
        return event;
    }
    StructReader<Event> head(reader, value, event);
    describe(head, Tag<Event>{});
    read_kind(reader, value, event.action, {}, action_words, head.known());
    return event;
}

Action read_action(const JsonValue& value, Problems& problems) {
    Action action;
    Reader reader(problems);
    if (is_filled_object(value))
        read_kind(reader, value, action, {}, action_words);
    else
        reader.wrong_type(value, action_words.example, {});
    return action;
}

Scene read_scene(const JsonValue& root, Problems& problems) {
    Scene scene;
    Reader(problems).read(root, scene, {});
    return scene;
}

}  // namespace thixo
