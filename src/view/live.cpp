#include "view/live.h"

#include <algorithm>
#include <fstream>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "scene/events_file.h"
#include "view/history.h"
#include "view/particle_reader.h"

namespace thixo {

namespace {

using Json = nlohmann::json;

Json numbers(const Vec3f& v) { return {v.x, v.y, v.z}; }

/// Columns that are indices of a solver, or are what rounding left of others.
bool is_internal(std::string_view name) { return name.ends_with("_low") || name.ends_with("_index"); }

/// Calls `visit` with every column of numbers that can be shown, and its name.
template <class Visit>
void for_each_shown(const ParticleTable& particles, const Visit& visit) {
    particles.for_each_field([&](const auto& column, std::string_view name, std::string_view) {
        using T = typename std::remove_cvref_t<decltype(column)>::value_type;
        if constexpr (!std::is_same_v<T, Vec3f>)
            if (!is_internal(name)) visit(column, name);
    });
}

}  // namespace

std::filesystem::path unused_name(const std::filesystem::path& path) {
    std::filesystem::path out = path;
    for (int k = 2; std::filesystem::exists(out); ++k)
        out = path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), k, path.extension().string());
    return out;
}

LiveSimulation::LiveSimulation(Scene scene, Filling filling, Device device, std::filesystem::path events)
    : scene_(std::move(scene)), start_(std::move(filling)), device_(device), events_(std::move(events)) {
    begin();
}

void LiveSimulation::begin() {
    simulation_ = start(scene_.model, start_, device_);
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
    std::vector<std::string> out{"material", "phase", "object", "body", "temperature", "speed"};
    for_each_shown(simulation_->particles(), [&](const auto&, std::string_view name) {
        if (std::find(out.begin(), out.end(), name) == out.end()) out.emplace_back(name);
    });
    return out;
}

std::string LiveSimulation::unit(const std::string& attribute) const { return unit_of(attribute); }

void LiveSimulation::show(const std::string& attribute, ShownParticles& out) const {
    const ParticleTable& p = simulation_->particles();
    out.position = p.position;
    out.radius = p.radius;
    out.categories = is_category(attribute);
    out.time = simulation_->clock().time;
    out.step = simulation_->clock().step;
    out.frame = simulation_->clock().frame;
    out.value.resize(p.size());
    out.kind.resize(p.size());
    bool known = false;
    const auto fill = [&](const auto& value_of) {
        known = true;
        launch(simulation_->device(), p.size(),
               [value_of, value = View(out.value), kind = View(out.kind), phase = View<const Phase>(p.phase),
                held = View<const std::uint16_t>(p.kinematic_id)](Index i) {
                   value[i] = value_of(i);
                   kind[i] =
                       static_cast<std::uint8_t>(static_cast<unsigned>(phase[i]) | (held[i] > 0 ? 4u : 0u));
               });
    };
    if (attribute == "speed") fill([v = View<const Vec3f>(p.velocity)](Index i) { return norm(v[i]); });
    for_each_shown(p, [&](const auto& column, std::string_view name) {
        using T = typename std::remove_cvref_t<decltype(column)>::value_type;
        if (name != attribute) return;
        if constexpr (std::is_same_v<T, std::uint32_t>) {
            // Messages have 16 bits for the number of a body; ids are measured along their range.
            const std::uint32_t most = out.categories ? 0xffff : 0xffffffff;
            fill([most, c = View<const T>(column)](Index i) { return static_cast<float>(c[i] & most); });
        } else {
            fill([c = View<const T>(column)](Index i) { return static_cast<float>(c[i]); });
        }
    });
    if (!known) throw InputError(fmt::format("there is no attribute \"{}\"", attribute));
}

std::string LiveSimulation::pick(const PickRay& ray) const {
    const ParticleTable& p = simulation_->particles();
    const Index i = picked(p.position, p.radius, ray);
    if (i == p.size()) return "null";
    Scene named = {};
    named.model.objects = simulation_->model().objects;
    named.model.emitters = simulation_->model().emitters;
    const BodyRecords bodies = records_of(simulation_->lineage());
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
                {"lineage", Json::parse(history_of(bodies, p.body[i], simulation_->clock().time))}}
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
