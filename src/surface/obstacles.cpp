#include "surface/obstacles.h"

#include <algorithm>
#include <cmath>

#include "surface/field.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// How far particles act at most, in radii: images of those farther from a wall would not be felt in front of
/// it.
constexpr double mirror_radii = 6;

/// Walls whose normals differ by less than 25° are one.
constexpr double same_wall = 0.9;

/// How far from the wall its plane may be at the edge of a corner, in reaches.
constexpr double edge_error = 0.25;

struct WallPlane {
    Vec3d point, normal;

    double distance(const Vec3d& x) const { return dot(x - point, normal); }
    Vec3d mirrored(const Vec3d& x) const { return x - 2 * distance(x) * normal; }
};

/// Images of one particle: across the walls around it, one by one and together.
class Images {
public:
    Images(const Vec3d& x, double reach, const std::vector<SurfaceObstacle>& obstacles)
        : x_(x), reach_(reach) {
        for (const SurfaceObstacle& obstacle : obstacles) add_walls(obstacle);
        for (int set = 1; set < 1 << count_; ++set) add_image(set, obstacles);
    }

    int size() const { return images_; }
    const Vec3d& operator[](int k) const { return image_[k]; }

private:
    /// The distance is that to the nearest wall alone. In front of an edge, distances of places to all sides
    /// find the others.
    void add_walls(const SurfaceObstacle& obstacle) {
        const SignedDistance here = obstacle.distance(x_);
        if (!(here.distance < reach_)) return;
        add_wall(obstacle, x_, here);
        constexpr Vec3d sides[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        for (const Vec3d& side : sides) {
            const Vec3d place = x_ + reach_ * side;
            add_wall(obstacle, place, obstacle.distance(place));
        }
    }

    void add_wall(const SurfaceObstacle& obstacle, const Vec3d& place, const SignedDistance& s) {
        if (count_ == 3 || !(norm(s.gradient) > 0.5) || !std::isfinite(s.distance)) return;
        const WallPlane wall{place - s.distance * s.gradient, s.gradient};
        const double distance = wall.distance(x_);
        if (distance < 0 || distance >= reach_) return;
        for (int k = 0; k < count_; ++k)
            if (dot(walls_[k].normal, wall.normal) > same_wall) return;
        walls_[count_] = wall;
        owner_[count_++] = &obstacle;
    }

    /// Whether the walls of a set meet where their planes do, and go on from there as planes: one that
    /// touches a curved wall, or a stone beside another wall, goes on where the wall does not, and leads past
    /// it.
    bool is_edge(int set) const {
        Vec3d foot = x_, away;
        for (int round = 0; round < 3; ++round)
            for (int k = 0; k < count_; ++k)
                if (set >> k & 1) foot -= walls_[k].distance(foot) * walls_[k].normal;
        for (int k = 0; k < count_; ++k)
            if (set >> k & 1) away += walls_[k].normal;
        for (int k = 0; k < count_; ++k) {
            if (!(set >> k & 1)) continue;
            if (!(std::abs(owner_[k]->distance(foot).distance) < edge_error * reach_)) return false;
            if (set == 1 << k) continue;
            // On this wall, a little off the others.
            const Vec3d beside = foot + (edge_error * reach_) * (away - walls_[k].normal);
            const SignedDistance s = owner_[k]->distance(beside);
            if (!(std::abs(s.distance) < edge_error * reach_) ||
                dot(s.gradient, walls_[k].normal) < same_wall)
                return false;
        }
        return true;
    }

    /// An image that is nearer to the far side of a thin obstacle than to the side that it is mirrored at
    /// would make matter beyond it.
    bool passes_through(int set, const Vec3d& image) const {
        for (int k = 0; k < count_; ++k)
            if (set == 1 << k) return dot(owner_[k]->distance(image).gradient, walls_[k].normal) < 0;
        return false;
    }

    void add_image(int set, const std::vector<SurfaceObstacle>& obstacles) {
        Vec3d image = x_;
        for (int k = 0; k < count_; ++k)
            if (set >> k & 1) image = walls_[k].mirrored(image);
        // A plane that touches a curved wall goes on where the wall does not.
        const bool behind = std::any_of(obstacles.begin(), obstacles.end(), [&](const SurfaceObstacle& o) {
            return o.distance(image).distance <= 0;
        });
        if (behind && is_edge(set) && !passes_through(set, image)) image_[images_++] = image;
    }

    Vec3d x_;
    double reach_;
    WallPlane walls_[3];
    const SurfaceObstacle* owner_[3];
    Vec3d image_[7];
    int count_ = 0, images_ = 0;
};

}  // namespace

