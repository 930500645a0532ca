#include "render/picture.h"

#include <utility>
#include <vector>

#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "render/camera.h"
#include "render/legend.h"
#include "render/render.h"
#include "render/survey.h"
#include "version.h"

namespace thixo {

namespace {

template <class T>
View<const T> view_of(std::span<const T> values) {
    return {values.data(), values.size()};
}

const char* name_of(ColourBy attribute) {
    constexpr const char* names[] = {"speed",    "temperature", "density", "pressure",
                                     "material", "object",      "body"};
    return names[static_cast<std::size_t>(attribute)];
}

std::vector<float> values_of(const Columns& columns, ColourBy attribute) {
    std::vector<float> values(columns.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        switch (attribute) {
            case ColourBy::speed:
                values[i] = norm(columns.velocity[i]);
                break;
            case ColourBy::temperature:
                values[i] = columns.temperature[i];
                break;
            case ColourBy::density:
                values[i] = columns.density[i];
                break;
            case ColourBy::pressure:
                values[i] = columns.pressure[i];
                break;
            case ColourBy::material:
                values[i] = columns.material[i];
                break;
            case ColourBy::object:
                values[i] = columns.object[i];
                break;
            case ColourBy::body:
                values[i] = static_cast<float>(columns.body[i]);
                break;
        }
    }
    return values;
}

ColourScale colours_for(const std::vector<float>& values, const PictureSettings& settings) {
    const AttributeStyle style = attribute_style(name_of(settings.colour_by));
    if (style.colour_map.empty()) return {ColourMap::categories(), 0, 1};
    ValueSurvey survey;
    survey.add(values);
    Range range = survey.robust_range();
    if (style.from_zero) range.min = 0;
    range = nice_range(range.min, range.max);
    return {ColourMap::named(style.colour_map), static_cast<float>(settings.min.value_or(range.min)),
            static_cast<float>(settings.max.value_or(range.max))};
}

Camera camera_for(const Bounds& stage, const Outline& outline, int dimensions,
                  const PictureSettings& settings) {
    Camera camera = automatic_camera(stage, dimensions, static_cast<double>(settings.width) / settings.height,
                                     {}, outline.points());
    if (settings.eye) {
        camera.eye = *settings.eye;
        camera.target = stage.center();
        camera.perspective = true;
    }
    if (settings.target) camera.target = *settings.target;
    if (norm(camera.target - camera.eye) == 0) throw InputError("eye and target are the same point");
    return camera;
}

Image draw(const Scene& scene, const Columns& columns, double time, const PictureSettings& settings) {
    if (settings.width < 1 || settings.height < 1 || settings.samples < 1 || settings.threads < 0)
        throw InputError("width, height and samples of a picture must be at least 1, threads at least 0");
    const int dimensions = scene.model.dimensions;
    std::vector<RenderObstacle> obstacles;
    for (const Obstacle& obstacle : scene.model.obstacles)
        obstacles.push_back(
            {shape_at(obstacle.shape, obstacle.animation, time), obstacle.inside, obstacle.motion.at(time)});
    const View<const Vec3f> position = view_of(columns.position);
    const View<const float> radius = view_of(columns.radius);
    const Bounds subject = subject_bounds(position, radius);
    const Bounds stage = stage_bounds(subject, obstacles, dimensions);
    Outline outline;
    outline.add(position, radius, subject);
    if (!subject.empty()) outline.add(obstacles, subject);
    prepare(obstacles, stage, dimensions);
    const std::vector<float> values = values_of(columns, settings.colour_by);
    const RenderScene picture{.particles = {position, radius, values},
                              .obstacles = std::move(obstacles),
                              .colours = colours_for(values, settings),
                              .dimensions = dimensions,
                              .stage = stage};
    return render(picture, camera_for(stage, outline, dimensions, settings),
                  {.width = settings.width,
                   .height = settings.height,
                   .samples = settings.samples,
                   .threads = settings.threads});
}

}  // namespace

void write_picture(const std::filesystem::path& file, const Scene& scene, const Columns& columns, double time,
                   const PictureSettings& settings) {
    ImageNotes notes{{"Software", build_info().name()}};
    if (!scene.name.empty()) notes.insert(notes.begin(), {"Title", scene.name});
    write_png(file, draw(scene, columns, time, settings), notes);
}

Picture make_picture(const Scene& scene, const Columns& columns, double time,
                     const PictureSettings& settings) {
    Image image = draw(scene, columns, time, settings);
    return {image.width, image.height, std::move(image.pixels)};
}

}  // namespace thixo
