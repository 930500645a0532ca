#include "render/polygons.h"

#include <algorithm>
#include <cmath>

#include "geometry/height_surface.h"
#include "geometry/mesh_distance.h"

namespace thixo {
namespace {

Polygons box_polygons(const Box& box, const Placement& place) {
    // Counter-clockwise seen from outside.
    static constexpr std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    Polygons out;
    for (int k = 0; k < 8; ++k)
        out.vertices.push_back(to_float(place.to_world(Bounds{box.min, box.max}.corner(k))));
    for (const auto& f : faces) {
        out.triangles.push_back({f[0], f[1], f[2]});
        out.triangles.push_back({f[0], f[2], f[3]});
    }
    return out;
}

Polygons mesh_polygons(const Mesh& mesh, const Placement& place) {
    Polygons out;
    for (const Vec3d& x : mesh.distance->mesh().vertices) out.vertices.push_back(to_float(place.to_world(x)));
    out.triangles = mesh.distance->mesh().triangles;
    return out;
}

/// Places along one axis of a height field: even within its box, and where it ends for the picture beyond.
std::vector<double> lines(double min, double max, double first, double last) {
    constexpr int cells = 192;
    std::vector<double> at;
    if (first < min) at.push_back(first);
    for (int i = 0; i <= cells; ++i) at.push_back(min + (max - min) * i / cells);
    if (last > max) at.push_back(last);
    return at;
}

/// A patch of the ground: that in its box, and the flat rest as far as the region goes.
Polygons height_polygons(const HeightField& field, const Placement& place, const Bounds& region) {
    const Bounds local = region.around_images([&](const Vec3d& x) { return place.to_local(x); });
    const std::vector<double> x = lines(field.min.x, field.max.x, local.min.x, local.max.x),
                              z = lines(field.min.z, field.max.z, local.min.z, local.max.z);
    Polygons out;
    for (const double w : z)
        for (const double u : x)
            out.vertices.push_back(to_float(place.to_world({u, field.surface->height(u, w), w})));
    const auto width = static_cast<std::uint32_t>(x.size());
    for (std::uint32_t j = 0; j + 1 < z.size(); ++j) {
        for (std::uint32_t i = 0; i + 1 < width; ++i) {
            const std::uint32_t a = j * width + i;
            out.triangles.push_back({a, a + width, a + width + 1});
            out.triangles.push_back({a, a + width + 1, a + 1});
        }
    }
    return out;
}

/// Where the surface crosses an edge of a cell, and its normal there.
struct Crossing {
    Vec3d point, normal;
};

/// The point nearest to the tangent planes of all crossings in the sense of least squares, drawn a little to
/// their mean m, so that a flat surface has one solution:  (Σ n nᵀ + λ 1) (x − m) = Σ n (n · (p − m)).
/// [Ju et al. 2002, Dual contouring of Hermite data, sec. 2.3]
Vec3d feature_point(const Crossing* crossings, int count) {
    constexpr double lambda = 0.05;
    Vec3d mean{};
    for (int i = 0; i < count; ++i) mean += crossings[i].point / count;
    Vec3d a{lambda, 0, 0}, b{0, lambda, 0}, c{0, 0, lambda}, right{};  // rows of the matrix
    for (int i = 0; i < count; ++i) {
        const Vec3d& n = crossings[i].normal;
        a += n.x * n, b += n.y * n, c += n.z * n;
        right += dot(n, crossings[i].point - mean) * n;
    }
    const double det = dot(a, cross(b, c));
    // Symmetric: rows are columns, and Cramer's rule reads them as such.
    return mean + Vec3d{dot(right, cross(b, c)), dot(a, cross(right, c)), dot(a, cross(b, right))} / det;
}

/// Dual contouring: a vertex in each cell with a change of sign, a quadrilateral around each edge with one.
class Contour {
public:
    Contour(const Shape& shape, const Bounds& region, int cells) : shape_(shape) {
        const Vec3d size = region.size();
        cell_ = std::max({size.x, size.y, size.z}) / cells;
        const auto count = [&](double length) { return static_cast<int>(std::ceil(length / cell_)) + 3; };
        n_[0] = count(size.x), n_[1] = count(size.y), n_[2] = count(size.z);
        // A layer of cells all around, off the region's own planes, so that a face of the shape falls between
        // samples.
        origin_ = region.min - 0.83 * Vec3d{cell_, cell_, cell_};
        sample();
    }

    Polygons take() {
        place_vertices();
        join();
        out_.sag = static_cast<float>(0.1 * cell_);
        return std::move(out_);
    }

private:
    std::size_t at(int i, int j, int k) const {
        return (static_cast<std::size_t>(k) * n_[1] + j) * n_[0] + i;
    }
    Vec3d corner(int i, int j, int k) const { return origin_ + cell_ * Vec3d{1. * i, 1. * j, 1. * k}; }
    double distance(const Vec3d& x) const { return signed_distance(shape_, x, 3).distance; }

    void sample();
    void place_vertices();
    void join();
    Crossing cross_edge(Vec3d inside, double a, Vec3d outside, double b) const;

