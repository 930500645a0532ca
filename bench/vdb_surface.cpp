#include "vdb_surface.h"

#include <chrono>

#include <openvdb/openvdb.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/global_control.h>

namespace {

/// What OpenVDB requires of a list of particles.
struct Balls {
    using PosType = openvdb::Vec3R;

    const std::vector<thixo::Vec3f>* centers;
    float radius;

    std::size_t size() const { return centers->size(); }
    void getPos(std::size_t n, openvdb::Vec3R& x) const {
        const thixo::Vec3f& c = (*centers)[n];
        x = {c.x, c.y, c.z};
    }
    void getPosRad(std::size_t n, openvdb::Vec3R& x, openvdb::Real& r) const {
        getPos(n, x);
        r = radius;
    }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

VdbSurface vdb_surface(const std::vector<thixo::Vec3f>& centers, float radius, double cell, int threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    VdbSurface out;
    auto start = std::chrono::steady_clock::now();
    const auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(cell, 3);
    openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> raster(*grid);
    raster.setRmin(0.5);
    raster.rasterizeSpheres(Balls{&centers, radius});
    raster.finalize(true);
    out.rasterising = seconds_since(start);
    start = std::chrono::steady_clock::now();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*grid, points, quads);
    out.meshing = seconds_since(start);
    out.polygons = quads.size();
    for (const openvdb::Vec3s& p : points) out.vertices.push_back({p.x(), p.y(), p.z()});
    return out;
}
