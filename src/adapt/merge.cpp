#include "adapt/merge.h"

#include <algorithm>
#include <cmath>

#include "core/mat3.h"

namespace thixo {

namespace {

// [DC99] merges by hand-picked rules; these are ours. tests/unit/adapt checks what every merge keeps, for any
// values, and how coarse still liquid becomes (docs/theory/constants.md); tests/physics/adaptivity.cpp and
// desbrun_scenes.cpp compare the results with those of uniform sizes.

/// Least `roundness` of a cluster; that of a ball, a cube, a square or a triangle is 1. In 2D three of a
/// square have 0.85 and two rows of three 0.84, in space plates of four have 0.90 and three of them 0.80. A
/// pair of equal ones has 0.56 in 2D and 0.65 in 3D, a row of three 0.36 at most; a pair of radii 0.6 : 1 has
/// 0.70 in 2D.
constexpr double round_enough = 0.88, round_with_small = 0.7, round_at_rest = 0.5;
/// A particle and those that touch it in a closest packing.
constexpr std::size_t most_members = 13;
/// Fewest members of a cluster in the first pass (a particle and its four neighbours in a square lattice) and
/// in the second pass.
constexpr std::size_t many = 5, some = 2;

/// Smallest count of a member: children are of nearly equal size, and no particle is split below the finest
/// size.
constexpr float finest = 0.9f;

/// Largest size of the new particle relative to the target size of its members. `slack_for_small` applies if
/// one member is smaller than `small` of its target size: a single fine particle dictates the time step, and
/// few neighbours have room for it or form a round cluster with it. Children of a split in space have 0.52; a
/// particle of 0.72 and one of 1.15 make one of 1.36 in 2D.
constexpr float slack = 1.15f, slack_for_small = 1.35f, small = 0.55f;

/// The same for particles at rest, whose relative speed is below `at_rest` of the fastest merging speed:
/// there sizes have time to become even. Two of 1/√2 = 0.71 make one of the target size in 2D.
constexpr float small_at_rest = 0.72f, at_rest = 0.05f;

/// Speed that is neglected in the energy test, relative to the fastest merging speed: a ten-thousandth of
/// the energy of that.
constexpr double faint = 0.01;

/// Weighted sums of m, x, v, volume and heat in double precision.
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

/// Rigid rotation about the centre of mass with a given angular momentum; it does not change the momentum.
struct MergedRotation {
    Vec3d center{}, omega{};
    double work = 0;  ///< kinetic energy that it adds, J
};

/// Returns false if there are too few rows.
bool find_rotation(const ParticleTable& p, const Cluster& rows, const Vec3d& momentum, int dimensions,
                   MergedRotation& out) {
    double mass = 0;
    Vec3d center{}, v{};
    for (const Index i : rows) {
        mass += p.mass[i];
        center += double{p.mass[i]} * to_double(p.position[i]);
        v += double{p.mass[i]} * to_double(p.velocity[i]);
    }
    if (rows.size() < static_cast<std::size_t>(dimensions)) return false;
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

/// Neighbours that may merge with the seed, nearest first. A pair may reach `most` times the smaller of both
/// target sizes.
Cluster Merger::candidates(const AdaptState& state, View<const Room> room, Index seed, Room least,
                           float most) const {
    const ParticleTable& p = state.particles;
    struct Candidate {
        float distance2;
        std::uint32_t id;
        Index row;
    };
    std::vector<Candidate> near;
    const View<const Index> neighbours = state.neighbours.of(seed);
    near.reserve(neighbours.size());
    const View<const float> allowed = sizing_.allowed();
    const float slow = sizing_.slow(p.material[seed]), own = count_of(p, seed);
    for (const Index j : neighbours) {
        if (room[j] < least || p.material[j] != p.material[seed] || p.object[j] != p.object[seed]) continue;
        const Vec3f turning = cross(sizing_.rotation()[seed], p.position[j] - p.position[seed]);
        if (!(norm2(p.velocity[j] - p.velocity[seed] - turning) < slow * slow)) continue;
        constexpr float rounding = 1.001f;
        if (own + count_of(p, j) > rounding * sizing_.count_of(most * std::min(allowed[seed], allowed[j])))
            continue;
        near.push_back({norm2(p.position[j] - p.position[seed]), p.id[j], j});
    }
    std::sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
        return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
    });
    Cluster rows(near.size());
    std::transform(near.begin(), near.end(), rows.begin(), [](const Candidate& one) { return one.row; });
    return rows;
}

float Merger::count_of(const ParticleTable& p, Index i) const {
    return sizing_.count_of(sizing_.size(p.radius[i]));
}

/// The largest round cluster of the seed and its nearest neighbours in order of distance; empty if there is
/// none.
Cluster Merger::grow(const AdaptState& state, View<const Room> room, Index seed, std::size_t least) const {
    const ParticleTable& p = state.particles;
    float count = count_of(p, seed), allowed = sizing_.allowed()[seed];
    if (count + finest * static_cast<float>(least - 1) > sizing_.count_of(slack * allowed)) return {};
    Cluster cluster{seed};
    std::size_t best = 0;
    for (const Index next : candidates(state, room, seed, Room::enough, slack)) {
        if (cluster.size() == most_members) break;
        const float larger = count + count_of(p, next),
                    least_allowed = std::min(allowed, sizing_.allowed()[next]);
        if (sizing_.size_of(larger) > std::min(slack * least_allowed, sizing_.coarsest())) continue;
        count = larger;
        allowed = least_allowed;
        cluster.push_back(next);
        if (cluster.size() >= least && roundness(p, cluster, sizing_.dimensions()) >= round_enough)
            best = cluster.size();
    }
    cluster.resize(best);
    return cluster;
}

/// A particle much smaller than its target size and the nearest neighbour with room for it; empty if there is
/// none.
Cluster Merger::pair(const AdaptState& state, View<const Room> room, Index seed) const {
    const ParticleTable& p = state.particles;
    const float size = sizing_.size(p.radius[seed]), calm = at_rest * sizing_.slow(p.material[seed]);
    if (size >= small_at_rest * sizing_.allowed()[seed]) return {};
    for (const Index next : candidates(state, room, seed, Room::little, slack_for_small)) {
        const float allowed = std::min(sizing_.allowed()[seed], sizing_.allowed()[next]);
        const bool rests = norm2(p.velocity[next] - p.velocity[seed]) < calm * calm;
        if (size < (rests ? small_at_rest : small) * allowed &&
            sizing_.size_of(count_of(p, seed) + count_of(p, next)) <=
                std::min(slack_for_small * allowed, sizing_.coarsest()) &&
            roundness(p, {seed, next}, sizing_.dimensions()) >= (rests ? round_at_rest : round_with_small))
            return {seed, next};
    }
    return {};
}

/// Returns false without changes where no neighbour can absorb the angular momentum or energy would be
/// gained.
bool Merger::join(const AdaptState& state, View<const std::uint8_t> gone, const Cluster& cluster) const {
    ParticleTable& p = state.particles;
    const Index row = cluster.front();
    const HeatColumns heat = heat_columns(heat_, p);
    Sum sum;
    float count = 0;
    for (const Index i : cluster) {
        sum.add(p, i, heat[i]);
        count += count_of(p, i);
    }
    const Vec3f x = to_float(sum.x / sum.mass), v = to_float(sum.v / sum.mass);
    double lost = 0;  // kinetic energy
    for (const Index i : cluster)
        lost += 0.5 * p.mass[i] * norm2(to_double(p.velocity[i]) - sum.v / sum.mass);

    Cluster around;
    for (const Index i : cluster)
        for (const Index j : state.neighbours.of(i))
            if (!gone[j] && p.phase[j] == Phase::liquid && p.kinematic_id[j] == 0) around.push_back(j);
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::erase_if(around,
                  [&](Index j) { return std::find(cluster.begin(), cluster.end(), j) != cluster.end(); });

    // The rounding of the new particle's momentum is added to the angular momentum to be absorbed.
    Vec3d momentum = -double(static_cast<float>(sum.mass)) * cross(to_double(x), to_double(v));
    for (const Index i : cluster)
        momentum += double{p.mass[i]} * cross(to_double(p.position[i]), to_double(p.velocity[i]));
    MergedRotation turn;
    const bool turns = norm2(momentum) > 0;
    // Where all members move alike, only rounding is lost. Very slow motion is allowed to gain energy. So is
    // rigid rotation: the inertia of the cluster about its centre is lost, and with its angular momentum in
    // what remains the energy is larger by that ratio.
    const double faintest = faint * sizing_.slow(p.material[row]);
    const double rounding = 0.5 * sum.mass * (1e-6 * norm2(to_double(v)) + faintest * faintest);
    const double turned = std::max(0.0, dot(to_double(sizing_.rotation()[row]), momentum));
    if (turns && (!find_rotation(p, around, momentum, sizing_.dimensions(), turn) ||
                  turn.work > lost + turned + rounding))
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
    std::vector<Room> room(n);
    std::vector<std::uint8_t> gone(n);
    // Rows with room for the smallest cluster, and rows with room for a small particle only.
    launch(device, n,
           [&rules = sizing_, radius = View<const float>(p.radius), phase = View<const Phase>(p.phase),
            kinematic_id = View<const std::uint16_t>(p.kinematic_id), out = View(room)](Index i) {
               const float allowed = rules.allowed()[i], least = 1.05f * rules.size(radius[i]);
               out[i] = phase[i] != Phase::liquid || kinematic_id[i] > 0 || least >= slack_for_small * allowed
                            ? Room::none
                        : least >= allowed ? Room::little
                                           : Room::enough;
           });
    // Serial, in row order: which rows are free depends on the clusters before.
    const auto merge_with = [&](const auto& find) {
        for (Index i = 0; i < n; ++i) {
            if (room[i] != Room::enough) continue;
            const Cluster cluster = find(i);
            if (cluster.empty() || !join(state, gone, cluster)) continue;
            for (const Index j : cluster) {
                room[j] = Room::none;
                gone[j] = j != i;
            }
        }
    };
    for (const std::size_t least : {many, some})
        merge_with([&](Index i) { return grow(state, room, i, least); });
    merge_with([&](Index i) { return pair(state, room, i); });
    std::vector<std::uint8_t> stays(n);
    for (Index i = 0; i < n; ++i) stays[i] = !gone[i];
    return stays;
}

}  // namespace thixo
