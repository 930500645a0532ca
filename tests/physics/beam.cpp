#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "particles/hold.h"
#include "physics/elastic.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

constexpr double E = 1e6, nu = 0.3, rho = 1000, spacing = 0.01;
constexpr int held_layers = 2;

/// A bar held at one end that starts straight, under a weak gravity.
struct Beam {
    int dimensions, along, across;
    Vec3d gravity;

    /// From the last layer that is held to the free end, and to the last layer of particles.
    double length() const { return (along - held_layers + 0.5) * spacing; }
    double last() const { return length() - 0.5 * spacing; }
    double height() const { return across * spacing; }

    Simulation start(const Method& method = methods[0]) const {
        Model model = weightless(dimensions, spacing, rubber(E, rho, nu));
        method.choose(model.solver);
        model.gravity = gravity;
        Object object = elastic(bar(spacing, along, across));
        object.held = {{.region = Box{{-1, -1, -1}, {held_layers * spacing, 1, 1}}}};
        const std::vector<Object> objects{object};
        model.objects = objects;
        return {model, populate(model, objects)};
    }
};

/// How a coordinate swings about its rest: the bar starts undeformed, as far below rest as it will rise
/// above.
struct Swing {
    double rest;    ///< mean over one period
    double period;  ///< s
};

/// Time at which values recorded over time first cross a level after the entry `from`, which then is the one
/// before it.
double crossing(const std::vector<double>& time, const std::vector<double>& value, double level,
                std::size_t& from) {
    while (from + 2 < value.size() && (value[from] < level) == (value[from + 1] < level)) ++from;
    const double fraction = (level - value[from]) / (value[from + 1] - value[from]);
    return time[from] + fraction * (time[from + 1] - time[from]);
}

/// Follows |value(sim)| through its first swing, from 0 to its extreme and back. `guess` (s) is about the
/// period. The period is taken where the coordinate passes its rest, fast: small swings of higher modes
/// hardly shift that.
template <class Value>
Swing follow(Simulation& sim, double guess, const Value& value) {
    const double start = value(sim);
    std::vector<double> time{0}, seen{0};
    while (time.back() < 1.4 * guess) {
        sim.step(1e9);
        time.push_back(sim.clock().time);
        seen.push_back(std::abs(value(sim) - start));
    }
    Swing out{0.5 * *std::max_element(seen.begin(), seen.end()), guess};
    for (int round = 0; round < 5; ++round) {
        std::size_t k = 0;
        const double up = crossing(time, seen, out.rest, k), down = crossing(time, seen, out.rest, ++k);
        out.period = 2 * (down - up);
        double area = 0;
        for (std::size_t j = 1; j < time.size() && time[j] <= out.period; ++j)
            area += 0.5 * (seen[j] + seen[j - 1]) * (time[j] - time[j - 1]);
        out.rest = area / out.period;
    }
    return out;
}

/// Mean of a coordinate over the particles whose initial x (found by the place of their id) is in a layer.
struct Layer {
    std::vector<std::uint32_t> ids;

    Layer(const Simulation& sim, double from, double to) {
        const ParticleTable& p = sim.particles();
        for (Index i = 0; i < p.size(); ++i) {
            if (p.position[i].x > from && p.position[i].x < to) ids.push_back(p.id[i]);
        }
        std::sort(ids.begin(), ids.end());
    }

    template <class Value>
    double mean(const Simulation& sim, const Value& value) const {
        const ParticleTable& p = sim.particles();
        double sum = 0;
        for (Index i = 0; i < p.size(); ++i) {
            if (std::binary_search(ids.begin(), ids.end(), p.id[i])) sum += value(to_double(p.position[i]));
        }
        return sum / static_cast<double>(ids.size());
    }
};

/// Young's modulus of a bar that cannot change its width across the plane in 2D (plane strain).
double modulus(int dimensions) { return dimensions == 2 ? E / (1 - nu * nu) : E; }

/// Sag of a beam at x under its own weight, by bending and by shear (Timoshenko).
struct Sag {
    double bending, shear;

    Sag(const Beam& beam, double g, double x) {
        const double L = beam.length(), h = beam.height();
        const double kappa = 10 * (1 + nu) / (12 + 11 * nu), G = E / (2 * (1 + nu));
        bending = rho * g / (2 * modulus(beam.dimensions) * h * h) * x * x * (6 * L * L - 4 * L * x + x * x);
        shear = rho * g / (kappa * G) * (L * x - 0.5 * x * x);
    }
};

struct Errors {
    double rest, frequency;
};

