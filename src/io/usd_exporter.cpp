#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <numbers>

#include "core/atomic_file.h"
#include "io/exported_scene.h"
#include "io/usd_text.h"

namespace thixo {
namespace {

namespace fs = std::filesystem;

/// mm; a full-frame camera. Only its ratio to the focal length matters.
constexpr double film_height = 24;

/// Where the key light's pose has z towards it: a distant light shines along its −z.
Pose facing(const Vec3f& towards) { return ExportedCamera{.eye = to_double(towards), .target = {}}.pose(); }

float no_radius(std::size_t) { return 0; }

double brightest(const Vec3f& c) { return std::max({c.x, c.y, c.z, 1e-6f}); }

/// scene.usda has what does not change its shape: looks, obstacles, camera, lights. The matter of each frame
/// is in a separate file, and value clips make one sequence of them, so that programs read the frames that
/// they show. The manifest declares what frames may have: a surface that a frame lacks is empty there.
class UsdExporter : public SceneExporter {
public:
    UsdExporter(const ExportedScene& scene, fs::path folder) : scene_(scene), folder_(std::move(folder)) {
        begin_frames(folder_, "scene.usda");
        poses_.resize(scene.obstacles.size());
    }

    void add(const ExportedFrame& frame) override {
        AtomicFile file(folder_ / "frames" / fmt::format("{:04}.usda", frame.number));
        UsdText out(&file);
        out.line("#usda 1.0");
        out.line(fmt::format(
            "(\n    doc = \"frame {}, time {} s\"\n    endTimeCode = {}\n    startTimeCode = {}\n)\n",
            frame.number, frame.time, frame.number, frame.number));
        out.open("def Xform \"Matter\"");
        for (const ExportedSurface& s : frame.surfaces) {
            Surface& known = surfaces_[s.name];
            if (known.word.empty()) known = {unique_identifier(s.name, taken_), s.look};
            known.has_normals |= !s.mesh.normals.empty();
            known.has_colours |= !s.colour.empty();
            known.has_texture |= !s.mesh.texture.empty();
            known.has_velocities |= !s.velocity().empty();
            known.has_temperature |= column_of(s.mesh, "temperature") != nullptr;
            out.open(fmt::format("over \"{}\"", known.word));
            write_surface(out, s, frame.number);
            out.close();
        }
        if (frame.particles) {
            has_particles_ = true;
            out.open("over \"Particles\"");
            write_particles(out, *frame.particles, frame.number);
            out.close();
        }
        out.close();
        out.flush();
        file.commit();
        frames_.push_back(frame.number);
        for (std::size_t k = 0; k < poses_.size(); ++k) poses_[k].push_back(frame.poses[k]);
        cameras_.push_back(frame.camera);
    }

    fs::path finish() override {
        write_manifest();
        // Textures are found while frames are made.
        std::set<std::string> taken;
        for (const ExportedLook& look : scene_.looks) looks_.push_back(unique_identifier(look.name, taken));
        const fs::path path = folder_ / "scene.usda";
        AtomicFile file(path);
        UsdText out(&file);
        out.line("#usda 1.0");
        out.line(fmt::format(
            "(\n    defaultPrim = \"Scene\"\n    doc = {}\n    endTimeCode = {}\n    framesPerSecond = {}\n"
            "    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = "
            "\"Y\"\n)\n",
            usd_string((scene_.program.empty() ? "Thixo" : scene_.program) + ": " + scene_.title),
            frames_.back(), scene_.frame_rate, frames_.front(), scene_.frame_rate));
        out.open("def Xform \"Scene\"");
        write_looks(out);
        write_obstacles(out);
        write_matter(out);
        write_camera(out);
        write_lights(out);
        out.close();
        out.flush();
        file.commit();
        return path;
    }

private:
    struct Surface {
        std::string word;
        std::size_t look = 0;
        bool has_normals = false, has_colours = false, has_texture = false, has_velocities = false,
             has_temperature = false;
    };

