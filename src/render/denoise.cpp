#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "render/film.h"
#include "render/light.h"

namespace thixo {
namespace {

constexpr int passes = 4;
/// A tap of weight e⁻¹² changes no bit that is displayed.
constexpr float negligible = 12;
constexpr float kernel[3] = {0.375f, 0.25f, 0.0625f};

float brightness(const Rgb& c) { return 0.25f * c.x + 0.6f * c.y + 0.15f * c.z; }

/// One pass, with taps 2ᵏ pixels apart.
struct Pass {
    const Film& film;
    const std::vector<Rgb>& light;
    const std::vector<float>& variance;
    const std::vector<float>& shown;  ///< brightness of the light, as it is displayed
    int step;

    /// Variance over 3 × 3 pixels: that of a single one is itself noise.
    float calm_variance(int x, int y) const {
        float sum = 0, weight = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int u = x + dx, v = y + dy;
                if (u < 0 || v < 0 || u >= film.width || v >= film.height) continue;
                const float w = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
                sum += w * variance[film.at(u, v)];
                weight += w;
            }
        return sum / weight;
    }

    /// The median of what is around and alike, where a pixel is off by no more than noise may be: single
    /// pixels that stick out a little would have nothing like them around, and stay. What sticks out more,
    /// such as a glint, is there.
    float calm_shown(int x, int y) const {
        const std::size_t p = film.at(x, y);
        const float depth_scale = 0.01f * film.depth[p] + 1e-12f;
        std::array<float, 9> around;
        std::size_t count = 0;
        for (int v = std::max(0, y - 1); v <= std::min(film.height - 1, y + 1); ++v)
            for (int u = std::max(0, x - 1); u <= std::min(film.width - 1, x + 1); ++u)
                if (const std::size_t q = film.at(u, v); difference(p, q, depth_scale) < 1)
                    around[count++] = shown[q];
        if (count < 5) return shown[p];
        const auto middle = around.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(around.begin(), middle, around.begin() + static_cast<std::ptrdiff_t>(count));
        const float off = shown[p] - *middle;
        return off * off < 36 * calm_variance(x, y) ? *middle : shown[p];
    }

    /// −log of how alike two pixels are.
    float difference(std::size_t p, std::size_t q, float depth_scale) const {
        const Vec3f dn = film.normal[p] - film.normal[q];
        const Rgb da = film.albedo[p] - film.albedo[q];
        const float dp = film.depth[p], dq = film.depth[q];
        if (std::isinf(dp) != std::isinf(dq)) return 2 * negligible;
        const float dz = std::isinf(dp) ? 0 : (dp - dq) / depth_scale;
        return 10 * norm2(dn) + 60 * norm2(da) + dz * dz;
    }

    void operator()(int x, int y, Rgb& out, float& out_variance) const {
        const std::size_t p = film.at(x, y);
        const float deviation = std::sqrt(std::max(0.0f, calm_variance(x, y)));
        const float centre = shown[p];
        if (deviation < 1e-4f) {
            out = light[p], out_variance = variance[p];
            return;
        }
        const float scale = 1 / (3 * deviation + 1e-4f);
        const float depth_scale = 0.01f * film.depth[p] * static_cast<float>(step) + 1e-12f;
        Rgb sum = light[p] * (kernel[0] * kernel[0]);
        float total = kernel[0] * kernel[0], spread = variance[p] * total * total;
        for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i) {
                const int u = x + i * step, v = y + j * step;
                if ((i == 0 && j == 0) || u < 0 || v < 0 || u >= film.width || v >= film.height) continue;
                const std::size_t q = film.at(u, v);
                const float off = (shown[q] - centre) * scale;
                const float unlike = off * off + difference(p, q, depth_scale);
                if (unlike > negligible) continue;
                const float w = kernel[std::abs(i)] * kernel[std::abs(j)] * std::exp(-unlike);
                sum += light[q] * w;
                total += w;
                spread += w * w * variance[q];
            }
        out = sum / total;
        out_variance = spread / (total * total);
    }
};

/// Single pixels far brighter or darker than all around them are taken for noise: they become as bright as
/// the second of these. Two count, so that lines stay. Filters alone keep such pixels, because nothing around
/// is like them.
void cut_outliers(Film& film, int threads) {
    const std::vector<Rgb> before = film.light;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = 0; y < film.height; ++y)
        for (int x = 0; x < film.width; ++x) {
            float most = 0, second_most = 0;
            float least = std::numeric_limits<float>::infinity(), second_least = least;
            std::size_t least_at = 0, second_least_at = 0;
            for (int v = std::max(0, y - 1); v <= std::min(film.height - 1, y + 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(film.width - 1, x + 1); ++u) {
                    if (u == x && v == y) continue;
                    const std::size_t q = film.at(u, v);
                    const float b = brightness(before[q]);
                    second_most = std::max(second_most, std::min(most, b)), most = std::max(most, b);
                    if (b < least)
                        second_least = least, second_least_at = least_at, least = b, least_at = q;
                    else if (b < second_least)
                        second_least = b, second_least_at = q;
                }
            const std::size_t p = film.at(x, y);
            const float own = brightness(before[p]);
            if (own > 1.5f * second_most + 0.1f)
                film.light[p] = before[p] * (second_most / own);
            else if (1.5f * own + 0.1f < second_least && std::isfinite(second_least))
                film.light[p] = before[second_least_at];
        }
}

}  // namespace

void denoise(Film& film, int threads) {
    cut_outliers(film, threads);
    std::vector<Rgb> light(film.count());
    std::vector<float> variance(film.count()), shown(film.count()), calm(film.count());
    for (int k = 0; k < passes; ++k) {
        const auto count = static_cast<std::int64_t>(film.count());
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::int64_t p = 0; p < count; ++p) {
            const auto at = static_cast<std::size_t>(p);
            shown[at] = brightness(tone_mapped(film.light[at]));
        }
        if (k == 0) {
            const Pass rough{film, film.light, film.variance, shown, 1};
#pragma omp parallel for schedule(static) num_threads(threads)
            for (int y = 0; y < film.height; ++y)
                for (int x = 0; x < film.width; ++x) calm[film.at(x, y)] = rough.calm_shown(x, y);
            shown.swap(calm);
        }
        const Pass pass{film, film.light, film.variance, shown, 1 << k};
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
        for (int y = 0; y < film.height; ++y)
            for (int x = 0; x < film.width; ++x) pass(x, y, light[film.at(x, y)], variance[film.at(x, y)]);
        film.light.swap(light);
        film.variance.swap(variance);
    }
}

}  // namespace thixo
