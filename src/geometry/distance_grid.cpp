#include "geometry/distance_grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "geometry/quadratic_spline.h"

namespace thixo {

namespace {

/// Runs body(i) for i < n in parallel, one at a time: what is done for a block is much work, and takes more
/// for one than for another. A body writes what belongs to its block only.
template <class Body>
void for_each_block(const Device& device, std::size_t n, const Body& body) {
    const auto count = static_cast<std::int64_t>(n);
#pragma omp parallel for schedule(dynamic, 4) num_threads(device.threads)
    for (std::int64_t i = 0; i < count; ++i) body(static_cast<std::size_t>(i));
}

}  // namespace

DistanceGrid::DistanceGrid(const Field& field, const Bounds& region, const DistanceGridSettings& settings,
                           const Device& device)
    : cell_(settings.cell), band_(settings.band), dimensions_(settings.dimensions) {
    assert(cell_ > 0 && band_ >= 0 && !region.empty());
    while (!lay_out(region, settings.most_bytes) || !choose_blocks(field, device, settings.most_bytes))
        cell_ *= 1.25;
    const auto last = [](int blocks) { return static_cast<float>(blocks * side - 1); };
    last_ = {last(blocks_[0]), last(blocks_[1]), dimensions_ == 2 ? 0 : last(blocks_[2])};
    samples_.resize(active_.size() * block_floats());
    sample_blocks(field, device);
    frame_blocks(field, device);
}

/// False if even the index of the blocks would be too large.
bool DistanceGrid::lay_out(const Bounds& region, std::size_t most_bytes) {
    const double margin = band_ + 2 * cell_;
    const Vec3d m{margin, margin, dimensions_ == 2 ? 0 : margin};
    const Vec3d size = region.size() + 2.0 * m;
    const auto count = [&](double length) { return 1 + std::ceil(length / cell_ / side); };
    const double x = count(size.x), y = count(size.y), z = dimensions_ == 2 ? 1 : count(size.z);
    if (x * y * z * sizeof(std::int32_t) > static_cast<double>(most_bytes)) return false;
    blocks_[0] = static_cast<int>(x);
    blocks_[1] = static_cast<int>(y);
    blocks_[2] = static_cast<int>(z);
    origin_ = region.min - m;
    if (dimensions_ == 2) origin_.z = 0;
    return true;
}

/// Cubes of blocks are halved until they are single blocks or the surface is out of their reach.
/// False if too many blocks are left.
bool DistanceGrid::choose_blocks(const Field& field, const Device& device, std::size_t most_bytes) {
    index_.assign(static_cast<std::size_t>(blocks_[0]) * blocks_[1] * blocks_[2], 0);
    active_.clear();
    far_.clear();
    int whole = 1;
    while (whole < std::max({blocks_[0], blocks_[1], blocks_[2]})) whole *= 2;
    std::vector<Cube> cubes{{{0, 0, 0}, whole}}, finer;
    std::vector<SignedDistance> at_center;
    const std::size_t most_blocks = most_bytes / (block_floats() * sizeof(float));
    while (!cubes.empty()) {
        // As a rule there is a block in each cube that is left.
        if (active_.size() + cubes.size() > 4 * most_blocks + 64) return false;
        const int n = cubes.front().blocks;
        const double half = 0.5 * n * side * cell_;
        const auto center = [&](const Cube& cube) {
            const Vec3d corner = place(cube.first.x * side, cube.first.y * side, cube.first.z * side);
            const double h = half - 0.5 * cell_;
            return corner + Vec3d{h, h, dimensions_ == 2 ? 0 : h};
        };
        at_center.resize(cubes.size());
        for_each_block(device, cubes.size(), [&](std::size_t c) { at_center[c] = field(center(cubes[c])); });
        finer.clear();
        for (std::size_t c = 0; c < cubes.size(); ++c) {
            const Cube& cube = cubes[c];
            // A quarter more than geometry requires: in the seams of smooth unions distances are of first
            // order.
            if (std::abs(at_center[c].distance) > band_ + 1.25 * half * std::sqrt(dimensions_)) {
                mark_far(cube, center(cube), at_center[c]);
            } else if (n == 1) {
                index_[block_index(cube.first)] = static_cast<std::int32_t>(active_.size());
                active_.push_back(cube.first);
            } else {
                for (int k = 0; k < (dimensions_ == 2 ? 4 : 8); ++k) {
                    const Block first{cube.first.x + (k & 1 ? n / 2 : 0), cube.first.y + (k & 2 ? n / 2 : 0),
                                      cube.first.z + (k & 4 ? n / 2 : 0)};
                    if (first.x < blocks_[0] && first.y < blocks_[1] && first.z < blocks_[2])
                        finer.push_back({first, n / 2});
                }
            }
        }
        std::swap(cubes, finer);
    }
    return index_.size() * sizeof(std::int32_t) + active_.size() * block_floats() * sizeof(float) <=
           most_bytes;
}

void DistanceGrid::mark_far(const Cube& cube, const Vec3d& center, const SignedDistance& at_center) {
    const std::int32_t mark = -1 - static_cast<std::int32_t>(far_.size());
    far_.push_back({to_float(center), static_cast<float>(at_center.distance), to_float(at_center.gradient)});
    const auto end = [&](int first, int axis) { return std::min(first + cube.blocks, blocks_[axis]); };
    for (int k = cube.first.z; k < end(cube.first.z, 2); ++k)
        for (int j = cube.first.y; j < end(cube.first.y, 1); ++j)
            for (int i = cube.first.x; i < end(cube.first.x, 0); ++i) index_[block_index({i, j, k})] = mark;
}

void DistanceGrid::sample_blocks(const Field& field, const Device& device) {
    const int depth = dimensions_ == 2 ? 1 : side;
    for_each_block(device, active_.size(), [&](std::size_t b) {
        const auto [x, y, z] = active_[b];
        for (int k = 0; k < depth; ++k)
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i)
                    samples_of(b)[offset(i, j, k)] =
                        static_cast<float>(field(place(x * side + i, y * side + j, z * side + k)).distance);
    });
}