    static void write_surface(UsdText& out, const ExportedSurface& s, int frame) {
        out.sample("float3[] extent", frame, usd_extent(s.mesh.vertices, no_radius), usd_vector<Vec3d>);
        out.sample("int[] faceVertexCounts", frame, s.mesh.triangles, [](auto&) { return "3"; });
        out.sample("int[] faceVertexIndices", frame, s.mesh.triangles,
                   [](const auto& t) { return fmt::format("{}, {}, {}", t[0], t[1], t[2]); });
        out.sample("point3f[] points", frame, s.mesh.vertices, usd_vector<Vec3f>);
        if (!s.mesh.normals.empty())
            out.sample("normal3f[] primvars:normals", frame, s.mesh.normals, usd_vector<Vec3f>);
        if (const std::vector<Vec3f> velocity = s.velocity(); !velocity.empty())
            out.sample("vector3f[] velocities", frame, velocity, usd_vector<Vec3f>);
        if (!s.colour.empty())
            out.sample("color3f[] primvars:displayColor", frame, s.colour, usd_vector<Vec3f>);
        if (!s.mesh.texture.empty())
            out.sample("texCoord2f[] primvars:st", frame, s.mesh.texture, [](const auto& corners) {
                return fmt::format("({}, {}), ({}, {}), ({}, {})", corners[0][0], corners[0][1],
                                   corners[1][0], corners[1][1], corners[2][0], corners[2][1]);
            });
        if (const auto* temperature = column_of(s.mesh, "temperature"))
            out.sample("float[] primvars:temperature", frame, *temperature, usd_number);
    }

    static void write_particles(UsdText& out, const ParticleFrame& p, int frame) {
        out.sample("float3[] extent", frame,
                   usd_extent(p.position, [&](std::size_t i) { return p.radius[i]; }), usd_vector<Vec3d>);
        out.sample("point3f[] points", frame, p.position, usd_vector<Vec3f>);
        out.sample("float[] widths", frame, p.radius, [](float r) { return fmt::format("{}", 2 * r); });
        const auto column = [&](const char* name) -> const std::vector<float>* {
            const auto found = p.attributes.find(name);
            return found == p.attributes.end() ? nullptr : &found->second;
        };
        if (const auto* ids = column("id"))
            out.sample("int64[] ids", frame, *ids, [](float id) { return fmt::format("{:.0f}", id); });
        const auto *vx = column("vx"), *vy = column("vy"), *vz = column("vz");
        if (vx && vy && vz) {
            std::vector<Vec3f> velocity;
            for (std::size_t i = 0; i < vx->size(); ++i) velocity.push_back({(*vx)[i], (*vy)[i], (*vz)[i]});
            out.sample("vector3f[] velocities", frame, velocity, usd_vector<Vec3f>);
        }
        for (const char* name : particle_primvars)
            if (const auto* values = column(name))
                out.sample(fmt::format("float[] primvars:{}", name), frame, *values, usd_number);
    }

    /// Values that frames have at single times, and what they are where a frame has none.
    void write_manifest() const {
        AtomicFile file(folder_ / "manifest.usda");
        UsdText out(&file);
        out.line("#usda 1.0\n");
        out.open("def Xform \"Matter\"");
        for (const auto& [name, s] : surfaces_) {
            out.open(fmt::format("over \"{}\"", s.word));
            for (const char* type :
                 {"float3[] extent", "int[] faceVertexCounts", "int[] faceVertexIndices", "point3f[] points"})
                out.line(fmt::format("{} = []", type));
            if (s.has_normals) out.line("normal3f[] primvars:normals = []");
            if (s.has_velocities) out.line("vector3f[] velocities = []");
            if (s.has_colours) out.line("color3f[] primvars:displayColor = []");
            if (s.has_texture) out.line("texCoord2f[] primvars:st = []");
            if (s.has_temperature) out.line("float[] primvars:temperature = []");
            out.close();
        }
        if (has_particles_) {
            out.open("over \"Particles\"");
            for (const char* type : {"float3[] extent", "point3f[] points", "float[] widths", "int64[] ids",
                                     "vector3f[] velocities"})
                out.line(fmt::format("{} = []", type));
            for (const char* name : particle_primvars)
                out.line(fmt::format("float[] primvars:{} = []", name));
            out.close();
        }
        out.close();
        out.flush();
        file.commit();
    }

    void write_looks(UsdText& out) const {
        out.open("def Scope \"Looks\"");
        for (std::size_t k = 0; k < looks_.size(); ++k) write_look(out, scene_.looks[k], looks_[k]);
        out.close();
    }

