#include "vdb/vdb_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetMeasure.h>

#include "core/error.h"
#include "surface/reconstruct.h"

using namespace thixo;

namespace {

Surface ball_in_front_of_a_wall(double spacing) {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    const int n = static_cast<int>(1 / spacing) + 1;
    for (int k = -n; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                const Vec3d x = spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5};
                if (norm(x) > 1) continue;
                position.push_back(to_float(x));
                radius.push_back(static_cast<float>(spacing / 2));
            }
    const SurfaceObstacle floor{Plane{{0, 0, 0}, {0, 1, 0}}};
    return reconstruct({2}, {position, radius, {}}, {},
                       {.method = SurfaceMethod::density, .resolution = 1, .keep_field = true}, spacing / 2,
                       4e9, {floor});
}

}  // namespace

TEST_CASE("a .vdb file holds the field whose surface is the mesh") {
    const Surface s = ball_in_front_of_a_wall(0.1);
    REQUIRE(s.field);
    const auto path = std::filesystem::temp_directory_path() / "thixo_vdb_file_test.vdb";
    write_vdb(path, *s.field, s.level, 1.5);

    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.open();
    const auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(file.readGrid("surface"));
    CHECK(grid->getGridClass() == openvdb::GRID_LEVEL_SET);
    CHECK(grid->metaValue<double>("time") == 1.5);
    const double cell = grid->voxelSize().x();
    CHECK(cell == doctest::Approx(0.05));

    // Vertices of the mesh lie where the field of the file is 0, by linear interpolation along their edges;
    // where surface and wall meet, the larger one of two fields is not linear.
    openvdb::tools::GridSampler<openvdb::FloatGrid, openvdb::tools::BoxSampler> field(*grid);
    double worst = 0;
    for (const Vec3f& v : s.mesh.vertices)
        if (v.y > 2 * cell || std::hypot(v.x, v.z) < 0.8f)
            worst = std::max(worst, std::abs(double{field.wsSample({v.x, v.y, v.z})}));
    CHECK(worst < 0.02 * cell);
    // Inside, outside, and behind the wall.
    CHECK(field.wsSample({0, 0.5, 0}) < 0);
    CHECK(field.wsSample({0, 5, 0}) > 0);
    CHECK(field.wsSample({0, -0.2, 0}) > 0);
    CHECK(s.report.volume == doctest::Approx(2 * std::numbers::pi / 3).epsilon(0.05));
    file.close();
    std::filesystem::remove(path);
}

TEST_CASE("a .vdb file that cannot be written is an error and leaves nothing") {
    const Surface s = ball_in_front_of_a_wall(0.25);
    CHECK_THROWS_AS(write_vdb("/nowhere/at_all.vdb", *s.field, s.level, 0), RunError);
}
