#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/surface_mesh.h"
#include "geometry/triangle_mesh.h"
#include "skin/carriers.h"
#include "surface/attributes.h"

namespace thixo {

class MeshDistance;

/// Which carriers move a vertex, and by how much: Σ weights = 1.
struct VertexWeights {
    std::vector<Index> first, carrier;
    std::vector<float> weight;
};

/// A closed mesh in material coordinates that one body moves.
struct MaterialPiece {
    int body = no_body;
    TriangleMesh mesh;              ///< relative to `Carriers::origin`
    std::vector<SurfacePart> part;  ///< of each triangle
    VertexWeights weights;
};

/// The skin of one object: a closed mesh that is carried by the object's particles. All that it needs are the particles of a frame and
/// those at the start; the same input gives the same bits, in whatever order frames are made.
///
///     x(X) = Σᵢ wᵢ (Aᵢ X + bᵢ) / Σᵢ wᵢ,   wᵢ = W(|X − Xᵢ|)   [WHP06, eq. 19], normalised
///
/// The weights are those at the start: with weights of the deformed state the skin would swim. Affine motions are reproduced
/// exactly, smooth ones to second order in the spacing.
class Skin {
public:
    /// `mesh` in world coordinates at the start, closed; `position` of the object's particles at the start.
    Skin(const Device& device, TriangleMesh mesh, std::vector<Vec3d> position, double spacing,
         CarrierKind kind = CarrierKind::solid, std::string texture = {});
    ~Skin();
    Skin(Skin&&) noexcept;

    struct Posed {
        int body;
        SurfaceMesh mesh;
    };
    /// A closed mesh for each body that carries part of the skin. `position` and `body` of each carrier; `attributes` of the carriers
    /// become attributes of the vertices. `carried` gets the body by which each carrier moves the skin, `no_body` for those
    /// whose matter the skin does not cover.
    std::vector<Posed> pose(const Device& device, View<const Vec3f> position, std::vector<int> body,
                            const std::vector<ParticleAttribute>& attributes, std::vector<int>& carried);

    const Carriers& carriers() const { return carriers_; }
    const TriangleMesh& mesh() const { return whole_.mesh; }
    /// m, from each vertex to the nearest particle, at most.
    double farthest_vertex() const;

private:
    void split(const Device& device);
    SurfaceMesh posed(const Device& device, const MaterialPiece& piece,
                      const std::vector<ParticleAttribute>& attributes) const;

    Carriers carriers_;
    std::string texture_;
    MaterialPiece whole_;
    std::unique_ptr<const MeshDistance> distance_;  ///< to the mesh; null until something splits
    std::vector<int> split_by_;                     ///< bodies of the carriers that `pieces_` were made for
    std::vector<MaterialPiece> pieces_;
    std::vector<AffineMotion> motions_;
};

/// Weights of places in material coordinates over the carriers of a body, or of all bodies.
VertexWeights weights_of(const Device& device, const Carriers& carriers, const std::vector<Vec3d>& places,
                         View<const int> body_of_carriers, std::optional<int> body);

}  // namespace thixo
