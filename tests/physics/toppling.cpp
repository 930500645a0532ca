#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/rigid.h"

using namespace thixo;

namespace {

constexpr double g = 9.81, degree = std::numbers::pi / 180;

/// A block of so many spacings that stands on a slope.
struct Block {
    int dimensions;
    double spacing;
    int thick, high;
    bool on_board = false;  ///< it stands on a body rather than on an obstacle
    double wider = 0;       ///< the board is so many spacings wider on both sides
};

/// By how much (rad) it has turned.
double turned(const Block& block, double degrees, double end) {
    Model model = weightless(block.dimensions, block.spacing, wood(600, 2));
    model.gravity = {g * std::sin(degrees * degree), -g * std::cos(degrees * degree), 0};
    model.obstacles = {{.name = "floor", .shape = Plane{}, .friction = 2}};
    const double half = 0.5 * block.thick * block.spacing, z = block.dimensions == 2 ? 0 : 2 * block.spacing;
    const double y = block.on_board ? 4 * block.spacing : 0, board = half + block.wider * block.spacing;
    std::vector<Object> objects{
        rigid("block", Box{{-half, y, -z}, {half, y + block.high * block.spacing, z}})};
    if (block.on_board) {
        objects.push_back(rigid("board", Box{{-board, 0, -z}, {board, y, z}}));
        objects.back().held = {{.region = Box{{-9, -9, -9}, {9, 9, 9}}}};
    }
    model.objects = objects;
    Simulation sim(model, populate(model, objects, nullptr, {}, Start::rest));
    while (sim.clock().time < end) sim.step(end);
    const Mat3d r = matrix(sim.rigid().bodies()[0].orientation);
    return std::atan2(-r.y.x, r.x.x);
}

}  // namespace

TEST_CASE("a block on a slope topples when its centre is beyond its base, at any resolution") {
    const std::vector<Block> blocks{{2, 0.05, 4, 12},       {3, 0.05, 4, 12},
                                    {2, 0.02, 8, 24},       {2, 0.05, 2, 12},
                                    {3, 0.05, 2, 12},       {2, 0.05, 3, 6},
                                    {2, 0.05, 4, 12, true}, {2, 0.05, 4, 12, true, 2.3},
                                    {3, 0.05, 4, 12, true}, {2, 0.05, 2, 12, true, 1.6}};
    for (const Block& block : blocks) {
        const double limit = std::atan2(block.thick, block.high) / degree;
        // Beyond the limit by δ it turns as e^(λt) δ, λ² = m g r/I ≥ 3 g cos(limit)/(4 r).
        const double r = 0.5 * std::hypot(block.thick, block.high) * block.spacing;
        const double end = 5 / std::sqrt(0.75 * g / r);
        const double holds = turned(block, limit - 0.5, end), topples = turned(block, limit + 0.5, end);
        INFO(block.dimensions, "D, ", block.thick, " by ", block.high, " of ", block.spacing,
             std::string(block.on_board ? " on a board" : ""), ": turned by ", holds / degree, "° and ",
             topples / degree, "° at half a degree from ", limit);
        CHECK(std::abs(holds) < 0.2 * degree);
        CHECK(topples > 5 * degree);
    }
}
