#pragma once

#include <array>
#include <vector>

#include "elastic/corotated.h"
#include "elastic/corrected.h"
#include "elastic/green.h"
#include "elastic/mls.h"

namespace thixo {

/// All elastic models, in the order in which scene files list them.
inline constexpr std::array elastic_models{Corrected::model, Corotated::model, Mls::model, Green::model};

/// The model of each material. Materials with a lattice have no particles here; theirs is never used.
inline std::vector<ElasticModel> models_of(const std::vector<Material>& materials) {
    std::vector<ElasticModel> out(materials.size(), elastic_models.front());
    for (std::size_t m = 0; m < materials.size(); ++m) {
        for (const ElasticModel& model : elastic_models)
            if (model.model == materials[m].solid.model) out[m] = model;
    }
    return out;
}

}  // namespace thixo
