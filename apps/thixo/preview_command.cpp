#include "preview_command.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include <fmt/core.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/particle_files.h"
#include "render_command.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "sim/populate.h"
#include "text.h"
#include "threads.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

/// The folder of a run with nothing but its first frame, for the time of the preview.
class TemporaryRun {
public:
    TemporaryRun() {
        std::string name = (fs::temp_directory_path() / "thixo_preview_XXXXXX").string();
        if (!::mkdtemp(name.data()))
            throw RunError(fmt::format("cannot create a folder in {}", fs::temp_directory_path().string()));
        path_ = name;
        fs::create_directories(path_ / "particles");
    }
    TemporaryRun(const TemporaryRun&) = delete;
    TemporaryRun& operator=(const TemporaryRun&) = delete;
    ~TemporaryRun() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

}  // namespace

int preview_command(const PreviewOptions& options) {
    const Scene scene = load_scene(options.scene, options.overrides);
    const Device device = started_device(options.threads);
    // Without `settle`, which moves particles by a fraction of their spacing and takes longest.
    const ParticleTable particles = populate(scene.model, scene.model.objects, nullptr, device, Start::rest);
    if (particles.size() == 0)
        throw InputError(
            fmt::format("{} starts without particles: its emitters fill it; run some frames and render them",
                        options.scene.string()));
    const TemporaryRun folder;
    write_ply(folder.path() / "particles" / "0000.ply", particles);
    write_whole(folder.path() / "scene.json", to_json(scene));
    RenderOptions render;
    render.folder = folder.path();
    render.command = options.command;
    render.colour_by = options.colour_by.empty() ? "object" : options.colour_by;
    render.eye = options.eye;
    render.target = options.target;
    render.width = options.width;
    render.height = options.height;
    render.threads = options.threads;
    render.contact_sheet = false;
    render.quiet = true;
    render_command(render);
    const fs::path out = options.out.empty() ? fs::path(scene.name + "_preview.png") : options.out;
    write_whole(out, read_whole(folder.path() / "pictures" / "0000.png"));
    fmt::print("{}: {} in {}\n", out.string(), counted(particles.size(), "particle"),
               counted(scene.model.objects.size(), "object"));
    return 0;
}

}  // namespace thixo
