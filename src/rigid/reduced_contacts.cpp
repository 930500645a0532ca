#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "rigid/contact.h"

namespace thixo {

namespace {

/// In spacings: contacts whose gap differs by less touch together. Faces on a lattice are rough by a
/// hundredth.
constexpr double together = 0.02;

/// In spacings: contacts that are nearer to each other are at one place.
constexpr double same_place = 1e-6;

/// Cosine of the angle up to which normals count as one, 18°.
constexpr double same_direction = 0.95;

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

std::array<Vec3d, 2> tangents(const Vec3d& n) {
    const Vec3d axis = std::abs(n.z) < 0.6 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    const Vec3d t = normalized(cross(axis, n));
    return {t, cross(n, t)};
}

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

}  // namespace thixo
