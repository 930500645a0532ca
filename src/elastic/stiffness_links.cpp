#include "elastic/stiffness_links.h"

namespace thixo {

void StiffnessLinks::prepare(const Device& device, const Reference& reference,
                             View<const ElasticBlock> blocks, float stiffness, float damping) {
    if (!begin_.empty() && stiffness == stiffness_ && damping == damping_) return;
    stiffness_ = stiffness;
    damping_ = damping;
    const Index n = reference.size();
    begin_.assign(n + 1, 0);
    for (Index s = 0; s < n; ++s)
        begin_[s + 1] = begin_[s] + (reference.count(s) + at_a_time - 1) / at_a_time * at_a_time;
    neighbour_.resize(begin_[n]);
    link_.resize(begin_[n]);
    sum_.resize(n);
    const auto kappa = [=](Index s) {
        const ElasticBlock& block = blocks[s / lane_count];
        const Index l = s % lane_count;
        return block.kappa[l] * (stiffness + damping * block.damping[l]);
    };
    launch(device, n,
           [=, begin = View<const Index>(begin_), neighbour = View(neighbour_), link = View(link_),
            sum = View(sum_)](Index s) {
               Packed4 total;
               Index to = begin[s];
               reference.for_each_block(s, [&](const ReferenceBlock& block) {
                   for (Index l = 0; l < lane_count && to < begin[s + 1]; ++l, ++to) {
                       const Index j = block.neighbour[l];
                       const float w = block.weight[l];
                       const Packed4 a{w * block.x[l], w * block.y[l], w * block.z[l],
                                       w * (kappa(s) + kappa(j))};
                       neighbour[to] = j;
                       link[to] = a;
                       total = {total.x + a.x, total.y + a.y, total.z + a.z, total.w + a.w};
                   }
               });
               sum[s] = total;
           });
}

std::size_t StiffnessLinks::bytes() const {
    return (begin_.capacity() + neighbour_.capacity()) * sizeof(Index) +
           (link_.capacity() + sum_.capacity()) * sizeof(Packed4);
}

}  // namespace thixo
