#include "run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "foam_folder.h"
#include "io/particle_formats.h"
#include "ledger.h"
#include "provenance.h"
#include "render_frames.h"
#include "scene/events_file.h"
#include "sim/checkpoint.h"
#include "sim/probes.h"
#include "surface_folder.h"
#include "surface_frames.h"
#include "table_notes.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

std::string frame_file(std::uint64_t frame, std::string_view extension) {
    return fmt::format("particles/{:04}.{}", frame, extension);
}

/// Sets errno on failure, also after a short write.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool is_series_file(std::string_view name) {
    return std::any_of(particle_formats.begin(), particle_formats.end(), [&](const auto& format) {
        return !format.series_file.empty() && format.series_file == name;
    });
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_particle_file(const fs::path& name) {
    return is_particle_extension(name.extension().string()) && is_number(name.stem().string());
}

bool is_picture(const fs::path& name) {
    return name == "movie.mp4" || name == "contact_sheet.png" ||
           (name.extension() == ".png" && is_number(name.stem().string()));
}

bool is_of_the_run(const fs::path& name) {
    return name == "scene.json" || name == "stats.csv" || name == "bodies.csv" || name == "probes.csv" ||
           name == "events.jsonl" || name == "log.txt" || name == "plot.svg" || name == "plot.png" ||
           is_series_file(name.string()) || name == "checkpoint" || is_table_notes(name) ||
           (name.stem() == "checkpoint" && is_number(name.extension().string().substr(1)));
}

enum class Files { all, half_written };

/// Removes files of a folder that are `ours` by name: all of them, half-written ones too, or those alone.
/// Folders stay: they may be links to another disk.
void remove_files(const fs::path& folder, bool (*ours)(const fs::path& name), Files which = Files::all) {
    if (!fs::is_directory(folder)) return;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path name = entry.path().filename();
        const bool half_written = name.extension() == ".part";
        if (which == Files::half_written && !half_written) continue;
        if (entry.is_regular_file() && ours(half_written ? name.stem() : name)) files.push_back(entry.path());
    }
    for (const fs::path& file : files) {
        std::error_code error;
        fs::remove(file, error);
        if (error) throw RunError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
    }
}

/// Where particles were at the start, from the files of the frames before this one.
RestPlaces rest_places_before(const fs::path& run, int frame) {
    RestPlaces rest;
    if (frame == 0) return rest;
    for (const FrameFile& file : particle_files(run)) {
        if (file.number >= frame) break;
        ParticleFrame earlier = read_particles(file.path);
        rest.follow(earlier);
    }
    return rest;
}

/// Skins that have followed the frames before this one.
std::unique_ptr<RunSkins> skins_before(const Device& device, const Scene& scene, const fs::path& run,
                                       int frame) {
    std::unique_ptr<RunSkins> skins;
    for (const FrameFile& file : particle_files(run)) {
        const ParticleFrame earlier = read_particles(file.path);
        if (!skins) skins = std::make_unique<RunSkins>(device, scene, earlier);
        if (file.number >= frame) break;
        skins->follow(device, earlier);
    }
    return skins;
}

}  // namespace

void remove_pictures(const fs::path& folder) { remove_files(folder, is_picture); }
void remove_half_written_pictures(const fs::path& folder) {
    remove_files(folder, is_picture, Files::half_written);
}

bool RunFolder::holds_a_run() const {
    return fs::exists(scene_file()) || fs::exists(statistics_file()) || fs::exists(checkpoint()) ||
           fs::exists(path_ / "particles");
}

bool RunFolder::lost_its_checkpoint() const {
    return !fs::exists(checkpoint()) &&
           read_ledger(statistics_file(), std::numeric_limits<long>::max()).last_frame > 0;
}

