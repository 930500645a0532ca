#include "rigid/contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/disjoint_sets.h"

namespace thixo {

namespace {

// Slop, and a fifth of the rest in each step, are usual in engines of rigid bodies (Box2D: `b2_linearSlop`,
// `b2_baumgarte` = 0.2); here in spacings. tests/unit/rigid/contact_test.cpp pins each of these numbers.

/// In spacings: overlap that is left alone, fraction of the rest that a step resolves, and the most that it
/// shifts.
constexpr double slop = 0.005, recovery = 0.2, most_recovery = 0.01;

/// Gauss–Seidel leaves cos²(π/(2n + 1)) of the error of a stack of n in an iteration: 1.5 % of three after
/// these. Higher ones go on in the next step.
constexpr int shift_iterations = 20;

/// A driven mover pushes by at most this many times what can be needed without a bounce: as much as one
/// without loss takes.
constexpr double drive_strength = 2;

/// A contact, precomputed for the iterations.
struct Row {
    const Contact& contact;
    Mover* a;
    Mover* b;  ///< null: a wall
    Vec3d arm_a, arm_b;
    std::array<Vec3d, 2> tangent;
    double mass = 0;                   ///< along the normal, kg
    std::array<double, 2> slide_mass;  ///< along the tangents
    double approach = 0;               ///< n·u before the solver
    double impulse = 0;
    std::array<double, 2> slide_impulse{};
    double most_impulse = std::numeric_limits<double>::infinity();
    bool bounces = false;
    double impact_time = 0;   ///< τ, s from the start of the step
    double impact_speed = 0;  ///< w, n·u then

    Vec3d relative_velocity() const {
        const Vec3d u = a->velocity_at(arm_a) - contact.drive;
        return b ? u - b->velocity_at(arm_b) : u;
    }

    /// Rate of n·u by the forces on both, m/s².
    double approach_rate() const {
        return of_both([](const Mover& m, const Vec3d& arm) { return rate(m, arm); });
    }

    /// By how much forces changed n·u since the start of the step of dt, m/s.
    double gained(double dt) const {
        return of_both(
            [dt](const Mover& m, const Vec3d& arm) { return ((m.late ? 1 : 0.5) * dt) * rate(m, arm); });
    }

    static Vec3d rate(const Mover& m, const Vec3d& arm) { return m.acceleration + cross(m.spin_rate, arm); }

    template <class Vector>
    double of_both(const Vector& vector) const {
        const Vec3d of_a = vector(*a, arm_a);
        return dot(contact.normal, b ? of_a - vector(*b, arm_b) : of_a);
    }

    double effective_mass(const Vec3d& n) const {
        const auto give = [&](const Mover& m, const Vec3d& arm) {
            const Vec3d c = cross(arm, n);
            return m.inverse_mass + dot(c, m.inverse_inertia * c);
        };
        const double sum = give(*a, arm_a) + (b ? give(*b, arm_b) : 0);
        return sum > 0 ? 1 / sum : 0;
    }

    void push(const Vec3d& p) const {
        const auto act = [](Mover& m, const Vec3d& arm, const Vec3d& j) {
            m.impulse += j;
            m.angular_impulse += cross(arm, j);
            m.velocity += m.inverse_mass * j;
            m.spin += m.inverse_inertia * cross(arm, j);
        };
        act(*a, arm_a, p);
        if (b) act(*b, arm_b, -p);
    }

