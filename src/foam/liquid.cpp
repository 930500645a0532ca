#include "foam/liquid.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

namespace thixo {

namespace {

template <class T>
void reorder(std::vector<T>& values, const std::vector<Index>& order) {
    std::vector<T> sorted(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = values[order[k]];
    values = std::move(sorted);
}

constexpr Index no_row = ~Index{0};

/// Of each row of one frame the row of the same particle in another, or `no_row`.
std::vector<Index> partners(const LiquidFrame& of, const LiquidFrame& in) {
    std::unordered_map<std::uint32_t, Index> rows;
    rows.reserve(in.id.size());
    for (Index j = 0; j < in.id.size(); ++j) rows.emplace(in.id[j], j);
    std::vector<Index> found(of.id.size(), no_row);
    for (Index i = 0; i < of.id.size(); ++i)
        if (const auto row = rows.find(of.id[i]); row != rows.end()) found[i] = row->second;
    return found;
}

}  // namespace

LiquidFrame between(const Device& device, const LiquidFrame& from, const LiquidFrame& to, double seconds,
                    double u) {
    LiquidFrame at = from;
    const std::vector<Index> partner = partners(from, to);
    const auto T = static_cast<float>(seconds), s = static_cast<float>(u), w = 1 - s;
    launch(device, static_cast<Index>(from.id.size()), [&, T, s, w](Index i) {
        const Vec3f &a = from.position[i], &va = from.velocity[i];
        if (partner[i] == no_row) {
            at.position[i] = a + s * T * va;
            return;
        }
        const Vec3f &b = to.position[partner[i]], &vb = to.velocity[partner[i]];
        at.position[i] =
            (1 + 2 * s) * w * w * a + s * w * w * T * va + s * s * (3 - 2 * s) * b - s * s * w * T * vb;
        at.velocity[i] = 6 * s * w / T * (b - a) + w * (1 - 3 * s) * va + s * (3 * s - 2) * vb;
    });
    return at;
}

Liquid::Liquid(const Device& device, LiquidFrame frame, int dimensions)
    : frame_(std::move(frame)), dimensions_(dimensions) {
    std::vector<float> reach(frame_.id.size());
    for (Index i = 0; i < size(); ++i) reach[i] = support(i);
    const std::vector<Index> order = grid_.sort(device, frame_.position, reach);
    reorder(frame_.id, order);
    reorder(frame_.position, order);
    reorder(frame_.velocity, order);
    reorder(frame_.radius, order);
}

double Liquid::full_neighbourhood() const {
    return dimensions_ == 2 ? 4 * std::numbers::pi : 32 * std::numbers::pi / 3;
}

}  // namespace thixo
