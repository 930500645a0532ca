#include "skin/split.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "surface/polygonise.h"

namespace thixo {

namespace {

using Uv = std::array<float, 2>;

/// Makes one vertex for each edge that is cut.
class Cutter {
public:
    Cutter(const TriangleMesh& mesh, const std::vector<double>& value, TriangleMesh& out)
        : mesh_(mesh), value_(value), out_(out), number_(mesh.vertices.size(), ~0u) {}

    std::uint32_t kept(std::uint32_t v) {
        if (number_[v] == ~0u) {
            number_[v] = static_cast<std::uint32_t>(out_.vertices.size());
            out_.vertices.push_back(mesh_.vertices[v]);
        }
        return number_[v];
    }
    /// From an end inside to one outside: how far the border is.
    double crossing(std::uint32_t in, std::uint32_t out) const {
        constexpr double margin = 0.02;
        return std::clamp(value_[in] / (value_[in] - value_[out]), margin, 1 - margin);
    }
    std::uint32_t cut(std::uint32_t in, std::uint32_t out) {
        const std::uint64_t key = std::uint64_t{in} << 32 | out;
        const auto [entry, added] = edges_.try_emplace(key, static_cast<std::uint32_t>(out_.vertices.size()));
        if (added)
            out_.vertices.push_back(mesh_.vertices[in] +
                                    crossing(in, out) * (mesh_.vertices[out] - mesh_.vertices[in]));
        return entry->second;
    }

private:
    const TriangleMesh& mesh_;
    const std::vector<double>& value_;
    TriangleMesh& out_;
    std::vector<std::uint32_t> number_;
    std::unordered_map<std::uint64_t, std::uint32_t> edges_;
};

}  // namespace

TriangleMesh clipped(const TriangleMesh& mesh, const std::vector<double>& value) {
    TriangleMesh out;
    Cutter cutter(mesh, value, out);
    const bool textured = !mesh.texture.empty();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const TriangleMesh::Corners& c = mesh.triangles[t];
        std::uint32_t corner[4];
        Uv uv[4];
        std::size_t count = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t l = (k + 1) % 3;
            const bool in = value[c[k]] > 0, next_in = value[c[l]] > 0;
            if (in) {
                if (textured) uv[count] = mesh.texture[t][k];
                corner[count++] = cutter.kept(c[k]);
            }
            if (in == next_in) continue;
            if (textured) {
                const double s = in ? cutter.crossing(c[k], c[l]) : 1 - cutter.crossing(c[l], c[k]);
                for (std::size_t a = 0; a < 2; ++a)
                    uv[count][a] =
                        static_cast<float>((1 - s) * mesh.texture[t][k][a] + s * mesh.texture[t][l][a]);
            }
            corner[count++] = in ? cutter.cut(c[k], c[l]) : cutter.cut(c[l], c[k]);
        }
        for (std::size_t k = 2; k < count; ++k) {
            out.triangles.push_back({corner[0], corner[k - 1], corner[k]});
            if (textured) out.texture.push_back({uv[0], uv[k - 1], uv[k]});
        }
    }
    return out;
}

std::vector<std::vector<Index>> border_loops(const std::vector<TriangleMesh::Corners>& triangles) {
    const auto key = [](std::uint64_t a, std::uint64_t b) { return a << 32 | b; };
    std::unordered_map<std::uint64_t, bool> sides;
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) sides[key(t[k], t[(k + 1) % 3])] = true;
    std::map<Index, std::vector<Index>> next;
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = t[k], b = t[(k + 1) % 3];
            if (!sides.contains(key(b, a))) next[a].push_back(b);
        }
    std::vector<std::vector<Index>> loops;
    for (auto& [start, ends] : next)
        while (!ends.empty()) {
            std::vector<Index> loop{start};
            for (Index at = start;;) {
                std::vector<Index>& on = next[at];
                if (on.empty()) break;
                at = on.back();
                on.pop_back();
                if (at == start) break;
                loop.push_back(at);
            }
            loops.push_back(std::move(loop));
        }
    return loops;
}

namespace {

/// Sums of weights by piece.
class WeightSums {
public:
    explicit WeightSums(int body) : body_(body) {}

    void add(int piece, double firmness, double w) {
        all_ += w;
        if (firmness > 0) add(piece, firmness * w);
        if (firmness < 1) add(no_body, (1 - firmness) * w);
    }

