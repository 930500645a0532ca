#include "render/trace.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "render/backdrop.h"
#include "render/container_walls.h"

namespace thixo {
namespace {

constexpr int block = 8;  // pixels; a block is finished as a whole

const Rgb outline_colour = rgb_from_hex(0x26323f);

/// As it is displayed. The curve is applied to the sum rather than to each colour, which costs a third and
/// differs for saturated highlights alone.
float luminance(const Rgb& c) { return tone_mapped(0.25f * c.x + 0.6f * c.y + 0.15f * c.z); }

RenderScene scenery_of(const TracedPicture& picture) {
    RenderScene scene;
    scene.obstacles = picture.obstacles;
    scene.stage = picture.stage;
    return scene;
}

std::vector<TracedObstacle> traced_obstacles(const TracedPicture& picture) {
    std::vector<TracedObstacle> list;
    for (std::size_t k = 0; k < picture.obstacles.size(); ++k)
        list.push_back({picture.obstacles[k], picture.looks[k]});
    return list;
}

/// Everything a pixel needs, read only.
class Tracer {
public:
    Tracer(const TracedPicture& picture, const Camera& camera, const TraceSettings& settings, int threads)
        : settings_(settings),
          lens_(camera, settings.width, settings.height),
          scenery_scene_(scenery_of(picture)),
          scenery_(scenery_scene_, lens_, settings.height),
          lights_(lens_, scenery_.has_floor()),
          scene_(picture.surfaces, traced_obstacles(picture), picture.stage, threads),
          walls_(picture.obstacles, picture.stage, threads),
          paths_(scene_, scenery_, lights_, {.bounces = settings.bounces}),
          focus_(settings.focus > 0 ? settings.focus : static_cast<float>(norm(camera.target - camera.eye))) {
    }

    /// Adds paths number `from` … `to` − 1 of a pixel to its sums.
    struct Sums {
        Rgb light{}, albedo{};
        Vec3f normal{};
        double luminance = 0, squares = 0;
        float depth = no_hit;
        int count = 0;
    };
    void add(int x, int y, int from, int to, Sums& sums) const {
        for (int s = from; s < to; ++s) {
            PathSampler random(x, y, s);
            const Unit2 within = random.next2();
            const float px = static_cast<float>(x) + within.u, py = static_cast<float>(y) + within.v;
            Ray ray = through_lens(px, py, random.next2());
            ray.time = random.next();
            PathSample sample =
                paths_.trace(ray, backdrop(px, py, settings_.width, settings_.height), random);
            Rgb light = walls_.over(sample.light, ray, sample.depth, lights_);
            light = blend(light, outline_colour, 0.75f * scenery_.outline(ray, sample.depth));
            if (!is_finite(light)) light = {};
            sums.light += light;
            sums.albedo += sample.albedo;
            sums.normal += sample.normal;
            sums.depth = std::min(sums.depth, sample.depth);
            const double b = luminance(light);
            sums.luminance += b;
            sums.squares += b * b;
            ++sums.count;
        }
    }

private:
    /// A thin lens: what is at the distance of focus is sharp.
    Ray through_lens(float px, float py, Unit2 s) const {
        Ray ray = lens_.ray(px, py);
        if (settings_.aperture <= 0) return ray;
        const float reach = focus_ / std::max(1e-3f, dot(ray.direction, lens_.forward()));
        const Vec3f target = ray.origin + ray.direction * reach;
        const float r = settings_.aperture * std::sqrt(s.u), phi = 2 * std::numbers::pi_v<float> * s.v;
        ray.origin += lens_.right() * (r * std::cos(phi)) + lens_.up() * (r * std::sin(phi));
        ray.direction = normalized(target - ray.origin);
        return ray;
    }

