#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <map>
#include <numeric>
#include <set>

#include "body/lineage.h"

using namespace thixo;

namespace {

using Edge = std::pair<Index, Index>;

/// Particles that hang together as the edges say; the row of each is its number, ids run backwards.
struct Graph {
    std::vector<std::vector<Index>> bonds;
    ParticleTable particles;
    Lineage lineage;

    Graph(Index size, const std::set<Edge>& edges) {
        particles.resize(size);
        particles.phase.assign(size, Phase::elastic);
        for (Index i = 0; i < size; ++i) particles.id[i] = size - 1 - i;
        link(edges);
    }

    void link(const std::set<Edge>& edges) {
        bonds.assign(particles.size(), {});
        for (const auto& [a, b] : edges) {
            bonds[a].push_back(b);
            bonds[b].push_back(a);
        }
    }

    Connectivity view() const {
        return [this](Index row, const std::function<void(Index)>& visit) {
            for (const Index other : bonds[row]) visit(other);
        };
    }
    void number() { number_bodies(view(), particles, lineage); }
    void part(const std::vector<std::uint32_t>& may_split, double time) {
        renumber_bodies(view(), may_split, {time, 0}, particles, lineage);
    }
};

BodyChange start_of(std::uint32_t body, std::uint64_t particles) {
    return {0, 0, BodyEvent::started, body, 0, 0, particles};
}

BodyChange change(double time, BodyEvent event, std::uint32_t body, std::uint32_t parent,
                  std::uint64_t particles) {
    return {time, 0, event, body, parent, 0, particles};
}

std::set<Edge> chain(Index from, Index to) {
    std::set<Edge> out;
    for (Index i = from; i + 1 < to; ++i) out.emplace(i, i + 1);
    return out;
}

}  // namespace

TEST_CASE("bodies are numbered by object, and within one by their lowest id") {
    std::set<Edge> edges = chain(0, 3);  // and 3, alone; then 4 and 5
    edges.emplace(4, 5);
    Graph graph(6, edges);
    graph.particles.object = {1, 1, 1, 1, 0, 0};
    graph.number();
    CHECK(graph.particles.body == std::vector<std::uint32_t>{3, 3, 3, 2, 1, 1});
    CHECK(graph.lineage == Lineage{start_of(1, 2), start_of(2, 1), start_of(3, 3)});
    CHECK(count_bodies(graph.particles) == 3);
}

TEST_CASE("liquid belongs to no body") {
    Graph graph(3, chain(0, 2));
    graph.particles.phase[2] = Phase::liquid;
    graph.number();
    CHECK(graph.particles.body == std::vector<std::uint32_t>{1, 1, 0});
}

TEST_CASE(
    "the largest component of a body that was split keeps its number, of equals that with the lowest id") {
    Graph graph(9, chain(0, 9));
    graph.number();
    graph.link(chain(0, 9));
    graph.part({1}, 1);
    CHECK(graph.lineage.size() == 1);  // it still hangs together

    std::set<Edge> edges = chain(0, 3);
    edges.merge(chain(3, 5));
    edges.merge(chain(5, 9));
    graph.link(edges);
    graph.part({1}, 2);
    CHECK(graph.particles.body == std::vector<std::uint32_t>{2, 2, 2, 3, 3, 1, 1, 1, 1});
    CHECK(graph.lineage == Lineage{start_of(1, 9), change(2, BodyEvent::came_off, 2, 1, 3),
                                   change(2, BodyEvent::came_off, 3, 1, 2)});

    edges = chain(1, 3);
    edges.merge(chain(3, 5));
    edges.merge(chain(5, 7));
    edges.merge(chain(7, 9));
    graph.link(edges);
    graph.part({2, 1}, 3);
    CHECK(graph.particles.body == std::vector<std::uint32_t>{5, 2, 2, 3, 3, 4, 4, 1, 1});
    CHECK(graph.lineage.back() == change(3, BodyEvent::came_off, 5, 2, 1));
    CHECK(count_bodies(graph.particles) == 5);
}

TEST_CASE("of bodies that are merged the largest keeps its number") {
    std::set<Edge> edges = chain(0, 2);
    edges.merge(chain(2, 5));
    Graph graph(7, edges);
    graph.particles.phase[5] = graph.particles.phase[6] = Phase::liquid;
    graph.number();
    CHECK(graph.particles.body == std::vector<std::uint32_t>{2, 2, 1, 1, 1, 0, 0});

    // Row 5 freezes between them, and row 6 on its own.
    graph.particles.phase[5] = graph.particles.phase[6] = Phase::elastic;
    edges.emplace(1, 5);
    edges.emplace(4, 5);
    graph.link(edges);
    graph.part({1, 2}, 1);
    CHECK(graph.particles.body == std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 3});
    CHECK(graph.lineage == Lineage{start_of(1, 3), start_of(2, 2), change(1, BodyEvent::froze, 3, 0, 1),
                                   change(1, BodyEvent::merged, 1, 2, 6)});

    // All that is left of body 3 melts, and so does the bridge.
    for (const Index i : {5, 6}) {
        graph.particles.phase[i] = Phase::liquid;
        graph.particles.body[i] = 0;
    }
    edges.erase({1, 5});
    edges.erase({4, 5});
    graph.link(edges);
    graph.part({1, 3}, 2);
    CHECK(graph.particles.body == std::vector<std::uint32_t>{4, 4, 1, 1, 1, 0, 0});
    CHECK(graph.lineage.at(4) == change(2, BodyEvent::came_off, 4, 1, 2));
    CHECK(graph.lineage.at(5) == change(2, BodyEvent::melted, 3, 0, 0));
}

TEST_CASE("bodies are the connected components, whichever links are removed") {
    CHECK(rc::check([] {
        const auto size = *rc::gen::inRange<Index>(1, 40);
        std::set<Edge> edges;
        for (const auto& [a, b] : *rc::gen::container<std::vector<Edge>>(
                 rc::gen::pair(rc::gen::inRange<Index>(0, size), rc::gen::inRange<Index>(0, size)))) {
            if (a != b) edges.emplace(std::min(a, b), std::max(a, b));
        }
        Graph graph(size, edges);
        graph.number();
        for (double time = 1; time < 4; ++time) {
            std::erase_if(edges, [](const Edge&) { return *rc::gen::inRange(0, 3) == 0; });
            graph.link(edges);
            std::vector<std::uint32_t> all(graph.lineage.size());
            std::iota(all.begin(), all.end(), 1u);
            graph.part(all, time);
        }
        // Oracle: labels that spread until nothing changes.
        std::vector<Index> label(size);
        std::iota(label.begin(), label.end(), Index{0});
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [a, b] : edges) {
                const Index low = std::min(label[a], label[b]);
                changed |= label[a] != low || label[b] != low;
                label[a] = label[b] = low;
            }
        }
        std::map<Index, std::uint32_t> body_of;
        for (Index i = 0; i < size; ++i)
            RC_ASSERT(body_of.emplace(label[i], graph.particles.body[i]).first->second ==
                      graph.particles.body[i]);
        RC_ASSERT(body_of.size() == count_bodies(graph.particles));
        for (std::size_t k = 0; k < graph.lineage.size(); ++k) RC_ASSERT(graph.lineage[k].body == k + 1);
    }));
}
