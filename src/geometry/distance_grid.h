#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "geometry/bounds.h"
#include "geometry/signed_distance.h"

namespace thixo {

struct DistanceGridSettings {
    double cell = 0;                     ///< m between samples
    double band = 0;                     ///< m; nearer than this to the surface the distance is resolved
    int dimensions = 3;                  ///< 2: the samples lie in the plane z = 0
    std::size_t most_bytes = 256 << 20;  ///< cells are made larger until they take no more than this
};

/// A signed distance sampled once, for shapes whose distance is too costly for each particle and step.
///
/// Samples lie on a lattice and are interpolated by quadratic B-splines, 27 per query. The blend is what a
/// fluid rests quietly on: its gradient is that of its value and has no jumps, where linear interpolation has
/// one at each cell. The price is that the distance d becomes d + (h²/8) ∇²d for the cell h: exact along flat
/// walls, h²/4R too large at a ball of radius R, and edges are rounded as if with a radius of about h.
///
/// Blocks of 8³ samples exist where the surface is nearer than `band`; each holds a frame of its neighbours'
/// samples too, so that a query reads one block. Elsewhere a distance is known that the true one is never
/// below, and a direction; outside the grid likewise.
class DistanceGrid {
public:
    using Field = std::function<SignedDistance(const Vec3d&)>;
    struct Sample {
        float distance;
        Vec3f gradient;  ///< of unit length, outwards
    };

    /// `region` is where the surface is, as far as it matters; the grid reaches a band beyond it. `field` is
    /// called from many threads at once. Its magnitude must not exceed the true distance.
    DistanceGrid(const Field& field, const Bounds& region, const DistanceGridSettings& settings,
                 const Device& device = {});

    Sample at(const Vec3f& x) const;

    /// Is the place within the grid? If the surface goes on outside of `region`, only such places may be
    /// queried.
    bool covers(const Vec3f& x) const;

    double cell() const { return cell_; }  ///< m; as in the settings, or more if memory is short
    std::size_t bytes() const;

private:
    static constexpr int side = 8, framed_side = side + 2;

    struct Block {
        int x, y, z;
    };
    /// Block without samples: the distance at its centre.
    struct Far {
        Vec3f center;
        float distance;
        Vec3f gradient;
    };
    /// A cube of blocks, while it is decided which of them get samples.
    struct Cube {
        Block first;
        int blocks;
    };

    bool lay_out(const Bounds& region, std::size_t most_bytes);
    bool choose_blocks(const Field& field, const Device& device, std::size_t most_bytes);
    void mark_far(const Cube& cube, const Vec3d& center, const SignedDistance& at_center);
    void sample_blocks(const Field& field, const Device& device);
    void frame_blocks(const Field& field, const Device& device);
    Vec3d place(int i, int j, int k) const;
    std::size_t block_index(const Block& block) const;
    std::size_t block_floats() const;
    float* samples_of(std::size_t block) { return samples_.data() + block * block_floats(); }
    std::size_t offset(int i, int j, int k) const;
    Sample blend(const float* samples, const Vec3f& u, const int (&nearest)[3]) const;
    Sample from_far(const Far& far, const Vec3f& x) const;

    Vec3d origin_;
    double cell_, band_;
    int dimensions_;
    Vec3f last_;                       ///< coordinates of the last sample, in cells; the first has (0, 0, 0)
    int blocks_[3] = {};               ///< along each axis
    std::vector<std::int32_t> index_;  ///< of each block: number of its samples, or -1 - its place in far_
    std::vector<Block> active_;
    std::vector<float> samples_;
    std::vector<Far> far_;
};

}  // namespace thixo
