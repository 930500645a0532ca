#include "geometry/formula.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/words.h"

namespace thixo {

namespace {

struct Unary {
    std::string_view name;
    double (*value)(double);
};
constexpr Unary unary_functions[] = {
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"abs", [](double x) { return std::abs(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"sign", [](double x) { return x > 0   ? 1.0
                                   : x < 0 ? -1.0
                                           : 0.0; }},
};

struct Binary {
    std::string_view name;
    double (*value)(double, double);
};
constexpr Binary binary_functions[] = {
    {"min", [](double a, double b) { return std::fmin(a, b); }},
    {"max", [](double a, double b) { return std::fmax(a, b); }},
    {"pow", [](double a, double b) { return std::pow(a, b); }},
    {"hypot", [](double a, double b) { return std::hypot(a, b); }},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
    // Of the sign of b, as a pattern that repeats needs it.
    {"mod", [](double a, double b) { return a - b * std::floor(a / b); }},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// sum = product {(+|−) product}, product = signed {(*|/) signed}, signed = {−|+} power,
/// power = atom [^ signed], atom = number | name | name(sum, …) | (sum)
class FormulaParser {
public:
    FormulaParser(std::string_view text, Formula& formula) : text_(text), formula_(formula) {}

    void parse() {
        sum();
        skip_blanks();
        if (at_ < text_.size()) fail("expected an operator or the end");
    }

private:
    using Kind = Formula::Kind;

    [[noreturn]] void fail(const std::string& what) const {
        const std::string found =
            at_ < text_.size() ? fmt::format("\"{}\"", shown(text_.substr(at_, 1))) : "the end";
        refuse(at_, fmt::format("{}, found {}", what, found));
    }
    [[noreturn]] void refuse(std::size_t at, const std::string& what) const {
        throw InputError(fmt::format("column {}: {}", at + 1, what));
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    bool take(char c) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(fmt::format("expected \"{}\"", c));
    }

    /// Keeps count of the values that wait, so that evaluating needs no check.
    void emit(Formula::Step step, std::size_t operands) {
        pending_ = pending_ - operands + 1;
        if (pending_ > Formula::most_pending) refuse(at_, "the formula is nested too deeply");
        formula_.steps_.push_back(step);
    }

    struct Operator {
        char sign;
        Kind kind;
    };

    void sum() { from_left_to_right(&FormulaParser::product, {'+', Kind::add}, {'-', Kind::subtract}); }
    void product() {
        from_left_to_right(&FormulaParser::with_sign, {'*', Kind::multiply}, {'/', Kind::divide});
    }

    void from_left_to_right(void (FormulaParser::*operand)(), Operator one, Operator other) {
        (this->*operand)();
        for (;;) {
            const Kind kind = take(one.sign) ? one.kind : other.kind;
            if (kind == other.kind && !take(other.sign)) return;
            (this->*operand)();
            emit({kind}, 2);
        }
    }

    /// Every way down passes here, so this is where depth is counted.
    void with_sign() {
        if (++depth_ > 200) refuse(at_, "the formula is nested too deeply");
        if (take('-')) {
            with_sign();
            emit({Kind::negate}, 1);
        } else if (take('+')) {
            with_sign();
        } else {
            power();
        }
        --depth_;
    }

    void power() {
        atom();
        if (!take('^')) return;
        with_sign();
        emit({Kind::power}, 2);
    }

    void atom() {
        if (take('(')) {
            sum();
            expect(')');
            return;
        }
        skip_blanks();
        if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
        if (at_ < text_.size() && is_letter(text_[at_])) return name();
        fail("expected a number, a name or \"(\"");
    }

    void number() {
        double value = 0;
        const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) fail("expected a number that is not out of range");
        at_ = static_cast<std::size_t>(stop - text_.data());
        emit({Kind::number, value}, 0);
    }

    void name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word == "pi") return emit({Kind::number, std::numbers::pi}, 0);
        for (std::size_t i = 0; i < formula_.variables_.size(); ++i)
            if (word == formula_.variables_[i]) return emit({Kind::variable, 0, i}, 0);
        for (std::size_t i = 0; i < std::size(unary_functions); ++i)
            if (word == unary_functions[i].name) return call(Kind::unary, i, 1);
        for (std::size_t i = 0; i < std::size(binary_functions); ++i)
            if (word == binary_functions[i].name) return call(Kind::binary, i, 2);
        refuse(begin, fmt::format("there is no \"{}\"; allowed: {}", shown(word), known_names()));
    }

    void call(Kind kind, std::size_t function, std::size_t arguments) {
        expect('(');
        for (std::size_t i = 0; i < arguments; ++i) {
            if (i > 0) expect(',');
            sum();
        }
        expect(')');
        emit({kind, 0, function}, arguments);
    }

    std::string known_names() const {
        std::string names;
        for (const std::string& variable : formula_.variables_) names += variable + ", ";
        names += "pi";
        for (const Unary& function : unary_functions) names.append(", ").append(function.name);
        for (const Binary& function : binary_functions) names.append(", ").append(function.name);
        return names;
    }

    std::string_view text_;
    Formula& formula_;
    std::size_t at_ = 0, pending_ = 0;
    int depth_ = 0;
};

Formula::Formula(std::string_view text, std::vector<std::string> variables)
    : variables_(std::move(variables)) {
    FormulaParser(text, *this).parse();
}

double Formula::operator()(std::span<const double> values) const {
    double pending[most_pending];
    std::size_t n = 0;
    // Takes the newest value away and returns it.
    const auto last = [&] { return pending[--n]; };
    for (const Step& step : steps_) {
        switch (step.kind) {
            case Kind::number:
                pending[n++] = step.number;
                continue;
            case Kind::variable:
                pending[n++] = values[step.index];
                continue;
            case Kind::negate:
                pending[n - 1] = -pending[n - 1];
                continue;
            case Kind::unary:
                pending[n - 1] = unary_functions[step.index].value(pending[n - 1]);
                continue;
            default:
                break;
        }
        const double b = last();
        double& a = pending[n - 1];
        if (step.kind == Kind::add) a += b;
        if (step.kind == Kind::subtract) a -= b;
        if (step.kind == Kind::multiply) a *= b;
        if (step.kind == Kind::divide) a /= b;
        if (step.kind == Kind::power) a = std::pow(a, b);
        if (step.kind == Kind::binary) a = binary_functions[step.index].value(a, b);
    }
    return pending[0];
}

std::string Formula::text() const {
    std::vector<std::string> pending;
    for (const Step& step : steps_) {
        std::string b;
        const bool two_operands =
            step.kind == Kind::binary || (step.kind >= Kind::add && step.kind <= Kind::power);
        if (two_operands) {
            b = std::move(pending.back());
            pending.pop_back();
        }
        if (step.kind == Kind::number) {
            pending.push_back(fmt::format("{}", step.number));
        } else if (step.kind == Kind::variable) {
            pending.push_back(variables_[step.index]);
        } else {
            std::string& a = pending.back();
            if (step.kind == Kind::negate) a = fmt::format("(-{})", a);
            if (step.kind == Kind::unary) a = fmt::format("{}({})", unary_functions[step.index].name, a);
            if (step.kind == Kind::binary)
                a = fmt::format("{}({}, {})", binary_functions[step.index].name, a, b);
            if (step.kind >= Kind::add && step.kind <= Kind::power)
                a = fmt::format("({} {} {})", a,
                                "+-*/^"[static_cast<int>(step.kind) - static_cast<int>(Kind::add)], b);
        }
    }
    return pending[0];
}

}  // namespace thixo
