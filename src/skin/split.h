#pragma once

#include "skin/skin.h"

namespace thixo {

/// A mesh cut by the sign of a value at its vertices: what is left of it is where the value is positive. Cut
/// edges get a vertex where the value, linear along the edge, passes zero, but not in the last fiftieth of
/// the edge, so that all triangles have an area.
TriangleMesh clipped(const TriangleMesh& mesh, const std::vector<double>& value);

/// Closed walks along the borders of a mesh, each in the direction of its triangles.
std::vector<std::vector<Index>> border_loops(const std::vector<TriangleMesh::Corners>& triangles);

/// Joins the open mesh `faces` to the open mesh `outside`: borders that run along each other are joined by a
/// strip of triangles, all others are closed by a fan about their middle. The first triangles of the result
/// are those of `outside`.
TriangleMesh joined(const TriangleMesh& outside, const TriangleMesh& faces, double close);

/// s_p(X) = Σ_{i∈p} cᵢ wᵢ / Σᵢ wᵢ with the firmness cᵢ of the carriers of piece p, less the largest of
/// another piece, and of what none holds, Σᵢ (1 − cᵢ) wᵢ / Σᵢ wᵢ: positive in the domain of the piece. At
/// places without carriers −1.
class PieceIndicator {
public:
    PieceIndicator(const Carriers& carriers, const SkinGrip& grip) : carriers_(&carriers), grip_(&grip) {}
    double at(const Vec3d& x, int piece) const;
    /// At a vertex whose weights over all carriers are known.
    double at(const VertexWeights& weights, Index v, int piece) const;

private:
    const Carriers* carriers_;
    const SkinGrip* grip_;
};

/// The border between the domain of a piece and the rest as a mesh, normals pointing out of the domain; it
/// goes on some cells outside of the object.
TriangleMesh domain_border(const Device& device, const Carriers& carriers, const SkinGrip& grip, int piece);

}  // namespace thixo
