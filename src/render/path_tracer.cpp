#include "render/path_tracer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/coated.h"

namespace thixo {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

float brightest_of(const Rgb& c) { return std::max({c.x, c.y, c.z}); }

Vec3f to_local(const Frame& f, const Vec3f& w) {
    return {dot(w, f.tangent), dot(w, f.bitangent), dot(w, f.normal)};
}

Vec3f sphere_direction(Unit2 s) {
    const float z = 1 - 2 * s.u, r = std::sqrt(std::max(0.0f, 1 - z * z)), phi = 2 * pi * s.v;
    return {r * std::cos(phi), r * std::sin(phi), z};
}

}  // namespace

struct PathTracer::Path {
    Ray ray;
    PathSampler& random;
    Rgb backdrop;
    Rgb through{1, 1, 1};
    Media media{};
    PathSample out{};
    Rgb owed{};  ///< sky that was counted before it was known whether anything hides it
    bool is_owed = false;
    bool primary = true;  ///< straight from the eye
    bool direct = true;   ///< over mirrors, gloss and clear surfaces only
    float density = -1;   ///< of the last direction, where the key light was sampled too; −1: it was not
    bool seen = false;    ///< albedo is known
    int bounces = 0, events = 0;
};

PathTracer::PathTracer(const TracedScene& scene, const Scenery& scenery, const Lights& lights,
                       const PathSettings& settings)
    : scene_(scene), scenery_(scenery), lights_(lights), settings_(settings) {
    if (settings_.brightest <= 0)
        settings_.brightest = lights.has_key() ? brightest_of(lights.open(lights.key_direction()))
                                               : std::numeric_limits<float>::infinity();
    for (const Vec3f& normal : scenery.normals()) {
        const Rgb all = lights.open(normal);
        sheet_colour_.push_back({1 / all.x, 1 / all.y, 1 / all.z});
    }
}

PathSample PathTracer::trace(const Ray& ray, const Rgb& backdrop, PathSampler& random) const {
    Path path{.ray = ray, .random = random, .backdrop = backdrop};
    path.out.depth = no_hit;
    while (advance(path)) {
        path.primary = false;
        ++path.events;
        if (path.events < 6) continue;
        const float chance = std::min(1.0f, brightest_of(path.through));
        if (path.random.next() >= chance) break;
        path.through = path.through / chance;
    }
    return path.out;
}

/// To what the ray meets next. False at the end of the path.
bool PathTracer::advance(Path& path) const {
    const TracedHit hit = scene_.closest(path.ray);
    const SheetHit sheet = scenery_.sheet(path.ray);
    const float distance = std::min(hit.distance, sheet.distance);
    if (path.primary) {
        path.out.depth = sheet.presence > 0 || hit ? distance : no_hit;
        path.out.normal = hit && hit.distance <= sheet.distance ? hit.smooth
                          : sheet.presence > 0                  ? sheet.normal
                                                                : Vec3f{};
    }
    if (path.is_owed) {
        if (!hit && sheet.presence <= 0) return false;
        add(path, -path.owed);
        path.is_owed = false;
    }
    if (path.media.current().surface != ~0u && distance < no_hit && scattered_within(path, distance))
        return true;
    if (hit && hit.distance <= sheet.distance)
        return hit.optics.clear ? meet_clear(path, hit, sheet) : meet_opaque(path, hit);
    if (sheet.presence > 0) return meet_sheet(path, sheet);
    escape(path);
    return false;
}

void PathTracer::add(Path& path, const Rgb& light) const {
    const float most = brightest_of(light);
    const bool cut = !path.direct && most > settings_.brightest;
    path.out.light += cut ? light * (settings_.brightest / most) : light;
}

void PathTracer::escape(Path& path) const {
    const Vec3f& d = path.ray.direction;
    if (path.primary) {
        path.out.albedo = path.backdrop;
        return add(path, path.backdrop);
    }
    add(path, modulate(path.through, path.direct ? lights_.mirrored(d) : lights_.sky(d)));
    if (!path.direct) return;
    const float key = lights_.key_density(d);
    if (key <= 0) return;
    const float weight = path.density < 0 ? 1.0f : path.density / (path.density + key);
    const Rgb light = modulate(path.through, lights_.key()) * weight;
    const float most = brightest_of(light), cut = 4 * settings_.brightest;
    add(path, most > cut ? light * (cut / most) : light);
}

