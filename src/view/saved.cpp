#include "view/saved.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/input_file.h"
#include "io/mesh_files.h"
#include "io/particle_formats.h"
#include "scene/scene_file.h"
#include "view/particle_reader.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The meshes that were saved of a frame, as one.
SurfaceMesh surfaces_of(const fs::path& folder, long frame) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "surface", none))
        for (const char* ending : {"ply", "obj"}) {
            const fs::path file = entry.path() / fmt::format("{:04}.{}", frame, ending);
            if (!fs::exists(file, none)) continue;
            files.push_back(file);
            break;
        }
    std::sort(files.begin(), files.end());
    SurfaceMesh all;
    for (const fs::path& file : files) append(all, read_mesh(file));
    return all;
}

/// A number of the file as one of a category; 0 for what is none.
std::size_t whole(float value) { return value > 0 && value < 1e9f ? static_cast<std::size_t>(value) : 0; }

std::vector<float> speeds(const std::vector<float>* vx, const std::vector<float>* vy,
                          const std::vector<float>* vz) {
    std::vector<float> out;
    for (std::size_t i = 0; vx && vy && vz && i < vx->size(); ++i)
        out.push_back(norm(Vec3f{(*vx)[i], (*vy)[i], (*vz)[i]}));
    return out;
}

}  // namespace

SavedRun::SavedRun(fs::path folder) : folder_(std::move(folder)), scene_(load_scene(folder_ / "scene.json")) {
    std::map<long, fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "particles", none)) {
        const fs::path& file = entry.path();
        if (!is_particle_extension(file.extension().string()) || !is_number(file.stem().string())) continue;
        fs::path& known = found[std::atol(file.stem().c_str())];
        if (known.empty() || file.extension() == ".ply") known = file;
    }
    for (const auto& [number, file] : found) files_.push_back({number, file});
    if (files_.empty()) throw InputError(fmt::format("{} has no saved particles", folder_.string()));
    read_ledger();
    std::ifstream bodies = open_input(folder_ / "bodies.csv");
    bodies_ = parse_bodies({std::istreambuf_iterator<char>(bodies), std::istreambuf_iterator<char>()});
    seek(0);
}

void SavedRun::read_ledger() {
    std::ifstream in = open_input(folder_ / "stats.csv");
    std::string line, cell;
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        std::vector<double> row;
        const bool head = columns_.empty();
        while (std::getline(cells, cell, ',')) {
            if (head)
                columns_.push_back(cell);
            else
                row.push_back(std::strtod(cell.c_str(), nullptr));
        }
        if (!head && row.size() == columns_.size()) rows_.push_back(std::move(row));
    }
}

void SavedRun::seek(long frame) {
    if (frame < 0 || frame > last_frame())
        throw InputError(fmt::format("there is no frame {}; allowed: 0 to {}", frame, last_frame()));
    at_ = static_cast<std::size_t>(frame);
    frame_ = read_particles(files_[at_].path, static_cast<float>(0.5 * scene_.model.particles.spacing));
    ++version_;
}

bool SavedRun::advance() {
    if (at_ + 1 >= files_.size()) return false;
    seek(static_cast<long>(at_) + 1);
    return at_ + 1 < files_.size();
}

std::vector<std::string> SavedRun::attributes() const {
    std::vector<std::string> out;
    for (const char* name : {"material", "phase", "object", "body", "temperature"})
        if (frame_.attributes.contains(name)) out.emplace_back(name);
    out.emplace_back("speed");
    for (const auto& [name, values] : frame_.attributes) {
        const bool plain =
            name != "x" && name != "y" && name != "z" && name != "vx" && name != "vy" && name != "vz";
        if (plain && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
}

const std::vector<float>* SavedRun::column(const std::string& name) const {
    const auto found = frame_.attributes.find(name);
    return found == frame_.attributes.end() ? nullptr : &found->second;
}

void SavedRun::show(const std::string& attribute, ShownParticles& out) const {
    out.position = frame_.position;
    out.radius = frame_.radius;
    out.categories = is_category(attribute);
    const std::size_t n = frame_.position.size();
    out.time = frame_.time;
    out.frame = static_cast<std::uint64_t>(at_);
    out.kind.assign(n, 0);
    if (const auto* phase = column("phase"))
        for (std::size_t i = 0; i < n; ++i) out.kind[i] = static_cast<std::uint8_t>(whole((*phase)[i]) & 3);
    if (const auto* values = column(attribute)) {
        out.value = *values;
        if (out.categories)
            for (float& value : out.value) value = std::fmod(value, 65536.f);
        return;
    }
    if (attribute != "speed") throw InputError(fmt::format("there is no attribute \"{}\"", attribute));
    out.value = speeds(column("vx"), column("vy"), column("vz"));
    out.value.resize(n);
}

std::string SavedRun::unit(const std::string& attribute) const { return unit_of(attribute); }

bool SavedRun::has_meshes() const {
    std::error_code none;
    return fs::is_directory(folder_ / "surface", none);
}

std::string SavedRun::mesh(const std::string& attribute, const ShownParticles& shown) const {
    const SurfaceMesh mesh = surfaces_of(folder_, files_[at_].number);
    const auto column = [&](const std::string& name) -> const std::vector<float>* {
        for (const SurfaceMesh::Attribute& known : mesh.attributes)
            if (known.name == name) return &known.values;
        return nullptr;
    };
    if (const auto* values = column(attribute)) return encode_mesh(mesh, *values, shown);
    if (attribute == "speed")
        return encode_mesh(mesh, speeds(column("vx"), column("vy"), column("vz")), shown);
    return encode_mesh(mesh, {}, shown);
}

std::string SavedRun::pick(const PickRay& ray) const {
    const Index i = picked(frame_.position, frame_.radius, ray);
    if (i == frame_.position.size()) return "null";
    const auto value = [&](const char* name) {
        const auto* values = column(name);
        return values ? (*values)[i] : 0.f;
    };
    const auto number = [&](const char* name) { return whole(value(name)); };
    const Vec3f x = frame_.position[i];
    return Json{{"id", number("id")},
                {"position", {x.x, x.y, x.z}},
                {"velocity", {value("vx"), value("vy"), value("vz")}},
                {"radius", frame_.radius[i]},
                {"phase", name_in({"liquid", "elastic", "rigid"}, number("phase"))},
                {"material", name_in(material_names(scene_), number("material"))},
                {"object", name_in(object_names(scene_), number("object"))},
                {"body", number("body")},
                {"temperature", value("temperature")},
                {"density", value("density")},
                {"lineage",
                 Json::parse(history_of(bodies_, static_cast<std::uint32_t>(number("body")), frame_.time))}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string SavedRun::ledger(std::size_t from) const {
    Json rows = Json::array();
    for (std::size_t k = from; k < rows_.size(); ++k) rows.push_back(rows_[k]);
    return Json{{"columns", columns_}, {"rows", rows}}.dump();
}

}  // namespace thixo
