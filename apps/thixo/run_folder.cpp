#include "run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "io/particle_files.h"
#include "sim/checkpoint.h"
#include "sim/statistics.h"

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

bool is_checkpoint(const std::string& name) {
    return name == "checkpoint" || name.starts_with("checkpoint.");
}

}  // namespace

bool RunFolder::holds_a_run() const {
    return fs::exists(scene_file()) || fs::exists(statistics_file()) || fs::exists(checkpoint()) ||
           fs::exists(path_ / "particles");
}

void RunFolder::clear() const {
    for (const char* name :
         {"scene.json", "stats.csv", "particles", "particles.pvd", "pictures", "log.txt"}) {
        fs::remove_all(path_ / name);
    }
    for (const auto& entry : fs::directory_iterator(path_)) {
        if (is_checkpoint(entry.path().filename().string())) fs::remove(entry.path());
    }
}

void RunFolder::begin(const Scene& scene, const std::string& resolved_scene, long last_frame) const {
    std::error_code error;
    fs::create_directories(scene.output.particles.empty() ? path_ : path_ / "particles", error);
    if (error)
        throw RunError(fmt::format("cannot create the folder {}: {}", path_.string(), error.message()));
    write_whole(scene_file(), resolved_scene);
    const std::string ledger = last_frame < 0 ? std::string() : rows_until(statistics_file(), last_frame);
    write_whole(statistics_file(), ledger.empty() ? statistics_header() : ledger);
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
        entries.push_back({static_cast<double>(f) / scene.frame_rate, frame_file(f, "vtu")});
    }
    write_pvd(path_ / "particles.pvd", entries);
}

void RunFolder::write_frame(const Scene& scene, const Simulation& simulation,
                            const std::string& resolved_scene, double wall_seconds) const {
    write_particles(scene, simulation);
    append(statistics_file(), statistics_row(gather_statistics(simulation), wall_seconds));
    save_checkpoint(checkpoint(), simulation, resolved_scene);

    const std::uint64_t frame = simulation.clock().frame;
    const int every = scene.output.checkpoint_every;
    if (every > 0 && frame % static_cast<std::uint64_t>(every) == 0) {
        const fs::path kept = path_ / fmt::format("checkpoint.{:04}", frame);
        std::error_code error;
        fs::remove(kept, error);
        fs::create_hard_link(checkpoint(), kept, error);
        if (error) save_checkpoint(kept, simulation, resolved_scene);  // a file system without links
    }
}

void RunFolder::log(const std::string& line) const { append(log_file(), line + "\n"); }

void RunFolder::append(const fs::path& file, const std::string& text) const {
    // One write for the whole row; what a full disk took only a part of is taken back.
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0)
        throw RunError(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
    const off_t before = ::lseek(descriptor, 0, SEEK_END);
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    const int reason = written < 0 ? errno : ENOSPC;
    const bool whole = written == static_cast<ssize_t>(text.size());
    if (!whole && ::ftruncate(descriptor, before) != 0) errno = 0;
    ::close(descriptor);
    if (!whole) throw RunError(fmt::format("cannot write {}: {}", file.string(), std::strerror(reason)));
}

}  // namespace thixo
