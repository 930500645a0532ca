#include "rest_places.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace thixo {

namespace {

std::vector<Index> rows_by(const std::vector<float>& id) {
    std::vector<Index> rows(id.size());
    std::iota(rows.begin(), rows.end(), Index{0});
    const auto before = [&](Index a, Index b) { return id[a] < id[b]; };
    if (!std::is_sorted(rows.begin(), rows.end(), before)) std::stable_sort(rows.begin(), rows.end(), before);
    return rows;
}

}  // namespace

void RestPlaces::follow(ParticleFrame& frame) {
    const auto id = frame.attributes.find("id"), phase = frame.attributes.find("phase");
    if (id == frame.attributes.end())
        throw InputError("the particles have no attribute \"id\" to find out where they were at the start");
    std::vector<Entry> now;
    now.reserve(frame.position.size());
    std::vector<float> x(frame.position.size()), y(x), z(x);
    auto known = known_.begin();
    for (const Index row : rows_by(id->second)) {
        Entry entry{id->second[row], frame.position[row],
                    phase != frame.attributes.end() && phase->second[row] > 0};
        if (!now.empty() && now.back().id == entry.id)
            throw InputError("two particles have the same id; where they were at the start is not known");
        while (known != known_.end() && known->id < entry.id) ++known;
        const bool froze = entry.solid && known != known_.end() && !known->solid;
        if (known != known_.end() && known->id == entry.id && !froze) entry.place = known->place;
        x[row] = entry.place.x;
        y[row] = entry.place.y;
        z[row] = entry.place.z;
        now.push_back(entry);
    }
    known_ = std::move(now);
    frame.attributes["rest_x"] = std::move(x);
    frame.attributes["rest_y"] = std::move(y);
    frame.attributes["rest_z"] = std::move(z);
}

}  // namespace thixo
