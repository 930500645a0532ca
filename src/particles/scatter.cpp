#include "particles/scatter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "core/random.h"
#include "geometry/triangle_tree.h"

namespace thixo {

namespace {

/// Numbers of points by the cells of a grid; cells are looked up, never iterated over.
class PointGrid {
public:
    explicit PointGrid(double cell) : cell_(cell) {}

    void add(const Vec3d& x, Index number) { cells_[key(x, 0, 0, 0)].push_back(number); }

    /// Calls visit(number) for all points nearer than a cell, and some others; until it returns false.
    template <class Visit>
    void around(const Vec3d& x, const Visit& visit) const {
        for (int k = 0; k < 27; ++k) {
            const auto found = cells_.find(key(x, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
            if (found == cells_.end()) continue;
            for (const Index number : found->second)
                if (!visit(number)) return;
        }
    }

private:
    std::uint64_t key(const Vec3d& x, int dx, int dy, int dz) const {
        const auto part = [&](double coordinate, int shift) {
            const auto k = static_cast<std::int64_t>(std::floor(coordinate / cell_)) + shift;
            return static_cast<std::uint64_t>(k) & 0x1fffff;
        };
        return part(x.x, dx) | part(x.y, dy) << 21 | part(x.z, dz) << 42;
    }

    double cell_;
    std::unordered_map<std::uint64_t, std::vector<Index>> cells_;
};

/// Random points that share the area evenly, triangle by triangle.
std::vector<Vec3d> random_points(const TriangleMesh& mesh, std::size_t count, std::uint64_t seed) {
    std::vector<double> area_to{0};
    for (const TriangleMesh::Corners& t : mesh.triangles) area_to.push_back(area_to.back() + area(mesh, t));
    std::vector<Vec3d> points;
    std::size_t triangle = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const auto words = random_words(seed, static_cast<std::uint32_t>(k), k >> 32, Purpose::sampling);
        const double area =
            (static_cast<double>(k) + to_unit(words[0])) / static_cast<double>(count) * area_to.back();
        while (triangle + 1 < mesh.triangles.size() && area_to[triangle + 1] <= area) ++triangle;
        // Uniform in a triangle: the weight of the corner is 1 − √u. [Turk 1990, Generating random points in
        // triangles]
        const double root = std::sqrt(to_unit(words[1])), fraction = to_unit(words[2]);
        const TriangleMesh::Corners& t = mesh.triangles[triangle];
        points.push_back((1 - root) * mesh.vertices[t[0]] + root * (1 - fraction) * mesh.vertices[t[1]] +
                         root * fraction * mesh.vertices[t[2]]);
    }
    return points;
}

/// A piece of the surface, as a point that has its area.
struct Piece {
    Vec3d center;
    double area;  ///< m²
};

/// Halves the longest side until none is longer than `longest` (m).
void cut(const Vec3d& a, const Vec3d& b, const Vec3d& c, double longest, std::vector<Piece>& pieces) {
    const double ab = norm2(b - a), bc = norm2(c - b), ca = norm2(a - c);
    if (std::max({ab, bc, ca}) <= longest * longest)
        return pieces.push_back({(a + b + c) / 3.0, 0.5 * norm(cross(b - a, c - a))});
    if (bc > ab && bc >= ca) return cut(b, c, a, longest, pieces);
    if (ca > ab) return cut(c, a, b, longest, pieces);
    const Vec3d middle = 0.5 * (a + b);
    cut(a, middle, c, longest, pieces);
    cut(middle, b, c, longest, pieces);
}

/// The k-th of n numbers in an order that jumps about: steps of the golden section.
std::size_t spread(std::size_t k, std::size_t n) {
    auto step = static_cast<std::size_t>(0.6180339887 * static_cast<double>(n)) | 1;
    while (std::gcd(step, n) > 1) step += 2;
    return k * step % n;
}

/// `count` of the candidates, as far apart as darts can be brought; `spacing` is about the distance they will
/// have.
std::vector<Vec3d> throw_darts(const std::vector<Vec3d>& candidates, std::size_t count, double spacing) {
    PointGrid grid(1.1 * spacing);
    std::vector<Vec3d> points;
    // Points of the densest packing are √(2/√3) = 1.07 spacings apart; darts find room for about 0.8.
    for (double distance = 1.05 * spacing; points.size() < count; distance *= 0.93) {
        for (std::size_t k = 0; k < candidates.size() && points.size() < count; ++k) {
            const Vec3d& x = candidates[spread(k, candidates.size())];
            bool room = true;
            grid.around(x,
                        [&](Index other) { return room = norm2(points[other] - x) >= distance * distance; });
            if (!room) continue;
            grid.add(x, static_cast<Index>(points.size()));
            points.push_back(x);
        }
    }
    return points;
}

/// Points, and the part of the surface that is nearest to each: it is known by pieces.
class Relaxation {
public:
    Relaxation(TriangleMesh mesh, std::size_t count, std::uint64_t seed, const Device& device)
        : device_(device), mesh_(std::move(mesh)), tree_(mesh_) {
        const double total =
            std::accumulate(mesh_.triangles.begin(), mesh_.triangles.end(), 0.0,
                            [&](double sum, const TriangleMesh::Corners& t) { return sum + area(mesh_, t); });
        spacing_ = std::sqrt(total / static_cast<double>(count));
        for (const auto& [a, b, c] : mesh_.triangles)
            cut(mesh_.vertices[a], mesh_.vertices[b], mesh_.vertices[c], longest * spacing_, pieces_);
        points_ = throw_darts(random_points(mesh_, darts_each * count, seed), count, spacing_);
        find_owners();
    }

