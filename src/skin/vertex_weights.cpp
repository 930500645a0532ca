#include <algorithm>

#include "skin/skin.h"

namespace thixo {

namespace {

struct Reference {
    Index carrier;
    double weight;
};

/// Carriers within the support; where none of the piece's own is there, within a larger one.
void find_references(const Carriers& carriers, const Vec3d& x, const SkinGrip* grip, int piece,
                     std::vector<Reference>& out) {
    constexpr double widest = 64;  // spacings; no skin is so far from its object
    bool found = false;
    for (double radius = carriers.support(); !found && radius < widest * carriers.spacing(); radius *= 1.5) {
        out.clear();
        carriers.grid().for_each_within(x, radius, [&](Index i, double d2) {
            const double w = carrier_weight(d2, radius) * (grip ? double{grip->on(piece, i)} : 1);
            if (!(w > 0)) return;
            out.push_back({i, w});
            found = found || !grip || grip->piece[i] == piece;
        });
    }
    std::sort(out.begin(), out.end(),
              [](const Reference& a, const Reference& b) { return a.carrier < b.carrier; });
    double sum = 0;
    for (const Reference& r : out) sum += r.weight;
    for (Reference& r : out) r.weight /= sum;
}

}  // namespace

VertexWeights weights_of(const Device& device, const Carriers& carriers, const std::vector<Vec3d>& places,
                         const SkinGrip* grip, int piece) {
    // Blocks are filled on their own and joined in order: the same for any number of threads.
    constexpr Index grain = 1024;
    const auto n = static_cast<Index>(places.size());
    struct Block {
        std::vector<Index> count, carrier;
        std::vector<float> weight;
    };
    std::vector<Block> blocks((n + grain - 1) / grain);
    for_each_block<grain>(device, n, [&](Index begin, Index end, std::size_t number) {
        Block& block = blocks[number];
        std::vector<Reference> references;
        for (Index v = begin; v < end; ++v) {
            find_references(carriers, places[v], grip, piece, references);
            block.count.push_back(static_cast<Index>(references.size()));
            for (const Reference& r : references) {
                block.carrier.push_back(r.carrier);
                block.weight.push_back(static_cast<float>(r.weight));
            }
        }
    });
    VertexWeights out;
    out.first.push_back(0);
    for (const Block& block : blocks) {
        for (const Index count : block.count) out.first.push_back(out.first.back() + count);
        out.carrier.insert(out.carrier.end(), block.carrier.begin(), block.carrier.end());
        out.weight.insert(out.weight.end(), block.weight.begin(), block.weight.end());
    }
    return out;
}

}  // namespace thixo