/// Absorbs; in cloudy matter the path may end before the surface and go on into any direction.
bool PathTracer::scattered_within(Path& path, float distance) const {
    const Media::Entry& m = path.media.current();
    if (m.scattering <= 0 || path.events >= settings_.crossings) {
        path.through = modulate(path.through, transmitted(m.absorption, distance));
        return false;
    }
    const float free = -std::log(1 - path.random.next()) / m.scattering;
    path.through = modulate(path.through, transmitted(m.absorption, std::min(free, distance)));
    if (free >= distance) return false;
    const Vec3f point = path.ray.origin + path.ray.direction * free;
    if (lights_.has_key()) {
        const Vec3f l = lights_.sample_key(path.random.next2());
        const Rgb arriving = reaching({point, l, path.ray.time}, path.media);
        path.direct = false;
        add(path,
            modulate(path.through, modulate(arriving, lights_.key())) / (4 * pi * lights_.key_density(l)));
    }
    path.direct = false;
    path.ray = {point, sphere_direction(path.random.next2()), path.ray.time};
    return true;
}

bool PathTracer::meet_sheet(Path& path, const SheetHit& sheet) const {
    const Vec3f& d = path.ray.direction;
    const Rgb behind = path.primary ? path.backdrop : path.direct ? lights_.mirrored(d) : lights_.sky(d);
    add(path, modulate(path.through, behind) * (1 - sheet.presence));
    path.through = path.through * sheet.presence;
    const Rgb colour =
        modulate(path.primary ? path.backdrop : settings_.paper, sheet_colour_[sheet.number]) * sheet.tint;
    if (!path.seen) path.out.albedo = colour, path.seen = true;
    TracedHit hit;
    hit.point = sheet.point;
    hit.normal = hit.smooth = sheet.normal;
    hit.lift = 10 * scene_.small();
    return leave_matte(path, hit, sheet.normal, colour);
}

/// Key light and sky on a matte surface, then on into a random direction.
bool PathTracer::leave_matte(Path& path, const TracedHit& hit, const Vec3f& n, const Rgb& body) const {
    path.direct = false;
    const Vec3f origin = hit.point + n * hit.lift;
    if (lights_.has_key()) {
        const Vec3f l = lights_.sample_key(path.random.next2());
        const float cosine = dot(n, l);
        if (cosine > 0) {
            const Rgb arriving = modulate(reaching({origin, l, path.ray.time}, path.media), lights_.key());
            add(path,
                modulate(modulate(path.through, body), arriving) * (cosine / (pi * lights_.key_density(l))));
        }
    }
    path.through = modulate(path.through, body);
    if (++path.bounces > settings_.bounces) {
        // What is not traced any more is about half hidden.
        add(path, modulate(path.through, lights_.open_sky(n)) * 0.5f);
        return false;
    }
    const Frame frame(n);
    path.ray = {origin, cosine_direction(frame, path.random.next2()), path.ray.time, true};
    if (path.media.current().surface == ~0u) {
        add(path, modulate(path.through, lights_.open_sky(n)));
        path.owed = modulate(path.through, lights_.sky(path.ray.direction));
        path.is_owed = true;
    }
    return true;
}

bool PathTracer::meet_opaque(Path& path, TracedHit hit) const {
    const Vec3f& d = path.ray.direction;
    if (dot(hit.normal, d) > 0) hit.normal = -hit.normal, hit.smooth = -hit.smooth;
    Vec3f n = hit.smooth;
    if (dot(n, d) > -1e-3f) n = hit.normal;
    if (hit.optics.glow > 0) add(path, modulate(path.through, black_body(hit.temperature)) * hit.optics.glow);
    // Sharp glints that are seen over matte surfaces alone would be single bright pixels.
    if (!path.direct) hit.optics.roughness = std::max(hit.optics.roughness, 0.45f);
    const Frame frame(n);
    const Coated coat(hit.optics, to_local(frame, -d), path.media.current().refractive_index);
    if (!path.seen) path.out.albedo = hit.optics.colour, path.seen = true;
    const bool mirror = Gloss::is_mirror(hit.optics.roughness);
    const float chance = coat.shine_chance();
    if (lights_.has_key() && chance > 0 && !mirror) {
        const Vec3f l = lights_.sample_key(path.random.next2());
        const float cosine = dot(n, l), key = lights_.key_density(l);
        const Coated::Shine shine = coat.shine(to_local(frame, l));
        if (cosine > 0 && shine.density > 0) {
            const float weight = key / (key + chance * shine.density);
            const Rgb arriving =
                modulate(reaching({hit.point + n * hit.lift, l, path.ray.time}, path.media), lights_.key());
            add(path, modulate(modulate(path.through, shine.weight), arriving) * (cosine * weight / key));
        }
    }
    if (path.random.next() < chance) {
        const Coated::Shine shine = coat.sample_shine(path.random.next2());
        if (shine.density <= 0) return false;
        const Vec3f out = frame(shine.direction.x, shine.direction.y, shine.direction.z);
        if (dot(out, hit.normal) <= 0) return false;
        path.through = modulate(path.through, shine.weight) / chance;
        path.density = mirror ? -1 : chance * shine.density;
        path.ray = {hit.point + hit.normal * hit.lift, out, path.ray.time};
        return path.events < settings_.crossings;
    }
    path.through = path.through / (1 - chance);
    Rgb body = coat.body();
    if (brightest_of(hit.optics.spread) > 0) {
        const Exit exit = below_surface(path, hit, n);
        if (brightest_of(exit.weight) <= 0) return false;
        hit.point = exit.point;
        n = exit.normal;
        body = modulate(body, exit.weight);
    }
    return leave_matte(path, hit, n, body);
}

