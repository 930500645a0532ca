// Puts a scene together without any file, runs it, and reads the columns: how high the water stands at each
// wall of a tank in which a block of it has collapsed.
#include <thixo/thixo.h>

#include <algorithm>
#include <cstdio>
#include <exception>

int main() {
    using namespace thixo;
    // What is left out has the default that stands beside it in the header, SI units and °C.
    const Scene scene{
        .name = "dam break",
        .duration = 0.6,
        .frame_rate = 30,
        .model = {.dimensions = 2,
                  .particles = {.spacing = 0.025},
                  .solver = {{.pressure = PressureMethod::tait}, {}},
                  .materials = {{.name = "water",
                                 .density = 1000,
                                 .liquid = {.sound_speed = 40, .viscosity = 0.5}}},
                  .objects = {{.name = "dam", .material = "water", .shape = Box{{0, 0, 0}, {0.5, 1, 0}}}},
                  .obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {1.5, 2, 0}}, .inside = true}}}};
    try {
        Run run(scene);
        for (; !run.done(); run.advance_frame()) {
            const Columns columns = run.columns();
            float left = 0, right = 0;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const Vec3f x = columns.position[i];
                if (x.x < 0.1f) left = std::max(left, x.y);
                if (x.x > 1.4f) right = std::max(right, x.y);
            }
            std::printf("t = %.3f s  water up to %.3f m on the left, %.3f m on the right\n", run.time(), left,
                        right);
        }
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "error: %s\n", error.what()), 1;
    }
}
