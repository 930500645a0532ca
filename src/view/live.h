#pragma once

#include <filesystem>
#include <memory>

#include "scene/fill.h"
#include "sim/energy_guard.h"
#include "sim/simulation.h"
#include "sim/statistics.h"
#include "view/subject.h"

namespace thixo {

/// A simulation that people watch and touch. It takes the steps that `thixo run` would, so that its events
/// give the same bits there.
class LiveSimulation : public Subject {
public:
    /// Events are written to `events`, each as soon as it is applied; the file begins with the first.
    LiveSimulation(Scene scene, Filling filling, Device device, std::filesystem::path events);

    const Scene& scene() const override { return scene_; }
    const Model& model() const override { return simulation_->model(); }
    bool live() const override { return true; }
    long last_frame() const override;
    bool advance() override;
    double time() const override { return simulation_->clock().time; }
    std::uint64_t version() const override { return version_; }
    std::vector<std::string> attributes() const override;
    void show(const std::string& attribute, ShownParticles& shown) const override;
    std::string unit(const std::string& attribute) const override;
    std::string pick(const PickRay& ray) const override;
    std::string ledger(std::size_t from) const override;
    std::size_t ledger_rows() const override { return ledger_.size(); }
    void act(const Action& action) override;
    /// Begins anew, with a new file of events: what was written stays.
    void restart() override;

    const Simulation& simulation() const { return *simulation_; }
    const std::filesystem::path& events_file() const { return file_; }

private:
    void begin();

    Scene scene_;
    Filling start_;
    Device device_;
    std::filesystem::path events_, file_;
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<EnergyGuard> energy_;
    std::vector<Statistics> ledger_;
    std::uint64_t version_ = 1;
};

/// The path itself, or with a number where a file has that name already: events.jsonl, events-2.jsonl, …
std::filesystem::path unused_name(const std::filesystem::path& path);

}  // namespace thixo
