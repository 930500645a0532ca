#include <doctest/doctest.h>

#include <numeric>

#include "body/rigid_clusters.h"

using namespace thixo;

namespace {

/// Rigid rows in a line, one spacing of 1 m apart, in the order of their ids.
struct Line {
    explicit Line(Index count) {
        particles.resize(count);
        std::iota(particles.id.begin(), particles.id.end(), 0u);
        particles.phase.assign(count, Phase::rigid);
        for (Index i = 0; i < count; ++i) particles.position[i] = {static_cast<float>(i), 0, 0};
        const std::vector<float> support(count, 2.f);
        particles.permute(device, search.sort(device, particles.position, support));
        search.build(device, particles.position, support);
        REQUIRE(std::is_sorted(particles.id.begin(), particles.id.end()));
    }
    RigidClusterLinks links() const { return {search.view(), 1.5}; }
    /// Rows join the clusters beside them.
    void join(const std::vector<Index>& rows) {
        join_clusters(
            links(), rows, [](Index, Index) { return true; }, particles);
    }

    Device device{1};
    ParticleTable particles;
    NeighbourSearch search;
};

using Clusters = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("at the start every connected component of an object is a rigid cluster") {
    Line line(6);
    line.particles.object = {0, 0, 0, 0, 1, 1};
    line.particles.phase[1] = Phase::elastic;
    number_clusters(line.links(), line.particles);
    // Numbers of the objects first: 1 for the larger component of object 0, 2 for object 1.
    CHECK(line.particles.rigid_cluster == Clusters{3, 0, 1, 1, 2, 2});
    CHECK(last_cluster(line.particles) == 3);
}

TEST_CASE("the largest component of a cluster that was split keeps its number") {
    Line line(7);
    line.particles.rigid_cluster.assign(7, 1);
    line.particles.rigid_cluster[2] = 0;
    split_clusters(line.links(), Clusters{1}, line.particles);
    CHECK(line.particles.rigid_cluster == Clusters{2, 2, 0, 1, 1, 1, 1});
    // Of equals that with the lowest id.
    line.particles.rigid_cluster[4] = 0;
    line.particles.rigid_cluster[6] = 0;
    split_clusters(line.links(), Clusters{1}, line.particles);
    CHECK(line.particles.rigid_cluster == Clusters{2, 2, 0, 1, 0, 3, 0});
}

TEST_CASE("rows that become rigid join the cluster beside them, and merge those that they connect") {
    Line line(7);
    line.particles.rigid_cluster = {1, 1, 0, 2, 2, 0, 0};
    line.join({5});
    CHECK(line.particles.rigid_cluster == Clusters{1, 1, 0, 2, 2, 2, 0});
    line.join({2});
    CHECK(line.particles.rigid_cluster == Clusters{1, 1, 1, 1, 1, 1, 0});

    Line apart(5);
    apart.particles.rigid_cluster = {1, 0, 0, 0, 0};
    apart.join({3, 4});
    CHECK(apart.particles.rigid_cluster == Clusters{1, 0, 0, 2, 2});
}

TEST_CASE("rows join only what they are bonded to") {
    Line line(3);
    line.particles.rigid_cluster = {1, 0, 2};
    join_clusters(
        line.links(), std::vector<Index>{1}, [](Index, Index other) { return other == 2; }, line.particles);
    CHECK(line.particles.rigid_cluster == Clusters{1, 2, 2});
}