    static void write_look(UsdText& out, const ExportedLook& l, const std::string& word) {
        const std::string path = "/Scene/Looks/" + word;
        out.open(fmt::format("def Material \"{}\"", word));
        out.line(fmt::format("token outputs:surface.connect = <{}/Shader.outputs:surface>", path));
        // What USD's preview surface has no input for.
        out.line(fmt::format("custom float thixo:depth = {}", l.depth));
        out.line(fmt::format("custom float thixo:scattering = {}", l.scattering));
        out.line(fmt::format("custom float3 thixo:spread = {}", usd_vector(l.spread)));
        out.line(fmt::format("custom float thixo:glow = {}", l.glow));
        out.open("def Shader \"Shader\"");
        out.line("uniform token info:id = \"UsdPreviewSurface\"");
        if (l.by_vertex || !l.texture.empty())
            out.line(fmt::format("color3f inputs:diffuseColor.connect = <{}/{}>", path,
                                 l.texture.empty() ? "Colour.outputs:result" : "Texture.outputs:rgb"));
        else
            out.line(fmt::format("color3f inputs:diffuseColor = {}", usd_vector(l.colour)));
        out.line(fmt::format("float inputs:ior = {}", l.refractive_index));
        out.line(fmt::format("float inputs:metallic = {}", l.metal));
        out.line(fmt::format("float inputs:opacity = {}", l.clear ? 0.15f : l.opacity));
        out.line(fmt::format("float inputs:roughness = {}", l.roughness));
        out.line("token outputs:surface");
        out.close();
        const auto reader = [&](const char* name, const char* type, const char* varname) {
            out.open(fmt::format("def Shader \"{}\"", name));
            out.line(fmt::format("uniform token info:id = \"UsdPrimvarReader_{}\"", type));
            out.line(fmt::format("string inputs:varname = \"{}\"", varname));
            out.line(fmt::format("{} outputs:result", type));
            out.close();
        };
        if (l.by_vertex) reader("Colour", "float3", "displayColor");
        if (!l.texture.empty()) {
            reader("Coordinates", "float2", "st");
            out.open("def Shader \"Texture\"");
            out.line("uniform token info:id = \"UsdUVTexture\"");
            out.line(fmt::format("asset inputs:file = @./{}@", l.texture));
            out.line(fmt::format("float2 inputs:st.connect = <{}/Coordinates.outputs:result>", path));
            out.line("token inputs:wrapS = \"repeat\"");
            out.line("token inputs:wrapT = \"repeat\"");
            out.line("float3 outputs:rgb");
            out.close();
        }
        out.close();
    }

    void write_obstacles(UsdText& out) const {
        std::set<std::string> taken;
        out.open("def Xform \"Obstacles\"");
        for (std::size_t k = 0; k < scene_.obstacles.size(); ++k) {
            const ExportedObstacle& o = scene_.obstacles[k];
            out.open(fmt::format("def Mesh \"{}\" (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)",
                                 unique_identifier(o.name, taken)));
            out.line(fmt::format("uniform bool doubleSided = {}", o.container ? 0 : 1));
            out.array("float3[] extent", usd_extent(o.mesh.vertices, no_radius), usd_vector<Vec3d>);
            out.array("int[] faceVertexCounts", o.mesh.triangles, [](auto&) { return "3"; });
            out.array("int[] faceVertexIndices", o.mesh.triangles,
                      [](const auto& t) { return fmt::format("{}, {}, {}", t[0], t[1], t[2]); });
            out.array("point3f[] points", o.mesh.vertices, usd_vector<Vec3f>);
            out.line(fmt::format("rel material:binding = </Scene/Looks/{}>", looks_[o.look]));
            out.line("uniform token subdivisionScheme = \"none\"");
            out.transform(frames_, poses_[k], o.moves);
            out.close();
        }
        out.close();
    }