    Vec3d total() const {
        return impulse * contact.normal + slide_impulse[0] * tangent[0] + slide_impulse[1] * tangent[1];
    }
};

Row row_of(const Contact& contact, View<Mover> movers) {
    Mover* a = &movers[contact.a];
    Mover* b = contact.b == no_mover ? nullptr : &movers[contact.b];
    Row row{.contact = contact,
            .a = a,
            .b = b,
            .arm_a = contact.point - a->center,
            .arm_b = b ? contact.point - b->center : Vec3d{},
            .tangent = tangents(contact.normal),
            .slide_mass = {}};
    row.mass = row.effective_mass(contact.normal);
    for (int k = 0; k < 2; ++k) row.slide_mass[k] = row.effective_mass(row.tangent[k]);
    row.approach = dot(contact.normal, row.relative_velocity());
    return row;
}

/// Limits the impulses of movers that are driven, whose motion no impulse changes. Of a body that is clamped
/// between such a mover and a wall they would grow with every iteration, and a small angle between the two
/// normals would throw it out at any speed. Of free movers i that touch each other, of the mass M together,
///
///     λ ≤ 2 (M (v + w) + Σ mᵢ wᵢ)
///
/// v is the speed of the driven mover towards them, w and wᵢ the fastest at which something meets driven
/// movers, and i: without a bounce, half of it stops them all and takes them along. Where the driven mover
/// stands still it does no work, and there is no limit.
void limit_drives(std::vector<Row>& rows, View<const Mover> movers) {
    const auto is_free = [&](std::uint32_t mover) {
        return mover != no_mover && movers[mover].inverse_mass > 0;
    };
    struct Group {
        double mass = 0, met_driven = 0, momentum = 0;
    };
    DisjointSets sets(movers.size());
    std::vector<double> meets(movers.size());
    std::vector<Group> groups(movers.size());
    for (const Row& row : rows) {
        const auto [a, b] = std::pair(row.contact.a, row.contact.b);
        if (is_free(a) && is_free(b)) sets.join(a, b);
        for (const std::uint32_t m : {a, b})
            if (is_free(m)) meets[m] = std::max(meets[m], -row.approach);
    }
    for (std::uint32_t m = 0; m < movers.size(); ++m) {
        if (!is_free(m)) continue;
        groups[sets.find(m)].mass += 1 / movers[m].inverse_mass;
        groups[sets.find(m)].momentum += meets[m] / movers[m].inverse_mass;
    }
    // The speed of the driven mover towards a free one; 0 where there is none of either.
    const auto drive = [&](const Row& row) {
        if (!row.b || is_free(row.contact.a) == is_free(row.contact.b)) return 0.0;
        return is_free(row.contact.a) ? dot(row.contact.normal, row.b->velocity_at(row.arm_b))
                                      : -dot(row.contact.normal, row.a->velocity_at(row.arm_a));
    };
    const auto group_of = [&](const Row& row) -> Group& {
        return groups[sets.find(is_free(row.contact.a) ? row.contact.a : row.contact.b)];
    };
    for (const Row& row : rows)
        if (drive(row) > 0) group_of(row).met_driven = std::max(group_of(row).met_driven, -row.approach);
    for (Row& row : rows) {
        if (!(drive(row) > 0)) continue;
        const Group& group = group_of(row);
        row.most_impulse = drive_strength * (group.mass * (drive(row) + group.met_driven) + group.momentum);
    }
}

/// Warm start: applies the impulses of the last step.
void recall(Row& row, const std::vector<ContactMemory>& memory, double dt) {
    const auto key = std::tie(row.contact.id, row.contact.other);
    const auto found = std::lower_bound(
        memory.begin(), memory.end(), key,
        [](const ContactMemory& m, const auto& sought) { return std::tie(m.id, m.other) < sought; });
    if (found == memory.end() || std::tie(found->id, found->other) != key) return;
    const Vec3d p = dt * found->impulse;
    row.impulse = std::clamp(dot(p, row.contact.normal), 0.0, row.most_impulse);
    const double limit = row.contact.friction * row.impulse;
    Vec3d slide = p - dot(p, row.contact.normal) * row.contact.normal;
    if (norm(slide) > limit) slide = (limit / norm(slide)) * slide;
    for (int k = 0; k < 2; ++k) row.slide_impulse[k] = dot(slide, row.tangent[k]);
    row.push(row.total());
}

/// When in the step a contact closes, and how fast; whether it then bounces off within the step. What would
/// return before the step ends is at rest.
void find_impact(Row& row, double slow, double dt) {
    const double a = row.approach_rate(), u0 = row.approach - row.gained(dt), gap = row.contact.gap;
    row.impact_time = 0;
    if (gap > 0) {
        const double root = std::sqrt(std::max(0.0, u0 * u0 - 2 * a * gap));
        row.impact_time = root > u0 ? std::min(dt, 2 * gap / (root - u0)) : dt;
    }
    row.impact_speed = u0 + a * row.impact_time;
    const double rebound = -row.contact.restitution * row.impact_speed;
    row.bounces = row.contact.restitution > 0 && row.impulse > 0 && row.impact_speed < -slow &&
                  rebound > -0.5 * a * (dt - row.impact_time);
}

/// The impulse of a bounce acts when the contact closes: what it changes of velocities did not move anything
/// before. Both feel it at one place then, so what the shifts −τ p/m change of the angular momentum, −τ p ×
/// (v_a − v_b), goes to their spins.
void delay_bounce(const Row& row, double dt) {
    if (!row.a->corrects || (row.b && !row.b->corrects)) return;
    if (row.b && row.a->inverse_mass > 0 && row.b->inverse_mass > 0) {
        const Vec3d l = cross((0.5 * row.impact_time) * row.total(), row.a->velocity - row.b->velocity);
        row.a->angular_impulse += l;
        row.b->angular_impulse += l;
    }
    const Vec3d p = (-row.impact_time / dt) * row.total();
    const auto act = [](Mover& m, const Vec3d& arm, const Vec3d& j) {
        m.shift += m.inverse_mass * j;
        m.turn += m.inverse_inertia * cross(arm, j);
    };
    act(*row.a, row.arm_a, p);
    if (row.b) act(*row.b, row.arm_b, -p);
}

/// One contact's turn; returns how much its speed changed (m/s).
double improve(Row& row, double bias) {
    double change = 0;
    if (row.contact.friction > 0) {
        const Vec3d u = row.relative_velocity(), before = row.total();
        std::array<double, 2> sticking;
        for (int k = 0; k < 2; ++k)
            sticking[k] = row.slide_impulse[k] - row.slide_mass[k] * dot(row.tangent[k], u);
        const double size = std::hypot(sticking[0], sticking[1]), limit = row.contact.friction * row.impulse;
        for (int k = 0; k < 2; ++k)
            row.slide_impulse[k] = size > limit ? sticking[k] * (limit / size) : sticking[k];
        const Vec3d p = row.total() - before;
        row.push(p);
        if (row.mass > 0) change = norm(p) / row.mass;
    }
    const double u = dot(row.contact.normal, row.relative_velocity());
    const double better = std::clamp(row.impulse - row.mass * (u + bias), 0.0, row.most_impulse);
    const double p = better - row.impulse;
    row.impulse = better;
    row.push(p * row.contact.normal);
    return row.mass > 0 ? std::max(change, std::abs(p) / row.mass) : 0;
}

/// Gauss–Seidel until no contact's speed changes by more than `tolerance` (m/s); bias(row) is what n·u is to
/// exceed, negated.
template <class Bias>
int iterate(std::vector<Row>& rows, const ContactSettings& settings, double tolerance, const Bias& bias) {
    int iterations = 0;
    for (double change = 0; iterations < settings.least_iterations ||
                            (change > tolerance && iterations < settings.most_iterations);
         ++iterations) {
        change = 0;
        for (Row& row : rows) change = std::max(change, improve(row, bias(row)));
    }
    return iterations;
}

/// Takes overlap away by shifts that leave velocities as they are.
void separate(std::vector<Row>& rows, double spacing, double dt) {
    std::vector<double> impulse(rows.size());
    for (int k = 0; k < shift_iterations; ++k) {
        bool any = false;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const Row& row = rows[r];
            const double depth = -row.contact.gap - slop * spacing;
            if (depth <= 0 || row.mass <= 0 || !row.a->corrects || (row.b && !row.b->corrects)) continue;
            any = true;
            const auto shift_at = [](const Mover& m, const Vec3d& arm) {
                return m.shift + cross(m.turn, arm);
            };
            Vec3d u = shift_at(*row.a, row.arm_a);
            if (row.b) u -= shift_at(*row.b, row.arm_b);
            const double correction = std::min(recovery * depth, most_recovery * spacing) / dt;
            const double better =
                std::max(0.0, impulse[r] + row.mass * (correction - dot(row.contact.normal, u)));
            const Vec3d p = (better - impulse[r]) * row.contact.normal;
            impulse[r] = better;
            const auto act = [](Mover& m, const Vec3d& arm, const Vec3d& j) {
                m.shift += m.inverse_mass * j;
                m.turn += m.inverse_inertia * cross(arm, j);
            };
            act(*row.a, row.arm_a, p);
            if (row.b) act(*row.b, row.arm_b, -p);
        }
        if (!any) return;
    }
}

}  // namespace

