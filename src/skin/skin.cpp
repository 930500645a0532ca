#include "skin/skin.h"

#include <algorithm>
#include <set>

#include "geometry/mesh_distance.h"
#include "skin/split.h"
#include "skin/vertex_pace.h"
#include "surface/mesh_report.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// Depth below the skin at which crack faces end, in spacings: the strip that joins them to the skin has an
/// area.
constexpr double strip = 0.075;

/// How far apart borders of skin and crack faces may be to be one and the same, in spacings.
constexpr double same_border = 0.75;

/// Spacings by which the skin is sunk where it ends over matter that melted.
constexpr double sunk_depth = 0.6, sunk_beside = 0.25;

/// Spacings beyond which a skin is not drawn towards particles.
constexpr double widest_gap = 8;

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

/// How far vertices have sunk, from 0 where all carriers around hold to 1 where half of them do. Empty where
/// none has.
std::vector<float> sunk_fractions(const Device& device, const Carriers& carriers, const SkinGrip& grip,
                                  const std::vector<Vec3d>& places) {
    std::vector<float> out(places.size());
    launch<small_grain>(device, static_cast<Index>(places.size()), [&, out = View(out)](Index v) {
        double all = 0, solid = 0;
        carriers.grid().for_each_within(places[v], carriers.support(), [&](Index i, double d2) {
            const double w = carrier_weight(d2, carriers.support());
            all += w;
            solid += w * grip.firmness[i];
        });
        if (solid < all) out[v] = static_cast<float>(std::min(1.0, 2 * (1 - solid / all)));
    });
    if (std::all_of(out.begin(), out.end(), [](float t) { return t == 0; })) out.clear();
    return out;
}

/// All carriers hold one piece.
bool is_whole(const SkinGrip& grip) {
    const std::vector<int>& piece = grip.piece;
    return !piece.empty() && piece.front() != no_body &&
           std::all_of(piece.begin(), piece.end(), [&](int p) { return p == piece.front(); }) &&
           std::all_of(grip.firmness.begin(), grip.firmness.end(), [](float h) { return h == 1; });
}

}  // namespace

Skin::Skin(const Device& device, TriangleMesh mesh, std::vector<Vec3d> position, double spacing,
           CarrierKind kind, std::string texture)
    : carriers_(std::make_unique<const Carriers>(std::move(position), spacing, kind)),
      texture_(std::move(texture)) {
    for (Vec3d& x : mesh.vertices) x -= carriers_->origin();
    whole_.mesh = std::move(mesh);
    whole_.part.assign(whole_.mesh.triangles.size(), SurfacePart::skin);
    whole_.weights = weights_of(device, *carriers_, whole_.mesh.vertices);
}

Skin::~Skin() = default;
Skin::Skin(Skin&&) noexcept = default;

double Skin::farthest_vertex() const {
    double farthest2 = 0;
    for (const Vec3d& x : whole_.mesh.vertices) {
        double nearest2 = std::numeric_limits<double>::infinity();
        for (double radius = carriers_->spacing();
             !(nearest2 < radius * radius) && radius < 1e3 * carriers_->spacing(); radius *= 2)
            carriers_->grid().for_each_within(x, radius,
                                              [&](Index, double d2) { nearest2 = std::min(nearest2, d2); });
        farthest2 = std::max(farthest2, nearest2);
    }
    return std::sqrt(farthest2);
}

void Skin::split(const Device& device) {
    pieces_.clear();
    if (!distance_) distance_ = std::make_unique<const MeshDistance>(whole_.mesh);
    const PieceIndicator indicator(*carriers_, split_by_);
    std::set<int> held;
    for (Index i = 0; i < carriers_->size(); ++i)
        if (split_by_.firmness[i] > 0) held.insert(split_by_.piece[i]);
    for (const int number : held) {
        std::vector<double> value(whole_.mesh.vertices.size());
        launch<small_grain>(device, static_cast<Index>(value.size()),
                            [this, indicator, number, value = View(value)](Index v) {
                                value[v] = indicator.at(whole_.weights, v, number);
                            });
        MaterialPiece piece;
        piece.piece = number;
        const TriangleMesh outside = clipped(whole_.mesh, value);
        TriangleMesh border = domain_border(device, *carriers_, split_by_, number);
        value.resize(border.vertices.size());
        launch<small_grain>(
            device, static_cast<Index>(value.size()), [this, &border, value = View(value)](Index v) {
                value[v] = -strip * carriers_->spacing() - distance_->at(border.vertices[v], 3).distance;
            });
        piece.mesh = joined(outside, clipped(border, value), same_border * carriers_->spacing());
        // Borders that touch themselves, where a body hangs on a single vertex: without crack faces they are
        // closed by fans.
        if (!examine(device, single_precision(piece.mesh)).manifold())
            piece.mesh = joined(outside, TriangleMesh{}, same_border * carriers_->spacing());
        if (piece.mesh.triangles.empty()) continue;
        piece.part.assign(piece.mesh.triangles.size(), SurfacePart::crack);
        std::fill_n(piece.part.begin(), outside.triangles.size(), SurfacePart::skin);
        piece.sunk = sunk_fractions(device, *carriers_, split_by_, piece.mesh.vertices);
        pieces_.push_back(std::move(piece));
    }
}

