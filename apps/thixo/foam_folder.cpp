#include "foam_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/export_columns.h"
#include "io/particle_formats.h"
#include "provenance.h"
#include "table_notes.h"
#include "text.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

constexpr const char* foam_header = "frame,time,spray,foam,bubbles,made\n";

fs::path foam_table(const fs::path& run) { return run / "foam.csv"; }
fs::path foam_settings(const fs::path& run) { return run / "foam" / "settings.json"; }

std::string foam_text(const fs::path& file) { return fs::exists(file) ? read_whole(file) : std::string{}; }

template <class T>
ExportColumn column(const char* name, const char* unit, ScalarType type, const std::vector<T>& values) {
    const ExportedAttribute plain{name};
    const auto known = std::find_if(exported_attributes.begin(), exported_attributes.end(),
                                    [&](const ExportedAttribute& a) { return a.field == plain.field; });
    return {known != exported_attributes.end() ? *known : plain, unit, type, sizeof(T) / info(type).size,
            reinterpret_cast<const char*>(values.data())};
}

ParticleColumns columns_of_foam(const DiffuseParticles& p) {
    std::vector<Index> rows(p.size());
    std::iota(rows.begin(), rows.end(), 0u);
    return {{column("position", "m", ScalarType::float32, p.position),
             column("velocity", "m/s", ScalarType::float32, p.velocity),
             column("id", "", ScalarType::uint32, p.id), column("radius", "m", ScalarType::float32, p.radius),
             column("life", "s", ScalarType::float32, p.life), column("kind", "", ScalarType::uint8, p.kind)},
            std::move(rows),
            "diffuse particles",
            "kind 0 spray 1 foam 2 bubble"};
}

DiffuseParticles read_foam(const fs::path& path) {
    const ParticleFile file = read_particle_file(path);
    DiffuseParticles p;
    const auto read = [&](const char* name, auto&& put) {
        const StoredColumn* stored = file.find(name);
        if (!stored) throw InputError(fmt::format("{}: has no property {}", path.string(), name));
        std::size_t i = 0;
        stored->for_each(file.count, [&](auto value) { put(i++, value); });
    };
    p.resize(file.count);
    read("x", [&](std::size_t i, auto v) { p.position[i].x = static_cast<float>(v); });
    read("y", [&](std::size_t i, auto v) { p.position[i].y = static_cast<float>(v); });
    read("z", [&](std::size_t i, auto v) { p.position[i].z = static_cast<float>(v); });
    read("vx", [&](std::size_t i, auto v) { p.velocity[i].x = static_cast<float>(v); });
    read("vy", [&](std::size_t i, auto v) { p.velocity[i].y = static_cast<float>(v); });
    read("vz", [&](std::size_t i, auto v) { p.velocity[i].z = static_cast<float>(v); });
    read("radius", [&](std::size_t i, auto v) { p.radius[i] = static_cast<float>(v); });
    read("life", [&](std::size_t i, auto v) { p.life[i] = static_cast<float>(v); });
    read("id", [&](std::size_t i, auto v) {
        const auto number = static_cast<double>(v);
        if (!(number >= 0 && number <= 4294967295.0))
            throw InputError(path.string() + ": has an id that is none");
        p.id[i] = static_cast<std::uint32_t>(number);
    });
    read("kind", [&](std::size_t i, auto v) {
        const auto number = static_cast<double>(v);
        if (!(number >= 0 && number <= 2))
            throw InputError(path.string() + ": has a kind that is none; allowed: 0, 1, 2");
        p.kind[i] = static_cast<DiffuseKind>(static_cast<std::uint8_t>(number));
    });
    for (std::size_t i = 0; i < p.size(); ++i)
        if (!is_finite(p.position[i]) || !is_finite(p.velocity[i]) || !(p.radius[i] > 0))
            throw InputError(fmt::format("{}: particle {} is not finite", path.string(), i));
    return p;
}

}  // namespace

FoamFolder::FoamFolder(fs::path run, const std::string& settings, std::vector<ParticleFormat> formats)
    : run_(std::move(run)), formats_(std::move(formats)) {
    if (foam_text(foam_settings(run_)) != settings) {
        clear(run_);
        write_whole(foam_settings(run_), settings);
        write_table_notes(foam_table(run_), foam_header, "");
        return;
    }
    std::ifstream in = open_input(foam_table(run_));
    std::string line;
    if (!std::getline(in, line) || line + "\n" != foam_header) return;
    while (std::getline(in, line) && !in.eof()) {
        int frame = -1;
        std::from_chars(line.data(), line.data() + line.size(), frame);
        if (frame >= 0) rows_[frame] = line + "\n";
    }
}

fs::path FoamFolder::file(int frame, ParticleFormat format) const {
    return run_ / "foam" / fmt::format("{:04}.{}", frame, info(format).name);
}

std::optional<FoamFolder::State> FoamFolder::newest(int last) const {
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
        if (row->first > last) continue;
        const bool whole = std::all_of(formats_.begin(), formats_.end(),
                                       [&](ParticleFormat f) { return fs::exists(file(row->first, f)); });
        const std::vector<std::string> fields = fields_of(row->second.substr(0, row->second.size() - 1));
        std::uint32_t made = 0;
        if (!whole || fields.size() != 6 ||
            std::from_chars(fields[5].data(), fields[5].data() + fields[5].size(), made).ec != std::errc{})
            continue;
        return State{row->first, read_foam(file(row->first, formats_.front())), made};
    }
    return std::nullopt;
}

void FoamFolder::write(int frame, double time, const Foam& foam) {
    const DiffuseParticles& p = foam.particles();
    const ParticleColumns columns = columns_of_foam(p);
    for (const ParticleFormat format : formats_)
        info(format).write_columns(file(frame, format), columns,
                                   {.frame = frame, .time = time, .program = program_name()});
    const auto number = [&](DiffuseKind kind) { return std::count(p.kind.begin(), p.kind.end(), kind); };
    rows_.erase(rows_.upper_bound(frame), rows_.end());
    rows_[frame] = fmt::format("{},{},{},{},{},{}\n", frame, time, number(DiffuseKind::spray),
                               number(DiffuseKind::foam), number(DiffuseKind::bubble), foam.made());
    std::string table = foam_header;
    for (const auto& [number_of_frame, text] : rows_) table += text;
    write_whole(foam_table(run_), table);
}

void FoamFolder::clear(const fs::path& run) {
    std::error_code ignored;
    std::vector<fs::path> files{foam_table(run), table_notes(foam_table(run)), foam_settings(run)};
    if (fs::is_directory(run / "foam"))
        for (const auto& entry : fs::directory_iterator(run / "foam")) {
            fs::path name = entry.path().filename();
            if (name.extension() == ".part") name = name.stem();
            const std::string stem = name.stem().string();
            if (entry.is_regular_file() && !stem.empty() &&
                stem.find_first_not_of("0123456789") == std::string::npos &&
                is_particle_extension(name.extension().string()))
                files.push_back(entry.path());
        }
    for (const fs::path& file : files) fs::remove(file, ignored);
    fs::remove(run / "foam", ignored);  // unless there is something else in it
}

std::optional<DiffuseParticles> foam_of_frame(const fs::path& run, int frame) {
    for (const ParticleFormatInfo& format : particle_formats) {
        const fs::path file = run / "foam" / fmt::format("{:04}.{}", frame, format.name);
        if (fs::exists(file)) return read_foam(file);
    }
    return std::nullopt;
}

}  // namespace thixo
