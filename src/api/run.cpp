#include "api/run.h"

#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "io/particle_formats.h"
#include "scene/fill.h"
#include "scene/scene_file.h"
#include "sim/checkpoint.h"
#include "sim/simulation.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"

namespace thixo {

struct Run::State {
    Scene scene;
    std::unique_ptr<Simulation> simulation;  ///< which cannot be moved
    Push push = {};
};

namespace {

Device device_of(const RunSettings& settings) {
    if (settings.threads < 0) throw InputError("threads: must not be below 0");
    Device device;
    if (settings.threads > 0) device.threads = settings.threads;
    return device;
}

Columns columns_of(const ParticleTable& p) {
    return {.id = p.id,
            .position = p.position,
            .velocity = p.velocity,
            .mass = p.mass,
            .radius = p.radius,
            .density = p.density,
            .pressure = p.pressure,
            .temperature = p.temperature,
            .phase = p.phase,
            .material = p.material,
            .object = p.object,
            .body = p.body};
}

}  // namespace

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

Run::Run(const Scene& scene, const RunSettings& settings) {
    const Device device = device_of(settings);
    Scene checked = check_scene(scene);
    auto simulation = std::make_unique<Simulation>(checked.model, fill(checked, device).particles, device);
    state_ = std::make_unique<State>(State{std::move(checked), std::move(simulation)});
}

Run Run::resume(const std::filesystem::path& checkpoint, const RunSettings& settings) {
    Checkpoint saved = load_checkpoint(checkpoint);
    Scene scene = parse_scene(saved.scene, checkpoint.string());
    for (const auto& [file, hash] : scene.files) {
        const auto known = saved.files.find(file);
        if (known == saved.files.end() || known->second != hash)
            throw InputError(checkpoint.string() + ": the contents of " + file + " have changed since");
    }
    auto simulation =
        std::make_unique<Simulation>(scene.model, std::move(saved.snapshot), device_of(settings));
    return Run(std::make_unique<State>(State{std::move(scene), std::move(simulation)}));
}

const Scene& Run::scene() const { return state_->scene; }
double Run::time() const { return state_->simulation->clock().time; }
std::uint64_t Run::steps() const { return state_->simulation->clock().step; }
std::uint64_t Run::frame() const { return state_->simulation->clock().frame; }
bool Run::done() const { return frame() >= static_cast<std::uint64_t>(frame_count(state_->scene)); }

Columns Run::columns() const { return columns_of(state_->simulation->particles()); }
Statistics Run::statistics() const { return gather_statistics(*state_->simulation); }
std::uint64_t Run::hash() const { return state_hash(*state_->simulation); }

void Run::step(double end) {
    if (!(end > time())) throw InputError("a step must end after it begins");
    state_->simulation->step(end);
}

std::string Run::step_limit() const { return state_->simulation->time_step_limit().name; }

void Run::advance_frame() {
    const double end = static_cast<double>(frame() + 1) / state_->scene.frame_rate;
    state_->simulation->advance_frame(end, [] { return false; });
}

void Run::set_push(Push push) {
    State& state = *state_;
    state.push = std::move(push);
    if (!state.push) return state.simulation->set_external_acceleration({});
    state.simulation->set_external_acceleration([&state](const Simulation& simulation, View<Vec3f> add) {
        state.push(columns_of(simulation.particles()), simulation.clock().time, {add.data(), add.size()});
    });
}

void Run::write_particles(const std::filesystem::path& file) const {
    const Clock& clock = state_->simulation->clock();
    const FrameInfo info{.frame = static_cast<int>(clock.frame), .time = clock.time};
    const ParticleTable& particles = state_->simulation->particles();
    const std::string kind = file.extension().string();
    std::string allowed;
    for (const ParticleFormatInfo& format : particle_formats) {
        const std::string extension = fmt::format(".{}", format.name);
        if (kind == extension) return format.write(file, particles, info);
        allowed += (allowed.empty() ? "" : ", ") + extension;
    }
    throw InputError(file.string() + ": unknown kind of particle file; allowed: " + allowed);
}

void Run::save_checkpoint(const std::filesystem::path& file) const {
    Scene scene = state_->scene;
    scene.provenance.reset();
    thixo::save_checkpoint(file, *state_->simulation, to_json(scene), scene.files);
}

}  // namespace thixo
