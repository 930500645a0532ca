#include "surface/field_points.h"

#include <algorithm>
#include <bit>
#include <variant>

#include "surface/field_methods.h"
#include "surface/row_ranges.h"

namespace thixo {

struct FieldPoints::Data {
    FieldParticles particles;
    MethodColumns columns{};
    std::variant<std::monostate, DensitySum, AnisotropicSum, MeanSum, EigenvalueSum> method{};
    View<const Vec3f> center{};
    std::unique_ptr<KernelBalls> balls{};
    float outside = 0, smallest = 0;
};

FieldPoints::FieldPoints(const Device& device, FieldParticles particles, SurfaceMethod method)
    : data_(std::make_unique<Data>(Data{.particles = std::move(particles)})) {
    Data& d = *data_;
    // Lengths are in metres: a cell is one.
    with_method(device, d.particles, method, 1, d.columns,
                [&](const auto& sums, View<const Vec3f> center, float outside, float) {
                    d.method = sums;
                    d.center = center;
                    d.outside = outside;
                    return 0;
                });
    d.balls = std::make_unique<KernelBalls>(device, d.particles, d.center, d.columns.reach);
    d.smallest = *std::min_element(d.particles.radius.begin(), d.particles.radius.end());
}

FieldPoints::~FieldPoints() = default;
FieldPoints::FieldPoints(FieldPoints&&) noexcept = default;

const FieldParticles& FieldPoints::particles() const { return data_->particles; }
float FieldPoints::smallest_radius() const { return data_->smallest; }

void FieldPoints::find(const Vec3d& low, const Vec3d& high, std::vector<Index>& rows) const {
    const Data& d = *data_;
    thread_local std::vector<RowRange> ranges;
    find_ranges(
        d.particles.cells, low, high, [&](std::size_t l) { return d.balls->margin[l]; }, ranges);
    rows.clear();
    const Vec3f from = to_float(low), to = to_float(high);
    for (const auto [begin, end] : ranges)
        for (Index j = begin; j < end; j += lane_count)
            for (unsigned hit = d.balls->reaching(j, end, from, to); hit != 0; hit &= hit - 1)
                rows.push_back(j + static_cast<Index>(std::countr_zero(hit)));
}

float FieldPoints::value(const std::vector<Index>& rows, const Vec3f& x) const {
    const Data& d = *data_;
    return std::visit(
        [&](const auto& method) -> float {
            using Method = std::remove_cvref_t<decltype(method)>;
            if constexpr (std::is_same_v<Method, std::monostate>) {
                return 0;
            } else {
                // The sums of a point are those of the first of eight nodes in a row.
                thread_local float sums[Method::sums * block_nodes];
                for (int k = 0; k < Method::sums; ++k) std::fill_n(sums + k * block_nodes, lane_count, 0.f);
                for (const Index row : rows) {
                    const typename Method::Particle p = method.particle(row, d.center[row] - x, 1);
                    Method::add_row(p, p.x.x - Lanes{}, p.x.y, p.x.z, sums);
                }
                return method.value(sums, 1, d.outside)[0];
            }
        },
        d.method);
}

Vec3f FieldPoints::normal(const std::vector<Index>& rows, const Vec3f& x) const {
    const float step = 0.02f * data_->smallest;
    const float here = value(rows, x);
    const auto slope = [&](const Vec3f& e) { return value(rows, x + e) - here; };
    const Vec3f g{slope({step, 0, 0}), slope({0, step, 0}), slope({0, 0, step})};
    return norm2(g) > 0 ? normalized(g) : Vec3f{0, 1, 0};
}

}  // namespace thixo
