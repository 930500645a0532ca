#include "adapt/split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "core/quaternion.h"
#include "core/random.h"

namespace thixo {

namespace {

/// The octahedron and one in the middle of it.
constexpr int most_children = 7;

/// Orientations tried beside a wall; the one whose children stay farthest from the wall is taken.
constexpr int attempts = 8;

std::vector<Vec3d> ring(int n) {
    std::vector<Vec3d> out;
    for (int k = 0; k < n; ++k) {
        const double angle = 2 * std::numbers::pi * k / n;
        out.push_back({std::cos(angle), std::sin(angle), 0});
    }
    return out;
}

/// Even directions in space: a pair, a triangle, the tetrahedron, two pyramids on a triangle, the octahedron.
std::vector<Vec3d> directions(int n) {
    if (n <= 3) return ring(n);
    if (n == 4) {
        const double a = 1 / std::numbers::sqrt3;
        return {{a, a, a}, {a, -a, -a}, {-a, a, -a}, {-a, -a, a}};
    }
    std::vector<Vec3d> out = ring(n - 2);
    out.push_back({0, 0, 1});
    out.push_back({0, 0, -1});
    return out;
}

Mat3d random_turn(std::uint64_t seed, std::uint32_t id, std::uint64_t step, std::uint32_t attempt,
                  int dimensions) {
    const auto words = random_words(seed, id, step, Purpose::splitting, attempt);
    const double turn = 2 * std::numbers::pi * double{to_unit(words[0])};
    if (dimensions == 2)
        return matrix(Quaternion<double>{{0, 0, std::sin(0.5 * turn)}, std::cos(0.5 * turn)});
    // Uniform among all rotations, Shoemake 1992.
    const double u = to_unit(words[1]), other = 2 * std::numbers::pi * double{to_unit(words[2])};
    const double a = std::sqrt(1 - u), b = std::sqrt(u);
    return matrix(Quaternion<double>{{a * std::sin(turn), a * std::cos(turn), b * std::sin(other)},
                                     b * std::cos(other)});
}

void copy_row(ParticleTable& particles, Index from, Index to) {
    particles.for_each_field([=](auto& column, auto, auto) { column[to] = column[from]; });
}

/// Gradient of a quantity by least squares over the liquid neighbours, with weights m (1 − r/H)².
/// `change_to(j)` is the value at row j minus the value at `row`.
template <class Change>
Vec3d slope_around(const AdaptState& state, Index row, int dimensions, const Change& change_to) {
    const ParticleTable& p = state.particles;
    Mat3d moments{};
    Vec3d change{};
    for (const Index j : state.neighbours.of(row)) {
        if (p.phase[j] != Phase::liquid || p.material[j] != p.material[row]) continue;
        const Vec3d r = to_double(p.position[j]) - to_double(p.position[row]);
        const double q = 1 - norm(r) / std::max(state.supports[row], state.supports[j]);
        if (q <= 0) continue;
        const double weight = p.mass[j] * q * q;
        moments += outer(r, r) * weight;
        change += change_to(j) * weight * r;
    }
    // In the plane nothing varies with z.
    const double mean = trace(moments) / dimensions;
    if (dimensions == 2) moments.z.z = mean;
    // Too few neighbours, or a flat neighbourhood: no gradient.
    if (!(determinant(moments) > 1e-3 * mean * mean * mean)) return {};
    return inverse_of_symmetric(moments) * change;
}

}  // namespace

float whole_mass(float mass) {
    int exponent = 0;
    const float mantissa = std::frexp(mass, &exponent);
    return std::ldexp(std::round(mantissa * 65536.f), exponent - 16);
}

int children_of(float count) {
    // Counts are rounded, so a count of 2 may be slightly below 2.
    count *= 1.001f;
    if (count < 2) return 1;
    const double generations = std::ceil(std::log(double{count}) / std::log(most_children) - 1e-3);
    return std::clamp(static_cast<int>(std::pow(double{count}, 1 / generations)), 2, most_children);
}

/// Factor on the distance of the children that the moments give. Kernels of children are too short to reach
/// all large neighbours, so the pressure between children and large particles is too low: children spread and
/// large neighbours move in. This factor balances both. For seven children in 3D a is 0.49 ∛(m/ρ₀), near the
/// minimum of spurious forces.
constexpr double wider(int n) { return 1 + 0.018 * (n - 1); }

/// S = Σ xxᵀ of n equal points on a circle (sphere) of radius a, k of them not in the middle, is k a²/d; a
/// disc (ball) of radius R has R²/(d+2), and so has each child with r = R/n^(1/d):
///
///     R² = r² + (k/n) (d+2)/d a²
std::vector<Vec3d> split_pattern(int n, int dimensions, double radius) {
    const int middle = n >= (dimensions == 2 ? 6 : 7) ? 1 : 0, around = n - middle;
    const double d = dimensions, small = radius / std::pow(n, 1 / d);
    const double a = std::sqrt((radius * radius - small * small) * n / around * d / (d + 2));
    std::vector<Vec3d> out = dimensions == 2 ? ring(around) : directions(around);
    for (Vec3d& x : out) x = x * (a * wider(n));
    if (middle) out.insert(out.begin(), Vec3d{});
    return out;
}

/// The pattern with a random orientation, since a fixed one would be visible. Beside a wall no child may
/// start inside it.
std::vector<Vec3d> Splitter::place(const AdaptState& state, Index row, int n, std::uint64_t step) const {
    const ParticleTable& p = state.particles;
    const int d = sizing_.dimensions();
    const double volume = p.mass[row] / materials_[p.material[row]].density;
    const double radius =
        d == 2 ? std::sqrt(volume / std::numbers::pi) : std::cbrt(0.75 * volume / std::numbers::pi);
    const std::vector<Vec3d> pattern = split_pattern(n, d, radius);
    const Vec3d wall = to_double(state.walls[row].gradient);  // points into it
    std::vector<Vec3d> best;
    double nearest = 0;
    for (std::uint32_t k = 0; k < (norm2(wall) > 0 ? attempts : 1); ++k) {
        const Mat3d turn = random_turn(seed_, p.id[row], step, k, d);
        std::vector<Vec3d> turned;
        double reach = -norm(wall) * radius;
        for (const Vec3d& x : pattern) {
            turned.push_back(turn * x);
            reach = std::max(reach, dot(turned.back(), wall));
        }
        if (!best.empty() && reach >= nearest) continue;
        nearest = reach;
        best = std::move(turned);
    }
    return best;
}

/// Change of h (J/kg) from a parent to its children, by the local gradient, limited so that no child leaves
/// the range of the neighbours.
std::vector<double> Splitter::spread_heat(const AdaptState& state, Index row,
                                          const std::vector<Vec3d>& offsets) const {
    const HeatColumns heat = heat_columns(heat_, state.particles);
    const double own = heat[row];
    double low = 0, high = 0;
    const Vec3d slope = slope_around(state, row, sizing_.dimensions(), [&](Index j) {
        const double change = heat[j] - own;
        low = std::min(low, change);
        high = std::max(high, change);
        return change;
    });
    double scale = 1;
    std::vector<double> out;
    for (const Vec3d& offset : offsets) {
        out.push_back(dot(slope, offset));
        if (out.back() > high) scale = std::min(scale, high / out.back());
        if (out.back() < low) scale = std::min(scale, low / out.back());
    }
    for (double& change : out) change *= scale;
    return out;
}

void Splitter::split(const AdaptState& state, const std::vector<Index>& rows, std::uint64_t step,
                     std::uint64_t& next_id) const {
    ParticleTable& p = state.particles;
    std::vector<float> density;
    std::vector<double> warmer;  // J/kg, than their parents
    std::vector<Vec3d> places;
    std::vector<int> counts;
    // All children are computed before any parent is replaced: they interpolate the state before the split.
    Index total = p.size();
    for (const Index row : rows) {
        const int n = children_of(sizing_.count_of(sizing_.size(p.radius[row])));
        const Vec3d parent = to_double(p.position[row]);
        const Vec3d slope = slope_around(state, row, sizing_.dimensions(),
                                         [&](Index j) { return double{p.density[j]} - p.density[row]; });
        const std::vector<Vec3d> offsets = place(state, row, n, step);
        const std::vector<double> changes = spread_heat(state, row, offsets);
        warmer.insert(warmer.end(), changes.begin(), changes.end());
        for (const Vec3d& offset : offsets) {
            places.push_back(parent + offset);
            const float own = p.density[row];
            density.push_back(
                std::clamp(own + static_cast<float>(dot(slope, offset)), 0.9f * own, 1.1f * own));
        }
        counts.push_back(n);
        total += static_cast<Index>(n - 1);
    }
    if (next_id + total - p.size() > std::numeric_limits<std::uint32_t>::max())
        throw RunError("adaptivity: no particle ids are left, over 4 billion were used");
    Index fresh = p.size();
    p.resize(total);
    const HeatColumns heat = heat_columns(heat_, p);
    std::size_t first = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const int n = counts[k];
        const Index parent = rows[k];
        const double mass = p.mass[parent];
        const float child_mass = whole_mass(static_cast<float>(mass / n)),
                    rest = static_cast<float>(mass - (n - 1) * double{child_mass});
        const float radius = sizing_.radius(
            sizing_.size_of(sizing_.count_of(sizing_.size(p.radius[parent])) / static_cast<float>(n)));
        // One child has a slightly different mass. Shift and content keep the centre of mass and the heat
        // exact.
        Vec3d center{};
        double content = heat[parent];
        for (int c = 0; c < n; ++c) {
            const double weight = (c == 0 ? double{rest} : double{child_mass}) / mass;
            center += weight * places[first + c];
            content -= weight * warmer[first + c];
        }
        const Vec3d shift = to_double(p.position[parent]) - center;
        for (int c = n - 1; c >= 0; --c) {
            const Index row = c == 0 ? parent : fresh++;
            if (c > 0) {
                copy_row(p, parent, row);
                p.id[row] = static_cast<std::uint32_t>(next_id++);
            }
            p.mass[row] = c == 0 ? rest : child_mass;
            p.radius[row] = radius;
            p.density[row] = density[first + c];
            p.position[row] = to_float(places[first + c] + shift);
            heat.set(row, content + warmer[first + c]);
        }
        first += static_cast<std::size_t>(n);
    }
}

}  // namespace thixo
