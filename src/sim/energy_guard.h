#pragma once

#include <string>

#include "sim/statistics.h"

namespace thixo {

/// Watches the ledger for energy that nothing in the scene pays for: kinetic + potential + elastic, frame by
/// frame.
///
/// The gain is how far the energy has risen above the lowest value since something last paid. Its measure is
/// the energy that there was then,
///
///     kinetic + elastic + Σ m g (height above the lowest particle) + the most that surfaces may hold, Σ σ V⁰/ℓ,
///
/// and what has fallen since. Compression of liquids is not in the ledger: a pool that rings gains and loses
/// what that holds, some thousandths. Emitters and sinks, moving obstacles, kinematic particles that move,
/// begin or are released, wind and other force fields, events, and matter that changes its phase or its
/// stiffness all pay: behind a frame in which one of them acts the sum begins anew. A simulation that was
/// resumed begins with its first frame.
class EnergyGuard {
public:
    static constexpr double warning = 0.1;  ///< gain, in the measure, from which on there is a remark
    static constexpr double stop = 3;       ///< gain at which a run ends

    explicit EnergyGuard(const Model& model);

    /// Takes in a frame that was computed. Throws a RunError that names the gain once it is beyond `stop`.
    void watch(const Simulation& simulation, const Statistics& now);

    /// The sum begins anew with the next frame: something outside of the scene did work.
    void restart() { begun_ = false; }

    /// In measures; 0 where something pays.
    double gain() const { return gain_; }

    /// "warning: energy +12 % that nothing paid for" where the gain is beyond `warning`; else empty.
    std::string remark() const;

private:
    bool is_paid(const Simulation& simulation, const Statistics& now) const;
    static double measure(const Simulation& simulation, const Statistics& now);

    bool stiffens_ = false;  ///< some material does, from one temperature to another
    bool expands_ = false;   ///< gravity acts on heat, which may come from outside
    bool begun_ = false;
    Statistics last_;
    double lowest_ = 0, potential_ = 0, measure_ = 0;  ///< when the energy was lowest, J
    double gain_ = 0;
};

}  // namespace thixo
