#include "render_moments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/error.h"
#include "core/evenly_chosen.h"
#include "number_table.h"

namespace thixo {
namespace {

/// Weight of time itself beside that of each kind of change: what rests is shown too, now and then.
constexpr double time_weight = 0.5;

/// Adds changes whose sum becomes 1, if there are any.
void add_fraction(std::vector<double>& total, const std::vector<double>& change, double weight) {
    const double sum = std::accumulate(change.begin(), change.end(), 0.0);
    if (!(sum > 0) || !std::isfinite(sum)) return;
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += weight * change[k] / sum;
}

}  // namespace

std::vector<std::size_t> chosen_by_change(const std::vector<double>& change, std::size_t count) {
    const std::size_t n = change.size();
    if (count >= n || count < 2) return evenly_chosen(n, count);
    std::vector<double> so_far(n, 0);
    for (std::size_t k = 1; k < n; ++k) so_far[k] = so_far[k - 1] + change[k];
    if (!(so_far.back() > 0)) return evenly_chosen(n, count);
    std::vector<std::size_t> chosen{0};
    for (std::size_t i = 1; i + 1 < count; ++i) {
        const double target = so_far.back() * static_cast<double>(i) / static_cast<double>(count - 1);
        const auto next = std::lower_bound(so_far.begin(), so_far.end(), target) - so_far.begin();
        // One after the other, with room for those that are still to come.
        chosen.push_back(std::clamp(static_cast<std::size_t>(next), chosen.back() + 1, n - count + i));
    }
    chosen.push_back(n - 1);
    return chosen;
}

std::vector<std::size_t> telling_moments(const std::filesystem::path& folder,
                                         const std::vector<FrameFile>& files, std::size_t count) {
    const std::filesystem::path path = folder / "stats.csv";
    const auto evenly = [&] { return evenly_chosen(files.size(), count); };
    if (!std::filesystem::exists(path)) return evenly();
    NumberTable table;
    try {
        table = read_number_table(path);
    } catch (const InputError&) {
        return evenly();
    }
    for (const char* name : {"frame", "time", "kinetic", "mass", "liquid", "particles"})
        if (!table.has(name)) return evenly();
    const auto& frame = table.columns["frame"];
    std::map<int, std::size_t> row;
    for (std::size_t k = 0; k < table.rows; ++k)
        if (std::abs(frame[k]) < 1e9) row[static_cast<int>(frame[k])] = k;
    const std::size_t n = files.size();
    std::vector<double> moved(n, 0), changed(n, 0), came(n, 0), even(n, 1), total(n, 0);
    even[0] = 0;
    for (std::size_t k = 1; k < n; ++k) {
        const auto now = row.find(files[k].number), before = row.find(files[k - 1].number);
        if (now == row.end() || before == row.end()) return evenly();
        const auto at = [&](const char* name, std::size_t r) { return table.columns[name][r]; };
        const std::size_t a = before->second, b = now->second;
        const double mass = std::max(at("mass", b), 1e-30);
        moved[k] = std::sqrt(2 * std::max(0.0, at("kinetic", b)) / mass) * (at("time", b) - at("time", a));
        changed[k] = std::abs(at("liquid", b) - at("liquid", a));
        came[k] = std::abs(at("particles", b) - at("particles", a));
    }
    add_fraction(total, even, time_weight);
    add_fraction(total, moved, 1);
    add_fraction(total, changed, 1);
    add_fraction(total, came, 0.5);
    return chosen_by_change(total, count);
}

}  // namespace thixo
