#include "fluid/coarse_pressure.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/conjugate_gradient.h"
#include "core/raw_array.h"

namespace thixo {

namespace {

/// Width of a cell, in supports.
constexpr float cell_supports = 2;

/// The sweeps that follow correct what is left; rᵀz falls to this fraction.
constexpr double coarse_tolerance = 1e-3;
constexpr int most_coarse_iterations = 100;

/// Added to the diagonal, as a fraction of it: a few particles do not determine the values of eight corners.
constexpr float regularisation = 1e-4f;

/// Cells that a thread gets at a time; each has tens of particles.
constexpr Index cell_grain = 16;

/// Below so many corners one thread is faster than many are to start, three times an iteration.
constexpr std::size_t corners_for_threads = 4096;

/// Trilinear functions of the corners of a cell, and their gradients.
struct CornerFunctions {
    Lanes value;
    Vec3<Lanes> gradient;
};

/// One cell. Corner c is on its upper side along x where bit 0 of c is set, y: bit 1, z: bit 2. In two
/// dimensions the upper corners along z have no weight.
struct CellFrame {
    Vec3d low;  ///< its lowest corner
    double inverse_size;
    bool flat;

    CellFrame(const GridLevel& level, std::uint64_t key, bool is_flat)
        : inverse_size(1 / level.cell_size), flat(is_flat) {
        const auto whole = [](std::uint64_t cell) { return static_cast<double>(cell); };
        low = level.origin + level.cell_size * Vec3d{whole(key % level.nx), whole(key / level.nx % level.ny),
                                                     whole(key / (level.nx * level.ny))};
    }

    CornerFunctions functions(const Packed4& at) const {
        const auto place = [&](float x, double from) {
            return std::clamp(static_cast<float>((x - from) * inverse_size), 0.f, 1.f);
        };
        const float x = place(at.x, low.x), y = place(at.y, low.y), z = place(at.z, low.z),
                    slope = static_cast<float>(inverse_size);
        const Lanes up_x{0, 1, 0, 1, 0, 1, 0, 1}, up_y{0, 0, 1, 1, 0, 0, 1, 1}, up_z{0, 0, 0, 0, 1, 1, 1, 1};
        const Lanes one = spread<Lanes>(1.f);
        const Lanes sx = 2.f * up_x - one, sy = 2.f * up_y - one,
                    sz = flat ? spread<Lanes>(0.f) : 2.f * up_z - one;
        const Lanes wx = one - up_x + sx * x, wy = one - up_y + sy * y, wz = one - up_z + sz * z;
        const Lanes wyz = wy * wz;
        return {wx * wyz, {slope * sx * wyz, slope * sy * (wx * wz), slope * sz * (wx * wy)}};
    }
};

/// The entries of eight corners.
Lanes at_corners(View<const float> values, const Index* corners) { return gather(values.data(), corners); }

/// As conjugate_gradient takes it.
struct CornerSystem {
    Device device;
    Index cell_count;
    View<const Index> corners, cells;
    const Lanes (*blocks)[lane_count];
    View<const float> inverse;
    View<Lanes> products;
    View<float> value, residual, search, product;
    double target;

    Index size() const { return static_cast<Index>(value.size()); }

    /// Adds up what cells gave their corners.
    float sum_around(Index corner) const {
        float sum = 0;
        for (Index c = 0; c < lane_count; ++c) sum += products[cells[lane_count * corner + c]][c];
        return sum;
    }