    const Shape& shape_;
    double cell_;
    int n_[3];  // samples along each axis
    Vec3d origin_;
    std::vector<float> distance_;        // at each sample; far from the surface only the sign is right
    std::vector<std::uint32_t> vertex_;  // of the cell above each sample
    Polygons out_;
};

/// Blocks whose middle is farther from the surface than any of their samples are filled without asking each:
/// the distance is wrong by less than a factor of two.
void Contour::sample() {
    constexpr int block = 6;
    distance_.resize(static_cast<std::size_t>(n_[0]) * n_[1] * n_[2]);
    const double reach = 2 * 0.5 * std::sqrt(3.0) * block * cell_;
    for (int k0 = 0; k0 < n_[2]; k0 += block) {
        for (int j0 = 0; j0 < n_[1]; j0 += block) {
            for (int i0 = 0; i0 < n_[0]; i0 += block) {
                const double middle =
                    distance(corner(i0, j0, k0) + 0.5 * cell_ * (block - 1) * Vec3d{1, 1, 1});
                const bool ask = std::abs(middle) < reach;
                for (int k = k0; k < std::min(k0 + block, n_[2]); ++k)
                    for (int j = j0; j < std::min(j0 + block, n_[1]); ++j)
                        for (int i = i0; i < std::min(i0 + block, n_[0]); ++i)
                            distance_[at(i, j, k)] =
                                static_cast<float>(ask ? distance(corner(i, j, k)) : middle);
            }
        }
    }
}

/// `inside` and `outside` are the ends of the edge, a and b their distances. Regula falsi: the distance is
/// nearly linear along so short a way.
Crossing Contour::cross_edge(Vec3d inside, double a, Vec3d outside, double b) const {
    const auto between = [&] { return inside + (a / (a - b)) * (outside - inside); };
    for (int i = 0; i < 2; ++i) {
        const Vec3d x = between();
        const double d = distance(x);
        if (d < 0)
            inside = x, a = d;
        else
            outside = x, b = d;
        if (b - a < 1e-9 * cell_) break;
    }
    const Vec3d point = between();
    return {point, signed_distance(shape_, point, 3).gradient};
}

void Contour::place_vertices() {
    static constexpr int edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                         {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    vertex_.resize(distance_.size());
    for (int k = 0; k + 1 < n_[2]; ++k) {
        for (int j = 0; j + 1 < n_[1]; ++j) {
            for (int i = 0; i + 1 < n_[0]; ++i) {
                Crossing crossings[12];
                int count = 0;
                const auto d = [&](int c) {
                    return distance_[at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
                };
                const auto place = [&](int c) { return corner(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)); };
                for (const auto& [a, b] : edges) {
                    if ((d(a) < 0) == (d(b) < 0)) continue;
                    const int in = d(a) < 0 ? a : b, out = a + b - in;
                    crossings[count++] = cross_edge(place(in), d(in), place(out), d(out));
                }
                if (count == 0) continue;
                const Vec3d x = feature_point(crossings, count), low = place(0), high = place(7);
                vertex_[at(i, j, k)] = static_cast<std::uint32_t>(out_.vertices.size());
                out_.vertices.push_back(
                    to_float({std::clamp(x.x, low.x, high.x), std::clamp(x.y, low.y, high.y),
                              std::clamp(x.z, low.z, high.z)}));
            }
        }
    }
}

void Contour::join() {
    const std::size_t step[3] = {1, static_cast<std::size_t>(n_[0]), static_cast<std::size_t>(n_[0]) * n_[1]};
    for (int k = 0; k + 1 < n_[2]; ++k) {
        for (int j = 0; j + 1 < n_[1]; ++j) {
            for (int i = 0; i + 1 < n_[0]; ++i) {
                const int where[3] = {i, j, k};
                const std::size_t here = at(i, j, k);
                for (int axis = 0; axis < 3; ++axis) {
                    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                    const bool in = distance_[here] < 0;
                    if (in == (distance_[here + step[axis]] < 0) || where[u] == 0 || where[v] == 0) continue;
                    std::uint32_t q[4] = {vertex_[here - step[u] - step[v]], vertex_[here - step[v]],
                                          vertex_[here], vertex_[here - step[u]]};
                    if (!in) std::swap(q[1], q[3]);
                    out_.triangles.push_back({q[0], q[1], q[2]});
                    out_.triangles.push_back({q[0], q[2], q[3]});
                }
            }
        }
    }
}

}  // namespace

Polygons polygons_of(const Shape& shape, const Bounds& stage) {
    if (const auto* box = std::get_if<Box>(&shape.kind)) return box_polygons(*box, shape.placement);
    if (const auto* mesh = std::get_if<Mesh>(&shape.kind)) return mesh_polygons(*mesh, shape.placement);
    Bounds region = bounds(shape);
    const Vec3d margin = stage.size();
    const Bounds limit{stage.min - margin, stage.max + margin};
    if (const auto* field = std::get_if<HeightField>(&shape.kind))
        return height_polygons(*field, shape.placement, limit);
    if (!region.has_end()) region = limit;
    constexpr int cells = 96;
    return Contour(shape, region, cells).take();
}

}  // namespace thixo
