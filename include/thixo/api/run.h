#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "thixo/api/columns.h"
#include "thixo/core/export.h"
#include "thixo/scene/scene.h"
#include "thixo/sim/ledger.h"

namespace thixo {

struct RunSettings {
    int threads = 0;  ///< 0: all processors. The result is the same, bit by bit, for any number
};

/// Accelerations (m/s²) that a program gives to particles: called once a step, before the forces, with zeros to add to, one for
/// each row of `columns`. Held particles do not feel them. If they follow from the columns and the time (s) alone, the run is
/// repeatable.
using Push = std::function<void(const Columns& columns, double time, std::span<Vec3f> acceleration)>;

/// A scene in motion.
///
///     thixo::Run run(thixo::load_scene("pool.json"));
///     while (!run.done()) run.advance_frame();
///
/// Functions throw an InputError where the scene or a file is wrong, and a RunError where the run diverges or a file cannot be
/// written. A run is used by one thread at a time; runs do not share anything.
class THIXO_API Run {
public:
    /// Checks the scene (`check_scene`) and fills its objects with particles.
    explicit Run(const Scene& scene, const RunSettings& settings = {});

    /// Goes on where a checkpoint was saved, to the same bits as if it had never stopped. A push is no part of a checkpoint.
    static Run resume(const std::filesystem::path& checkpoint, const RunSettings& settings = {});

    ~Run();
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;

    const Scene& scene() const;  ///< as understood: with names and defaults
    double time() const;         ///< s
    std::uint64_t steps() const;
    std::uint64_t frame() const;  ///< last finished frame
    bool done() const;            ///< whether all frames of the scene are finished

    Columns columns() const;
    Statistics statistics() const;
    std::uint64_t hash() const;  ///< of all that the next step depends on; the same for any number of threads

    /// One step as long as is stable, but not beyond `end` (s). A loop `while (run.time() < end) run.step(end);` ends exactly there.
    void step(double end);

    /// What limited the last step, in words: "sound in `water`".
    std::string step_limit() const;

    /// Steps to the end of the next frame.
    void advance_frame();

    /// From now on; an empty function ends it.
    void set_push(Push push);

    /// Particle file, by its extension: .ply, .vtu or .bgeo.
    void write_particles(const std::filesystem::path& file) const;

    void save_checkpoint(const std::filesystem::path& file) const;

private:
    struct State;
    explicit Run(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace thixo