Media::Entry PathTracer::medium(const TracedHit& hit) const {
    return {hit.surface, scene_.priority(hit.surface), hit.optics.refractive_index, hit.optics.absorption,
            hit.optics.scattering};
}

bool PathTracer::meet_clear(Path& path, const TracedHit& hit, const SheetHit& sheet) const {
    const Vec3f& d = path.ray.direction;
    const bool entering = dot(hit.normal, d) < 0;
    const Media beyond = path.media.crossed(entering, medium(hit));
    if (beyond.current().surface == path.media.current().surface) {
        path.media = beyond;
        path.ray.origin = hit.point + d * hit.step;
        return path.events < 4 * settings_.crossings;
    }
    if (!entering) {
        // Matter that lies on a sheet or an obstacle: there is no air between.
        const float gap = 12 * hit.lift;
        if (sheet.presence > 0 && sheet.distance < hit.distance + gap) return meet_sheet(path, sheet);
        const TracedHit below = scene_.closest({hit.point + d * hit.step, d, path.ray.time}, gap);
        if (below && !below.optics.clear && dot(below.normal, d) < 0) return meet_opaque(path, below);
    }
    return cross(path, hit, beyond);
}

/// Reflection or refraction at a smooth or rough interface [Walter et al. 2007].
bool PathTracer::cross(Path& path, const TracedHit& hit, const Media& beyond) const {
    if (path.events >= settings_.crossings) return false;
    const Vec3f d = path.ray.direction;
    const bool entering = dot(hit.normal, d) < 0;
    const Vec3f facet = entering ? hit.normal : -hit.normal;
    Vec3f n = entering ? hit.smooth : -hit.smooth;
    if (dot(n, d) > -1e-3f) n = facet;
    const float roughness = hit.optics.roughness;
    Vec3f m = n;
    const Frame frame(n);
    const Vec3f w = to_local(frame, -d);
    const Gloss gloss(roughness);
    const bool mirror = Gloss::is_mirror(roughness);
    if (!mirror) {
        const Vec3f local = gloss.visible_facet(w, path.random.next2());
        m = frame(local.x, local.y, local.z);
    }
    const float eta = beyond.current().refractive_index / path.media.current().refractive_index;
    const float f = fresnel(std::min(1.0f, -dot(d, m)), eta);
    Vec3f out;
    const bool reflects = path.random.next() < f || !refracted(d, m, eta, out);
    if (reflects) out = reflected(d, m);
    const float side = dot(out, facet);
    if (reflects ? side <= 0 : side >= 0) {
        // Blended normals point a ray to the wrong side of a facet at grazing angles.
        out = out - facet * (side * 1.02f);
        out = normalized(out);
    }
    if (!mirror) {
        const Vec3f local = to_local(frame, out);
        path.through = path.through *
                       (gloss.masking_shadowing(w, {local.x, local.y, std::abs(local.z)}) / gloss.masking(w));
    }
    if (!reflects) path.media = beyond;
    path.density = -1;
    path.ray = {hit.point + facet * ((reflects ? 1.0f : -1.0f) * hit.step), out, path.ray.time};
    return true;
}

