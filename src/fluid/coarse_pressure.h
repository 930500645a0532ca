#pragma once

#include <vector>

#include "core/simd.h"
#include "fluid/constants.h"
#include "fluid/fluid_state.h"
#include "sph/cell_grid.h"

namespace thixo {

/// A coarse level for the pressure system of Dfsph (dfsph.h): impulses J = Σ φ c with φ the trilinear
/// functions of the corners of cells two supports wide. What sweeps from neighbour to neighbour take many
/// iterations for, it finds at once: pressure that changes slowly over the depth.
///
/// To a smooth impulse a particle k answers with
///
///     Δvₖ = −(J Gₖ + nₖ ∇J)/ρ₀ₖ,   Gₖ = 2 Σⱼ V⁰ⱼ ∇Wₖⱼ + ∇γₖ,   nₖ = −Σⱼ V⁰ⱼ xₖⱼ·∇Wₖⱼ/d
///
/// (the first terms of its Taylor series in the sum over pairs; nₖ is 1 inside, and Gₖ vanishes there and at
/// walls, but not at a free surface). So the matrix of the corners is Σₖ V⁰ₖ/ρ₀ₖ βₖβₖᵀ with βₖ = φ Gₖ + nₖ
/// ∇φ: symmetric, never negative, and a sum over the particles of each cell.
class CoarsePressure {
public:
    explicit CoarsePressure(const Discretisation& discretisation);

    /// What the matrix is made from; `gradient` is that of the compression, walls included.
    struct System {
        const FluidState& state;
        View<const Packed4> gradient;
        View<const float> fullness;  ///< n
        View<const FluidConstants> constants;
    };

    /// The matrix, for the positions as they are.
    void assemble(const Device& device, const System& system);

    /// Sets `correction` to what takes away the residuals V⁰ (ds/dt + q) of the rows.
    void solve(const Device& device, const FluidState& state, View<const float> residual,
               View<float> correction);

    int iterations() const { return iterations_; }  ///< of the last solve
    std::size_t bytes() const;

private:
    /// A cell's part of the matrix: the row of each of its corners.
    struct Block {
        Lanes row[lane_count];
    };

    void number_corners(const Device& device);

    int dimensions_;
    float support_;
    int iterations_ = 0;
    CellGrid grid_;
    std::vector<Index> order_;    ///< rows, by cell
    std::vector<Index> corners_;  ///< eight of each cell
    std::vector<Index> cells_;    ///< eight around each corner; one behind the last cell where there is none
    std::vector<Block> blocks_;   ///< of each cell
    std::vector<float> inverse_;  ///< of the diagonal, by corner
    std::vector<Lanes>
        products_;  ///< what each cell adds to its corners; the one behind the last adds nothing
    std::vector<float> value_, residual_, search_, product_;  ///< of each corner
};

}  // namespace thixo
