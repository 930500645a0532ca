#pragma once

#include <memory>

#include "geometry/cavity.h"
#include "sim/model.h"

namespace thixo {

/// The obstacles of a scene as vessels that liquids are filled into.
class Vessels {
public:
    explicit Vessels(const Model& model) : model_(model) {}

    /// Throws an InputError if there is no such obstacle, or if it does not hold a liquid up to the level.
    std::shared_ptr<const Cavity> cavity(const Fill& fill) const;

private:
    const Model& model_;
};

}  // namespace thixo
