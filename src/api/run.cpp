#include "api/run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "heat/absolute_zero.h"
#include "io/particle_formats.h"
#include "scene/fill.h"
#include "scene/scene_file.h"
#include "sim/checkpoint.h"
#include "sim/compression_guard.h"
#include "sim/energy_guard.h"
#include "sim/simulation.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "version.h"

namespace thixo {

struct Run::State {
    Scene scene;
    std::unique_ptr<Simulation> simulation;  ///< which cannot be moved
    std::function<void(const std::string&)> warn;
    Push push = {};
    bool pushed = false;        ///< since the last check
    std::uint64_t checked = 0;  ///< frames that had passed at the last check
    CompressionGuard compression = {};
    EnergyGuard energy;

    State(Scene of, std::unique_ptr<Simulation> moving, const RunSettings& settings)
        : scene(std::move(of)),
          simulation(std::move(moving)),
          warn(settings.warn),
          checked(frames_passed()),
          energy(scene.model) {
        const Statistics statistics = gather_statistics(*simulation);
        report(compression.check(*simulation, statistics));
        energy.watch(*simulation, statistics);
    }

    /// Frames that have passed by the time alone, whether it was reached by frames or by single steps.
    std::uint64_t frames_passed() const {
        // A frame's end is rounded: a billionth of a frame is more than that, and less than any step.
        return static_cast<std::uint64_t>(std::floor(simulation->clock().time * scene.frame_rate + 1e-9));
    }

    /// Once a frame: throws or warns where the state should not be trusted.
    void check_frame() {
        if (frames_passed() <= checked) return;
        checked = frames_passed();
        const Statistics statistics = gather_statistics(*simulation);
        report(compression.check(*simulation, statistics));
        // A push does work, and how much is not known.
        if (pushed) energy.restart();
        pushed = static_cast<bool>(push);
        const bool known = !energy.remark().empty();
        energy.watch(*simulation, statistics);
        if (!known) report(energy.remark());
    }

    void report(const std::string& text) const {
        if (warn && !text.empty()) warn(text);
    }
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
    auto simulation = start(checked.model, fill(checked, device), device, settings.events);
    state_ = std::make_unique<State>(std::move(checked), std::move(simulation), settings);
}

Run Run::resume(const std::filesystem::path& checkpoint, const RunSettings& settings) {
    Checkpoint saved = load_checkpoint(checkpoint);
    Scene scene = parse_scene(saved.scene, checkpoint.string());
    for (const auto& [file, hash] : scene.files) {
        const auto known = saved.files.find(file);
        if (known == saved.files.end() || known->second != hash)
            throw InputError(checkpoint.string() + ": the contents of " + file + " have changed since");
    }
    auto simulation = std::make_unique<Simulation>(scene.model, std::move(saved.snapshot),
                                                   device_of(settings), settings.events);
    return Run(std::make_unique<State>(std::move(scene), std::move(simulation), settings));
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
    state_->simulation->begin_frame();
    state_->simulation->step(end);
    state_->check_frame();
}

std::string Run::step_limit() const { return state_->simulation->time_step_limit().name; }

bool Run::advance_frame(const std::function<bool()>& interrupted) {
    const double end = static_cast<double>(frame() + 1) / state_->scene.frame_rate;
    const bool finished =
        state_->simulation->advance_frame(end, [&] { return interrupted && interrupted(); });
    if (finished) state_->check_frame();
    return finished;
}

void Run::set_push(Push push) {
    State& state = *state_;
    state.push = std::move(push);
    state.pushed |= static_cast<bool>(state.push);
    if (!state.push) return state.simulation->set_external_acceleration({});
    state.simulation->set_external_acceleration([&state](const Simulation& simulation, View<Vec3f> add) {
        state.push(columns_of(simulation.particles()), simulation.clock().time, {add.data(), add.size()});
    });
}

std::span<Vec3f> Run::velocities() {
    state_->pushed = true;
    const View<Vec3f> v = state_->simulation->velocities();
    return {v.data(), v.size()};
}

void Run::add_heat(std::span<const double> joules) {
    if (joules.size() != columns().size())
        throw InputError(fmt::format("heat for {} rows, but there are {}", joules.size(), columns().size()));
    for (const double heat : joules)
        if (!std::isfinite(heat)) throw InputError("heat must be a finite number");
    state_->pushed = true;
    state_->simulation->add_heat({joules.data(), static_cast<Index>(joules.size())});
}

std::size_t Run::add_liquid(const AddedLiquid& liquid) {
    const Model& model = state_->scene.model;
    const bool known = std::any_of(model.materials.begin(), model.materials.end(),
                                   [&](const Material& m) { return m.name == liquid.material; });
    if (!known) throw InputError(fmt::format("there is no material \"{}\"", liquid.material));
    for (const Vec3d& x : liquid.positions)
        if (!is_finite(to_float(x))) throw InputError("positions must be finite numbers");
    if (!is_finite(to_float(liquid.velocity)) || !(liquid.temperature >= absolute_zero))
        throw InputError("velocity must be finite, and the temperature not below -273.15");
    // Particles belong to an object: the first of the material.
    std::uint16_t object = 0;
    while (object < model.objects.size() && model.objects[object].material != liquid.material) ++object;
    if (object == model.objects.size()) object = 0;
    state_->pushed = true;
    return state_->simulation->add_liquid(
        liquid_kind(model, liquid.material, liquid.temperature, liquid.velocity, object),
        {liquid.positions.begin(), liquid.positions.end()});
}

void Run::remove_liquid(std::span<const std::uint8_t> rows) {
    const Columns now = columns();
    if (rows.size() != now.size())
        throw InputError(fmt::format("marks for {} rows, but there are {}", rows.size(), now.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] && now.phase[i] != Phase::liquid) throw InputError("only liquid can be removed");
    state_->pushed = true;
    state_->simulation->remove_liquid({rows.data(), static_cast<Index>(rows.size())});
}

void Run::apply(const Action& action) { state_->simulation->apply(action); }

std::vector<Event> Run::events() const { return state_->simulation->events().all(); }

void Run::write_particles(const std::filesystem::path& file) const {
    const Clock& clock = state_->simulation->clock();
    const std::string program = build_info().name();
    const FrameInfo info{.frame = static_cast<int>(clock.frame),
                         .time = clock.time,
                         .program = program,
                         .scene = state_->scene.name};
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
