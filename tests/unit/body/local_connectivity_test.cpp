#include "body/local_connectivity.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <set>

using namespace thixo;

namespace {

/// Rows of one body in a line, each of which hangs on some of the next ones.
struct Strand {
    std::vector<std::set<Index>> bonds;
    std::vector<std::uint32_t> body;

    explicit Strand(Index size) : bonds(size), body(size, 1) {}
    void link(Index a, Index b) {
        bonds[a].insert(b);
        bonds[b].insert(a);
    }
    auto view() const {
        return [this](Index row, const auto& visit) {
            for (const Index other : bonds[row]) visit(other);
        };
    }
    std::vector<std::uint32_t> may_split(const std::vector<Index>& rows) const {
        return LeavingRows(body.size()).may_split(view(), rows, body);
    }

    /// Whether what is left hangs together, and there is something left.
    bool holds_without(const std::vector<Index>& rows) const {
        std::set<Index> left, reached;
        for (Index i = 0; i < bonds.size(); ++i) left.insert(i);
        for (const Index i : rows) left.erase(i);
        if (left.empty()) return false;
        std::vector<Index> next{*left.begin()};
        while (!next.empty()) {
            const Index i = next.back();
            next.pop_back();
            if (!left.count(i) || !reached.insert(i).second) continue;
            next.insert(next.end(), bonds[i].begin(), bonds[i].end());
        }
        return reached.size() == left.size();
    }
};

}  // namespace

TEST_CASE("a chain may be split in its middle and not at its ends") {
    Strand chain(10);
    for (Index i = 0; i + 1 < 10; ++i) chain.link(i, i + 1);
    CHECK(chain.may_split({0, 1, 9, 8}).empty());
    CHECK(chain.may_split({4}) == std::vector<std::uint32_t>{1});
    CHECK(chain.may_split({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) ==
          std::vector<std::uint32_t>{1});  // nothing is left
}

TEST_CASE("a body that is split is found, whichever rows leave") {
    CHECK(rc::check([] {
        const auto size = static_cast<Index>(*rc::gen::inRange(2, 200));
        Strand strand(size);
        for (Index i = 1; i < size; ++i) {
            const auto back = static_cast<Index>(*rc::gen::inRange(1, 5));
            for (Index k = 1; k <= std::min(i, back); ++k) strand.link(i, i - k);
        }
        std::vector<Index> rows;
        for (Index i = 0; i < size; ++i) {
            if (*rc::gen::inRange(0, 5) == 0) rows.push_back(i);
        }
        const std::vector<std::uint32_t> weak = strand.may_split(rows);
        if (!strand.holds_without(rows)) RC_ASSERT(!weak.empty());
    }));
}

TEST_CASE("rows that freeze beside one body belong to it, those between two leave it open") {
    Strand chain(7);
    for (Index i = 0; i + 1 < 7; ++i) chain.link(i, i + 1);
    ParticleTable particles;
    particles.resize(7);
    particles.body = {1, 0, 0, 1, 0, 2, 0};
    std::vector<std::uint32_t> may_split;
    join_adjacent_bodies(chain.view(), std::vector<Index>{2, 1, 4, 6}, particles, may_split);
    CHECK(particles.body == std::vector<std::uint32_t>{1, 1, 1, 1, 0, 2, 2});
    CHECK(may_split == std::vector<std::uint32_t>{1, 2});
}
