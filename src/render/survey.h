#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/view.h"
#include "geometry/shape.h"
#include "render/legend.h"
#include "render/scene.h"

namespace thixo {

/// Default style of an attribute.
struct AttributeStyle {
    std::string unit;
    std::string colour_map;  ///< empty for a category
    bool from_zero = false;  ///< the scale starts at 0
};

/// Unknown attributes have a plain style.
AttributeStyle attribute_style(std::string_view name);

/// Bounds of a frame's spheres. A few that flew off, far away from all others, are left out: they would
/// make everything else small.
Bounds subject_bounds(View<const Vec3f> position, View<const float> radius);

/// What a camera has to see of matter: its farthest points in many directions, over many frames. A box around
/// matter has corners that are empty, and a camera that is to see those shows matter smaller.
class Outline {
public:
    /// Particles beyond `subject` count where they enter it.
    void add(View<const Vec3f> position, View<const float> radius, const Bounds& subject);
    void add(const Vec3d& point);
    void add(const Bounds& box);
    /// The shown parts of obstacles around particles in a box.
    void add(const std::vector<RenderObstacle>& obstacles, const Bounds& particles);
    /// Empty as long as nothing was added.
    std::vector<Vec3d> points() const;

private:
    static constexpr int directions = 128;
    std::array<Vec3d, directions> farthest_{};
    std::array<double, directions> reach_{};
    bool empty_ = true;
};

/// Values of one attribute over many frames: enough of them to choose a colour scale.
class ValueSurvey {
public:
    void add(View<const float> values);

    /// From the 0.5th to the 99.5th percentile, so that single outliers do not wash out the colours.
    Range robust_range() const;
    /// The whole numbers that occurred; no more than `most_categories` are kept.
    const std::set<std::size_t>& categories() const { return categories_; }

    static constexpr std::size_t most_categories = 64;

private:
    std::vector<float> sample_;
    std::set<std::size_t> categories_;
};

}  // namespace thixo
