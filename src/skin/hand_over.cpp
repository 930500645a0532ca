#include "skin/hand_over.h"

#include <algorithm>

#include "skin/carriers.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// Spacings; less than the radius of a single particle, whose surface would turn inside out.
constexpr double lowered = 0.4;

/// Where matter is thin, both of its sides stop short of the particles between them.
constexpr double of_the_way = 0.8;

/// Particles that a place of the surface belongs to are nearer than this, in spacings. The next layer is
/// farther.
constexpr double beside_surface = 1.3;

/// From a place of the surface to the middle of the particles beside it.
Vec3d towards_particles(const PointGrid& particles, const Vec3d& x, double spacing) {
    Vec3d sum;
    double weight = 0;
    particles.for_each_within(x, beside_surface * spacing, [&](Index i, double d2) {
        const double w = carrier_weight(d2, beside_surface * spacing);
        sum += w * (particles.points()[i] - x);
        weight += w;
    });
    return weight > 0 ? sum / weight : Vec3d{};
}

}  // namespace

void lower_ungrown(const Device& device, SurfaceMesh& mesh, View<const Vec3f> particles, double spacing) {
    const auto column =
        std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                     [](const SurfaceMesh::Attribute& a) { return a.name == grown_attribute; });
    if (column == mesh.attributes.end()) return;
    std::vector<Vec3d> places;
    for (const Vec3f& x : particles) places.push_back(to_double(x));
    const PointGrid grid(std::move(places), beside_surface * spacing);
    const std::vector<Vec3f> before = mesh.vertices;
    launch<small_grain>(
        device, static_cast<Index>(before.size()), [&, grown = View<const float>(column->values)](Index v) {
            const double depth = lowered * spacing * (1 - std::clamp(grown[v], 0.f, 1.f));
            if (!(depth > 0)) return;
            const Vec3d x = to_double(before[v]), inwards = towards_particles(grid, x, spacing);
            const double far = norm(inwards);
            if (far > 0) mesh.vertices[v] = to_float(x + std::min(depth / far, of_the_way) * inwards);
        });
    put_back_degenerate(device, mesh, before);
    mesh.attributes.erase(column);
    set_mesh_normals(device, mesh);
}

}  // namespace thixo