/// The frame around a block repeats its neighbours' samples; where there is no neighbour they are taken here.
void DistanceGrid::frame_blocks(const Field& field, const Device& device) {
    const int front = dimensions_ == 2 ? 0 : -1, back = dimensions_ == 2 ? 1 : side + 1;
    const auto is_own = [](int i) { return i >= 0 && i < side; };
    for_each_block(device, active_.size(), [&](std::size_t b) {
        const auto sample = [&](int i, int j, int k) {
            const Block owner{i >> 3, j >> 3, k >> 3};
            if (i >= 0 && j >= 0 && k >= 0 && owner.x < blocks_[0] && owner.y < blocks_[1] &&
                owner.z < blocks_[2]) {
                const std::int32_t number = index_[block_index(owner)];
                if (number >= 0)
                    return samples_of(static_cast<std::size_t>(number))[offset(i & 7, j & 7, k & 7)];
            }
            return static_cast<float>(field(place(i, j, k)).distance);
        };
        const auto [x, y, z] = active_[b];
        for (int k = front; k < back; ++k)
            for (int j = -1; j <= side; ++j)
                for (int i = -1; i <= side; ++i)
                    if (!is_own(i) || !is_own(j) || !is_own(k))
                        samples_of(b)[offset(i, j, k)] = sample(x * side + i, y * side + j, z * side + k);
    });
}

Vec3d DistanceGrid::place(int i, int j, int k) const {
    return origin_ + cell_ * Vec3d{double(i), double(j), double(k)};
}

std::size_t DistanceGrid::block_index(const Block& block) const {
    return (static_cast<std::size_t>(block.z) * blocks_[1] + block.y) * blocks_[0] + block.x;
}

std::size_t DistanceGrid::block_floats() const {
    return std::size_t{framed_side} * framed_side * (dimensions_ == 2 ? 1 : framed_side);
}