Rgb PathTracer::reaching(const Ray& ray, Media media) const {
    if (!scene_.has_clear()) return scene_.blocked(ray) ? Rgb{} : Rgb{1, 1, 1};
    Rgb throughput{1, 1, 1};
    Ray rest = ray;
    for (int k = 0; k < 16; ++k) {
        const TracedHit hit = scene_.closest(rest);
        const Media::Entry& m = media.current();
        if (!hit) return throughput;
        if (m.surface != ~0u) {
            // Light that clouds scatter mostly goes on forwards.
            const float cloud = 0.35f * m.scattering;
            throughput =
                modulate(throughput, transmitted(m.absorption + Rgb{cloud, cloud, cloud}, hit.distance));
        }
        if (!hit.optics.clear) return {};
        const Media beyond = media.crossed(dot(hit.normal, rest.direction) < 0, medium(hit));
        if (beyond.current().surface != m.surface) {
            const float a = beyond.current().refractive_index, b = m.refractive_index;
            throughput = throughput * (1 - fresnel(std::abs(dot(hit.smooth, rest.direction)),
                                                   std::max(a, b) / std::min(a, b)));
        }
        media = beyond;
        rest.origin = hit.point + rest.direction * (2 * hit.step);
    }
    return {};
}

/// Where light that goes into the matter comes out again [Christensen & Burley 2015]: R(r) = (e^{−r/d} +
/// e^{−r/3d}) / 8πdr. Points are found by probes along the normal and both tangents [King et al. 2013]; all
/// ways to find the same one are counted.
PathTracer::Exit PathTracer::below_surface(Path& path, const TracedHit& hit, const Vec3f& n) const {
    const Rgb d = hit.optics.spread;
    const auto profile = [](float r, float s) {
        r = std::max(r, 1e-4f * s);
        return (std::exp(-r / s) + std::exp(-r / (3 * s))) / (8 * pi * s * r);
    };
    const Frame frame(n);
    const Vec3f axes[3] = {n, frame.tangent, frame.bitangent};
    constexpr float chances[3] = {0.8f, 0.1f, 0.1f};
    const Unit2 pick = path.random.next2(), place = path.random.next2();
    const int axis = pick.u < chances[0] ? 0 : pick.u < chances[0] + chances[1] ? 1 : 2;
    const float channel = 3 * pick.v, left = channel - std::floor(channel);
    const float length = channel < 1 ? d.x : channel < 2 ? d.y : d.z;
    const float most = 16 * length;
    const float u = std::max(1e-6f, 1 - place.u);
    const float r = (left < 0.25f ? 1.0f : 3.0f) * length * -std::log(u);
    // Light that finds no way out so far away, as in drops and edges, comes out where it went in.
    const Exit stay{hit.point, n, {1, 1, 1}}, none{hit.point, n, {}};
    if (r >= most) return axis == 0 ? stay : none;
    const Frame around(axes[axis]);
    const float phi = 2 * pi * place.v, half = std::sqrt(most * most - r * r);
    const Vec3f at =
        hit.point + around.tangent * (r * std::cos(phi)) + around.bitangent * (r * std::sin(phi));
    Ray probe{at + axes[axis] * half, -axes[axis], path.ray.time, true};
    float reach = 2 * half;
    TracedHit found[4];
    int count = 0;
    for (int k = 0; k < 6 && count < 4 && reach > 0; ++k) {
        const TracedHit next = scene_.closest(probe, reach);
        if (!next) break;
        if (next.surface == hit.surface) found[count++] = next;
        probe.origin = next.point + probe.direction * (2 * next.step);
        reach -= next.distance + 2 * next.step;
    }
    if (count == 0) return axis == 0 ? stay : none;
    const TracedHit& out =
        found[std::min(count - 1, static_cast<int>(path.random.next() * static_cast<float>(count)))];
    const Vec3f offset = out.point - hit.point;
    float chance = 0;
    for (int a = 0; a < 3; ++a) {
        const float along = dot(offset, axes[a]);
        const float across = std::sqrt(std::max(0.0f, norm2(offset) - along * along));
        const float facing = std::abs(dot(out.normal, axes[a]));
        chance +=
            chances[a] * facing * (profile(across, d.x) + profile(across, d.y) + profile(across, d.z)) / 3;
    }
    const float distance = norm(offset), scale = static_cast<float>(count) / std::max(chance, 1e-9f);
    const Rgb weight = Rgb{profile(distance, d.x), profile(distance, d.y), profile(distance, d.z)} * scale;
    return {out.point,
            out.smooth,
            {std::min(weight.x, 4.0f), std::min(weight.y, 4.0f), std::min(weight.z, 4.0f)}};
}

}  // namespace thixo