SignedDistance distance_to(const std::vector<SurfaceObstacle>& obstacles, const Vec3d& x) {
    SignedDistance nearest = obstacles.front().distance(x);
    for (std::size_t k = 1; k < obstacles.size(); ++k) {
        const SignedDistance other = obstacles[k].distance(x);
        if (other.distance < nearest.distance) nearest = other;
    }
    return nearest;
}

MirroredParticles mirror(const Device& device, const SurfaceParticles& particles,
                         const std::vector<SurfaceObstacle>& obstacles) {
    const auto n = static_cast<Index>(particles.position.size());
    MirroredParticles out{.passed = particles, .real = n};
    if (obstacles.empty()) return out;
    const auto images_of = [&](Index i) {
        return Images(to_double(particles.position[i]), mirror_radii * particles.radius[i], obstacles);
    };
    std::vector<Index> first(std::size_t{n} + 1, 0);
    launch<small_grain>(device, n, [&](Index i) { first[i + 1] = static_cast<Index>(images_of(i).size()); });
    first[0] = n;
    for (Index i = 0; i < n; ++i) first[i + 1] += first[i];

    const std::size_t total = n == 0 ? 0 : first[n];
    if (total == n) return out;
    out.position.resize(total);
    out.radius.resize(total);
    out.volume.resize(total);
    out.source.resize(total);
    launch<small_grain>(device, n, [&](Index i) {
        const auto put = [&](Index k, const Vec3f& x) {
            out.position[k] = x;
            out.radius[k] = particles.radius[i];
            out.volume[k] = particles.volume_of(i);
            out.source[k] = i;
        };
        put(i, particles.position[i]);
        if (first[i + 1] == first[i]) return;
        const Images images = images_of(i);
        for (int k = 0; k < images.size(); ++k) put(first[i] + static_cast<Index>(k), to_float(images[k]));
    });
    return out;
}

void meet_walls(const Device& device, const std::vector<SurfaceObstacle>& obstacles,
                View<const WallContact> contact, double farthest, SurfaceMesh& mesh) {
    if (obstacles.empty()) return;
    const std::vector<Vec3f> before = mesh.vertices;
    const double enough = 1e-4 * farthest;
    launch<small_grain>(device, static_cast<Index>(contact.size()), [&](Index v) {
        if (contact[v] == WallContact::none) return;
        const Vec3d start = to_double(mesh.vertices[v]);
        Vec3d x = start;
        SignedDistance s = distance_to(obstacles, x);
        constexpr int most_rounds = 4;  // in corners each wall in turn
        for (int round = 0; round < most_rounds && std::abs(s.distance) > enough; ++round) {
            x -= s.distance * s.gradient;
            s = distance_to(obstacles, x);
        }
        if (norm(x - start) < farthest) mesh.vertices[v] = to_float(x);
        if (contact[v] == WallContact::wall && !mesh.normals.empty())
            mesh.normals[v] = to_float(-1 * s.gradient);
    });
    put_back_degenerate(device, mesh, before);
}

void clip(const Device& device, const std::vector<SurfaceObstacle>& obstacles, SurfaceField& field) {
    if (obstacles.empty()) return;
    const BlockGrid& grid = field.grid;
    const auto distance = [&](Index b, const Vec3d& local) {
        return distance_to(obstacles, grid.world(b, local)).distance;
    };
    // From the centre of a block to the nodes of its neighbours next to it.
    const double margin = (std::sqrt(3.0) * (block_width / 2.0 + 1) + 1) * grid.cell();
    const double middle = (block_width - 1) / 2.0;
    field.walls = obstacles;
    field.clip_block.assign(grid.size(), no_block);
    launch<small_grain>(device, grid.size(), [&](Index b) {
        if (distance(b, {middle, middle, middle}) < margin) field.clip_block[b] = 0;
    });
    Index count = 0;
    for (Index& place : field.clip_block)
        if (place != no_block) place = count++;
    field.clip.resize(std::size_t{block_nodes} * count);
    launch<4>(device, grid.size(), [&](Index b) {
        if (field.clip_block[b] == no_block) return;
        float* out = field.clip.data() + std::size_t{block_nodes} * field.clip_block[b];
        for (int node = 0; node < block_nodes; ++node) {
            const double behind =
                -distance(b, {double(node % block_width), double(node / block_width % block_width),
                              double(node / (block_width * block_width))});
            // Nodes on a wall are behind it: rounding would put some of them before it, and edges between
            // these run along the wall.
            out[node] = behind < 0 && behind > -1e-5 * grid.cell() ? 0.f : static_cast<float>(behind);
        }
    });
}

}  // namespace thixo
