#include "scene/carving_warnings.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <vector>

#include "core/disjoint_sets.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// A larger part that is carved is rarely meant.
constexpr double most_carved = 0.1;

/// Particles within this distance, in spacings, are of one piece; more than the diagonal of a face, less than
/// two layers.
constexpr double reach = 1.6;

/// Pieces of at least this many particles count: single ones at the rim of a cut do not make two objects.
constexpr std::uint64_t smallest_piece = 8;

std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto part = [](std::int64_t k) { return static_cast<std::uint64_t>(k) & 0x1fffff; };
    return part(x) | part(y) << 21 | part(z) << 42;
}

std::uint64_t count_pieces(const std::vector<Vec3d>& x, double distance) {
    std::unordered_map<std::uint64_t, std::vector<Index>> cells;
    const auto cell = [&](double coordinate) {
        return static_cast<std::int64_t>(std::floor(coordinate / distance));
    };
    for (Index i = 0; i < x.size(); ++i) cells[key(cell(x[i].x), cell(x[i].y), cell(x[i].z))].push_back(i);
    DisjointSets sets(static_cast<Index>(x.size()));
    for (Index i = 0; i < x.size(); ++i)
        for (int n = 0; n < 27; ++n) {
            const auto near = cells.find(
                key(cell(x[i].x) + n % 3 - 1, cell(x[i].y) + n / 3 % 3 - 1, cell(x[i].z) + n / 9 - 1));
            if (near == cells.end()) continue;
            for (const Index j : near->second)
                if (j < i && norm(x[i] - x[j]) < distance) sets.join(i, j);
        }
    std::unordered_map<Index, std::uint64_t> size;
    for (Index i = 0; i < x.size(); ++i) ++size[sets.find(i)];
    std::uint64_t pieces = 0;
    for (const auto& [root, count] : size) pieces += count >= smallest_piece ? 1 : 0;
    return pieces;
}

std::vector<Vec3d> positions_of(const ParticleTable& particles, std::size_t object) {
    std::vector<Vec3d> x;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.object[i] == object) x.push_back(to_double(particles.position[i]));
    return x;
}

/// Pieces of the object where nothing is in its way.
std::uint64_t pieces_of_shape(const Scene& scene, std::size_t object, double distance) {
    Model alone = scene.model;
    alone.obstacles.clear();
    return count_pieces(positions_of(populate(alone, {scene.model.objects[object]}), 0), distance);
}

}  // namespace

std::string carving_warnings(const Scene& scene, const Filling& filling) {
    std::string text;
    const double distance = reach * scene.model.particles.spacing;
    for (std::size_t k = 0; k < filling.carvings.size(); ++k) {
        const Carving& carving = filling.carvings[k];
        const std::string& name = scene.model.objects[k].name;
        if (carving.stays)
            text += fmt::format(
                "             warning: `{}` lies flush on the floor outside of the liquid: it is light "
                "enough to float, but liquid that "
                "reaches it later does not get below a rigid body; an elastic one would rise\n",
                name);
        if (carving.carved() == 0) continue;
        const double fraction = static_cast<double>(carving.carved()) / static_cast<double>(carving.sampled);
        if (fraction > most_carved)
            text += fmt::format(
                "             warning: `{}` loses {:.0f} % of its particles to what is in its way; \"fill\" "
                "fits a "
                "liquid into a vessel, and \"intersection\" cuts shapes\n",
                name, 100 * fraction);
        const std::uint64_t pieces = count_pieces(positions_of(filling.particles, k), distance);
        if (pieces > 1 && pieces > pieces_of_shape(scene, k, distance))
            text += fmt::format("             warning: what is in the way cuts `{}` into {} pieces\n", name,
                                with_commas(pieces));
    }
    return text;
}

}  // namespace thixo
