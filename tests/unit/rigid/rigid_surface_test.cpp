#include "rigid/rigid_surface.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "body/rigid_clusters.h"
#include "rigid/rigid_bodies.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.1, support = 0.2;

/// The members of a body of particles at these places, in spacings, in their order.
std::vector<RigidMember> members_of(const std::vector<Vec3d>& places, int dimensions = 3) {
    ParticleTable particles;
    particles.resize(static_cast<Index>(places.size()));
    for (Index i = 0; i < particles.size(); ++i) {
        particles.id[i] = i;
        particles.position[i] = to_float(spacing * places[i]);
        particles.mass[i] = 1;
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.phase[i] = Phase::rigid;
    }
    const Device device{1};
    NeighbourSearch search;
    const std::vector<float> h(particles.size(), static_cast<float>(support));
    particles.permute(device, search.sort(device, particles.position, h));
    search.build(device, particles.position, h);
    number_clusters({search.view(), 1.5 * spacing}, particles);
    RigidBodies bodies({Material{.density = 1000}}, {KernelName::cubic_spline, support, dimensions, spacing});
    bodies.regroup(device, particles, search.view());
    const View<const RigidMember> members = bodies.members();
    return {members.begin(), members.end()};  // by id
}

std::vector<Vec3d> cube(int n) {
    std::vector<Vec3d> out;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) out.push_back(Vec3d(i, j, k));
    return out;
}

}  // namespace

TEST_CASE("particles below a notch are at the surface, those a little out of place are not") {
    std::vector<Vec3d> notched = cube(5);
    std::erase_if(notched, [](const Vec3d& x) { return x.x == 0 && x.y == 0 && x.z == 2; });
    const auto below = std::find(notched.begin(), notched.end(), Vec3d{1, 1, 2});
    // It lacks one neighbour of eighteen, √2 spacings away.
    CHECK(members_of(notched)[static_cast<std::size_t>(below - notched.begin())].outer == 1);
    std::vector<Vec3d> frozen = cube(5);
    Stream random(3);
    for (Vec3d& x : frozen) x += 0.03 * to_double(random.point(-1, 1));
    const std::vector<RigidMember> members = members_of(frozen);
    for (std::size_t i = 0; i < frozen.size(); ++i) {
        const Vec3d& x = frozen[i];
        const double edge = std::min({x.x, x.y, x.z, 4 - x.x, 4 - x.y, 4 - x.z});
        CHECK((members[i].outer == 1) == (edge < 0.5));
    }
}
