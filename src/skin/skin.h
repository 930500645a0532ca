#pragma once

#include <memory>
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

/// A closed mesh in material coordinates that the carriers of one piece of the object move.
struct MaterialPiece {
    int piece = no_body;
    TriangleMesh mesh;              ///< relative to `Carriers::origin`
    std::vector<SurfacePart> part;  ///< of each triangle
    std::vector<float> sunk;        ///< of each vertex, 0 to 1: how far it has left; empty: none has
    VertexWeights weights;
};

/// The skin of one object: a closed mesh that is carried by the object's particles. What it remembers of the
/// frames before is in `SkinMemory`; the same input gives the same bits.
///
///     x(X) = Σᵢ wᵢ (Aᵢ X + bᵢ) / Σᵢ wᵢ,   wᵢ = W(|X − Xᵢ|)   [WHP06, eq. 19], normalised
///
/// The weights are those at the start: with weights of the deformed state the skin would swim. Affine motions
/// are reproduced exactly, smooth ones to second order in the spacing.
class Skin {
public:
    /// `mesh` in world coordinates at the start, closed; `position` of the object's particles at the start.
    Skin(const Device& device, TriangleMesh mesh, std::vector<Vec3d> position, double spacing,
         CarrierKind kind = CarrierKind::solid, std::string texture = {});
    ~Skin();
    Skin(Skin&&) noexcept;

    /// The next frame: no vertex of a skin that is whole goes farther than the carriers around it
    /// (`pace_vertices`). `before` and `now`: positions of the carriers in the last frame, if there was one,
    /// and in this.
    void follow(const Device& device, const SkinGrip& grip, View<const AffineMotion> motions,
                View<const Vec3f> before, View<const Vec3f> now);

    struct Posed {
        int piece;
        SurfaceMesh mesh;
    };
    /// A closed mesh for each piece. `motions` of each carrier; `particles`: where those of the object are
    /// that are still there; `attributes` of the carriers become attributes of the vertices.
    std::vector<Posed> pose(const Device& device, const SkinGrip& grip, View<const AffineMotion> motions,
                            View<const Vec3f> particles, const std::vector<ParticleAttribute>& attributes);

    const Carriers& carriers() const { return *carriers_; }
    const TriangleMesh& mesh() const { return whole_.mesh; }
    /// m, from each vertex to the nearest particle, at most.
    double farthest_vertex() const;

private:
    void split(const Device& device);
    std::vector<Vec3f> moved(const Device& device, const MaterialPiece& piece,
                             View<const AffineMotion> motions) const;
    void sink(const Device& device, const PointGrid& particles, const MaterialPiece& piece,
              std::vector<Vec3f>& x) const;
    SurfaceMesh posed(const Device& device, const MaterialPiece& piece, std::vector<Vec3f> vertices,
                      const std::vector<ParticleAttribute>& attributes) const;

    std::unique_ptr<const Carriers> carriers_;
    std::string texture_;
    MaterialPiece whole_;
    std::vector<Vec3f> followed_;  ///< m, vertices of the whole skin in the frame that was followed last
    std::unique_ptr<const MeshDistance> distance_;  ///< to the mesh; null until something splits
    SkinGrip split_by_;                             ///< that `pieces_` were made for
    std::vector<MaterialPiece> pieces_;
};

/// Weights of places in material coordinates over the carriers that hold a piece, or over all carriers.
VertexWeights weights_of(const Device& device, const Carriers& carriers, const std::vector<Vec3d>& places,
                         const SkinGrip* grip = nullptr, int piece = no_body);

}  // namespace thixo
