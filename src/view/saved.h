#pragma once

#include <filesystem>
#include <vector>

#include "io/particle_frame.h"
#include "view/history.h"
#include "view/subject.h"

namespace thixo {

/// The folder of a run: its saved particles, frame by frame, with surfaces where there are any. Nothing
/// outside of the folder is read.
class SavedRun : public Subject {
public:
    /// Throws an InputError if there is no scene or no frame in the folder.
    explicit SavedRun(std::filesystem::path folder);

    const Scene& scene() const override { return scene_; }
    bool live() const override { return false; }
    long last_frame() const override { return static_cast<long>(files_.size()) - 1; }
    bool advance() override;
    double time() const override { return frame_.time; }
    std::uint64_t version() const override { return version_; }
    std::vector<std::string> attributes() const override;
    void show(const std::string& attribute, ShownParticles& shown) const override;
    std::string unit(const std::string& attribute) const override;
    std::string mesh(const std::string& attribute, const ShownParticles& shown) const override;
    bool has_meshes() const override;
    std::string pick(const PickRay& ray) const override;
    std::string ledger(std::size_t from) const override;
    std::size_t ledger_rows() const override { return rows_.size(); }
    void seek(long frame) override;

private:
    void read_ledger();
    /// A column of the file; zeros where it has none.
    const std::vector<float>* column(const std::string& name) const;

    std::filesystem::path folder_;
    Scene scene_;
    struct File {
        long number;
        std::filesystem::path path;
    };
    std::vector<File> files_;
    std::size_t at_ = 0;
    ParticleFrame frame_;
    std::vector<std::string> columns_;
    std::vector<std::vector<double>> rows_;
    BodyRecords bodies_;
    std::uint64_t version_ = 1;
};

}  // namespace thixo
