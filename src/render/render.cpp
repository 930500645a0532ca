#include "render/render.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "render/backdrop.h"
#include "render/light.h"
#include "render/ray_scene.h"
#include "render/sampling.h"
#include "render/scenery.h"

namespace thixo {
namespace {

constexpr int tile = 16;  // pixels; rays of a tile visit the same nodes

constexpr int sheet_rays = 4;

const Rgb outline_ink = rgb_from_hex(0x26323f);

/// Everything a pixel needs, read only.
struct Painter {
    const RenderScene& scene;
    const RenderSettings& settings;
    const Lens lens;
    const Scenery scenery;
    const Studio studio;
    const RayScene traced;
    std::vector<Rgb> full{};  // 1 / light on an empty sheet, by number

    Painter(const RenderScene& s, const Camera& camera, const RenderSettings& set, int threads)
        : scene(s),
          settings(set),
          lens(camera, set.width, set.height),
          scenery(s, lens, set.height),
          studio(lens, s.dimensions, scenery.has_floor()),
          traced(s, threads) {
        for (const Vec3f& normal : scenery.normals()) {
            const Light light = studio.open(normal);
            const Rgb all = light.sun + light.ambient;
            full.push_back({1 / all.x, 1 / all.y, 1 / all.z});
        }
    }

    Rgb pixel(int x, int y) const;
    Rgb matter(const Hit& hit, const Vec3f& view, const PixelSampler& sampler, int sample) const;
    Rgb sheet(const SheetHit& hit, const Rgb& behind, const PixelSampler& sampler, int sample,
              bool& calm) const;
};

Rgb Painter::matter(const Hit& hit, const Vec3f& view, const PixelSampler& sampler, int sample) const {
    const Vec3f point = hit.point + hit.normal * hit.lift;
    const Light light =
        studio.gather(traced, point, hit.normal, {sampler, sample, settings.samples, settings.bounces});
    Rgb colour = modulate(hit.albedo, light.sun + light.ambient);
    if (!hit.particle) return colour;
    // A thin gloss: the sun as a soft highlight, the sky at grazing angles (Schlick).
    const float shine = std::max(0.0f, dot(hit.normal, normalized(studio.sun_direction() - view)));
    const float grazing = 1 - std::min(1.0f, std::abs(dot(hit.normal, view)));
    const float fresnel = 0.03f + 0.5f * std::pow(grazing, 5.0f);
    return colour * (1 - 0.5f * fresnel) + light.sun * (0.22f * std::pow(shine, 40.0f)) +
           light.ambient * (0.5f * fresnel);
}

/// The sheet takes the background's colour times the fraction of light that reaches it: away from the matter
/// it is the background, without a seam.
Rgb Painter::sheet(const SheetHit& hit, const Rgb& behind, const PixelSampler& sampler, int sample,
                   bool& calm) const {
    const float lift = 1e-4f * static_cast<float>(norm(scene.stage.size()));
    const Vec3f point = hit.point + hit.normal * lift;
    // Even surfaces show noise that grainy ones hide: take more rays, until a pixel's first have met nothing.
    const int samples = settings.samples * sheet_rays, rays = calm ? 1 : sheet_rays;
    Rgb got{};
    bool open = true;
    for (int k = 0; k < rays; ++k) {
        const Light light = studio.gather(traced, point, hit.normal,
                                          {sampler, sample * sheet_rays + k, samples, settings.bounces});
        got += light.sun + light.ambient;
        open = open && light.open;
    }
    calm = open;
    const Rgb fraction = modulate(got, full[hit.number]) / static_cast<float>(rays);
    return blend(behind, modulate(behind, fraction) * hit.tint, hit.presence);
}

Rgb Painter::pixel(int x, int y) const {
    const PixelSampler sampler(x, y);
    const auto count = static_cast<float>(settings.samples);
    Rgb sum{};
    bool calm = false;
    for (int s = 0; s < settings.samples; ++s) {
        // Hammersley points: every row and every column of the pixel is met once.
        float radical = 0;
        for (int bits = s, digit = 1; bits > 0; bits /= 2, ++digit)
            radical += std::ldexp(static_cast<float>(bits % 2), -digit);
        const float px = static_cast<float>(x) + (static_cast<float>(s) + 0.5f) / count;
        const float py = static_cast<float>(y) + radical + 0.5f / count;
        const Ray ray = lens.ray(px, py);
        const Hit hit = traced.closest(ray, true);
        const SheetHit below = scenery.sheet(ray);
        Rgb colour = backdrop(px, py, settings.width, settings.height);
        if (hit && hit.distance <= below.distance) {
            colour = matter(hit, ray.direction, sampler, s);
        } else if (below.presence > 0) {
            colour = sheet(below, colour, sampler, s, calm);
        }
        if (const Hit wall = traced.far_side(ray);
            wall && wall.distance < std::min(hit.distance, below.distance)) {
            const float grazing = 1 - std::abs(dot(wall.normal, ray.direction));
            colour = blend(colour, matter(wall, ray.direction, sampler, s), 0.35f + 0.5f * grazing * grazing);
        }
        colour =
            blend(colour, outline_ink, 0.75f * scenery.outline(ray, std::min(hit.distance, below.distance)));
        sum += tone_mapped(colour);
    }
    return sum / count;
}

}  // namespace

Image render(const RenderScene& scene, const Camera& camera, const RenderSettings& settings) {
    if (settings.width < 1 || settings.height < 1 || settings.samples < 1 || settings.bounces < 1) {
        throw InputError("a picture needs at least one pixel and one sample");
    }
    const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
    const Painter painter(scene, camera, settings, threads);
    Image image(settings.width, settings.height);
    const int columns = (settings.width + tile - 1) / tile, rows = (settings.height + tile - 1) / tile;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int t = 0; t < columns * rows; ++t) {
        const int x0 = t % columns * tile, y0 = t / columns * tile;
        for (int y = y0; y < std::min(y0 + tile, settings.height); ++y) {
            for (int x = x0; x < std::min(x0 + tile, settings.width); ++x)
                set_pixel(image, x, y, painter.pixel(x, y));
        }
    }
    return image;
}

}  // namespace thixo
