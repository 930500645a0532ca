#include "rigid/contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace thixo {

namespace {

// Slop, and a fifth of the rest in each step, are usual in engines of rigid bodies (Box2D: `b2_linearSlop`,
// `b2_baumgarte` = 0.2); here in spacings. tests/unit/rigid/contact_test.cpp and
// tests/physics/rigid_stack.cpp test the result.

/// In spacings: overlap that is left alone, fraction of the rest that a step resolves, and the most that it
/// shifts.
constexpr double slop = 0.005, recovery = 0.2, most_recovery = 0.01;

/// In spacings: contacts whose gap differs by less touch together.
constexpr double together = 0.02;

/// In spacings: contacts that are nearer to each other are at one place.
constexpr double same_place = 1e-6;

/// Cosine of the angle up to which normals count as one.
constexpr double same_direction = 0.95;

/// Shifts need not converge within a step: the next one goes on.
constexpr int shift_iterations = 20;

/// Any two directions that make a right-handed frame with n.
std::array<Vec3d, 2> tangents(const Vec3d& n) {
    const Vec3d axis = std::abs(n.z) < 0.6 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    const Vec3d t = normalized(cross(axis, n));
    return {t, cross(n, t)};
}

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

/// Warm start: applies the impulses of the last step.
void recall(Row& row, const std::vector<ContactMemory>& memory, double dt) {
    const auto key = std::tie(row.contact.id, row.contact.other);
    const auto found = std::lower_bound(
        memory.begin(), memory.end(), key,
        [](const ContactMemory& m, const auto& wanted) { return std::tie(m.id, m.other) < wanted; });
    if (found == memory.end() || std::tie(found->id, found->other) != key) return;
    const Vec3d p = dt * found->impulse;
    row.impulse = std::max(0.0, dot(p, row.contact.normal));
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
        std::array<double, 2> wanted;
        for (int k = 0; k < 2; ++k)
            wanted[k] = row.slide_impulse[k] - row.slide_mass[k] * dot(row.tangent[k], u);
        const double size = std::hypot(wanted[0], wanted[1]), limit = row.contact.friction * row.impulse;
        for (int k = 0; k < 2; ++k)
            row.slide_impulse[k] = size > limit ? wanted[k] * (limit / size) : wanted[k];
        const Vec3d p = row.total() - before;
        row.push(p);
        if (row.mass > 0) change = norm(p) / row.mass;
    }
    const double u = dot(row.contact.normal, row.relative_velocity());
    const double better = std::max(0.0, row.impulse - row.mass * (u + bias));
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
            const double wanted = std::min(recovery * depth, most_recovery * spacing) / dt;
            const double better =
                std::max(0.0, impulse[r] + row.mass * (wanted - dot(row.contact.normal, u)));
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

/// The two partners: contacts with the same ones are reduced together.
auto partners(const Contact& c) { return std::tuple(c.a, c.b, c.b == no_mover ? c.other : no_mover); }

auto particles(const Contact& c) { return std::tie(c.id, c.other); }

/// Adds the contacts with gaps in [from, to) that lie farthest out, in eight directions across the normal; no
/// direction is that of an edge of a lattice, so that corners win clearly. A corner that several particles of
/// the other body carry has several contacts at one place: that of the lowest particles is taken, so that it
/// is the same one in each step.
void add_outermost(View<const Contact> group, std::vector<bool>& chosen, double spacing, double from,
                   double to) {
    constexpr int directions = 8;
    const auto [s, t] = tangents(group[0].normal);
    for (int k = 0; k < directions; ++k) {
        const double angle = 0.3 + 0.785398163397448 * k;
        const Vec3d d = std::cos(angle) * s + std::sin(angle) * t;
        std::size_t best = group.size();
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (group[i].gap < from || group[i].gap >= to) continue;
            if (best == group.size()) {
                best = i;
                continue;
            }
            const double farther = dot(d, group[i].point - group[best].point);
            const bool same = std::abs(farther) < same_place * spacing;
            if (same ? particles(group[i]) < particles(group[best]) : farther > 0) best = i;
        }
        if (best < group.size()) chosen[best] = true;
    }
}

/// A group of contacts with the same partners and about the same normal, the deepest first.
void reduce_group(View<const Contact> group, double spacing, bool spins, std::vector<Contact>& out) {
    std::vector<bool> chosen(group.size());
    if (spins) {
        // The deepest is redundant where it lies between others that touch together with it.
        const double near = std::max(group[0].gap, 0.0) + together * spacing;
        add_outermost(group, chosen, spacing, group[0].gap, near);
        add_outermost(group, chosen, spacing, near, 1e300);
    } else {
        chosen[0] = true;
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (chosen[i]) out.push_back(group[i]);
    }
}

}  // namespace

std::vector<Contact> reduced(std::vector<Contact> contacts, double spacing, View<const Mover> movers) {
    std::sort(contacts.begin(), contacts.end(), [](const Contact& x, const Contact& y) {
        return std::tuple_cat(partners(x), std::tuple(x.gap), particles(x)) <
               std::tuple_cat(partners(y), std::tuple(y.gap), particles(y));
    });
    std::vector<Contact> out;
    for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
        while (end < contacts.size() && partners(contacts[end]) == partners(contacts[begin])) ++end;
        std::vector<Contact> left(contacts.begin() + static_cast<std::ptrdiff_t>(begin),
                                  contacts.begin() + static_cast<std::ptrdiff_t>(end));
        const std::uint32_t b = contacts[begin].b;
        const bool spins =
            b == no_mover || norm2(movers[b].inverse_inertia) > 0 || movers[b].inverse_mass == 0;
        while (!left.empty()) {
            const Vec3d n = left.front().normal;
            const auto other = std::stable_partition(left.begin(), left.end(), [&](const Contact& c) {
                return dot(c.normal, n) > same_direction;
            });
            reduce_group({left.data(), static_cast<std::size_t>(other - left.begin())}, spacing, spins, out);
            left.erase(left.begin(), other);
        }
    }
    std::sort(out.begin(), out.end(),
              [](const Contact& x, const Contact& y) { return particles(x) < particles(y); });
    return out;
}

int solve_contacts(View<const Contact> contacts, const ContactSettings& settings, double dt,
                   std::vector<ContactMemory>& memory, View<Mover> movers) {
    std::vector<Row> rows;
    rows.reserve(contacts.size());
    double fastest = 0;
    for (const Contact& contact : contacts) {
        rows.push_back(row_of(contact, movers));
        fastest = std::max(fastest, norm(rows.back().relative_velocity()));
    }
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
