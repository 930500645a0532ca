// Loads a scene file, runs some frames of it, and writes the particles of each.
//
//   run_scene SCENE FOLDER [FRAMES] [KEY=VALUE...]
#include <thixo/thixo.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    if (argc < 3) return std::fprintf(stderr, "usage: run_scene SCENE FOLDER [FRAMES] [KEY=VALUE...]\n"), 2;
    const std::filesystem::path folder = argv[2];
    const unsigned long frames = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : ~0ul;
    const std::vector<std::string> overrides(argv + (argc > 4 ? 4 : argc), argv + argc);
    try {
        thixo::Run run(thixo::load_scene(argv[1], overrides));
        std::filesystem::create_directories(folder);
        while (!run.done() && run.frame() < frames) {
            run.advance_frame();
            run.write_particles(folder / (std::to_string(run.frame()) + ".ply"));
            const thixo::Statistics now = run.statistics();
            std::printf("frame %llu  t = %.4f s  %llu particles  kinetic energy %.4g J\n",
                        static_cast<unsigned long long>(run.frame()), now.time,
                        static_cast<unsigned long long>(now.particles), now.kinetic);
        }
        run.save_checkpoint(folder / "checkpoint");
    } catch (const std::exception& error) {
        // An InputError says what is wrong with the scene, a RunError what went wrong in the run.
        return std::fprintf(stderr, "error: %s\n", error.what()), 1;
    }
}