Errors cantilever(int dimensions, int along, int across) {
    const double g = 0.2;
    Beam beam{dimensions, along, across, {0, -g, 0}};
    Simulation sim = beam.start();
    const double L = beam.length(), h = beam.height();
    const Sag sag(beam, g, beam.last());
    // Euler and Bernoulli's first frequency, and that of shear alone (Dunkerley).
    const double bending = 1.8751 * 1.8751 * std::sqrt(modulus(dimensions) / (12 * rho)) * h / (L * L);
    const double kappa = 10 * (1 + nu) / (12 + 11 * nu), G = E / (2 * (1 + nu));
    const double shear = 0.5 * std::numbers::pi / L * std::sqrt(kappa * G / rho);
    const double omega = 1 / std::sqrt(1 / (bending * bending) + 1 / (shear * shear));
    const Layer tip(sim, (along - 1) * spacing, 1);
    const Swing swing = follow(sim, 2 * std::numbers::pi / omega, [&](const Simulation& s) {
        return tip.mean(s, [](const Vec3d& x) { return x.y; });
    });
    const Errors out{swing.rest / (sag.bending + sag.shear) - 1,
                     2 * std::numbers::pi / (swing.period * omega) - 1};
    MESSAGE(dimensions, "D cantilever, ", across, " across: sag ", out.rest * 100, " %, frequency ",
            out.frequency * 100, " % off");
    return out;
}

}  // namespace

TEST_CASE("a cantilever sags and swings as a beam does, the finer the better") {
    const Errors coarse = cantilever(2, 48, 8), fine = cantilever(2, 96, 16);
    CHECK(std::abs(coarse.rest) < 0.1);
    CHECK(std::abs(coarse.frequency) < 0.1);
    CHECK(std::abs(fine.rest) < std::abs(coarse.rest));
    CHECK(std::abs(fine.frequency) < 0.02);

    const Errors solid = cantilever(3, pick(40, 80), pick(8, 16));
    CHECK(std::abs(solid.rest) < 0.1);
    CHECK(std::abs(solid.frequency) < 0.1);
}

TEST_CASE("with the preset fast a cantilever sags as far as a beam does") {
    for (const int dimensions : {2, 3}) {
        const double g = 0.2, end = 3;
        const Beam beam{dimensions, 40, 8, {0, -g, 0}};
        const Sag sag(beam, g, beam.last());
        Simulation sim = beam.start(fast_preset);
        const Layer tip(sim, 39 * spacing, 1);
        const auto height = [&] { return tip.mean(sim, [](const Vec3d& x) { return x.y; }); };
        const double start = height();
        double rest = 0, longest = 0;
        while (sim.clock().time < end) {
            sim.step(end);
            // A window that swings do not pass.
            const double window = 1 - std::cos(2 * std::numbers::pi * sim.clock().time / end);
            rest += window * (start - height()) * sim.clock().last_step / end;
            longest = std::max(longest, sim.clock().last_step);
        }
        const double by_wave = 0.4 * spacing / std::sqrt(E / rho);
        INFO(dimensions, "D: sag ", 100 * (rest / (sag.bending + sag.shear) - 1), " % off, in steps of ",
             longest / by_wave, " times those of the elastic wave");
        CHECK(longest > 20 * by_wave);
        CHECK(std::abs(rest / (sag.bending + sag.shear) - 1) < 0.1);
    }
}

TEST_CASE("a bar that hangs by one end stretches and thins as linear elasticity says, the finer the better") {
    const auto measure = [](int along, int across) {
        const double g = 10;
        Beam beam{3, along, across, {g, 0, 0}};
        Simulation sim = beam.start();
        const double L = beam.length();
        const Layer tip(sim, (along - 1) * spacing, 1);
        const Layer quarter(sim, 0.3 * along * spacing, 0.3 * along * spacing + 2.01 * spacing),
            middle(sim, 0.6 * along * spacing, 0.6 * along * spacing + 2.01 * spacing),
            between(sim, 0.3 * along * spacing + spacing, 0.6 * along * spacing + spacing);
        const auto x = [](const Vec3d& p) { return p.x; };
        const auto width = [](const Vec3d& p) { return std::abs(p.y) + std::abs(p.z); };
        const double gap = middle.mean(sim, x) - quarter.mean(sim, x), wide = between.mean(sim, width);
        double axial = 0, lateral = 0, steps = 0;
        const Swing swing = follow(sim, 4 * L / std::sqrt(E / rho), [&](const Simulation& s) {
            axial += (middle.mean(s, x) - quarter.mean(s, x)) / gap - 1;
            lateral += between.mean(s, width) / wide - 1;
            ++steps;
            return tip.mean(s, x);
        });
        const double end = beam.last(), theory = rho * g / E * (L * end - 0.5 * end * end);
        struct {
            double stretch, poisson;
        } out{swing.rest / theory - 1, -lateral / axial};
        MESSAGE(across, " across: stretch ", out.stretch * 100, " % off, Poisson's ratio ", out.poisson);
        return out;
    };
    const auto coarse = measure(16, 4), fine = measure(32, 8), finest = measure(64, 16);
    CHECK(std::abs(fine.stretch) < 0.1);
    CHECK(std::abs(fine.stretch) < std::abs(coarse.stretch));
    CHECK(std::abs(finest.stretch) < std::abs(fine.stretch));
    for (const auto& result : {coarse, fine, finest}) CHECK(std::abs(result.poisson - nu) < 0.03);
}
