#pragma once

#include <optional>
#include <vector>

#include "core/launch.h"
#include "elastic/elastic_block.h"
#include "elastic/reference.h"
#include "elastic/stiffness_links.h"

namespace thixo {

/// The change of the elastic forces by small displacements u, around the deformation of the last forces: −(a
/// K + b C) u with the stiffness K and the damping C of the corotated linear model, as much stiffer as what
/// is stretched is (`Tangent`); both symmetric and never negative.
class LinearElasticity {
public:
    struct Scales {
        double stiffness;  ///< a
        double damping;    ///< b; 0 where nothing is damped
    };

    /// The first of two passes: the second is `LinearResponse::force`. Holds until it is called again.
    /// Displacements are x, y, z of records, by elastic index.
    LinearResponse respond(const Device& device, const Reference& reference, View<const ElasticBlock> blocks,
                           View<const Tangent> tangents, const Scales& scales,
                           View<const Packed4> displacement);

    /// Links, or what was precomputed from them, have changed.
    void invalidate() {
        links_.invalidate();
        damping_.reset();
    }

    std::size_t bytes() const { return links_.bytes() + response_.capacity() * sizeof(Response); }

private:
    /// τ of all particles that have links, if it is the same.
    struct CommonDamping {
        bool same = true;
        float time = 0;  ///< s
    };
    const CommonDamping& common_damping(const Device& device, const Reference& reference,
                                        View<const ElasticBlock> blocks);

    StiffnessLinks links_;
    std::optional<CommonDamping> damping_;
    std::vector<Response> response_;
};

}  // namespace thixo
