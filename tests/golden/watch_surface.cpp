// Looks at the surfaces of a run from outside, frame by frame, by rays (Embree).
//
//     watch_surface RUN [RAYS]
//
// A line for each frame: its number, rays that met something, rays that met the inside of a face, where the
// first of them did and the part of that face, and how far points that rays met moved to the next frame
// beyond what the particles around them moved, in spacings, at most: from this frame to the next surface, and
// from the next frame back. First of points on skins and cracks, then of points on the surface of particles.
// Points of crack faces that open are not searched for where they were: they were inside.

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <unordered_map>

#include "core/rotation.h"
#include "geometry/triangle_tree.h"
#include "io/mesh_files.h"
#include "io/particle_frame.h"

using namespace thixo;
namespace fs = std::filesystem;

namespace {

struct SeenPoint {
    Vec3d x;
    bool inside;
    SurfacePart part;
    float body;  ///< 0: none
};

/// One frame: the surfaces of all groups and the particles.
struct WatchedFrame {
    SurfaceMesh mesh;
    TriangleMesh triangles;  ///< in the order of the tree
    TriangleTree tree;
    ParticleFrame particles;
    std::unordered_map<std::uint32_t, Vec3d> place;
    std::unordered_map<std::uint32_t, float> body;
    double spacing = 0;

    WatchedFrame(const fs::path& run, const std::string& name) {
        for (const auto& group : fs::directory_iterator(run / "surface"))
            if (fs::exists(group.path() / (name + ".ply")))
                append(mesh, read_mesh(group.path() / (name + ".ply")));
        for (const Vec3f& x : mesh.vertices) triangles.vertices.push_back(to_double(x));
        triangles.triangles = mesh.triangles;
        tree = TriangleTree(triangles);
        particles = read_particles(run / "particles" / (name + ".ply"));
        const std::vector<float>& id = particles.attributes.at("id");
        const std::vector<float>& of_body = particles.attributes.at("body");
        for (std::size_t i = 0; i < id.size(); ++i) {
            place[static_cast<std::uint32_t>(id[i])] = to_double(particles.position[i]);
            body[static_cast<std::uint32_t>(id[i])] = of_body[i];
        }
        for (const float r : particles.radius) spacing = std::max(spacing, 2 * double{r});
    }
};

/// Numbers in (0, 1) that fill it evenly. [van der Corput]
double radical_inverse(unsigned k, unsigned base) {
    double value = 0, digit = 1;
    for (; k > 0; k /= base) value += (k % base) * (digit /= base);
    return value;
}

/// Whether a ray meets the inside of a face first, by all triangles in double precision. Edges have the same
/// sign for both of their triangles, to the last bit, so that no ray slips through between them.
bool meets_inside(const SurfaceMesh& mesh, const Vec3d& from, const Vec3d& along) {
    const auto side = [&](std::uint32_t a, std::uint32_t b) {
        const bool swapped = b < a;
        if (swapped) std::swap(a, b);
        const double s =
            dot(cross(to_double(mesh.vertices[a]) - from, to_double(mesh.vertices[b]) - from), along);
        return swapped ? -s : s;
    };
    double nearest = std::numeric_limits<double>::infinity();
    bool inside = false;
    for (const auto& t : mesh.triangles) {
        const double u = side(t[1], t[2]), v = side(t[2], t[0]), w = side(t[0], t[1]);
        if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) || u + v + w == 0) continue;
        const Vec3d hit = (u * to_double(mesh.vertices[t[0]]) + v * to_double(mesh.vertices[t[1]]) +
                           w * to_double(mesh.vertices[t[2]])) /
                          (u + v + w);
        const double far = dot(hit - from, along);
        if (far > 0 && far < nearest) nearest = far, inside = u + v + w > 0;
    }
    return inside;
}