std::size_t DistanceGrid::offset(int i, int j, int k) const {
    const int layer = dimensions_ == 2 ? 0 : k + 1;
    return static_cast<std::size_t>((layer * framed_side + j + 1) * framed_side + i + 1);
}

std::size_t DistanceGrid::bytes() const {
    return index_.size() * sizeof(std::int32_t) + active_.size() * sizeof(Block) +
           samples_.size() * sizeof(float) + far_.size() * sizeof(Far);
}

bool DistanceGrid::covers(const Vec3f& x) const {
    const Vec3f u = to_float((to_double(x) - origin_) / cell_);
    return u.x >= 0 && u.y >= 0 && u.x <= last_.x && u.y <= last_.y &&
           (dimensions_ == 2 || (u.z >= 0 && u.z <= last_.z));
}

DistanceGrid::Sample DistanceGrid::at(const Vec3f& x) const {
    const Vec3f u = to_float((to_double(x) - origin_) / cell_);
    // In this order of arguments NaN becomes 0.
    const auto clamped = [](float at, float last) { return std::min(std::max(0.f, at), last); };
    const Vec3f inside{clamped(u.x, last_.x), clamped(u.y, last_.y), clamped(u.z, last_.z)};
    const int nearest[3] = {static_cast<int>(inside.x + 0.5f), static_cast<int>(inside.y + 0.5f),
                            static_cast<int>(inside.z + 0.5f)};
    const std::int32_t number = index_[block_index({nearest[0] >> 3, nearest[1] >> 3, nearest[2] >> 3})];
    Sample sample;
    if (number < 0)
        sample = from_far(far_[static_cast<std::size_t>(-1 - number)], x);
    else
        sample = blend(samples_.data() + static_cast<std::size_t>(number) * block_floats(), inside, nearest);
    const Vec3f outside{u.x - inside.x, u.y - inside.y, dimensions_ == 2 ? 0 : u.z - inside.z};
    if (outside == Vec3f{}) return sample;
    // The way from x to the surface enters the grid, and has a band ahead of it there.
    return {static_cast<float>(cell_) * norm(outside) + static_cast<float>(band_), sample.gradient};
}

DistanceGrid::Sample DistanceGrid::from_far(const Far& far, const Vec3f& x) const {
    const float least = std::max(static_cast<float>(band_), std::abs(far.distance) - norm(x - far.center));
    return {std::copysign(least, far.distance), far.gradient};
}

DistanceGrid::Sample DistanceGrid::blend(const float* samples, const Vec3f& u,
                                         const int (&nearest)[3]) const {
    const QuadraticWeights<float> x(u.x - static_cast<float>(nearest[0])),
        y(u.y - static_cast<float>(nearest[1])), z(u.z - static_cast<float>(nearest[2]));
    const auto middle = offset(nearest[0] & 7, nearest[1] & 7, nearest[2] & 7);
    float d = 0;
    Vec3f g;
    const int layers = dimensions_ == 2 ? 0 : 1;
    for (int k = -layers; k <= layers; ++k) {
        float layer = 0, along_x = 0, along_y = 0;
        for (int j = -1; j <= 1; ++j) {
            const float* row = samples + middle + (k * framed_side + j) * framed_side;
            const float value = x.w[0] * row[-1] + x.w[1] * row[0] + x.w[2] * row[1];
            layer += y.w[j + 1] * value;
            along_x += y.w[j + 1] * (x.slope[0] * row[-1] + x.slope[1] * row[0] + x.slope[2] * row[1]);
            along_y += y.slope[j + 1] * value;
        }
        const float w = layers == 0 ? 1 : z.w[k + 1], slope = layers == 0 ? 0 : z.slope[k + 1];
        d += w * layer;
        g += Vec3f{w * along_x, w * along_y, slope * layer};
    }
    // Midway between two walls the slope vanishes, and any direction is as good.
    const float length = norm(g);
    return {d, length > 1e-6f * static_cast<float>(cell_) ? g / length : Vec3f{0, 1, 0}};
}

}  // namespace thixo
