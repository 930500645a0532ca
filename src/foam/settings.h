#pragma once

namespace thixo {

/// A quantity below `low` makes nothing, one above `high` as much as there can be.
struct FoamRange {
    double low, high;

    /// Φ(x), 0 to 1 [IAAT12, eq. 1].
    double potential(double x) const {
        if (!(x > low)) return 0;
        return x < high ? (x - low) / (high - low) : 1;
    }
};

/// Diffuse particles by [IAAT12]: Ihmsen, Akinci, Akinci & Teschner, Unified spray, foam and air bubbles for
/// particle-based fluids, 2012. Rates and ranges are chosen, as they are there; speeds are in units of the
/// reference speed, so that scenes of any size are treated alike.
struct FoamSettings {
    double trapped_air = 100;         ///< 1/s, particles of a liquid particle at the full potential
    double wave_crests = 100;         ///< 1/s
    FoamRange air_range{0.7, 3};      ///< of the sum of relative speeds, in reference speeds
    FoamRange crest_range{0.1, 0.6};  ///< of the curvature sum; a right-angled ridge has up to 0.3
    FoamRange energy_range{0.1, 1};   ///< of the kinetic energy, in that of the reference speed
    double speed = 1;                 ///< m/s, the reference speed
    double rise_speed = 0.25;         ///< m/s, of bubbles: air bubbles of 1 to 10 mm in water
    double shortest_life = 2, longest_life = 5;  ///< s, of foam
    double size = 0.2;                           ///< radius, in radii of the liquid particle it came from
    unsigned most = 2'000'000;                   ///< no more are made than this at a time
};

}  // namespace thixo
