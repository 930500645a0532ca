#include "sim/model.h"

#include <algorithm>
#include <stdexcept>

namespace thixo {

std::uint16_t material_index(const Model& model, const std::string& name) {
    const auto found = std::find_if(model.materials.begin(), model.materials.end(),
                                    [&](const Material& material) { return material.name == name; });
    if (found == model.materials.end()) throw std::logic_error("no material named " + name);
    return static_cast<std::uint16_t>(found - model.materials.begin());
}

}  // namespace thixo
