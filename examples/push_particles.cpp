// A loop of one's own over the steps, and a function that pushes particles: a fan blows into the left half of
// a drop, which starts to fly and to turn.
#include <thixo/thixo.h>

#include <cmath>
#include <cstdio>
#include <exception>

int main() {
    using namespace thixo;
    Scene scene{.name = "drop and fan"};
    scene.model.gravity = {0, 0, 0};
    scene.model.particles.spacing = 0.05;
    scene.model.materials = {
        {.name = "honey", .density = 1400, .liquid = {.sound_speed = 15, .viscosity = 20}}};
    scene.model.objects = {{.name = "drop", .material = "honey", .shape = Sphere{{0, 0, 0}, 0.3}}};
    try {
        Run run(scene, {.threads = 1});
        const float blow = 4, until = 0.1f;  // m/s², s
        run.set_push([=](const Columns& columns, double time, std::span<Vec3f> acceleration) {
            if (time >= until) return;
            for (std::size_t i = 0; i < columns.size(); ++i)
                if (columns.position[i].x < 0) acceleration[i].y = blow;
        });

        const double end = 0.2;  // s
        double next = 0;
        while (run.time() < end) {
            run.step(end);
            if (run.time() < next) continue;
            next += 0.02;
            const Statistics now = run.statistics();
            std::printf("t = %.4f s, step %llu (%s): momentum %.3f kg m/s, spin %.3f kg m²/s\n", run.time(),
                        static_cast<unsigned long long>(run.steps()), run.step_limit().c_str(),
                        now.momentum.y, now.angular_momentum.z);
        }
        // Nothing but the fan acts from outside: half of the mass was pushed for 0.1 s.
        const Statistics now = run.statistics();
        const double expected = 0.5 * now.mass * blow * until;
        std::printf("momentum %.4f kg m/s, expected %.4f\n", now.momentum.y, expected);
        return std::abs(now.momentum.y - expected) < 0.05 * expected ? 0 : 1;
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "error: %s\n", error.what()), 1;
    }
}