/// Rays from a sphere around everything towards places in its box: what they meet first.
std::vector<SeenPoint> look_at(const SurfaceMesh& mesh, unsigned rays) {
    std::vector<SeenPoint> seen;
    if (mesh.triangles.empty()) return seen;
    const std::unique_ptr<RTCDeviceTy, void (*)(RTCDevice)> device(rtcNewDevice("threads=1"),
                                                                   rtcReleaseDevice);
    const std::unique_ptr<RTCSceneTy, void (*)(RTCScene)> scene(rtcNewScene(device.get()), rtcReleaseScene);
    rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                               RTC_FORMAT_FLOAT3, 12, mesh.vertices.size()));
    for (const Vec3f& x : mesh.vertices) *vertex++ = x.x, *vertex++ = x.y, *vertex++ = x.z;
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.triangles.size()));
    for (const auto& t : mesh.triangles) index = std::copy(t.begin(), t.end(), index);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene.get(), geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene.get());
    Bounds box;
    for (const Vec3f& x : mesh.vertices) box.include(to_double(x));
    const Vec3d middle = 0.5 * (box.min + box.max), size = box.size();
    const double radius = norm(size);
    const SurfaceMesh::Attribute* of_body = nullptr;
    for (const SurfaceMesh::Attribute& a : mesh.attributes)
        if (a.name == "body") of_body = &a;
    const auto first_hit = [&](const Vec3d& from, const Vec3d& along) -> std::optional<SeenPoint> {
        RTCRayHit query{};
        query.ray.org_x = static_cast<float>(from.x), query.ray.org_y = static_cast<float>(from.y),
        query.ray.org_z = static_cast<float>(from.z);
        query.ray.dir_x = static_cast<float>(along.x), query.ray.dir_y = static_cast<float>(along.y),
        query.ray.dir_z = static_cast<float>(along.z);
        query.ray.tfar = std::numeric_limits<float>::infinity();
        query.ray.mask = ~0u;
        query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene.get(), &context, &query);
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
        const Vec3d normal{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z};
        return SeenPoint{from + double{query.ray.tfar} * along, dot(normal, along) > 0,
                         mesh.has_parts() ? mesh.part[query.hit.primID] : SurfacePart::liquid,
                         of_body ? of_body->values[mesh.triangles[query.hit.primID][0]] : 0};
    };
    for (unsigned k = 1; k <= rays; ++k) {
        const double h = 2 * radical_inverse(k, 2) - 1, angle = 2 * std::numbers::pi * radical_inverse(k, 3),
                     r = std::sqrt(1 - h * h);
        const Vec3d target = box.min + Vec3d{size.x * radical_inverse(k, 5), size.y * radical_inverse(k, 7),
                                             size.z * radical_inverse(k, 11)};
        const Vec3d from = middle + radius * Vec3d{r * std::cos(angle), h, r * std::sin(angle)};
        const Vec3d along = normalized(target - from);
        std::optional<SeenPoint> hit = first_hit(from, along);
        if (!hit) continue;
        // At a silhouette two faces are equally near within single precision.
        hit->inside = hit->inside && meets_inside(mesh, from, along);
        seen.push_back(*hit);
    }
    return seen;
}