    const TraceSettings& settings_;
    Lens lens_;
    RenderScene scenery_scene_;
    Scenery scenery_;
    Lights lights_;
    TracedScene scene_;
    ContainerWalls walls_;
    PathTracer paths_;
    float focus_;
};

/// Variance of the mean luminance of a pixel's paths.
double error2(const Tracer::Sums& s) {
    const double n = s.count, mean = s.luminance / n;
    return std::max(0.0, s.squares / n - mean * mean) / std::max(1.0, n - 1);
}

/// The pixels of a picture in blocks. A block takes as many more paths as it has taken, until its noise is
/// below the target.
class Blocks {
public:
    Blocks(const TraceSettings& settings)
        : settings_(settings),
          columns_((settings.width + block - 1) / block),
          rows_((settings.height + block - 1) / block),
          sums_(static_cast<std::size_t>(settings.width) * static_cast<std::size_t>(settings.height)) {
        for (int b = 0; b < columns_ * rows_; ++b) open_.push_back(b);
    }

    bool finished() const { return open_.empty() || taken_ >= settings_.samples; }

    void add_paths(const Tracer& tracer, int threads) {
        const int to = std::min(settings_.samples, taken_ == 0 ? settings_.first_samples : 2 * taken_);
        const auto count = static_cast<std::int64_t>(open_.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (std::int64_t k = 0; k < count; ++k)
            each_pixel(open_[static_cast<std::size_t>(k)],
                       [&](int x, int y, Tracer::Sums& sums) { tracer.add(x, y, taken_, to, sums); });
        taken_ = to;
        close();
    }

    double fraction_done() const {
        const double all = static_cast<double>(columns_) * rows_;
        return 1 - static_cast<double>(open_.size()) / all *
                       (1 - static_cast<double>(taken_) / settings_.samples);
    }

    Film film() const {
        Film film(settings_.width, settings_.height);
        for (std::size_t p = 0; p < sums_.size(); ++p) {
            const Tracer::Sums& s = sums_[p];
            const float inverse = 1 / static_cast<float>(s.count);
            film.light[p] = s.light * inverse;
            film.albedo[p] = s.albedo * inverse;
            film.normal[p] = s.normal * inverse;
            film.depth[p] = s.depth;
            film.variance[p] = static_cast<float>(error2(s));
            film.samples[p] = s.count;
        }
        return film;
    }

private:
    template <class Body>
    void each_pixel(int b, const Body& body) {
        const int x0 = b % columns_ * block, y0 = b / columns_ * block;
        for (int y = y0; y < std::min(y0 + block, settings_.height); ++y)
            for (int x = x0; x < std::min(x0 + block, settings_.width); ++x)
                body(x, y,
                     sums_[static_cast<std::size_t>(y) * static_cast<std::size_t>(settings_.width) +
                           static_cast<std::size_t>(x)]);
    }

    void close() {
        const double target = double{settings_.noise} * settings_.noise;
        std::erase_if(open_, [&](int b) {
            double sum = 0;
            int pixels = 0;
            each_pixel(b, [&](int, int, const Tracer::Sums& s) { sum += error2(s), ++pixels; });
            return sum <= target * pixels;
        });
    }

    const TraceSettings& settings_;
    int columns_, rows_, taken_ = 0;
    std::vector<Tracer::Sums> sums_;
    std::vector<int> open_;  ///< blocks that need more paths
};

}  // namespace

Film trace(const TracedPicture& picture, const Camera& camera, const TraceSettings& settings) {
    if (settings.width < 1 || settings.height < 1 || settings.samples < 1 || settings.first_samples < 1)
        throw InputError("a picture needs at least one pixel and one sample");
    if (picture.looks.size() != picture.obstacles.size()) throw InputError("each obstacle needs a look");
    const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
    const Tracer tracer(picture, camera, settings, threads);
    Blocks blocks(settings);
    while (!blocks.finished()) {
        blocks.add_paths(tracer, threads);
        if (settings.progress) settings.progress(blocks.fraction_done());
    }
    Film film = blocks.film();
    if (settings.denoised) denoise(film, threads);
    return film;
}

}  // namespace thixo
