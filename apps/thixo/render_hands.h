#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render_holds.h"
#include "render_props.h"

namespace thixo {

/// What people and programs did during a run, as it is drawn. Grabs are holds; what pours is a spout, what
/// heats or cools a nozzle above the place; pushes and cuts show for a moment.
struct HandsAtWork {
    std::vector<DrawnHold> holds;
    std::vector<Prop> props;
    std::vector<std::string> emitters;  ///< of what was poured: behind those of the scene
    std::vector<std::string> names;     ///< of all of these
};

/// From `events.jsonl` and `stats.csv` of a run's folder; nothing where one of them is missing or damaged.
HandsAtWork hands_at_work(const std::filesystem::path& folder, const Scene& scene);

}  // namespace thixo