void RunFolder::lock() {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    if (status.type() == fs::file_type::not_found) return;
    // A path below a file is met again, with its reason, when the folder is made.
    if (error && error != std::errc::not_a_directory)
        throw InputError(fmt::format("{}: {}", path_.string(), error.message()));
    if (fs::exists(status) && !fs::is_directory(status))
        throw InputError(fmt::format("{} is a file; --out needs a folder", path_.string()));
    if (fs::is_directory(status) && !lock_) lock_.emplace(path_);
}

void RunFolder::clear() const {
    SurfaceFolder::clear(path_);
    FoamFolder::clear(path_);
    remove_pictures(path_ / "pictures");
    remove_files(path_ / "particles", is_particle_file);
    remove_files(path_, is_of_the_run);
}

void RunFolder::create(const fs::path& folder) {
    std::vector<fs::path> absent;
    for (fs::path at = folder; !at.empty() && !fs::exists(at); at = at.parent_path()) absent.push_back(at);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw RunError(fmt::format("cannot create the folder {}: {}", path_.string(), error.message()));
    created_.insert(created_.end(), absent.rbegin(), absent.rend());
}

std::string RunFolder::begin(const Scene& scene, const Simulation& simulation,
                             const std::string& resolved_scene, long last_frame) {
    const bool ours = lock_.has_value();
    create(path_);
    lock();
    if (!ours && holds_a_run())
        throw InputError(fmt::format("{} now holds a run of another process; choose another folder by --out",
                                     path_.string()));
    begun_ = true;
    if (!scene.output.particles.empty()) create(path_ / "particles");
    remove_files(path_, is_of_the_run, Files::half_written);
    remove_files(path_ / "particles", is_particle_file, Files::half_written);
    Ledger ledger;
    if (last_frame >= 0) ledger = read_ledger(statistics_file(), last_frame);
    for (long frame = ledger.last_frame + 1; frame <= last_frame; ++frame) ledger.missing.push_back(frame);
    write_whole(scene_file(), resolved_scene);
    write_whole(statistics_file(), ledger.text.empty() ? statistics_header() : ledger.text);
    write_table_notes(statistics_file(), statistics_header(), scene.name);
    if (!scene.model.probes.empty()) {
        const std::string header = probes_header(scene.model);
        const Ledger rows = last_frame >= 0 ? read_ledger(probes_file(), last_frame, header) : Ledger{};
        write_whole(probes_file(), rows.text.empty() ? header : rows.text);
        write_table_notes(probes_file(), header, scene.name);
    }
    write_lineage(scene, simulation);
    write_events(simulation);
    if (ledger.missing.empty()) return "";
    return fmt::format("warning: {} has no row for frame {}\n", statistics_file().string(),
                       frame_ranges(ledger.missing));
}

void RunFolder::undo_begin() {
    if (!begun_) return;
    try {
        clear();
    } catch (const RunError&) {
        return;  // what made the start fail is what counts
    }
    lock_.reset();
    std::error_code ignored;  // what is not empty stays
    for (auto folder = created_.rbegin(); folder != created_.rend(); ++folder) fs::remove(*folder, ignored);
}

void RunFolder::write_lineage(const Scene& scene, const Simulation& simulation) const {
    // Rewritten as a whole: checkpoints contain the complete lineage, so a repeated frame cannot duplicate
    // rows.
    const Lineage& lineage = simulation.lineage();
    if (lineage.empty()) return;
    const std::string table = lineage_table(lineage);
    if (!fs::exists(table_notes(bodies_file()))) write_table_notes(bodies_file(), table, scene.name);
    write_whole(bodies_file(), table);
}

void RunFolder::write_events(const Simulation& simulation) const {
    std::string lines;
    for (const Event& event : simulation.events().all()) lines += to_json(event) + '\n';
    if (!lines.empty()) write_whole(events_file(), lines);
}