    void write_matter(UsdText& out) const {
        std::string files, active, times;
        for (std::size_t k = 0; k < frames_.size(); ++k) {
            const char* comma = k == 0 ? "" : ", ";
            files += fmt::format("{}@./frames/{:04}.usda@", comma, frames_[k]);
            active += fmt::format("{}({}, {})", comma, frames_[k], k);
            times += fmt::format("{}({}, {})", comma, frames_[k], frames_[k]);
        }
        out.open(
            fmt::format("def Xform \"Matter\" (\n"
                        "    clips = {{\n        dictionary default = {{\n"
                        "            double2[] active = [{}]\n"
                        "            asset[] assetPaths = [{}]\n"
                        "            asset manifestAssetPath = @./manifest.usda@\n"
                        "            string primPath = \"/Matter\"\n"
                        "            double2[] times = [{}]\n        }}\n    }}\n)",
                        active, files, times));
        for (const auto& [name, s] : surfaces_) {
            out.open(fmt::format("def Mesh \"{}\" (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)",
                                 s.word));
            out.line(fmt::format("rel material:binding = </Scene/Looks/{}>", looks_[s.look]));
            out.line("uniform token subdivisionScheme = \"none\"");
            const auto varying = [&](bool has, const char* what, const char* how) {
                if (has) out.line(fmt::format("{} (\n        interpolation = \"{}\"\n    )", what, how));
            };
            varying(s.has_normals, "normal3f[] primvars:normals", "vertex");
            varying(s.has_colours, "color3f[] primvars:displayColor", "vertex");
            varying(s.has_texture, "texCoord2f[] primvars:st", "faceVarying");
            varying(s.has_temperature, "float[] primvars:temperature", "vertex");
            out.close();
        }
        if (has_particles_) {
            out.open("def Points \"Particles\"");
            for (const char* name : particle_primvars)
                out.line(
                    fmt::format("float[] primvars:{} (\n        interpolation = \"vertex\"\n    )", name));
            // Surfaces show the same matter.
            if (!surfaces_.empty()) out.line("token visibility = \"invisible\"");
            out.close();
        }
        out.close();
    }

    void write_camera(UsdText& out) const {
        const ExportedCamera& c = cameras_.front();
        const double focal = 0.5 * film_height / std::tan(0.5 * c.fov * std::numbers::pi / 180);
        std::vector<Pose> poses;
        for (const ExportedCamera& at : cameras_) poses.push_back(at.pose());
        out.open("def Camera \"Camera\"");
        out.line(fmt::format("float2 clippingRange = ({}, {})", 1e-3 * scene_.reach, 1e3 * scene_.reach));
        out.line(fmt::format("float focalLength = {}", focal));
        out.line(fmt::format("float focusDistance = {}", norm(c.target - c.eye)));
        // Of a parallel view the aperture is the width of the picture, in tenths of a unit.
        const double height = c.perspective ? film_height : 10 * c.height;
        out.line(fmt::format("float horizontalAperture = {}", height * scene_.aspect));
        out.line(fmt::format("token projection = \"{}\"", c.perspective ? "perspective" : "orthographic"));
        out.line(fmt::format("float verticalAperture = {}", height));
        out.transform(frames_, poses, scene_.camera_moves);
        out.close();
    }

    void write_lights(UsdText& out) const {
        const ExportedLights& l = scene_.lights;
        const double key = brightest(l.irradiance), sky = brightest(l.sky);
        // Radiance of the light; its irradiance is π sin²(angle/2) times as much.
        const double half = 0.5 * l.angle * std::numbers::pi / 180;
        const double solid = std::numbers::pi * std::sin(half) * std::sin(half);
        out.open("def DistantLight \"Key\"");
        out.line(fmt::format("float inputs:angle = {}", l.angle));
        out.line(
            fmt::format("color3f inputs:color = {}", usd_vector(l.irradiance / static_cast<float>(key))));
        out.line(fmt::format("float inputs:intensity = {}", key / std::max(solid, 1e-9)));
        out.transform({frames_.front()}, {facing(l.towards)}, false);
        out.close();
        out.open("def DomeLight \"Sky\"");
        out.line(fmt::format("color3f inputs:color = {}", usd_vector(l.sky / static_cast<float>(sky))));
        out.line(fmt::format("float inputs:intensity = {}", sky));
        out.close();
    }

    static constexpr const char* particle_primvars[] = {"temperature", "density", "phase",
                                                        "material",    "object",  "body"};

    const ExportedScene& scene_;
    fs::path folder_;
    std::vector<std::string> looks_;
    std::set<std::string> taken_{"Particles"};
    std::map<std::string, Surface> surfaces_;
    bool has_particles_ = false;
    std::vector<int> frames_;
    std::vector<std::vector<Pose>> poses_;  ///< of each obstacle, by frame
    std::vector<ExportedCamera> cameras_;
};

}  // namespace

std::unique_ptr<SceneExporter> make_usd_exporter(const ExportedScene& scene, const fs::path& folder) {
    return std::make_unique<UsdExporter>(scene, folder);
}

}  // namespace thixo
