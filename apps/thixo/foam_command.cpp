#include "foam_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "core/error.h"
#include "foam/diffuse.h"
#include "foam_folder.h"
#include "folder_lock.h"
#include "geometry/mesh_sequence.h"
#include "interrupt.h"
#include "io/particle_file.h"
#include "io/particle_formats.h"
#include "option_limits.h"
#include "progress.h"
#include "provenance.h"
#include "render_frames.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "text.h"
#include "threads.h"

namespace thixo {

namespace {

std::vector<ParticleFormat> foam_formats(const FoamOptions& options) {
    if (options.formats.empty()) return {ParticleFormat::ply};
    std::vector<ParticleFormat> formats;
    std::vector<std::string_view> known;
    for (const ParticleFormatInfo& format : particle_formats) known.push_back(format.name);
    for (const std::string& name : options.formats) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            throw InputError(
                fmt::format("--format: {} is unknown{}", thixo::quoted(name), suggestion(name, known)));
        formats.push_back(particle_formats[static_cast<std::size_t>(found - known.begin())].format);
    }
    return formats;
}

struct TimedLiquid {
    LiquidFrame liquid;
    double time = 0;  ///< s
};

/// The liquid particles of a file, by id.
TimedLiquid read_liquid(const FrameFile& frame, double frame_rate) {
    const ParticleFile file = read_particle_file(frame.path);
    const auto column = [&](const char* name) {
        const StoredColumn* found = file.find(name);
        if (!found) throw InputError(fmt::format("{}: has no property {}", frame.path.string(), name));
        std::vector<double> values;
        found->for_each(file.count, [&](auto value) { values.push_back(static_cast<double>(value)); });
        return values;
    };
    const auto x = column("x"), y = column("y"), z = column("z"), vx = column("vx"), vy = column("vy"),
               vz = column("vz"), radius = column("radius"), id = column("id"), phase = column("phase");
    TimedLiquid out;
    for (std::size_t i = 0; i < file.count; ++i) {
        if (phase[i] != 0) continue;
        const Vec3d at{x[i], y[i], z[i]}, v{vx[i], vy[i], vz[i]};
        if (!is_finite(to_float(at)) || !is_finite(to_float(v)) || !(radius[i] > 0) || !(id[i] >= 0) ||
            !(id[i] <= 4294967295.0))
            throw InputError(fmt::format("{}: particle {} is not finite", frame.path.string(), i));
        out.liquid.id.push_back(static_cast<std::uint32_t>(id[i]));
        out.liquid.position.push_back(to_float(at));
        out.liquid.velocity.push_back(to_float(v));
        out.liquid.radius.push_back(static_cast<float>(radius[i]));
    }
    out.time = file.time != 0 ? file.time : frame.number / frame_rate;
    return out;
}

/// √(g h) with the height h of the liquid in the first frame that has any: the speed of a fall over half of
/// it, and of waves.
double reference_speed(const std::vector<FrameFile>& files, const Scene& scene) {
    const double g = norm(scene.model.gravity);
    if (!(g > 0)) return 1;
    for (const FrameFile& file : files) {
        const LiquidFrame liquid = read_liquid(file, scene.frame_rate).liquid;
        if (liquid.id.empty()) continue;
        double low = 1e30, high = -1e30;
        for (std::size_t i = 0; i < liquid.id.size(); ++i) {
            const double up = -dot(to_double(liquid.position[i]), scene.model.gravity) / g;
            low = std::min(low, up - liquid.radius[i]);
            high = std::max(high, up + liquid.radius[i]);
        }
        return std::sqrt(g * (high - low));
    }
    throw InputError("the run has no liquid: there is nothing that foams");
}

std::string foam_settings_text(const FoamSettings& s, const FoamOptions& options) {
    const Provenance by = provenance_now(options.command);
    std::string formats;
    for (const ParticleFormat format : foam_formats(options))
        formats += fmt::format("{}\"{}\"", formats.empty() ? "" : ", ", info(format).name);
    return fmt::format(
        "{{ \"program\": \"{}\", \"commit\": \"{}\", \"trapped_air\": {}, \"wave_crests\": {}, \"speed\": "
        "{}, "
        "\"rise_speed\": {}, \"life\": [{}, {}], \"size\": {}, \"most\": {}, \"formats\": [{}] }}\n",
        by.program, by.commit, s.trapped_air, s.wave_crests, s.speed, s.rise_speed, s.shortest_life,
        s.longest_life, s.size, s.most, formats);
}

FoamScene foam_scene(const Scene& scene) {
    return {.gravity = scene.model.gravity,
            .dimensions = scene.model.dimensions,
            .seed = scene.model.seed,
            .obstacles = [&scene](double time) {
                std::vector<FoamObstacle> list;
                for (const Obstacle& o : scene.model.obstacles)
                    list.push_back({shape_at(o.shape, o.animation, time), o.inside, o.motion.at(time)});
                return list;
            }};
}

std::string foam_line(const DiffuseParticles& p) {
    const auto number = [&](DiffuseKind kind) {
        return static_cast<std::uint64_t>(std::count(p.kind.begin(), p.kind.end(), kind));
    };
    return fmt::format("{} of spray, {} of foam, {}", counted(number(DiffuseKind::spray), "particle"),
                       number(DiffuseKind::foam), counted(number(DiffuseKind::bubble), "bubble"));
}

}  // namespace