    double margin() const {
        if (!(all_ > 0)) return -1;
        double other = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            // Of two pieces with equal weight the lower number has the place.
            const double w = sums_[k].weight;
            other = std::max(other, w == own_ && sums_[k].body > body_ ? w * (1 - 1e-9) : w);
        }
        return (own_ - other) / all_;
    }

private:
    void add(int body, double w) {
        if (body == body_) {
            own_ += w;
            return;
        }
        std::size_t k = 0;
        while (k < count_ && sums_[k].body != body) ++k;
        if (k == count_ && count_ < std::size(sums_)) sums_[count_++] = {body, 0};
        if (k < count_) sums_[k].weight += w;
    }

    struct Sum {
        int body;
        double weight;
    };
    int body_;
    Sum sums_[32] = {};
    std::size_t count_ = 0;
    double all_ = 0, own_ = 0;
};

bool block_before(const BlockPlace& a, const BlockPlace& b) {
    return std::tuple(a.z, a.y, a.x) < std::tuple(b.z, b.y, b.x);
}

}  // namespace

double PieceIndicator::at(const Vec3d& x, int piece) const {
    WeightSums sums(piece);
    carriers_->grid().for_each_within(x, carriers_->support(), [&](Index i, double d2) {
        sums.add(grip_->piece[i], grip_->firmness[i], carrier_weight(d2, carriers_->support()));
    });
    return sums.margin();
}

double PieceIndicator::at(const VertexWeights& weights, Index v, int piece) const {
    WeightSums sums(piece);
    for (Index k = weights.first[v]; k < weights.first[v + 1]; ++k)
        sums.add(grip_->piece[weights.carrier[k]], grip_->firmness[weights.carrier[k]],
                 double{weights.weight[k]});
    return sums.margin();
}

TriangleMesh domain_border(const Device& device, const Carriers& carriers, const SkinGrip& grip, int piece) {
    const double cell = 0.5 * carriers.spacing(), width = block_width * cell, support = carriers.support();
    // The indicator is summed in blocks that the body and another one reach. Blocks that it alone reaches are
    // inside as a whole: their outer faces are a support radius away from all particles, outside of the skin.
    std::vector<BlockPlace> own, others;
    for (Index i = 0; i < carriers.size(); ++i) {
        const Vec3d& x = carriers.rest()[i];
        const double reach = support + cell;
        const auto block = [&](double a) { return static_cast<std::int32_t>(std::floor(a / width)); };
        for (std::int32_t z = block(x.z - reach); z <= block(x.z + reach); ++z)
            for (std::int32_t y = block(x.y - reach); y <= block(x.y + reach); ++y)
                for (std::int32_t k = block(x.x - reach); k <= block(x.x + reach); ++k) {
                    const bool is_own = grip.piece[i] == piece && grip.firmness[i] > 0;
                    if (is_own) own.push_back({k, y, z});
                    if (!is_own || grip.firmness[i] < 1) others.push_back({k, y, z});
                }
    }
    std::vector<BlockPlace> stored;
    const auto sort = [](std::vector<BlockPlace>& places) {
        std::sort(places.begin(), places.end(), block_before);
        places.erase(std::unique(places.begin(), places.end()), places.end());
    };
    sort(own);
    sort(others);
    // Edges belong to the block of their lower end: blocks below are stored too.
    for (const BlockPlace& p : own)
        for (int d = 0; d < 8; ++d) stored.push_back({p.x - (d & 1), p.y - (d >> 1 & 1), p.z - (d >> 2)});
    sort(stored);
    const auto contains = [](const std::vector<BlockPlace>& places, const BlockPlace& place) {
        return std::binary_search(places.begin(), places.end(), place, block_before);
    };
    SurfaceField field{.grid = BlockGrid(device, cell, std::move(stored))};
    field.outside = 1;
    field.inside = -1;
    field.values.resize(std::size_t{block_nodes} * field.grid.size());
    const PieceIndicator indicator(carriers, grip);
    launch<1>(device, field.grid.size(), [&](Index b) {
        float* values = field.values.data() + std::size_t{block_nodes} * b;
        const BlockPlace& place = field.grid.place(b);
        if (!contains(own, place) || !contains(others, place)) {
            std::fill_n(values, block_nodes, contains(own, place) ? -1.f : 1.f);
            return;
        }
        for (int node = 0; node < block_nodes; ++node) {
            const Vec3d local{double(node % block_width), double(node / block_width % block_width),
                              double(node / (block_width * block_width))};
            values[node] = -static_cast<float>(indicator.at(field.grid.world(b, local), piece));
        }
    });
    Polygonisation surface = polygonise(device, field, 0, false);
    TriangleMesh mesh;
    for (const Vec3f& x : surface.mesh.vertices) mesh.vertices.push_back(to_double(x));
    mesh.triangles = std::move(surface.mesh.triangles);
    return mesh;
}

}  // namespace thixo
