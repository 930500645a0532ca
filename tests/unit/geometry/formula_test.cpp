#include "geometry/formula.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "core/error.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

double value(const std::string& text, double x = 0, double z = 0) {
    const double at[] = {x, z};
    return Formula(text, {"x", "z"})(at);
}

#define CHECK_FORMULA_REFUSED(text, message) \
    CHECK_THROWS_WITH_AS(value(text), doctest::Contains(message), InputError)

/// A formula as text, and its value at (x, z) by the rules of C++.
struct Known {
    std::string text;
    double value;
};

Known any_formula(int depth, double x, double z) {
    if (depth == 0) {
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                return {"x", x};
            case 1:
                return {"z", z};
            default: {
                const int n = *rc::gen::inRange(0, 100);
                return {std::to_string(n), double(n)};
            }
        }
    }
    const Known a = any_formula(depth - 1, x, z);
    const auto b = [&] { return any_formula(depth - 1, x, z); };
    switch (*rc::gen::inRange(0, 9)) {
        case 0: {
            const Known c = b();
            return {"(" + a.text + ")+(" + c.text + ")", a.value + c.value};
        }
        case 1: {
            const Known c = b();
            return {a.text + " - (" + c.text + ")", a.value - c.value};
        }
        case 2: {
            const Known c = b();
            return {"(" + a.text + ")*(" + c.text + ")", a.value * c.value};
        }
        case 3: {
            const Known c = b();
            return {"(" + a.text + ") / (" + c.text + ")", a.value / c.value};
        }
        case 4: {
            const Known c = b();
            return {"(" + a.text + ")^(" + c.text + ")", std::pow(a.value, c.value)};
        }
        case 5:
            return {"-(" + a.text + ")", -a.value};
        case 6:
            return {"sin( " + a.text + " )", std::sin(a.value)};
        case 7: {
            const Known c = b();
            return {"max(" + a.text + "," + c.text + ")", std::fmax(a.value, c.value)};
        }
        default:
            return {"sqrt(abs(" + a.text + "))", std::sqrt(std::abs(a.value))};
    }
}

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

}  // namespace

TEST_CASE("operators bind as on paper") {
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("7 - 2 - 1") == 4);
    CHECK(value("16 / 4 / 2") == 2);
    CHECK(value("2 / 4 * 8") == 4);
    CHECK(value("2 ^ 3 ^ 2") == 512);
    CHECK(value("-2 ^ 2") == -4);
    CHECK(value("2 ^ -1") == 0.5);
    CHECK(value("2 * -3") == -6);
    CHECK(value("- - 3") == 3);
    CHECK(value("1 - -2") == 3);
    CHECK(value("-x * z", 2, 3) == -6);
}

TEST_CASE("numbers, names and functions") {
    CHECK(value("1.5e-3") == 1.5e-3);
    CHECK(value(".5") == 0.5);
    CHECK(value("pi") == std::numbers::pi);
    CHECK(value("x + 10 * z", 1, 2) == 21);
    CHECK(value("sin(pi/2) + cos(0) + exp(0) + log(1) + tan(0) + sqrt(4) + abs(-1)") == near(6));
    CHECK(value("min(1, 2) + 10*max(1, 2) + 100*floor(1.9) + 1000*ceil(1.1)") == 2121);
    CHECK(value("hypot(3, 4) + pow(2, 3) + atan2(0, 1)") == 13);
    CHECK(value("mod(-1, 3)") == 2);
    CHECK(value("sign(-2) + sign(0)") == -1);
    CHECK(value("asin(1)*2/pi + acos(1) + atan(0) + sinh(0) + cosh(0) + tanh(0)") == near(2));
}

TEST_CASE("errors are reported with their column") {
    CHECK_FORMULA_REFUSED("", "column 1: expected a number, a name or \"(\", found the end");
    CHECK_FORMULA_REFUSED("1 +", "column 4: expected a number, a name or \"(\", found the end");
    CHECK_FORMULA_REFUSED("2x", "column 2: expected an operator or the end, found \"x\"");
    CHECK_FORMULA_REFUSED("(1 + 2", "column 7: expected \")\", found the end");
    CHECK_FORMULA_REFUSED("1)", "column 2: expected an operator or the end, found \")\"");
    CHECK_FORMULA_REFUSED("1 + y", "column 5: there is no \"y\"; allowed: x, z, pi, sin,");
    CHECK_FORMULA_REFUSED("sin x", "column 5: expected \"(\", found \"x\"");
    CHECK_FORMULA_REFUSED("max(1)", "column 6: expected \",\", found \")\"");
    CHECK_FORMULA_REFUSED("sin(1, 2)", "column 6: expected \")\", found \",\"");
    CHECK_FORMULA_REFUSED("1e999", "column 1: expected a number that is not out of range");
    CHECK_FORMULA_REFUSED("1 * \x01", "found \"?\"");
    CHECK_FORMULA_REFUSED(std::string(10000, '('), "nested too deeply");
    CHECK_FORMULA_REFUSED(std::string(10000, '-') + "1", "nested too deeply");
    std::string powers = "1";
    for (int i = 0; i < 100; ++i) powers += "^1";
    CHECK_FORMULA_REFUSED(powers, "nested too deeply");
}

TEST_CASE("long formulas are not deep ones") {
    std::string sum = "0";
    for (int i = 0; i < 10000; ++i) sum += "+1";
    CHECK(value(sum) == 10000);
}

TEST_CASE("values are those of C++, and of the formula printed and read again") {
    CHECK(rc::check([] {
        const double x = any_real(-2, 2), z = any_real(-2, 2);
        const Known known = any_formula(*rc::gen::inRange(0, 5), x, z);
        RC_ASSERT(same(value(known.text, x, z), known.value));
        const std::string printed = Formula(known.text, {"x", "z"}).text();
        RC_ASSERT(same(value(printed, x, z), known.value));
        RC_ASSERT(Formula(printed, {"x", "z"}).text() == printed);
    }));
}

TEST_CASE("any text is read or refused") {
    CHECK(rc::check([] {
        const auto text =
            *rc::gen::container<std::string>(rc::gen::elementOf(std::string("xz12.e+-*/^(), simnapow_\xff")));
        try {
            value(text);
        } catch (const InputError&) {
        }
    }));
}
