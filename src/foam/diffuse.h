#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "foam/liquid.h"
#include "foam/settings.h"
#include "geometry/bounds.h"
#include "geometry/pose.h"
#include "geometry/shape.h"

namespace thixo {

/// Air and water too fine for the liquid's particles. The kind follows from how many liquid particles are
/// near [IAAT12, section 3.2].
enum class DiffuseKind : std::uint8_t {
    spray,  ///< drops in the air, in free fall
    foam,   ///< at the surface, moved by the liquid, until its life ends
    bubble  ///< in the liquid, which drags it while it rises
};

struct DiffuseParticles {
    std::vector<Vec3f> position, velocity;
    std::vector<std::uint32_t> id;
    std::vector<float> radius;  ///< m
    std::vector<float> life;    ///< s that it has left as foam
    std::vector<DiffuseKind> kind;

    std::size_t size() const { return id.size(); }
    void resize(std::size_t count);
    void copy_row(std::size_t from, std::size_t to);
};

/// What diffuse particles stay out of, or inside of.
struct FoamObstacle {
    Shape shape;
    bool inside;
    Pose pose;
};
using FoamObstacles = std::function<std::vector<FoamObstacle>(double time)>;

struct FoamScene {
    Vec3d gravity{0, -9.81, 0};  ///< m/s²
    int dimensions = 3;
    std::uint64_t seed = 1;
    FoamObstacles obstacles = [](double) { return std::vector<FoamObstacle>{}; };
};

/// Diffuse particles that follow a liquid from frame to frame. They do not act on it.
class Foam {
public:
    Foam(FoamSettings settings, FoamScene scene) : settings_(settings), scene_(std::move(scene)) {}

    /// As a run that was stopped had them; `made` of them so far.
    void resume(DiffuseParticles particles, std::uint32_t made);

    /// From the frame at `time` (s) to the next, `seconds` later; `frame` is the number of the first. The
    /// same bits for any number of threads.
    void advance(const Device& device, const LiquidFrame& from, const LiquidFrame& to, int frame, double time,
                 double seconds);

    const DiffuseParticles& particles() const { return particles_; }
    std::uint32_t made() const { return made_; }  ///< since the start
    bool is_full() const { return full_; }        ///< fewer were made than there should be, in the last frame

    /// One step of what is there; `advance` takes as many as the speeds require.
    void move(const Device& device, const Liquid& liquid, double seconds);
    /// Makes particles. `step` numbers the steps of a run: random numbers depend on it.
    void emit(const Device& device, const Liquid& liquid, std::uint64_t step, double seconds);

private:
    void keep_out(const Device& device, double time);
    void remove(const Bounds& region);

    FoamSettings settings_;
    FoamScene scene_;
    DiffuseParticles particles_;
    std::uint32_t made_ = 0;
    bool full_ = false;
};

}  // namespace thixo
