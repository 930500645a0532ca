#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/view.h"

namespace thixo {

/// Piece of a carrier that carries nothing: liquid, gone, or torn from its neighbours.
inline constexpr int no_body = 0;

/// How firmly the carriers hold the pieces of a skin in one frame. All of it changes slowly from frame to
/// frame, and so does the skin.
struct SkinGrip {
    std::vector<int> piece;       ///< that each carrier moves
    std::vector<float> firmness;  ///< of each carrier on its piece: 1 while it is solid, then down to 0
    /// Two pieces that were one, the lower number first: how far they still move as one, from 1 when they
    /// split down to 0.
    std::map<std::pair<int, int>, float> coupling = {};

    /// Pieces as they are, with nothing left of what was before.
    static SkinGrip of_bodies(std::vector<int> body) {
        SkinGrip grip;
        for (const int b : body) grip.firmness.push_back(b == no_body ? 0.f : 1.f);
        grip.piece = std::move(body);
        return grip;
    }

    float coupling_of(int a, int b) const {
        if (a == b) return 1;
        if (coupling.empty()) return 0;
        const auto found = coupling.find(std::minmax(a, b));
        return found == coupling.end() ? 0 : found->second;
    }
    /// Of a carrier on a piece.
    float on(int of, Index carrier) const {
        return piece[carrier] == no_body ? 0 : firmness[carrier] * coupling_of(of, piece[carrier]);
    }
    bool operator==(const SkinGrip&) const = default;
};

}  // namespace thixo
