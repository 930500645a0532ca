#pragma once

#include "render/lights.h"
#include "render/media.h"
#include "render/scenery.h"
#include "render/sobol.h"
#include "render/traced_scene.h"

namespace thixo {

struct PathSettings {
    int bounces = 4;     ///< off matte surfaces
    int crossings = 24;  ///< of clear surfaces, and reflections
    /// Light that reached the eye over matte surfaces is cut here: it would be single bright pixels. 0: at
    /// the light of a white matte surface that faces the key light with nothing around it, which no matte
    /// surface exceeds without a mirror or a lens; in even light, never.
    float brightest = 0;
    Rgb paper{0.68f, 0.74f, 0.79f};  ///< of sheets, lit by everything
};

/// Light along one path, and what is met first.
struct PathSample {
    Rgb light{};
    Rgb albedo{};     ///< of the first surface that is not clear
    Vec3f normal{};   ///< of the first surface
    float depth = 0;  ///< m, to the first surface; infinite if there is none
};

/// Light that reaches the eye, by the paths it takes. Matte and glossy surfaces sample the key light
/// directly, through clear matter too (without bending: caustics are left out); the open sky is integrated
/// exactly, and rays sample only what hides it: an empty floor has no noise. The result depends on the random
/// numbers of the path alone.
class PathTracer {
public:
    PathTracer(const TracedScene& scene, const Scenery& scenery, const Lights& lights,
               const PathSettings& settings);

    /// `backdrop`: what a ray sees that meets nothing.
    PathSample trace(const Ray& ray, const Rgb& backdrop, PathSampler& random) const;

private:
    struct Path;

    bool advance(Path& path) const;
    void escape(Path& path) const;
    bool scattered_within(Path& path, float distance) const;
    bool meet_sheet(Path& path, const SheetHit& sheet) const;
    bool meet_opaque(Path& path, TracedHit hit) const;
    bool meet_clear(Path& path, const TracedHit& hit, const SheetHit& sheet) const;
    bool cross(Path& path, const TracedHit& hit, const Media& beyond) const;
    bool leave_matte(Path& path, const TracedHit& hit, const Vec3f& n, const Rgb& body) const;
    void add(Path& path, const Rgb& light) const;
    /// Fraction of the key light that arrives along a straight line.
    Rgb reaching(const Ray& ray, Media media) const;
    struct Exit {
        Vec3f point, normal;
        Rgb weight;
    };
    Exit below_surface(Path& path, const TracedHit& hit, const Vec3f& n) const;
    Media::Entry medium(const TracedHit& hit) const;

    const TracedScene& scene_;
    const Scenery& scenery_;
    const Lights& lights_;
    PathSettings settings_;
    std::vector<Rgb> sheet_colour_;  ///< such that a sheet with nothing around it is `paper`
};

}  // namespace thixo
