#pragma once

#include "sim/model.h"

namespace thixo {

/// Calls visit(list, name of an entry, key) for each list of a model whose entries have names.
template <class M, class Visit>
void for_each_named_list(M& model, const Visit& visit) {
    visit(model.objects, "object", "objects");
    visit(model.obstacles, "obstacle", "obstacles");
    visit(model.emitters, "emitter", "emitters");
    visit(model.sinks, "sink", "sinks");
    visit(model.heaters, "heater", "heaters");
    visit(model.grabs, "grab", "grabs");
    visit(model.force_fields, "force field", "force_fields");
    visit(model.probes, "probe", "probes");
}

}  // namespace thixo
