#include "body/support_radii.h"

#include <algorithm>
#include <limits>

namespace thixo {

namespace {

struct Extremes {
    float smallest = std::numeric_limits<float>::infinity(), largest = 0;
};

constexpr auto wider = [](const Extremes& a, const Extremes& b) {
    return Extremes{std::min(a.smallest, b.smallest), std::max(a.largest, b.largest)};
};

}  // namespace

void SupportRadii::update(const Device& device, const ParticleTable& particles) {
    rows_.resize(particles.size());
    launch(device, particles.size(),
           [ratio = static_cast<float>(2 * support_), radius = View<const float>(particles.radius),
            out = View(rows_)](Index i) { out[i] = ratio * radius[i]; });
    const View<const float> radius(particles.radius);
    const Extremes extremes = reduce(
        device, particles.size(), Extremes{},
        [=](Index i) {
            return Extremes{radius[i], radius[i]};
        },
        wider);
    const auto usual_radius = static_cast<float>(0.5 * spacing_);
    mixed_ = extremes.largest > 0 && !(extremes.smallest == usual_radius && extremes.largest == usual_radius);
    finest_ = mixed_ ? extremes.smallest / usual_radius : 1;
}

}  // namespace thixo