int solve_contacts(View<const Contact> contacts, const ContactSettings& settings, double dt,
                   std::vector<ContactMemory>& memory, View<Mover> movers) {
    std::vector<Row> rows;
    rows.reserve(contacts.size());
    double fastest = 0;
    for (const Contact& contact : contacts) {
        rows.push_back(row_of(contact, movers));
        fastest = std::max(fastest, norm(rows.back().relative_velocity()));
    }
    limit_drives(rows, movers);
    for (Row& row : rows) recall(row, memory, dt);
    const auto bias = [&](const Row& row) {
        const double gap = row.contact.gap;
        if (gap > 0) return gap / dt;
        // A mover that must not be shifted is pushed gently.
        const bool shifts = row.a->corrects && (!row.b || row.b->corrects);
        const double depth = -gap - slop * settings.spacing;
        if (shifts || depth <= 0) return 0.0;
        return -std::min(recovery * depth, most_recovery * settings.spacing) / dt;
    };
    int iterations = iterate(rows, settings, settings.error * fastest, bias);
    // Contacts that close fast separate with the coefficient of restitution.
    for (Row& row : rows) find_impact(row, settings.slow, dt);
    if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.bounces; }))
        iterations += iterate(rows, settings, settings.error * fastest, [&](const Row& row) {
            return row.bounces ? (1 + row.contact.restitution) * row.impact_speed - row.approach : bias(row);
        });
    for (const Row& row : rows) {
        if (row.bounces) {
            delay_bounce(row, dt);
        } else if (row.impulse > 0) {
            row.a->carried = true;
            if (row.b) row.b->carried = true;
        }
    }
    separate(rows, settings.spacing, dt);
    // An impact is no force that lasts.
    memory.clear();
    for (const Row& row : rows)
        if (!row.bounces) memory.push_back({row.contact.id, row.contact.other, row.total() / dt});
    return iterations;
}

}  // namespace thixo
