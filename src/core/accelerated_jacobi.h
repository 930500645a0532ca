#pragma once

#include <algorithm>
#include <cmath>

namespace thixo {

// Projected Jacobi iteration with Nesterov's momentum for the complementarity problem x ≥ 0, A x ≥ b, one of
// them with equality in each row: what has to travel through a chain of unknowns does so a link an iteration,
// where Jacobi alone needs the square. The caller evaluates residuals at the extrapolated point.

/// Weight of the last change in the extrapolated point. Momentum starts anew where it leads uphill
/// (O'Donoghue & Candès 2015).
class NesterovMomentum {
public:
    /// Momentum begins as in iteration `start`, where the first correction leads on: what takes many
    /// iterations is no longer in it.
    explicit NesterovMomentum(double start = 1) : t_(start) {}

    /// For the iteration that begins.
    float begin() {
        next_ = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
        return static_cast<float>((t_ - 1) / next_);
    }
    /// `uphill` is Σ (gradient at the extrapolated point) × (change), of the iteration that ends.
    void end(double uphill) { t_ = uphill > 0 ? 1 : next_; }

private:
    double t_, next_ = 1;
};

/// dᵀA d of the last change d of the unknowns, and dᵀD d with the inverse D of the steps.
struct Curvature {
    double system = 0, steps = 0;

    Curvature operator+(const Curvature& other) const { return {system + other.system, steps + other.steps}; }
};

/// By how much steps may be longer than those that always converge, for systems that are softer than these
/// were made for: as much as the stiffest of the last directions allows (Barzilai & Borwein 1988).
class MeasuredStretch {
public:
    /// After each change; a curvature of zero says nothing.
    void take(const Curvature& last) {
        if (last.system > 0 && last.steps > 0)
            stiffest_ = std::max(kept * stiffest_, last.system / last.steps);
    }
    double value() const { return stiffest_ > 0 ? std::clamp(1 / stiffest_, 1., most) : 1; }

private:
    /// What is kept of the stiffest direction with every change, and the largest stretch.
    static constexpr double kept = 0.7, most = 50;

    double stiffest_ = 0;
};

/// One unknown: its value becomes what `correction` makes of the extrapolated point `from`, but not below
/// zero; `ahead` becomes the next point. Returns the change of the value.
inline float projected_step(float from, float correction, float momentum, float& value, float& ahead) {
    const float better = std::max(0.f, from + correction);
    const float change = better - value;
    value = better;
    ahead = std::max(0.f, better + momentum * change);
    return change;
}

}  // namespace thixo