int foam_command(const FoamOptions& options) {
    const std::vector<FrameFile> files = particle_files(options.folder);
    const Scene scene = load_scene(options.folder / "scene.json");
    FoamSettings settings = options.settings;
    if (settings.longest_life < settings.shortest_life)
        throw InputError("--life: the shortest is longer than the longest");
    settings.speed = options.speed > 0 ? options.speed : reference_speed(files, scene);
    const std::vector<ParticleFormat> formats = foam_formats(options);
    const Device device = started_device(options.threads);
    catch_interrupts();
    create_folder(options.folder / "foam");
    const FolderLock lock(options.folder / "foam");
    if (options.again) FoamFolder::clear(options.folder);
    FoamFolder folder(options.folder, foam_settings_text(settings, options), formats);

    Foam foam(settings, foam_scene(scene));
    std::size_t next = 0;
    if (auto state = folder.newest(files.back().number)) {
        while (next < files.size() && files[next].number <= state->frame) ++next;
        foam.resume(std::move(state->particles), state->made);
        if (!options.quiet) fmt::print("goes on after frame {}; --again begins anew\n", state->frame);
    }
    Progress progress("frame", static_cast<int>(files.size()), options.quiet);
    TimedLiquid last;
    if (next > 0) last = read_liquid(files[next - 1], scene.frame_rate);
    bool full = false;
    for (; next < files.size(); ++next) {
        TimedLiquid now = read_liquid(files[next], scene.frame_rate);
        if (next > 0 && now.time > last.time)
            foam.advance(device, last.liquid, now.liquid, files[next - 1].number, last.time,
                         now.time - last.time);
        full |= foam.is_full();
        folder.write(files[next].number, now.time, foam);
        last = std::move(now);
        progress.show(static_cast<double>(next + 1), foam_line(foam.particles()));
        if (const int code = progress.exit_code_if_interrupted()) return code;
    }
    progress.end_line();
    if (full)
        fmt::print(stderr, "warning: there were {} at times, and no more were made; --most allows more\n",
                   counted(settings.most, "diffuse particle"));
    return 0;
}

CLI::App* add_foam_command(CLI::App& app, FoamOptions& options) {
    CLI::App* command =
        app.add_subcommand("foam", "add spray, foam and bubbles to the saved particles of a run");
    FoamSettings& s = options.settings;
    command->add_option("folder", options.folder, "output folder of a run")->required()->type_name("DIR");
    command
        ->add_option("--air", s.trapped_air,
                     "particles a second that a liquid particle makes where air is trapped, at most")
        ->check(within(0.0, 1e6))
        ->capture_default_str();
    command->add_option("--crests", s.wave_crests, "the same for crests of waves")
        ->check(within(0.0, 1e6))
        ->capture_default_str();
    command
        ->add_option("--speed", options.speed,
                     "speed in m/s from which on a flow foams much; a smaller one makes more foam (default: "
                     "√(g h) with "
                     "the height h of the liquid at the start)")
        ->check(above_zero("m/s"))
        ->type_name("M/S");
    command->add_option("--rise", s.rise_speed, "speed in m/s at which bubbles rise")
        ->check(within(0.0, 1e3))
        ->capture_default_str();
    command
        ->add_option_function<std::vector<double>>(
            "--life",
            [&s](const std::vector<double>& life) {
                s.shortest_life = life[0];
                s.longest_life = life[1];
            },
            "how long foam lasts in s: shortest and longest; what was made by a stronger flow lasts longer "
            "(default: 2 5)")
        ->expected(2)
        ->check(within(1e-6, 1e6))
        ->type_name("S S");
    command->add_option("--size", s.size, "radius of a diffuse particle, in radii of the liquid's particles")
        ->check(within(1e-3, 1.0))
        ->capture_default_str();
    command->add_option("--most", s.most, "no more diffuse particles than this at a time")
        ->check(CLI::Range(1u, 1'000'000'000u))
        ->capture_default_str();
    command->add_option("--format", options.formats, "ply (default), vtu or bgeo; several with commas")
        ->delimiter(',');
    command->add_option("--threads", options.threads, "number of threads; default: all cores")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command->add_flag("--again", options.again, "begin anew, not after the last frame that is finished");
    command->add_flag("--quiet", options.quiet, "print errors and warnings only");
    return command;
}

}  // namespace thixo
