#include "skin/steady.h"

#include <algorithm>

namespace thixo {

namespace {

/// Spacings. Between the two a carrier is followed less than it moves, but never against its motion: |d(trust
/// · off)/d off| ≤ 1.
constexpr double trusted_off = 0.3, lost_off = 0.9;

/// Where less than this fraction of a carrier's neighbours is trusted, nothing better than its own place is
/// known.
constexpr double fewest_trusted = 0.25;

constexpr int passes = 3;

float trust_at(double off) {
    const double t = std::clamp((off - trusted_off) / (lost_off - trusted_off), 0.0, 1.0);
    return static_cast<float>(1 - t * t * (3 - 2 * t));
}

/// From a carrier's place to where its neighbours would have it, less where few of them are trusted.
struct Correct {
    const Carriers& carriers;
    View<const Vec3f> position;
    const SkinGrip& grip;
    View<const std::uint8_t> holds;
    View<const Carriers::Fit> fits;
    View<const float> trust;

    Vec3d operator()(Index i) const {
        if (!holds[i]) return {};
        Vec3d sum;
        double weight = 0, all = 0;
        const Vec3d x = to_double(position[i]);
        carriers.for_each_neighbour(i, [&](Index j, double w) {
            if (grip.piece[j] != grip.piece[i] || !holds[j]) return;
            all += w;
            if (!(trust[j] > 0)) return;
            w *= trust[j];
            sum += w * (to_double(position[j]) - x + fits[j].a * (carriers.rest()[i] - carriers.rest()[j]));
            weight += w;
        });
        if (!(weight > 0)) return {};
        return std::min(1 / weight, 1 / (fewest_trusted * all)) * sum;
    }
};

}  // namespace

SteadyMotion steady_motion(const Device& device, const Carriers& carriers, View<const Vec3f> position,
                           const SkinGrip& grip, View<const std::uint8_t> holds,
                           std::vector<Carriers::Fit> fits) {
    SteadyMotion out{std::move(fits), {position.begin(), position.end()}};
    std::vector<float> trust(carriers.size(), 1.f);
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<Vec3d> correction(carriers.size());
        launch<small_grain>(device, carriers.size(),
                            [correct = Correct{carriers, position, grip, holds, out.fits, trust},
                             correction = View(correction)](Index i) { correction[i] = correct(i); });
        for (Index i = 0; i < carriers.size(); ++i)
            trust[i] = trust_at(norm(correction[i]) / carriers.spacing());
        if (std::all_of(trust.begin(), trust.end(), [](float t) { return t == 1; })) return out;
        for (Index i = 0; i < carriers.size(); ++i)
            out.position[i] = position[i] + (1 - trust[i]) * to_float(correction[i]);
        out.fits = carriers.fits(device, out.position, grip, trust);
    }
    return out;
}

}  // namespace thixo
