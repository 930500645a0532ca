#include "collide/heat_contacts.h"

namespace thixo {

void find_heat_contacts(const Device& device, const Walls& walls, View<const Vec3f> x,
                        View<const std::uint16_t> material, View<const float> conductivity,
                        const HalfSpaceIntegral& integral, View<const float> supports,
                        View<HeatContact> out) {
    launch(device, static_cast<Index>(x.size()), [=, walls = walls.view(), &integral](Index i) {
        const float reach = supports.empty() ? integral.reach() : supports[i],
                    size = reach / integral.reach();
        HeatContact nearest{.distance = reach};
        for (const Wall& wall : walls) {
            if (!wall.heats || is_beyond(wall, x[i], nearest.distance)) continue;
            const auto [d, n] = distance_to(wall, x[i]);
            if (!(d < nearest.distance)) continue;
            nearest = {n,
                       d,
                       size,
                       wall.resistance,
                       wall.temperature,
                       exchange_by_distance(wall, d, conductivity[material[i]], integral, size)};
        }
        out[i] = nearest;
    });
}

float exchange_by_distance(const Wall& wall, float d, float conductivity, const HalfSpaceIntegral& integral,
                           float size) {
    const float nearest = 0.125f * size * integral.reach();  // resolution of drag(d)
    return integral.drag(d, size) / (1 + wall.resistance * conductivity / std::max(d, nearest));
}

}  // namespace thixo
