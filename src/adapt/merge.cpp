#include "adapt/merge.h"

#include <algorithm>
#include <cmath>

#include "core/mat3.h"

namespace thixo {

namespace {

constexpr double round_enough = 0.88;
constexpr std::size_t most_members = 13;
/// Members of a cluster in the first round, in which nobody is left out yet. In the second one whoever was left over joins a
/// larger neighbour.
constexpr std::size_t many = 5, some = 2;

/// How far a new particle may be beyond the size that its members may have. More, if one of them is but this share of that size: single fine particles, to
/// which all others must set their steps, would find nobody who has room.
constexpr float slack = 1.15f, slack_for_small = 1.35f, small = 0.55f;

/// m, x, v and what else is averaged, in double precision.
struct Sum {
    double mass = 0, volume = 0, heat = 0;
    Vec3d x{}, v{};

    void add(const ParticleTable& p, Index i, double content) {
        const double m = p.mass[i];
        mass += m;
        volume += m / p.density[i];
        heat += m * content;
        x += m * to_double(p.position[i]);
        v += m * to_double(p.velocity[i]);
    }
};

/// Σ m (x−c)×(v−u)
Vec3d spin(const ParticleTable& p, const Cluster& rows, const Vec3d& c, const Vec3d& u) {
    Vec3d sum{};
    for (const Index i : rows)
        sum += double{p.mass[i]} * cross(to_double(p.position[i]) - c, to_double(p.velocity[i]) - u);
    return sum;
}

/// A rigid rotation about their own centre of mass that has a given angular momentum; those who take it keep their momentum.
struct Rotation {
    Vec3d center{}, omega{};
    double work = 0;  ///< kinetic energy that it adds, J
};

/// False where nobody is there to take it.
bool find_rotation(const ParticleTable& p, const Cluster& rows, const Vec3d& momentum, int dimensions,
                   Rotation& out) {
    double mass = 0;
    Vec3d center{}, v{};
    for (const Index i : rows) {
        mass += p.mass[i];
        center += double{p.mass[i]} * to_double(p.position[i]);
        v += double{p.mass[i]} * to_double(p.velocity[i]);
    }
    if (rows.size() < 3) return false;
    out.center = center / mass;
    v = v / mass;
    Mat3d inertia{};
    for (const Index i : rows) {
        const Vec3d r = to_double(p.position[i]) - out.center;
        inertia += (identity<double>() * norm2(r) - outer(r, r)) * double{p.mass[i]};
    }
    if (dimensions == 2) {
        out.omega = {0, 0, momentum.z / inertia.z.z};
    } else {
        const double mean = trace(inertia) / 3;
        if (!(determinant(inertia) > 1e-3 * mean * mean * mean)) return false;
        out.omega = inverse_of_symmetric(inertia) * momentum;
    }
    out.work = dot(spin(p, rows, out.center, v), out.omega) + 0.5 * dot(momentum, out.omega);
    return true;
}

}  // namespace

double roundness(const ParticleTable& p, const Cluster& cluster, int dimensions) {
    double mass = 0;
    Vec3d center{};
    for (const Index i : cluster) {
        mass += p.mass[i];
        center += double{p.mass[i]} * to_double(p.position[i]);
    }
    center = center / mass;
    Mat3d s{};
    double own = 0;
    for (const Index i : cluster) {
        const Vec3d r = to_double(p.position[i]) - center;
        s += outer(r, r) * double{p.mass[i]};
        own += p.mass[i] * double{p.radius[i]} * p.radius[i] / (dimensions + 2);
    }
    s += identity<double>() * own;
    if (dimensions == 2) {
        const double mean = 0.5 * (s.x.x + s.y.y);
        return (s.x.x * s.y.y - s.x.y * s.x.y) / (mean * mean);
    }
    const Mat3d inertia = identity<double>() * trace(s) - s;
    const double mean = trace(inertia) / 3;
    return determinant(inertia) / (mean * mean * mean);
}

/// The largest round cluster that begins with the seed and takes the nearest in turn; empty if none is.
Cluster Merger::grow(const AdaptState& state, View<const std::uint8_t> free, Index seed,
                     std::size_t least) const {
    const ParticleTable& p = state.particles;
    struct Candidate {
        float distance2;
        std::uint32_t id;
        Index row;
    };
    std::vector<Candidate> near;
    const float slow = sizing_.slow(p.material[seed]);
    for (const Index j : state.neighbours.of(seed)) {
        if (!free[j] || p.material[j] != p.material[seed] || p.object[j] != p.object[seed]) continue;
        if (!(norm2(p.velocity[j] - p.velocity[seed]) < slow * slow)) continue;
        near.push_back({norm2(p.position[j] - p.position[seed]), p.id[j], j});
    }
    std::sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
        return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
    });
    Cluster cluster{seed};
    std::size_t best = 0;
    const auto count_of = [&](Index i) { return sizing_.count_of(sizing_.size(p.radius[i])); };
    float count = count_of(seed), allowed = sizing_.allowed()[seed];
    for (const Candidate& next : near) {
        if (cluster.size() == most_members) break;
        const float larger = count + count_of(next.row),
                    least_allowed = std::min(allowed, sizing_.allowed()[next.row]);
        const float smaller = sizing_.size(std::min(p.radius[seed], p.radius[next.row]));
        const float room = smaller < small * least_allowed ? slack_for_small : slack;
        if (sizing_.size_of(larger) > std::min(room * least_allowed, sizing_.coarsest())) continue;
        count = larger;
        allowed = least_allowed;
        cluster.push_back(next.row);
        if (cluster.size() >= least && roundness(p, cluster, sizing_.dimensions()) >= round_enough)
            best = cluster.size();
    }
    cluster.resize(best);
    return cluster;
}