void RunFolder::write_particles(const Scene& scene, const Simulation& simulation) const {
    const std::uint64_t frame = simulation.clock().frame;
    const FrameInfo info{.frame = static_cast<int>(frame),
                         .time = simulation.clock().time,
                         .program = program_name(),
                         .scene = scene.name};
    for (const ParticleFormat chosen : scene.output.particles) {
        const ParticleFormatInfo& format = thixo::info(chosen);
        format.write(path_ / frame_file(frame, format.name), simulation.particles(), info);
        if (!format.write_series) continue;
        std::vector<SeriesEntry> entries;
        for (std::uint64_t f = 0; f <= frame; ++f) {
            // A run that was resumed may have begun without this format.
            const std::string name = frame_file(f, format.name);
            if (fs::exists(path_ / name))
                entries.push_back({static_cast<double>(f) / scene.frame_rate, name});
        }
        format.write_series(path_ / format.series_file, entries);
    }
}

void RunFolder::write_surfaces(const Scene& scene, const Simulation& simulation) {
    if (!scene.output.surface) return;
    const Clock& clock = simulation.clock();
    const auto frame = static_cast<int>(clock.frame);
    // Rows of later frames are of a run that was killed, and come again.
    SurfaceFolder folder(path_, *scene.output.surface, frame - 1);
    ParticleFrame particles = frame_of(simulation.particles(), clock.time);
    if (scene.output.surface->rest) {
        if (!rest_) rest_ = rest_places_before(path_, frame);
        rest_->follow(particles);
    }
    SurfaceContext context = surface_context(scene);
    context.parents = parents_of_bodies(lineage_table(simulation.lineage()));
    // From the file even at the start, so that `thixo surface` makes the same bits of it.
    if (!skins_ && scene.output.surface->skins && has_skins(scene))
        skins_ = skins_before(simulation.device(), scene, path_, frame);
    folder.write(frame, frame - 1, clock.time,
                 surfaces_of(simulation.device(), particles, *scene.output.surface, context,
                             folder.state_of(frame - 1), skins_.get()));
}

void RunFolder::write_frame(const Scene& scene, const Simulation& simulation,
                            const std::string& resolved_scene, const Statistics& statistics,
                            double wall_seconds) {
    write_particles(scene, simulation);
    write_surfaces(scene, simulation);
    write_lineage(scene, simulation);
    const std::string measured = scene.model.probes.empty() ? "" : probes_row(simulation);
    if (!measured.empty()) append(probes_file(), measured);
    const std::string row = statistics_row(statistics, wall_seconds);
    append(statistics_file(), row);

    const std::uint64_t frame = simulation.clock().frame;
    const int every = scene.output.checkpoint_every;
    try {
        if (every > 0 && frame % static_cast<std::uint64_t>(every) == 0)
            save_checkpoint(path_ / fmt::format("checkpoint.{:04}", frame), simulation, resolved_scene,
                            scene.files);
        save_checkpoint(checkpoint(), simulation, resolved_scene, scene.files);
    } catch (...) {
        // The statistics end at the checkpoint: a resumed run starts with the row of this frame.
        std::error_code ignored;
        fs::resize_file(statistics_file(), fs::file_size(statistics_file()) - row.size(), ignored);
        if (!measured.empty())
            fs::resize_file(probes_file(), fs::file_size(probes_file()) - measured.size(), ignored);
        throw;
    }
}

void RunFolder::log(const std::string& lines) const { append(log_file(), lines); }

void RunFolder::append(const fs::path& file, const std::string& text) const {
    // A row that a full disk cut short is removed again. The row is flushed to disk before the checkpoint
    // that follows it; otherwise a power failure leaves a gap in the statistics.
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0)
        throw RunError(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
    const off_t before = ::lseek(descriptor, 0, SEEK_END);
    const bool whole = write_all(descriptor, text) && ::fsync(descriptor) == 0;
    const int reason = errno;
    const bool restored = whole || ::ftruncate(descriptor, before) == 0;
    ::close(descriptor);
    if (whole) return;
    throw RunError(fmt::format("cannot write {}: {}{}", file.string(), std::strerror(reason),
                               restored ? "" : "; its last line is incomplete"));
}

}  // namespace thixo
