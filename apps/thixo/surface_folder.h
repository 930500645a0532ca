#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "active_states.h"
#include "surface_frames.h"

namespace thixo {

/// `surface/NAME/0000.ply` … and `surface.csv` of a run's folder. A frame is finished when its rows are in
/// the table, which is written last; frames of other settings are removed.
class SurfaceFolder {
public:
    /// Reads what is finished; rows behind `last_frame` are dropped.
    SurfaceFolder(std::filesystem::path run, const SurfaceOutput& output, long last_frame);

    bool finished(int frame) const { return rows_.contains(frame); }
    /// Active surfaces of the frame before the one that is made.
    LastState state_of(int frame) const {
        return [this, frame](const std::string& name) { return states_.read(name, frame); };
    }
    bool has_state(int frame) const { return states_.has(frame); }
    /// States of active surfaces are kept from `last` on, the frame before this one.
    void write(int frame, int last, double time, const std::vector<NamedSurface>& surfaces);
    /// Of a frame that is finished: nothing but the states of its active surfaces.
    void write_states(int frame, int last, const std::vector<NamedSurface>& surfaces) const;

    /// Removes all that surfaces of a run left in its folder.
    static void clear(const std::filesystem::path& run);

private:
    std::filesystem::path run_;
    SurfaceOutput output_;
    ActiveStates states_;
    std::map<int, std::string> rows_;  ///< of each frame that is finished
};

}  // namespace thixo