/// How far (m) the particles around a place moved to the other frame, or would have moved it as one rigid
/// piece, whichever is more.
class Motion {
public:
    Motion(const WatchedFrame& from, const WatchedFrame& to)
        : near_(1.5 * from.spacing), cell_(2.2 * from.spacing) {
        for (const auto& [id, x] : from.place)
            if (const auto found = to.place.find(id); found != to.place.end())
                cells_[key(x)].push_back({x, found->second, from.body.at(id)});
    }
    double around(const SeenPoint& point) const {
        const Vec3d& x = point.x;
        std::vector<const Moved*> around;
        for (int k = 0; k < 27; ++k)
            if (const auto found =
                    cells_.find(key(x + cell_ * Vec3d{k % 3 - 1., k / 3 % 3 - 1., k / 9 - 1.}));
                found != cells_.end())
                for (const Moved& particle : found->second)
                    if (norm(particle.from - x) < cell_) around.push_back(&particle);
        if (around.empty()) {
            for (const auto& [key, particles] : cells_)
                for (const Moved& particle : particles) around.push_back(&particle);
            if (around.empty()) return 1e9;
        }
        const Moved* nearest = *std::min_element(
            around.begin(), around.end(),
            [&](const Moved* a, const Moved* b) { return norm2(a->from - x) < norm2(b->from - x); });
        double most = norm(nearest->to - nearest->from);
        for (const Moved* p : around)
            if (norm(p->from - x) < near_) most = std::max(most, norm(p->to - p->from));
        // Where bodies touch, the nearest particle may be another one's.
        return std::max(
            {most, norm(as_one(around, nearest->body, x) - x), norm(as_one(around, point.body, x) - x)});
    }

private:
    struct Moved {
        Vec3d from, to;
        float body;
    };
    /// Where the particles of one body would have the place, by the rotation that fits them best.
    Vec3d as_one(const std::vector<const Moved*>& around, float body, const Vec3d& x) const {
        Vec3d from, to;
        double weight = 0;
        const auto each = [&](const auto& visit) {
            for (const Moved* p : around)
                if (const double q = 1 - norm2(p->from - x) / (cell_ * cell_); q > 0 && p->body == body)
                    visit(*p, q * q * q);
        };
        each([&](const Moved& p, double w) { from += w * p.from, to += w * p.to, weight += w; });
        if (!(weight > 0)) return x;
        from = from / weight, to = to / weight;
        Mat3d turn{};
        each([&](const Moved& p, double w) { turn += outer(w * (p.to - to), p.from - from); });
        return to + closest_rotation(turn, identity<double>(), false) * (x - from);
    }
    static std::int64_t part(double x) { return static_cast<std::int64_t>(std::floor(x)) & 0x1fffff; }
    std::int64_t key(const Vec3d& x) const {
        return part(x.x / cell_) | part(x.y / cell_) << 21 | part(x.z / cell_) << 42;
    }

    double near_, cell_;
    std::unordered_map<std::int64_t, std::vector<Moved>> cells_;
};

struct Excess {
    double most = 0;  ///< spacings
    Vec3d where;
};

Excess excess(const std::vector<SeenPoint>& seen, const WatchedFrame& from, const WatchedFrame& to,
              bool cracks, bool liquid) {
    Excess out;
    const Motion motion(from, to);
    for (const SeenPoint& p : seen) {
        if (p.part == SurfacePart::crack && !cracks) continue;
        if ((p.part == SurfacePart::liquid) != liquid) continue;
        const double moved = std::sqrt(to.tree.nearest(to.triangles, p.x).distance2);
        if (moved <= out.most * from.spacing) continue;
        const double beyond = (moved - motion.around(p)) / from.spacing;
        if (beyond > out.most) out = {beyond, p.x};
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const fs::path run = argv[1];
    const unsigned rays = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 100000;
    std::optional<WatchedFrame> last;
    std::vector<SeenPoint> last_seen;
    fmt::print(
        "frame,hits,inside,inside_x,inside_y,inside_z,inside_part,forward,back,x,y,z,liquid_forward,liquid_"
        "back,liquid_x,"
        "liquid_y,liquid_z\n");
    for (int frame = 0;; ++frame) {
        const std::string name = fmt::format("{:04}", frame);
        if (!fs::exists(run / "particles" / (name + ".ply"))) break;
        bool made = false;
        for (const auto& group : fs::directory_iterator(run / "surface"))
            made = made || fs::exists(group.path() / (name + ".ply"));
        if (!made) break;
        WatchedFrame now(run, name);
        std::vector<SeenPoint> seen = look_at(now.mesh, rays);
        const auto inside =
            std::count_if(seen.begin(), seen.end(), [](const SeenPoint& p) { return p.inside; });
        const auto first =
            std::find_if(seen.begin(), seen.end(), [](const SeenPoint& p) { return p.inside; });
        const Vec3d hole = first == seen.end() ? Vec3d{} : first->x;
        std::string line =
            fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{}", frame, seen.size(), inside, hole.x, hole.y,
                        hole.z, first == seen.end() ? -1 : static_cast<int>(first->part));
        for (const bool liquid : {false, true}) {
            Excess forward, back;
            if (last) {
                forward = excess(last_seen, *last, now, true, liquid);
                back = excess(seen, now, *last, false, liquid);
            }
            const Vec3d where = forward.most > back.most ? forward.where : back.where;
            line += fmt::format(",{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}", forward.most, back.most, where.x,
                                where.y, where.z);
        }
        fmt::print("{}\n", line);
        last.emplace(std::move(now));
        last_seen = std::move(seen);
    }
    return 0;
}