    bool converged(double rz) const { return !(rz > target); }
    double multiply() const {
        launch<small_grain>(device, cell_count, [*this](Index e) {
            const Lanes p = at_corners(search, &corners[lane_count * e]);
            Lanes sum = p[0] * blocks[e][0];
            for (Index c = 1; c < lane_count; ++c) sum += p[c] * blocks[e][c];
            products[e] = sum;
        });
        return reduce_sum(device, size(), [*this](Index k) {
            if (inverse[k] == 0) return 0.0;  // its only particles have no volume beside them
            product[k] = sum_around(k) + regularisation * search[k] / inverse[k];
            return double{search[k]} * product[k];
        });
    }
    double advance(double alpha) const {
        return reduce_sum(device, size(), [*this, a = static_cast<float>(alpha)](Index k) {
            value[k] += a * search[k];
            residual[k] -= a * product[k];
            return double{residual[k]} * residual[k] * inverse[k];
        });
    }
    void turn(double beta) const {
        launch(device, size(), [*this, b = static_cast<float>(beta)](Index k) {
            search[k] = inverse[k] * residual[k] + b * search[k];
        });
    }
};

}  // namespace

CoarsePressure::CoarsePressure(const Discretisation& of)
    : dimensions_(of.dimensions), support_(static_cast<float>(of.support)) {}

/// Numbers the corners of all cells in the order of their places, and finds which cells meet at each.
void CoarsePressure::number_corners(const Device& device) {
    const GridLevel& level = grid_.levels()[0];
    const auto cell_count = static_cast<Index>(level.cells.size() - 1);
    const std::uint64_t wide = level.nx + 1, plane = wide * (level.ny + 1);
    const auto lowest = [&](Index e) {
        const std::uint64_t key = level.cells[e].key;
        return key % level.nx + wide * (key / level.nx % level.ny) + plane * (key / (level.nx * level.ny));
    };
    const auto offset = [=, flat = dimensions_ == 2](Index c) {
        return (c & 1) + (c & 2 ? wide : 0) + (c & 4 && !flat ? plane : 0);
    };
    std::vector<std::uint64_t> keys(cell_count), both;
    for (Index e = 0; e < cell_count; ++e) keys[e] = lowest(e);
    for (const std::uint64_t shift : {std::uint64_t{1}, wide, dimensions_ == 2 ? 0 : plane}) {
        std::vector<std::uint64_t> shifted(keys);
        for (std::uint64_t& key : shifted) key += shift;
        both.clear();
        std::set_union(keys.begin(), keys.end(), shifted.begin(), shifted.end(), std::back_inserter(both));
        keys.swap(both);
    }
    corners_.resize(lane_count * cell_count);
    cells_.assign(lane_count * keys.size(), cell_count);
    launch<small_grain>(device, cell_count,
                        [&keys, lowest, offset, corners = View(corners_), cells = View(cells_),
                         upper = dimensions_ == 2 ? Index{4} : lane_count](Index e) {
                            const std::uint64_t first = lowest(e);
                            for (Index c = 0; c < lane_count; ++c) {
                                const auto found =
                                    std::lower_bound(keys.begin(), keys.end(), first + offset(c));
                                const auto corner = static_cast<Index>(found - keys.begin());
                                corners[lane_count * e + c] = corner;
                                if (c < upper) cells[lane_count * corner + c] = e;
                            }
                        });
    for (std::vector<float>* column : {&inverse_, &value_, &residual_, &search_, &product_})
        column->resize(keys.size());
    blocks_.resize(cell_count);
    products_.resize(cell_count + 1);
    products_[cell_count] = spread<Lanes>(0.f);
}

void CoarsePressure::assemble(const Device& device, const System& system) {
    const ParticleTable& particles = system.state.particles;
    RawArray<float> reach(particles.size());
    launch(device, particles.size(),
           [width = cell_supports * support_, out = View<float>(reach)](Index i) { out[i] = width; });
    order_ = grid_.sort(device, particles.position, reach);
    number_corners(device);
    const GridLevel& level = grid_.levels()[0];
    const auto cell_count = static_cast<Index>(blocks_.size());
    launch<cell_grain>(
        device, cell_count,
        [&level, flat = dimensions_ == 2, cells = View<const Cell>(level.cells),
         order = View<const Index>(order_), xv = system.state.records.position_volume(), g = system.gradient,
         walls = system.state.walls, n = system.fullness, constants = system.constants,
         material = View<const std::uint16_t>(particles.material), blocks = View(blocks_)](Index e) {
            Block block{};
            const CellFrame frame(level, cells[e].key, flat);
            for (Index k = cells[e].first; k < cells[e + 1].first; ++k) {
                const Index i = order[k];
                const CornerFunctions phi = frame.functions(xv[i]);
                const Vec3f& wall = walls[i].gradient;
                const Vec3<Lanes> beta{(2 * g[i].x - wall.x) * phi.value + n[i] * phi.gradient.x,
                                       (2 * g[i].y - wall.y) * phi.value + n[i] * phi.gradient.y,
                                       (2 * g[i].z - wall.z) * phi.value + n[i] * phi.gradient.z};
                const float weight = xv[i].w / constants[material[i]].rest_density;
                const Vec3<Lanes> weighted = beta * spread<Lanes>(weight);
                for (Index c = 0; c < lane_count; ++c)
                    block.row[c] += weighted.x[c] * beta.x + weighted.y[c] * beta.y + weighted.z[c] * beta.z;
            }
            blocks[e] = block;
        });
    launch(device, static_cast<Index>(inverse_.size()),
           [cells = View<const Index>(cells_), blocks = View<const Block>(blocks_),
            out = View(inverse_)](Index k) {
               float diagonal = 0;
               for (Index c = 0; c < lane_count; ++c) {
                   const Index e = cells[lane_count * k + c];
                   if (e < blocks.size()) diagonal += blocks[e].row[c][c];
               }
               out[k] = diagonal > 0 ? 1 / ((1 + regularisation) * diagonal) : 0;
           });
}

void CoarsePressure::solve(const Device& device, const FluidState& state, View<const float> residual,
                           View<float> correction) {
    const GridLevel& level = grid_.levels()[0];
    const auto cell_count = static_cast<Index>(blocks_.size());
    const bool flat = dimensions_ == 2;
    const View<const Cell> cells(level.cells);
    const View<const Index> order(order_);
    const Packed4* xv = state.records.position_volume();
    launch<cell_grain>(device, cell_count, [=, &level, products = View(products_)](Index e) {
        const CellFrame frame(level, cells[e].key, flat);
        Lanes sum{};
        for (Index k = cells[e].first; k < cells[e + 1].first; ++k)
            sum += residual[order[k]] * frame.functions(xv[order[k]]).value;
        products[e] = sum;
    });
    CornerSystem system{inverse_.size() < corners_for_threads ? Device{1} : device,
                        cell_count,
                        corners_,
                        cells_,
                        reinterpret_cast<const Lanes(*)[lane_count]>(blocks_.data()),
                        inverse_,
                        products_,
                        value_,
                        residual_,
                        search_,
                        product_,
                        0};
    const double rz = reduce_sum(system.device, system.size(), [system](Index k) {
        system.value[k] = system.product[k] = 0;
        system.residual[k] = system.inverse[k] > 0 ? system.sum_around(k) : 0;
        system.search[k] = system.inverse[k] * system.residual[k];
        return double{system.residual[k]} * system.search[k];
    });
    system.target = coarse_tolerance * rz;
    iterations_ = conjugate_gradient(system, rz, most_coarse_iterations);
    launch<cell_grain>(
        device, cell_count,
        [=, &level, corners = View<const Index>(corners_), value = View<const float>(value_)](Index e) {
            const CellFrame frame(level, cells[e].key, flat);
            const Lanes at = at_corners(value, &corners[lane_count * e]);
            for (Index k = cells[e].first; k < cells[e + 1].first; ++k)
                correction[order[k]] = sum(at * frame.functions(xv[order[k]]).value);
        });
}

std::size_t CoarsePressure::bytes() const {
    return (order_.capacity() + corners_.capacity() + cells_.capacity()) * sizeof(Index) +
           blocks_.capacity() * sizeof(Block) + products_.capacity() * sizeof(Lanes) +
           (inverse_.capacity() + value_.capacity() + residual_.capacity() + search_.capacity() +
            product_.capacity()) *
               sizeof(float);
}

}  // namespace thixo
