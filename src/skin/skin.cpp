#include "skin/skin.h"

#include <algorithm>
#include <set>

#include "geometry/mesh_distance.h"
#include "skin/split.h"
#include "surface/mesh_report.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// Depth below the skin at which crack faces end, in spacings: the strip that joins them to the skin has an area.
constexpr double strip = 0.075;

/// How far apart borders of skin and crack faces may be to be one and the same, in spacings.
constexpr double same_border = 0.75;

SurfaceMesh single_precision(const TriangleMesh& mesh) {
    SurfaceMesh out;
    for (const Vec3d& x : mesh.vertices) out.vertices.push_back(to_float(x));
    out.triangles = mesh.triangles;
    return out;
}

/// x(X) = Σᵢ wᵢ (Aᵢ X + bᵢ): the matrices are added up first.
struct MoveVertices {
    View<const Index> first, carrier;
    View<const float> weight;
    View<const AffineMotion> motion;
    View<const Vec3d> rest;
    Vec3d origin;
    View<Vec3f> x;

    void operator()(Index v) const {
        AffineMotion sum{{}, {}, {}, {}};
        for (Index k = first[v]; k < first[v + 1]; ++k) {
            const AffineMotion& m = motion[carrier[k]];
            const float w = weight[k];
            sum.x += w * m.x;
            sum.y += w * m.y;
            sum.z += w * m.z;
            sum.b += w * m.b;
        }
        const Vec3d r = rest[v];
        x[v] = to_float(origin +
                        Vec3d{dot(to_double(sum.x), r), dot(to_double(sum.y), r), dot(to_double(sum.z), r)} +
                        to_double(sum.b));
    }
};

/// The mean of the carriers, or the value of the one that counts most.
std::vector<float> vertex_values(const Device& device, const VertexWeights& weights,
                                 const ParticleAttribute& attribute, std::size_t vertices) {
    std::vector<float> out(vertices);
    launch(device, static_cast<Index>(vertices),
           [first = View(weights.first), carrier = View(weights.carrier), weight = View(weights.weight),
            values = attribute.values, blend = attribute.blend, out = View(out)](Index v) {
               double sum = 0;
               float most = 0, best = 0;
               for (Index k = first[v]; k < first[v + 1]; ++k) {
                   sum += double{weight[k]} * values[carrier[k]];
                   if (weight[k] > most) most = weight[k], best = values[carrier[k]];
               }
               out[v] = blend ? static_cast<float>(sum) : best;
           });
    return out;
}

}  // namespace

Skin::Skin(const Device& device, TriangleMesh mesh, std::vector<Vec3d> position, double spacing,
           CarrierKind kind, std::string texture)
    : carriers_(std::move(position), spacing, kind), texture_(std::move(texture)) {
    for (Vec3d& x : mesh.vertices) x -= carriers_.origin();
    whole_.mesh = std::move(mesh);
    whole_.part.assign(whole_.mesh.triangles.size(), SurfacePart::skin);
    whole_.weights = weights_of(device, carriers_, whole_.mesh.vertices, {}, {});
}

Skin::~Skin() = default;
Skin::Skin(Skin&&) noexcept = default;

double Skin::farthest_vertex() const {
    double farthest2 = 0;
    for (const Vec3d& x : whole_.mesh.vertices) {
        double nearest2 = std::numeric_limits<double>::infinity();
        for (double radius = carriers_.spacing();
             !(nearest2 < radius * radius) && radius < 1e3 * carriers_.spacing(); radius *= 2)
            carriers_.grid().for_each_within(x, radius,
                                             [&](Index, double d2) { nearest2 = std::min(nearest2, d2); });
        farthest2 = std::max(farthest2, nearest2);
    }
    return std::sqrt(farthest2);
}

void Skin::split(const Device& device) {
    pieces_.clear();
    if (!distance_) distance_ = std::make_unique<const MeshDistance>(whole_.mesh);
    const BodyIndicator indicator(carriers_, split_by_);
    for (const int body : std::set<int>(split_by_.begin(), split_by_.end())) {
        if (body == no_body) continue;
        std::vector<double> value(whole_.mesh.vertices.size());
        launch<small_grain>(device, static_cast<Index>(value.size()),
                            [this, indicator, body, value = View(value)](Index v) {
                                value[v] = indicator.at(whole_.weights, v, body);
                            });
        MaterialPiece piece;
        piece.body = body;
        const TriangleMesh outside = clipped(whole_.mesh, value);
        TriangleMesh border = domain_border(device, carriers_, split_by_, body);
        value.resize(border.vertices.size());
        launch<small_grain>(
            device, static_cast<Index>(value.size()), [this, &border, value = View(value)](Index v) {
                value[v] = -strip * carriers_.spacing() - distance_->at(border.vertices[v], 3).distance;
            });
        piece.mesh = joined(outside, clipped(border, value), same_border * carriers_.spacing());
        // Borders that touch themselves, where a body hangs on a single vertex: without crack faces they are closed by fans.
        if (!examine(device, single_precision(piece.mesh)).manifold())
            piece.mesh = joined(outside, TriangleMesh{}, same_border * carriers_.spacing());
        if (piece.mesh.triangles.empty()) continue;
        piece.part.assign(piece.mesh.triangles.size(), SurfacePart::crack);
        std::fill_n(piece.part.begin(), outside.triangles.size(), SurfacePart::skin);
        piece.weights = weights_of(device, carriers_, piece.mesh.vertices, split_by_, body);
        pieces_.push_back(std::move(piece));
    }
}

SurfaceMesh Skin::posed(const Device& device, const MaterialPiece& piece,
                        const std::vector<ParticleAttribute>& attributes) const {
    SurfaceMesh out;
    const auto n = static_cast<Index>(piece.mesh.vertices.size());
    out.vertices.resize(n);
    launch(device, n,
           MoveVertices{piece.weights.first, piece.weights.carrier, piece.weights.weight, motions_,
                        piece.mesh.vertices, carriers_.origin(), out.vertices});
    out.triangles = piece.mesh.triangles;
    set_mesh_normals(device, out);
    for (const ParticleAttribute& attribute : attributes)
        out.attributes.push_back(
            {attribute.name, attribute.unit, vertex_values(device, piece.weights, attribute, n)});
    out.part = piece.part;
    out.texture = piece.mesh.texture;
    out.texture.resize(out.triangles.size());
    if (!texture_.empty()) out.textures.push_back(texture_);
    out.texture_number.resize(out.triangles.size(), SurfaceMesh::no_texture);
    for (std::size_t t = 0; t < out.part.size(); ++t)
        if (!texture_.empty() && out.part[t] == SurfacePart::skin) out.texture_number[t] = 0;
    return out;
}

std::vector<Skin::Posed> Skin::pose(const Device& device, View<const Vec3f> position, std::vector<int> body,
                                    const std::vector<ParticleAttribute>& attributes,
                                    std::vector<int>& carried) {
    carriers_.motions(device, position, body, motions_);
    carried = body;
    std::vector<Posed> out;
    const bool one = !body.empty() && body.front() != no_body &&
                     std::all_of(body.begin(), body.end(), [&](int b) { return b == body.front(); });
    if (one) {
        out.push_back({body.front(), posed(device, whole_, attributes)});
        return out;
    }
    if (body != split_by_) {
        split_by_ = std::move(body);
        split(device);
    }
    for (const MaterialPiece& piece : pieces_) out.push_back({piece.body, posed(device, piece, attributes)});
    return out;
}

}  // namespace thixo
