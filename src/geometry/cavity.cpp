#include "geometry/cavity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thixo {

namespace {
constexpr std::uint8_t wall = 0, free_cell = 1, outside = 2;
}  // namespace

Cavity::Cavity(FreeDistance free, const Bounds& vessel, double level, double cell, int dimensions)
    : free_(std::move(free)), level_(level), cell_(cell), dimensions_(dimensions) {
    // One cell more on each side, where the flood starts; the uppermost cells end at the level.
    const auto count = [&](double length) {
        return std::max(1, static_cast<int>(std::ceil(length / cell))) + 2;
    };
    const Vec3d size = vessel.size();
    nx_ = count(size.x);
    ny_ = count(std::max(0.0, level - vessel.min.y)) - 1;
    nz_ = dimensions == 2 ? 1 : count(size.z);
    origin_ = {vessel.center().x - 0.5 * nx_ * cell, level - ny_ * cell,
               dimensions == 2 ? -0.5 * cell : vessel.center().z - 0.5 * nz_ * cell};
    if (level <= vessel.min.y) return;
    state_.resize(static_cast<std::size_t>(nx_) * ny_ * nz_);
    flood();
    Bounds held;
    for (int z = 0; z < nz_; ++z)
        for (int y = 0; y < ny_; ++y)
            for (int x = 0; x < nx_; ++x)
                if (state_[number({x, y, z})] == free_cell) held.include(center_of({x, y, z}));
    if (held.empty()) return;
    bounds_ = held.grown(1.5 * cell);
    bounds_.max.y = std::min(bounds_.max.y, level);
    if (dimensions == 2) bounds_.min.z = bounds_.max.z = 0;
}

Cavity::Cell Cavity::cell_of(const Vec3d& x) const {
    const auto index = [&](double offset) { return static_cast<int>(std::floor(offset / cell_)); };
    return {index(x.x - origin_.x), index(x.y - origin_.y), dimensions_ == 2 ? 0 : index(x.z - origin_.z)};
}

Vec3d Cavity::center_of(const Cell& c) const {
    return {origin_.x + (c.x + 0.5) * cell_, origin_.y + (c.y + 0.5) * cell_,
            dimensions_ == 2 ? 0 : origin_.z + (c.z + 0.5) * cell_};
}

bool Cavity::is_in_grid(const Cell& c) const {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < nx_ && c.y < ny_ && c.z < nz_;
}

std::size_t Cavity::number(const Cell& c) const {
    return (static_cast<std::size_t>(c.z) * ny_ + c.y) * nx_ + c.x;
}

void Cavity::flood() {
    std::vector<Cell> front;
    const auto enter = [&](const Cell& c) {
        if (!is_in_grid(c) || state_[number(c)] != free_cell) return;
        state_[number(c)] = outside;
        front.push_back(c);
    };
    for (int z = 0; z < nz_; ++z)
        for (int y = 0; y < ny_; ++y)
            for (int x = 0; x < nx_; ++x)
                if (free_(center_of({x, y, z})).distance > 0.5 * cell_) state_[number({x, y, z})] = free_cell;
    for (int z = 0; z < nz_; ++z)
        for (int y = 0; y < ny_; ++y)
            for (int x = 0; x < nx_; ++x) {
                const bool border =
                    x == 0 || x == nx_ - 1 || y == 0 || (dimensions_ == 3 && (z == 0 || z == nz_ - 1));
                if (border) enter({x, y, z});
            }
    while (!front.empty()) {
        const Cell c = front.back();
        front.pop_back();
        enter({c.x - 1, c.y, c.z});
        enter({c.x + 1, c.y, c.z});
        enter({c.x, c.y - 1, c.z});
        enter({c.x, c.y + 1, c.z});
        enter({c.x, c.y, c.z - 1});
        enter({c.x, c.y, c.z + 1});
    }
}

bool Cavity::can_reach(const Vec3d& x, const Vec3d& center) const {
    constexpr int samples = 8;
    for (int k = 1; k < samples; ++k)
        if (free_(x + (static_cast<double>(k) / samples) * (center - x)).distance <= 0) return false;
    return true;
}

bool Cavity::belongs(const Vec3d& x) const {
    const Cell own = cell_of(x);
    if (is_in_grid(own) && state_[number(own)] == free_cell) return true;
    for (int dz = dimensions_ == 2 ? 0 : -1; dz <= (dimensions_ == 2 ? 0 : 1); ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell near{own.x + dx, own.y + dy, own.z + dz};
                if (is_in_grid(near) && state_[number(near)] == free_cell && can_reach(x, center_of(near)))
                    return true;
            }
    return false;
}

SignedDistance Cavity::at(const Vec3d& x) const {
    const SignedDistance free = free_(x);
    SignedDistance nearest{-free.distance, -free.gradient};
    if (x.y - level_ > nearest.distance) nearest = {x.y - level_, {0, 1, 0}};
    if (nearest.distance >= 0 || belongs(x)) return nearest;
    return {0.5 * cell_, {0, 1, 0}};
}

double highest_level(const Cavity::FreeDistance& free, const Bounds& vessel, double cell, int dimensions) {
    constexpr int levels = 24;
    for (int k = levels; k > 0; --k) {
        const double level = vessel.min.y + (vessel.max.y - vessel.min.y) * k / levels;
        if (!Cavity(free, vessel, level, cell, dimensions).empty()) return level;
    }
    return -std::numeric_limits<double>::infinity();
}

}  // namespace thixo