/// False, and nothing is done, where nobody could take the angular momentum or energy would be won.
bool Merger::join(const AdaptState& state, View<const std::uint8_t> gone, const Cluster& cluster) const {
    ParticleTable& p = state.particles;
    const Index row = cluster.front();
    const HeatColumns heat = heat_columns(heat_, p);
    Sum sum;
    float count = 0;
    for (const Index i : cluster) {
        sum.add(p, i, heat[i]);
        count += sizing_.count_of(sizing_.size(p.radius[i]));
    }
    const Vec3f x = to_float(sum.x / sum.mass), v = to_float(sum.v / sum.mass);
    double lost = 0;  // kinetic energy
    for (const Index i : cluster)
        lost += 0.5 * p.mass[i] * norm2(to_double(p.velocity[i]) - sum.v / sum.mass);

    Cluster around;
    for (const Index i : cluster)
        for (const Index j : state.neighbours.of(i))
            if (!gone[j] && p.phase[j] == Phase::liquid && p.hold[j] == 0) around.push_back(j);
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::erase_if(around,
                  [&](Index j) { return std::find(cluster.begin(), cluster.end(), j) != cluster.end(); });

    // What rounding does to the new particle's momentum is a part of what is lost.
    Vec3d momentum = -double(static_cast<float>(sum.mass)) * cross(to_double(x), to_double(v));
    for (const Index i : cluster)
        momentum += double{p.mass[i]} * cross(to_double(p.position[i]), to_double(p.velocity[i]));
    Rotation turn;
    const bool turns = norm2(momentum) > 0;
    // Where all move alike only rounding is lost, which is no reason to stay apart.
    const double rounding = 1e-6 * 0.5 * sum.mass * norm2(to_double(v));
    if (turns &&
        (!find_rotation(p, around, momentum, sizing_.dimensions(), turn) || turn.work > lost + rounding))
        return false;

    p.position[row] = x;
    p.velocity[row] = v;
    p.mass[row] = static_cast<float>(sum.mass);
    p.radius[row] = sizing_.radius(sizing_.size_of(count));
    p.density[row] = static_cast<float>(sum.mass / sum.volume);
    heat.set(row, sum.heat / sum.mass);
    if (turns)
        for (const Index j : around)
            p.velocity[j] += to_float(cross(turn.omega, to_double(p.position[j]) - turn.center));
    return true;
}

std::vector<std::uint8_t> Merger::merge(const Device& device, const AdaptState& state) const {
    const ParticleTable& p = state.particles;
    const Index n = p.size();
    std::vector<std::uint8_t> free(n), gone(n);
    // Who has room to grow by as much as the least cluster adds.
    launch(device, n,
           [&rules = sizing_, radius = View<const float>(p.radius), phase = View<const Phase>(p.phase),
            hold = View<const std::uint16_t>(p.hold), out = View(free)](Index i) {
               out[i] = phase[i] == Phase::liquid && hold[i] == 0 &&
                        rules.allowed()[i] > 1.05f * rules.size(radius[i]);
           });
    // In the order of the rows, one after the other: who is free depends on who came before.
    for (const std::size_t least : {many, some}) {
        for (Index i = 0; i < n; ++i) {
            if (!free[i]) continue;
            const Cluster cluster = grow(state, free, i, least);
            if (cluster.empty() || !join(state, gone, cluster)) continue;
            for (const Index j : cluster) {
                free[j] = 0;
                gone[j] = j != i;
            }
        }
    }
    std::vector<std::uint8_t> stays(n);
    for (Index i = 0; i < n; ++i) stays[i] = !gone[i];
    return stays;
}

}  // namespace thixo
