#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "thixo/api/columns.h"
#include "thixo/core/export.h"
#include "thixo/scene/scene.h"
#include "thixo/sim/event.h"
#include "thixo/sim/ledger.h"

namespace thixo {

struct RunSettings {
    int threads = 0;  ///< 0: all processors. The result is the same, bit by bit, for any number
    /// Called with a line of text when a frame was computed that should not be trusted: liquids that are
    /// compressed by more than 10 % in the mean, energy that rose by more than 10 % though nothing does work.
    std::function<void(const std::string& text)> warn = {};
    /// Applied when their steps come, in their order: `load_events` reads what the viewer wrote.
    std::vector<Event> events = {};
};

/// Accelerations (m/s²) that a program gives to particles: called once a step, before the forces, with zeros
/// to add to, one for each row of `columns`. Held particles do not feel them. If they follow from the columns
/// and the time (s) alone, the run is repeatable.
using Push = std::function<void(const Columns& columns, double time, std::span<Vec3f> acceleration)>;

/// Liquid that a program adds between steps.
struct AddedLiquid {
    std::string material;              ///< name of a material of the scene
    std::span<const Vec3d> positions;  ///< m
    Vec3d velocity = {};               ///< m/s
    double temperature = 20;           ///< °C
};

/// A scene in motion.
///
///     thixo::Run run(thixo::load_scene("pool.json"));
///     while (!run.done()) run.advance_frame();
///
/// Functions throw an InputError where the scene or a file is wrong, and a RunError where the run diverges or
/// a file cannot be written. Once a frame (1/frame_rate of simulated time), `advance_frame` and `step` check
/// compression and energy: a mean compression of liquids above 50 %, and energy from nowhere of more than
/// three times what there was, are RunErrors too. A run is used by one thread at a time; runs do not share
/// anything.
class THIXO_API Run {
public:
    /// Checks the scene (`check_scene`) and fills its objects with particles.
    explicit Run(const Scene& scene, const RunSettings& settings = {});

    /// Goes on where a checkpoint was saved, to the same bits as if it had never stopped. A push is no part
    /// of a checkpoint; the events that were applied must be the first of those in the settings.
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

    /// One step as long as is stable, but not beyond `end` (s). A loop `while (run.time() < end)
    /// run.step(end);` ends exactly there.
    void step(double end);

    /// What limited the last step, in words: "sound in `water`".
    std::string step_limit() const;

    /// Steps to the end of the next frame. `interrupted` is asked before each step: where it returns true the
    /// frame stays unfinished, false is returned, and the next call goes on with it.
    bool advance_frame(const std::function<bool()>& interrupted = {});

    /// From now on; an empty function ends it.
    void set_push(Push push);

    /// Velocities (m/s), to be changed between steps. Rows of rigid bodies and of prescribed motions get
    /// theirs from those, whatever is written here. Valid until the run goes on.
    std::span<Vec3f> velocities();

    /// Gives each row heat (J); a negative number takes it, but not below absolute zero. What melts or
    /// freezes by it does so in the next step.
    void add_heat(std::span<const double> joules);

    /// Adds particles of liquid, one spacing in size, and returns how many: those that would start in an
    /// obstacle or closer than 0.8 spacings to another particle are left out.
    std::size_t add_liquid(const AddedLiquid& liquid);

    /// Removes the rows that are marked by other than 0. Liquid alone can be removed.
    void remove_liquid(std::span<const std::uint8_t> rows);

    /// An action before the next step: grabs, heat, pushes and others. It becomes an event of the run. An
    /// InputError says why if it makes no sense.
    void apply(const Action& action);

    /// Those that were applied, then those that are still to come. `to_json` makes them lines for `thixo run
    /// --events`.
    std::vector<Event> events() const;

    /// Particle file, by its extension: .ply, .vtu or .bgeo.
    void write_particles(const std::filesystem::path& file) const;

    void save_checkpoint(const std::filesystem::path& file) const;

private:
    struct State;
    explicit Run(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace thixo
