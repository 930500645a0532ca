#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foam/diffuse.h"
#include "io/particle_format.h"

namespace thixo {

/// The files that `thixo foam` leaves in the folder of a run: foam/0000.ply … and foam.csv.
class FoamFolder {
public:
    /// `settings` is everything that the particles depend on: files that were made with others are removed.
    FoamFolder(std::filesystem::path run, const std::string& settings, std::vector<ParticleFormat> formats);

    struct State {
        int frame;
        DiffuseParticles particles;
        std::uint32_t made;
    };
    /// The newest frame of which all files are there, none above `last`; the frames before it are finished
    /// too.
    std::optional<State> newest(int last) const;

    void write(int frame, double time, const Foam& foam);

    /// Removes all that `thixo foam` left in the folder of a run.
    static void clear(const std::filesystem::path& run);

private:
    std::filesystem::path file(int frame, ParticleFormat format) const;

    std::filesystem::path run_;
    std::vector<ParticleFormat> formats_;
    std::map<int, std::string> rows_;  ///< of foam.csv
};

/// The diffuse particles of a frame of a run; none if there is no file.
std::optional<DiffuseParticles> foam_of_frame(const std::filesystem::path& run, int frame);

}  // namespace thixo
