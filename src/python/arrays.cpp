#include "python/arrays.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "surface/reconstruct.h"
#ifdef THIXO_PICTURES
#include <thixo/render/picture.h>
#endif

namespace py = pybind11;

namespace thixo {

namespace {

template <class T, class Row>
py::array rows_of(const std::vector<Row>& rows) {
    py::array_t<T> out({static_cast<py::ssize_t>(rows.size()), py::ssize_t{3}});
    static_assert(sizeof(Row) == 3 * sizeof(T));
    if (!rows.empty()) std::memcpy(out.mutable_data(), rows.data(), rows.size() * sizeof(Row));
    return out;
}

/// The place of a name in a list; an InputError lists what is allowed.
template <std::size_t N>
std::size_t number_of(const char* const (&names)[N], const std::string& name, const char* what) {
    const auto found = std::find(std::begin(names), std::end(names), name);
    if (found != std::end(names)) return static_cast<std::size_t>(found - std::begin(names));
    std::string allowed;
    for (const char* known : names) allowed += (allowed.empty() ? "" : ", ") + std::string(known);
    throw InputError(std::string("there is no ") + what + " \"" + name + "\"; allowed: " + allowed);
}

}  // namespace

py::tuple surface_arrays(const Run& run, const std::string& method, double resolution, int smooth) {
    constexpr const char* methods[] = {"density", "zhu_bridson", "solenthaler", "anisotropic"};
    SurfaceSettings settings{.method = static_cast<SurfaceMethod>(number_of(methods, method, "method")),
                             .resolution = resolution,
                             .smooth = smooth};
    if (!(resolution >= 0.05 && resolution <= 10) || smooth < 0 || smooth > 1000)
        throw InputError("resolution must be in 0.05 to 10, smooth in 0 to 1000");
    if (run.scene().model.dimensions != 3) throw InputError("surfaces are made of scenes in 3D");
    Surface surface;
    {
        const py::gil_scoped_release unlocked;
        const Columns columns = run.columns();
        const Model& model = run.scene().model;
        // By id: rows are sorted by place, which the surface must not depend on.
        std::vector<std::size_t> order(columns.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t i, std::size_t j) { return columns.id[i] < columns.id[j]; });
        std::vector<Vec3f> position;
        std::vector<float> radius, volume;
        for (const std::size_t i : order) {
            position.push_back(columns.position[i]);
            radius.push_back(columns.radius[i]);
            volume.push_back(columns.mass[i] /
                             static_cast<float>(model.materials[columns.material[i]].density));
        }
        std::vector<SurfaceObstacle> obstacles;
        for (const Obstacle& obstacle : model.obstacles)
            obstacles.push_back({obstacle.shape, obstacle.inside, obstacle.motion.at(run.time()), 3});
        const SurfaceParticles particles{position, radius, volume};
        surface = reconstruct(Device{}, particles, {}, settings, 0.5 * model.particles.spacing, free_memory(),
                              obstacles);
    }
    return py::make_tuple(rows_of<float>(surface.mesh.vertices),
                          rows_of<std::uint32_t>(surface.mesh.triangles),
                          rows_of<float>(surface.mesh.normals));
}

py::array picture_array([[maybe_unused]] const Run& run, [[maybe_unused]] int width,
                        [[maybe_unused]] int height, [[maybe_unused]] const std::string& colour_by) {
#ifdef THIXO_PICTURES
    constexpr const char* names[] = {"speed",    "temperature", "density", "pressure",
                                     "material", "object",      "body"};
    PictureSettings settings{.width = width, .height = height};
    settings.colour_by = static_cast<ColourBy>(number_of(names, colour_by, "attribute"));
    Picture picture;
    {
        const py::gil_scoped_release unlocked;
        picture = make_picture(run.scene(), run.columns(), run.time(), settings);
    }
    py::array_t<std::uint8_t> out({py::ssize_t{picture.height}, py::ssize_t{picture.width}, py::ssize_t{3}});
    std::memcpy(out.mutable_data(), picture.pixels.data(), picture.pixels.size());
    return out;
#else
    throw InputError("this package was built without Embree and cannot make pictures");
#endif
}

}  // namespace thixo
