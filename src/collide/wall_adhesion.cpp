#include "collide/wall_adhesion.h"

namespace thixo {

void find_wetted_walls(const Device& device, const Walls& walls, View<const Vec3f> x,
                       View<const std::uint16_t> material, const ContactCosines& cosines,
                       const HalfSpaceIntegral& integral, const WallSubjects& of, View<Wetting> out) {
    launch(device, static_cast<Index>(x.size()), of.rows, [=, walls = walls.view(), &integral](Index i) {
        out[i] = {};
        if (!of.phase.empty() && of.phase[i] != Phase::liquid) return;
        const float reach = of.supports.empty() ? integral.reach() : of.supports[i],
                    size = reach / integral.reach();
        Wetting sum;
        for (const Wall& wall : walls) {
            const float cosine = cosines.of(wall.obstacle, material[i]);
            if (cosine == ContactCosines::none || is_beyond(wall, x[i], reach)) continue;
            const auto [d, n] = distance_to(wall, x[i]);
            if (d >= reach) continue;
            const WallTerm term = integral.at(d, n, size, of.liquids);
            sum.gradient += term.gradient;
            sum.gamma += term.gamma;
            sum.cosine += term.gamma * cosine;
        }
        out[i] = sum;
    });
}

}  // namespace thixo