    /// Moves points beyond the centroids of their parts by the factor less one, which brings them to rest
    /// sooner.
    void relax(int rounds, double factor) {
        for (int round = 0; round < rounds; ++round) {
            if (round % 4 == 0) find_neighbours();
            find_own_discs();
            pass_on();
            move(factor);
        }
    }

    std::vector<Vec3d> take() { return std::move(points_); }

private:
    static constexpr std::size_t darts_each = 8;
    static constexpr double longest = 0.2;  ///< spacings, side of a piece
    static constexpr double reach = 2.4;    ///< spacings: points that share a border of parts are nearer

    PointGrid grid_of_points() const {
        PointGrid grid(reach * spacing_);
        for (Index i = 0; i < points_.size(); ++i) grid.add(points_[i], i);
        return grid;
    }

    void find_owners() {
        const PointGrid grid = grid_of_points();
        owner_.resize(pieces_.size());
        launch(device_, static_cast<Index>(pieces_.size()), [this, &grid](Index k) {
            owner_[k] = 0;
            grid.around(pieces_[k].center, [&](Index i) {
                if (nearer(k, i, owner_[k])) owner_[k] = i;
                return true;
            });
        });
    }

    void find_neighbours() {
        const PointGrid grid = grid_of_points();
        neighbours_.resize(points_.size());
        launch(device_, static_cast<Index>(points_.size()), [this, &grid](Index i) {
            neighbours_[i].clear();
            grid.around(points_[i], [&](Index j) {
                if (j != i && norm2(points_[j] - points_[i]) < reach * reach * spacing_ * spacing_)
                    neighbours_[i].push_back(j);
                return true;
            });
        });
    }

    /// Within half the way to the nearest neighbour no other point can be nearer.
    void find_own_discs() {
        own_radius2_.resize(points_.size());
        launch(device_, static_cast<Index>(points_.size()), [this](Index i) {
            double nearest2 = std::numeric_limits<double>::infinity();
            for (const Index j : neighbours_[i])
                nearest2 = std::min(nearest2, norm2(points_[j] - points_[i]));
            own_radius2_[i] = 0.25 * nearest2;
        });
    }

    /// Gives each piece to the point that is nearest now: its own or a neighbour.
    void pass_on() {
        launch(device_, static_cast<Index>(pieces_.size()), [this](Index k) {
            Index best = owner_[k];
            if (norm2(pieces_[k].center - points_[best]) < own_radius2_[best]) return;
            for (const Index i : neighbours_[owner_[k]])
                if (nearer(k, i, best)) best = i;
            owner_[k] = best;
        });
    }

    void move(double factor) {
        std::vector<Vec3d> sum(points_.size());
        std::vector<double> total(points_.size());
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            sum[owner_[k]] += pieces_[k].area * pieces_[k].center;
            total[owner_[k]] += pieces_[k].area;
        }
        launch(
            device_, static_cast<Index>(points_.size()),
            [=, this, s = View<const Vec3d>(sum), a = View<const double>(total), x = View(points_)](Index i) {
                if (a[i] == 0) return;
                x[i] = tree_.nearest(mesh_, x[i] + factor * (s[i] / a[i] - x[i])).point;
            });
    }

    /// Among equals the lower number, so that the order of asking means nothing.
    bool nearer(Index piece, Index i, Index than) const {
        const double a = norm2(points_[i] - pieces_[piece].center),
                     b = norm2(points_[than] - pieces_[piece].center);
        return a < b || (a == b && i < than);
    }

    Device device_;
    TriangleMesh mesh_;
    TriangleTree tree_;
    double spacing_ = 0;
    std::vector<Piece> pieces_;
    std::vector<Vec3d> points_;
    std::vector<Index> owner_;  ///< of each piece
    std::vector<std::vector<Index>> neighbours_;
    std::vector<double> own_radius2_;  ///< m²
};

}  // namespace

std::vector<Vec3d> scatter(TriangleMesh mesh, std::size_t count, std::uint64_t seed, const Device& device) {
    Relaxation relaxation(std::move(mesh), count, seed, device);
    relaxation.relax(32, 1.8);
    relaxation.relax(8, 1);
    return relaxation.take();
}

}  // namespace thixo
