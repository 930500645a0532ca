#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thixo {

/// An arithmetic expression of named variables, such as `0.1*sin(6*x) + max(0, z)^2`.
///
/// + − * / ^ bind as on paper: ^ before the sign before * and / before + and −; ^ joins from the right
/// (2^3^2 = 2^9), the others from the left. The number `pi`; functions sin cos tan asin acos atan sinh cosh
/// tanh exp log sqrt abs floor ceil sign of one, and min max pow hypot atan2 mod of two values.
class Formula {
public:
    /// Throws InputError with the column and the expected token.
    Formula(std::string_view text, std::vector<std::string> variables);

    /// The value, with a number for each variable, in their order.
    double operator()(std::span<const double> values) const;

    /// The formula with all its brackets; reading it gives the same values, bit by bit.
    std::string text() const;

private:
    enum class Kind { number, variable, negate, add, subtract, multiply, divide, power, unary, binary };
    struct Step {
        Kind kind;
        double number = 0;
        std::size_t index = 0;  ///< of the variable or function
    };
    friend class FormulaParser;

    static constexpr std::size_t most_pending = 64;  ///< values that wait for their operator

    std::vector<Step> steps_;  ///< operands first
    std::vector<std::string> variables_;
};

}  // namespace thixo
