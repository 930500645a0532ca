// Time of elastic forces:
//
//     bench_elastic [--threads N] [--csv FILE] [MODEL…]
//
// First [BIT09, fig. 2]: milliseconds for the elastic forces of 1, 2, 4 … 64 cuboids of 1,000 particles
// (spacing 0.1, support 0.2, linear strain) for each model; `bench/plot_elastic.py FILE` draws them. Then one
// cube of 1,000, 20,000 and 100,000 particles with the support that gives it about 30 neighbours. Each figure
// is the median over many calls; between them bodies turn and deform a little, as they do from step to step.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/wait_policy.h"
#include "elastic/elastic_bodies.h"
#include "sph/calibration.h"

using namespace thixo;

namespace {

using SteadyClock = std::chrono::steady_clock;

struct ModelName {
    const char* name;
    SolidModel model;
};

constexpr ModelName every_model[] = {{"green", SolidModel::green},
                                     {"mls", SolidModel::mls},
                                     {"corotated", SolidModel::corotated},
                                     {"corrected", SolidModel::corrected}};

struct Bodies {
    ParticleTable particles;
    ElasticBodies elastic;
    std::vector<Vec3f> rest;
};

/// Separate cuboids side by side: `side` particles along each edge.
Bodies cuboids(int count, int side, double support, SolidModel model, const Device& device) {
    constexpr double spacing = 0.1;
    std::vector<Material> materials{{.name = "jelly"}};
    materials[0].solid.model = model;
    Bodies out{{}, ElasticBodies(materials, {}, KernelName::cubic_spline, support, 3, spacing), {}};
    ParticleTable& particles = out.particles;
    particles.resize(static_cast<Index>(count * side * side * side));
    const double volume = rest_volume(KernelName::cubic_spline, support, 3, Lattice::cubic, spacing);
    Index i = 0;
    for (int body = 0; body < count; ++body) {
        const Vec3d corner{body % 4 * (side + 5) * spacing, body / 4 % 4 * (side + 5) * spacing,
                           body / 16 * (side + 5) * spacing};
        for (int k = 0; k < side * side * side; ++k, ++i) {
            particles.position[i] = to_float(
                corner + spacing * Vec3d{double(k % side), double(k / side % side), double(k / side / side)});
            particles.id[i] = i;
            particles.mass[i] = static_cast<float>(1000 * volume);
            particles.radius[i] = static_cast<float>(spacing / 2);
            particles.phase[i] = Phase::elastic;
            particles.object[i] = static_cast<std::uint16_t>(body);
        }
    }
    const std::vector<float> supports(particles.size(), static_cast<float>(support));
    NeighbourSearch search;
    particles.permute(device, search.sort(device, particles.position, supports));
    search.build(device, particles.position, supports);
    out.elastic.create(device, particles, search.view());
    out.rest = particles.position;
    return out;
}

/// Turned by an angle about z and sheared by 5 % of it.
void deform(Bodies& bodies, const Device& device, double angle) {
    const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
    launch(device, bodies.particles.size(),
           [=, rest = View<const Vec3f>(bodies.rest), x = View(bodies.particles.position)](Index i) {
               const Vec3f p = rest[i] + Vec3f{0.05f * s * rest[i].y, 0, 0};
               x[i] = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
           });
}

/// Seconds for the forces of all bodies.
double measure(Bodies& bodies, const Device& device) {
    std::vector<Vec3f> acceleration(bodies.particles.size());
    std::vector<double> seconds;
    const auto begin = SteadyClock::now();
    for (int k = 0; k < 200; ++k) {
        deform(bodies, device, 0.002 * k);
        const auto start = SteadyClock::now();
        bodies.elastic.add_forces(device, bodies.particles, acceleration);
        const auto end = SteadyClock::now();
        seconds.push_back(std::chrono::duration<double>(end - start).count());
        if (k > 20 && std::chrono::duration<double>(end - begin).count() > 2) break;
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    return seconds[seconds.size() / 2];
}

double mean_links(const Bodies& bodies) {
    double sum = 0;
    const Reference reference = bodies.elastic.reference();
    for (Index s = 0; s < reference.size(); ++s) sum += reference.count(s);
    return sum / reference.size();
}

}  // namespace

int main(int argc, char** argv) {
    limit_spinning(argv);
    Device device;
    std::string csv;
    std::vector<ModelName> models;
    for (int k = 1; k < argc; ++k) {
        if (std::strcmp(argv[k], "--threads") == 0 && k + 1 < argc) {
            device.threads = std::max(1, std::atoi(argv[++k]));
        } else if (std::strcmp(argv[k], "--csv") == 0 && k + 1 < argc) {
            csv = argv[++k];
        } else {
            const auto* found =
                std::find_if(std::begin(every_model), std::end(every_model),
                             [&](const ModelName& m) { return std::strcmp(m.name, argv[k]) == 0; });
            if (found == std::end(every_model)) {
                fmt::print(
                    stderr,
                    "usage: bench_elastic [--threads N] [--csv FILE] [green|mls|corotated|corrected …]\n");
                return 2;
            }
            models.push_back(*found);
        }
    }
    if (models.empty()) models.assign(std::begin(every_model), std::end(every_model));
    std::ofstream file;
    if (!csv.empty()) file.open(csv);
    const auto row = [&](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    };

    std::string head = fmt::format("{:>10}", "cuboids"), columns = "cuboids,particles";
    for (const ModelName& m : models) {
        head += fmt::format("{:>12}", m.name);
        columns += fmt::format(",{}", m.name);
    }
    row(fmt::format("elastic forces, ms, {} threads, cuboids of 1,000 particles\n{}", device.threads, head));
    file << columns << "\n";
    for (int count = 1; count <= 64; count *= 2) {
        std::string line = fmt::format("{:>10}", count), values = fmt::format("{},{}", count, 1000 * count);
        for (const ModelName& m : models) {
            Bodies bodies = cuboids(count, 10, 0.2, m.model, device);
            const double ms = 1e3 * measure(bodies, device);
            line += fmt::format("{:>12.3f}", ms);
            values += fmt::format(",{:.4f}", ms);
        }
        row(line);
        file << values << "\n";
    }

    row(fmt::format("\none cube, ms\n{:>10}{:>12}{}", "particles", "neighbours", head.substr(10)));
    for (const int side : {10, 27, 46}) {
        std::string line;
        for (const ModelName& m : models) {
            Bodies bodies = cuboids(1, side, 0.205, m.model, device);
            if (line.empty())
                line = fmt::format("{:>10}{:>12.1f}", bodies.particles.size(), mean_links(bodies));
            line += fmt::format("{:>12.3f}", 1e3 * measure(bodies, device));
        }
        row(line);
    }
}
