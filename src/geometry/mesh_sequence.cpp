#include "geometry/mesh_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"

namespace thixo {

namespace {

/// Weights of the corners of a triangle at a point of it.
std::array<double, 3> barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x) {
    const Vec3d e = b - a, f = c - a, p = x - a;
    const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), pe = dot(p, e), pf = dot(p, f);
    const double area2 = ee * ff - ef * ef;
    if (!(area2 > 0)) return {1, 0, 0};  // without area any corner is as near
    const double v = std::clamp((ff * pe - ef * pf) / area2, 0., 1.),
                 w = std::clamp((ee * pf - ef * pe) / area2, 0., 1. - v);
    return {1 - v - w, v, w};
}

/// A file name without the number at its end, that number and its digits.
struct NumberedName {
    std::string stem;
    std::uint64_t number = 0;
    std::size_t digits = 0;
};

NumberedName numbered_name(const std::filesystem::path& file) {
    NumberedName name{.stem = file.stem().string()};
    const std::size_t before = name.stem.find_last_not_of("0123456789");
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    const std::string digits = name.stem.substr(first);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), name.number);
    if (error != std::errc{})
        throw InputError(
            fmt::format("{}: its name has no number at the end, such as wing_0001.obj", file.string()));
    name.digits = digits.size();
    name.stem.resize(first);
    return name;
}

}  // namespace

Vec3d MeshMoment::velocity_at(const Vec3d& x, int dimensions) const {
    const TriangleTree::Nearest nearest = distance->nearest(x, dimensions);
    const TriangleMesh& mesh = distance->mesh();
    const TriangleMesh::Corners& t = mesh.triangles[nearest.triangle];
    const auto weight =
        barycentric(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], nearest.point);
    return weight[0] * velocity[t[0]] + weight[1] * velocity[t[1]] + weight[2] * velocity[t[2]];
}

MeshSequence::MeshSequence(std::vector<TriangleMesh> meshes, const MeshAnimation& settings)
    : triangles_(meshes.front().triangles),
      frame_rate_(settings.frame_rate),
      start_(settings.start),
      repeat_(settings.repeat) {
    for (std::size_t k = 0; k < meshes.size(); ++k) {
        if (meshes[k].triangles != triangles_)
            throw InputError(
                fmt::format("mesh {} of the sequence has other faces than the first ({} triangles and {} "
                            "vertices against {} "
                            "and {}, or joined in another order); vertices may move, faces may not change",
                            k + 1, meshes[k].triangles.size(), meshes[k].vertices.size(), triangles_.size(),
                            meshes.front().vertices.size()));
        bounds_.include(thixo::bounds(meshes[k]));
    }
    for (TriangleMesh& mesh : meshes) vertices_.push_back(std::move(mesh.vertices));
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        const std::vector<Vec3d>&x = vertices_[k], &y = vertices_[(k + 1) % vertices_.size()];
        double farthest = 0;
        for (std::size_t v = 0; v < x.size(); ++v) farthest = std::max(farthest, norm(y[v] - x[v]));
        speed_.push_back(farthest * frame_rate_);
    }
}

MeshSequence::Interval MeshSequence::interval_at(double time) const {
    const auto count = static_cast<double>(vertices_.size());
    double frame = (time - start_) * frame_rate_;
    if (time < start_) return {0, 0, 0};
    if (repeat_)
        frame = std::fmod(frame, count);
    else if (frame >= count - 1)
        return {vertices_.size() - 1, vertices_.size() - 1, 0};
    const auto from = std::min(static_cast<std::size_t>(frame), vertices_.size() - 1);
    return {from, (from + 1) % vertices_.size(), frame - static_cast<double>(from)};
}

MeshMoment MeshSequence::at(double time) const {
    const auto [from, to, u] = interval_at(time);
    const std::vector<Vec3d>&a = vertices_[from], &b = vertices_[to];
    TriangleMesh mesh{.vertices = std::vector<Vec3d>(a.size()), .triangles = triangles_};
    MeshMoment moment{.distance = nullptr, .velocity = std::vector<Vec3d>(a.size())};
    for (std::size_t v = 0; v < a.size(); ++v) {
        mesh.vertices[v] = a[v] + u * (b[v] - a[v]);
        moment.velocity[v] = frame_rate_ * (b[v] - a[v]);
    }
    moment.distance = std::make_shared<const MeshDistance>(std::move(mesh));
    return moment;
}

bool MeshSequence::is_same(double a, double b) const {
    const auto before = [&](double time) { return time < start_; };
    const auto behind = [&](double time) {
        return !repeat_ && (time - start_) * frame_rate_ >= static_cast<double>(vertices_.size() - 1);
    };
    return a == b || (before(a) && before(b)) || (behind(a) && behind(b));
}

bool MeshSequence::moves_between(double from, double to) const {
    return to > start_ &&
           (repeat_ || from < start_ + static_cast<double>(vertices_.size() - 1) / frame_rate_);
}

double MeshSequence::top_speed(double from, double to) const {
    if (!moves_between(from, to)) return 0;
    const auto count = static_cast<double>(vertices_.size());
    const auto last = static_cast<double>(repeat_ ? vertices_.size() : vertices_.size() - 1);
    if (repeat_ && (to - from) * frame_rate_ >= count) return *std::max_element(speed_.begin(), speed_.end());
    double fastest = 0;
    const double first = std::floor(std::max(0., (from - start_) * frame_rate_));
    const double end = (to - start_) * frame_rate_;
    for (double k = first; k <= end && (repeat_ || k < last); ++k)
        fastest = std::max(fastest, speed_[static_cast<std::size_t>(std::fmod(k, count))]);
    return fastest;
}

double MeshSequence::motion_along_z() const {
    double most = 0;
    for (const std::vector<Vec3d>& mesh : vertices_)
        for (std::size_t v = 0; v < mesh.size(); ++v)
            most = std::max(most, std::abs(mesh[v].z - vertices_.front()[v].z));
    return most;
}

std::vector<std::filesystem::path> sequence_files(const std::filesystem::path& first,
                                                  const std::filesystem::path& last) {
    constexpr std::uint64_t most = 100'000;
    const NumberedName a = numbered_name(first), b = numbered_name(last);
    if (a.stem != b.stem || first.parent_path() != last.parent_path() ||
        first.extension() != last.extension())
        throw InputError(fmt::format("{} and {} differ in more than the number at the end of their names",
                                     first.string(), last.string()));
    if (b.number <= a.number)
        throw InputError(fmt::format("{}: its number is not above that of the first file, {}", last.string(),
                                     first.filename().string()));
    if (b.number - a.number >= most) throw InputError(fmt::format("a sequence has at most {} files", most));
    std::vector<std::filesystem::path> files;
    for (std::uint64_t k = a.number; k <= b.number; ++k)
        files.push_back(first.parent_path() /
                        fmt::format("{}{:0{}}{}", a.stem, k, a.digits, first.extension().string()));
    if (files.back() != last)
        throw InputError(fmt::format("{}: with the digits of the first file its name would be {}",
                                     last.string(), files.back().filename().string()));
    return files;
}

Shape shape_at(const Shape& shape, const std::optional<MeshAnimation>& animation, double time) {
    if (!animation || !animation->sequence) return shape;
    Shape moved = shape;
    std::get<Mesh>(moved.kind).distance = animation->sequence->at(time).distance;
    return moved;
}

}  // namespace thixo
