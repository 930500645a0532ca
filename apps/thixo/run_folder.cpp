#include "run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "io/particle_files.h"
#include "sim/checkpoint.h"
#include "sim/statistics.h"
#include "surface_frames.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

std::string frame_file(std::uint64_t frame, const char* extension) {
    return fmt::format("particles/{:04}.{}", frame, extension);
}

bool writes(const Scene& scene, ParticleFormat format) {
    const auto& formats = scene.output.particles;
    return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// The ledger's rows up to and including a frame. A row that was cut short ends the ledger.
std::string rows_until(const fs::path& file, long last_frame) {
    std::ifstream in(file, std::ios::binary);
    std::string kept, line;
    if (!std::getline(in, line) || line + "\n" != statistics_header()) return {};
    kept = line + "\n";
    while (std::getline(in, line) && !in.eof()) {
        long frame = -1;
        std::from_chars(line.data(), line.data() + line.size(), frame);
        if (frame < 0 || frame > last_frame) break;
        kept += line + "\n";
    }
    return kept;
}

/// Where it fails, errno says why; a short write alone does not.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Removes the files of a folder that are `ours` by name, half-written ones too. Folders stay: they may be
/// links to another disk.
void remove_files(const fs::path& folder, bool (*ours)(const fs::path& name)) {
    if (!fs::is_directory(folder)) return;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path name = entry.path().filename();
        if (entry.is_regular_file() && ours(name.extension() == ".part" ? name.stem() : name))
            files.push_back(entry.path());
    }
    for (const fs::path& file : files) {
        std::error_code error;
        fs::remove(file, error);
        if (error) throw RunError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
    }
}

}  // namespace

bool RunFolder::holds_a_run() const {
    return fs::exists(scene_file()) || fs::exists(statistics_file()) || fs::exists(checkpoint()) ||
           fs::exists(path_ / "particles");
}

bool RunFolder::lost_its_checkpoint() const {
    return !fs::exists(checkpoint()) && rows_until(statistics_file(), 0) !=
                                            rows_until(statistics_file(), std::numeric_limits<long>::max());
}

void RunFolder::clear() const {
    const auto is_picture = [](const fs::path& name) {
        return name == "movie.mp4" || name == "contact_sheet.png" ||
               (name.extension() == ".png" && is_number(name.stem().string()));
    };
    const auto is_particle_file = [](const fs::path& name) {
        const fs::path kind = name.extension();
        return (kind == ".ply" || kind == ".vtu" || kind == ".bgeo") && is_number(name.stem().string());
    };
    const auto is_of_the_run = [](const fs::path& name) {
        return name == "scene.json" || name == "stats.csv" || name == "bodies.csv" ||
               name == "particles.pvd" || name == "log.txt" || name == "checkpoint" ||
               (name.stem() == "checkpoint" && is_number(name.extension().string().substr(1)));
    };
    SurfaceFolder::clear(path_);
    remove_files(path_ / "pictures", is_picture);
    remove_files(path_ / "particles", is_particle_file);
    remove_files(path_, is_of_the_run);
}

void RunFolder::begin(const Scene& scene, const Simulation& simulation, const std::string& resolved_scene,
                      long last_frame) const {
    std::error_code error;
    fs::create_directories(scene.output.particles.empty() ? path_ : path_ / "particles", error);
    if (error)
        throw RunError(fmt::format("cannot create the folder {}: {}", path_.string(), error.message()));
    write_whole(scene_file(), resolved_scene);
    const std::string ledger = last_frame < 0 ? std::string() : rows_until(statistics_file(), last_frame);
    write_whole(statistics_file(), ledger.empty() ? statistics_header() : ledger);
    write_lineage(simulation);
}

void RunFolder::write_lineage(const Simulation& simulation) const {
    // Whole each time: checkpoints know all of it, so that rows of frames that are repeated cannot come twice.
    const Lineage& lineage = simulation.lineage();
    if (!lineage.empty()) write_whole(bodies_file(), lineage_table(lineage));
}

void RunFolder::write_particles(const Scene& scene, const Simulation& simulation) const {
    const std::uint64_t frame = simulation.clock().frame;
    const FrameInfo info{.frame = static_cast<int>(frame), .time = simulation.clock().time};
    const auto file = [&](const char* extension) { return path_ / frame_file(frame, extension); };
    if (writes(scene, ParticleFormat::ply)) write_ply(file("ply"), simulation.particles(), info);
    if (writes(scene, ParticleFormat::bgeo)) write_bgeo(file("bgeo"), simulation.particles(), info);
    if (!writes(scene, ParticleFormat::vtu)) return;
    write_vtu(file("vtu"), simulation.particles(), info);
    std::vector<PvdEntry> entries;
    for (std::uint64_t f = 0; f <= frame; ++f) {
        // A run that was resumed may have begun without this format.
        const std::string name = frame_file(f, "vtu");
        if (fs::exists(path_ / name)) entries.push_back({static_cast<double>(f) / scene.frame_rate, name});
    }
    write_pvd(path_ / "particles.pvd", entries);
}

void RunFolder::write_surfaces(const Scene& scene, const Simulation& simulation) const {
    if (!scene.output.surface) return;
    const Clock& clock = simulation.clock();
    const auto frame = static_cast<int>(clock.frame);
    // Rows of later frames are of a run that was killed, and come again.
    SurfaceFolder folder(path_, *scene.output.surface, frame - 1);
    folder.write(frame, clock.time,
                 surfaces_of(simulation.device(), frame_of(simulation.particles(), clock.time),
                             *scene.output.surface, surface_context(scene)));
}

void RunFolder::write_frame(const Scene& scene, const Simulation& simulation,
                            const std::string& resolved_scene, double wall_seconds) const {
    write_particles(scene, simulation);
    write_surfaces(scene, simulation);
    write_lineage(simulation);
    const std::string row = statistics_row(gather_statistics(simulation), wall_seconds);
    append(statistics_file(), row);

    const std::uint64_t frame = simulation.clock().frame;
    const int every = scene.output.checkpoint_every;
    try {
        if (every > 0 && frame % static_cast<std::uint64_t>(every) == 0)
            save_checkpoint(path_ / fmt::format("checkpoint.{:04}", frame), simulation, resolved_scene);
        save_checkpoint(checkpoint(), simulation, resolved_scene);
    } catch (...) {
        // The ledger ends where the checkpoint does: a resumed run begins with the row of this frame.
        std::error_code ignored;
        fs::resize_file(statistics_file(), fs::file_size(statistics_file()) - row.size(), ignored);
        throw;
    }
}

void RunFolder::log(const std::string& lines) const { append(log_file(), lines); }

void RunFolder::append(const fs::path& file, const std::string& text) const {
    // What a full disk took only a part of is taken back. The row must reach the disk before the checkpoint
    // that follows it, or a power cut leaves a gap in the ledger.
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
                               restored ? "" : "; its last line is cut short"));
}

}  // namespace thixo