/// Where the fraction of what is still solid falls to ½, the skin ends. It sinks towards the particles until
/// there, wherever these have gone, so that it goes below their surface, which has no sharp edges: 0.6
/// spacings, and where it is farther off until it is a quarter of a spacing away from a particle, half the
/// radius.
void Skin::sink(const Device& device, const PointGrid& particles, const MaterialPiece& piece,
                std::vector<Vec3f>& x) const {
    const double spacing = carriers_->spacing();
    launch<small_grain>(device, static_cast<Index>(x.size()), [&, spacing](Index v) {
        if (!(piece.sunk[v] > 0)) return;
        const Vec3d place = to_double(x[v]);
        // Where it is far off, the nearest ones still count most.
        double nearest2 = std::numeric_limits<double>::infinity(), radius = carriers_->support();
        for (; !(nearest2 < 0.5 * radius * radius); radius *= 1.5) {
            if (radius > widest_gap * spacing) return;
            particles.for_each_within(place, radius,
                                      [&](Index, double d2) { nearest2 = std::min(nearest2, d2); });
        }
        radius = std::max(carriers_->support(), 1.5 * std::sqrt(nearest2));
        Vec3d sum;
        double all = 0;
        particles.for_each_within(place, radius, [&](Index i, double d2) {
            const double w = carrier_weight(d2, radius);
            sum += w * (particles.points()[i] - place);
            all += w;
        });
        const Vec3d inwards = sum / all;
        const double far = norm(inwards),
                     depth = std::max(sunk_depth * spacing, std::sqrt(nearest2) - sunk_beside * spacing),
                     way = std::min(piece.sunk[v] * depth, 0.8 * far);
        if (far > 0) x[v] = to_float(place + (way / far) * inwards);
    });
}

std::vector<Vec3f> Skin::moved(const Device& device, const MaterialPiece& piece,
                               View<const AffineMotion> motions) const {
    std::vector<Vec3f> x(piece.mesh.vertices.size());
    launch(device, static_cast<Index>(x.size()),
           MoveVertices{piece.weights.first, piece.weights.carrier, piece.weights.weight, motions,
                        piece.mesh.vertices, carriers_->origin(), x});
    return x;
}

SurfaceMesh Skin::posed(const Device& device, const MaterialPiece& piece, std::vector<Vec3f> vertices,
                        const std::vector<ParticleAttribute>& attributes) const {
    SurfaceMesh out;
    const auto n = static_cast<Index>(piece.mesh.vertices.size());
    out.vertices = std::move(vertices);
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

void Skin::follow(const Device& device, const SkinGrip& grip, View<const AffineMotion> motions,
                  View<const Vec3f> before, View<const Vec3f> now) {
    if (!is_whole(grip)) return;
    std::vector<Vec3f> x = moved(device, whole_, motions);
    if (!before.empty()) pace_vertices(device, *carriers_, whole_, before, now, followed_, x);
    followed_ = std::move(x);
}

std::vector<Skin::Posed> Skin::pose(const Device& device, const SkinGrip& grip,
                                    View<const AffineMotion> motions, View<const Vec3f> particles,
                                    const std::vector<ParticleAttribute>& attributes) {
    std::vector<Posed> out;
    const std::vector<int>& piece = grip.piece;
    if (is_whole(grip)) {
        out.push_back({piece.front(),
                       posed(device, whole_, followed_.empty() ? moved(device, whole_, motions) : followed_,
                             attributes)});
        return out;
    }
    const bool cut = piece != split_by_.piece || grip.firmness != split_by_.firmness,
               other = cut || grip.coupling != split_by_.coupling;
    if (other) split_by_ = grip;
    if (cut) split(device);
    if (other)
        for (MaterialPiece& p : pieces_)
            p.weights = weights_of(device, *carriers_, p.mesh.vertices, &grip, p.piece);
    PointGrid grid;
    if (std::any_of(pieces_.begin(), pieces_.end(), [](const MaterialPiece& p) { return !p.sunk.empty(); })) {
        std::vector<Vec3d> points;
        for (const Vec3f& x : particles) points.push_back(to_double(x));
        grid = PointGrid(std::move(points), carriers_->support());
    }
    for (const MaterialPiece& p : pieces_) {
        std::vector<Vec3f> x = moved(device, p, motions);
        if (!p.sunk.empty()) sink(device, grid, p, x);
        out.push_back({p.piece, posed(device, p, std::move(x), attributes)});
    }
    return out;
}

}  // namespace thixo
