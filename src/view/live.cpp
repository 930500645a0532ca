#include "view/live.h"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "scene/events_file.h"
#include "view/particle_reader.h"

namespace thixo {

namespace {

using Json = nlohmann::json;

Json numbers(const Vec3f& v) { return {v.x, v.y, v.z}; }

std::string_view what_happened(BodyEvent event) {
    switch (event) {
        case BodyEvent::started:
            return "was there at the start";
        case BodyEvent::froze:
            return "froze";
        case BodyEvent::came_off:
            return "came off";
        case BodyEvent::merged:
            return "took in";
        case BodyEvent::melted:
            return "melted";
    }
    return "";
}

/// The history of a body and of those it came from, the newest first.
Json history(const Lineage& lineage, std::uint32_t body) {
    constexpr std::size_t most = 12;
    Json out = Json::array();
    for (auto change = lineage.rbegin(); change != lineage.rend() && body > 0 && out.size() < most;
         ++change) {
        if (change->body != body) continue;
        out.push_back({{"time", change->time},
                       {"body", change->body},
                       {"what", what_happened(change->event)},
                       {"parent", change->parent},
                       {"particles", change->particles}});
        if (change->event == BodyEvent::came_off) body = change->parent;
    }
    return out;
}

}  // namespace

std::filesystem::path unused_name(const std::filesystem::path& path) {
    std::filesystem::path out = path;
    for (int k = 2; std::filesystem::exists(out); ++k)
        out = path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), k, path.extension().string());
    return out;
}

LiveSimulation::LiveSimulation(Scene scene, ParticleTable particles, Device device,
                               std::filesystem::path events)
    : scene_(std::move(scene)), start_(std::move(particles)), device_(device), events_(std::move(events)) {
    begin();
}

void LiveSimulation::begin() {
    simulation_ = std::make_unique<Simulation>(scene_.model, start_, device_);
    energy_ = std::make_unique<EnergyGuard>(scene_.model);
    ledger_ = {gather_statistics(*simulation_)};
    energy_->watch(*simulation_, ledger_.back());
    file_.clear();
    ++version_;
}

void LiveSimulation::restart() { begin(); }

long LiveSimulation::last_frame() const { return frame_count(scene_); }

bool LiveSimulation::advance() {
    const auto frame = static_cast<double>(simulation_->clock().frame);
    int steps = 0;
    // One step: the frame goes on at the next call, as that of a run that was interrupted.
    const bool finished =
        simulation_->advance_frame((frame + 1) / scene_.frame_rate, [&] { return steps++ > 0; });
    ++version_;
    if (!finished) return true;
    ledger_.push_back(gather_statistics(*simulation_));
    energy_->watch(*simulation_, ledger_.back());
    return static_cast<long>(simulation_->clock().frame) != last_frame();
}

void LiveSimulation::act(const Action& action) {
    const std::uint64_t step = simulation_->clock().step;
    simulation_->apply(action);
    ++version_;
    if (file_.empty()) {
        file_ = unused_name(events_);
        if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path());
    }
    std::ofstream out(file_, std::ios::app);
    out << to_json(Event{step, action}) << std::endl;
    if (!out) throw RunError(fmt::format("cannot write {}", file_.string()));
}

std::vector<std::string> LiveSimulation::attributes() const {
    return {"material", "phase", "object", "body", "temperature", "speed", "density", "pressure"};
}

ShownParticles LiveSimulation::show(const std::string& attribute) const {
    const ParticleTable& p = simulation_->particles();
    ShownParticles out{.position = p.position, .radius = p.radius, .categories = is_category(attribute)};
    out.time = simulation_->clock().time;
    out.step = simulation_->clock().step;
    out.frame = simulation_->clock().frame;
    out.value.resize(p.size());
    out.kind.resize(p.size());
    const auto fill = [&](const auto& value_of) {
        launch(simulation_->device(), p.size(), [&, value = View(out.value), kind = View(out.kind)](Index i) {
            value[i] = static_cast<float>(value_of(i));
            kind[i] = static_cast<std::uint8_t>(static_cast<unsigned>(p.phase[i]) |
                                                (p.kinematic_id[i] > 0 ? 4u : 0u));
        });
    };
    if (attribute == "material")
        fill([&](Index i) { return p.material[i]; });
    else if (attribute == "phase")
        fill([&](Index i) { return static_cast<int>(p.phase[i]); });
    else if (attribute == "object")
        fill([&](Index i) { return p.object[i]; });
    else if (attribute == "body")
        fill([&](Index i) { return p.body[i] % 65536; });
    else if (attribute == "temperature")
        fill([&](Index i) { return p.temperature[i]; });
    else if (attribute == "speed")
        fill([&](Index i) { return norm(p.velocity[i]); });
    else if (attribute == "density")
        fill([&](Index i) { return p.density[i]; });
    else if (attribute == "pressure")
        fill([&](Index i) { return p.pressure[i]; });
    else
        throw InputError(fmt::format("there is no attribute \"{}\"", attribute));
    return out;
}

std::string LiveSimulation::pick(const PickRay& ray) const {
    const ParticleTable& p = simulation_->particles();
    const Index i = picked(p.position, p.radius, ray);
    if (i == p.size()) return "null";
    Scene named = {};
    named.model.objects = simulation_->model().objects;
    named.model.emitters = simulation_->model().emitters;
    return Json{{"id", p.id[i]},
                {"position", numbers(p.position[i])},
                {"velocity", numbers(p.velocity[i])},
                {"radius", p.radius[i]},
                {"phase", phase_names[static_cast<std::size_t>(p.phase[i])]},
                {"material", name_in(material_names(scene_), p.material[i])},
                {"object", name_in(object_names(named), p.object[i])},
                {"body", p.body[i]},
                {"temperature", p.temperature[i]},
                {"density", p.density[i]},
                {"pressure", p.pressure[i]},
                {"held", p.kinematic_id[i] > 0},
                {"lineage", history(simulation_->lineage(), p.body[i])}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string LiveSimulation::ledger(std::size_t from) const {
    Json rows = Json::array();
    for (std::size_t k = from; k < ledger_.size(); ++k) {
        const Statistics& s = ledger_[k];
        rows.push_back({s.time, s.kinetic, s.potential, s.elastic_energy, s.heat, s.t_min, s.t_mean, s.t_max,
                        s.density_error, s.particles, s.liquid, s.elastic, s.rigid, s.bodies,
                        fmt::format("{:016x}", s.hash)});
    }
    return Json{{"columns",
                 {"time", "kinetic", "potential", "elastic_energy", "heat", "t_min", "t_mean", "t_max",
                  "density_error", "particles", "liquid", "elastic", "rigid", "bodies", "hash"}},
                {"rows", rows}}
        .dump();
}

}  // namespace thixo
