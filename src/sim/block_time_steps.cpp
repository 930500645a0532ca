#include "sim/block_time_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace thixo {

void BlockTimeSteps::begin(Index count, std::vector<std::uint8_t> synchronised) {
    tick_ = 0;
    most_ = depth;
    synchronised_ = std::move(synchronised);
    const bool any_synchronised =
        std::find(synchronised_.begin(), synchronised_.end(), 1) != synchronised_.end();
    synchronised_level_ = any_synchronised ? depth : depth + 1;
    synchronised_active_ = any_synchronised;
    level_.assign(count, depth);
    start_.assign(count, 0);
    for (std::vector<Index>& rows : rows_) rows.clear();
    active_.resize(count);
    std::iota(active_.begin(), active_.end(), Index{0});
}

void BlockTimeSteps::choose(const Device& device, View<const float> stable, const Neighbours& neighbours) {
    launch(device, static_cast<Index>(level_.size()), Rows(active_),
           [=, most = most_, now = tick_, level = View(level_), start = View(start_)](Index i) {
               const int longest = std::ilogb(std::min(stable[i], 1.f)) + depth;
               level[i] = static_cast<std::int8_t>(std::clamp(longest, 0, most));
               start[i] = now;
           });
    synchronise();
    if (synchronised_active_) synchronised_start_ = tick_;
    for (const Index i : active_) rows_[static_cast<std::size_t>(level_[i])].push_back(i);
    limit(neighbours);
}

/// levelⱼ = min(levelⱼ, levelᵢ + 2), from the lowest level upwards. A row with a lower level than an active
/// one is active too, so visiting the neighbours of active rows is enough.
void BlockTimeSteps::limit(const Neighbours& neighbours) {
    const int least = this->least(), highest = this->highest();
    if (least >= highest - reach) return;
    std::array<std::vector<Index>, depth + 1> lowered;
    const auto lower = [&](Index j, int most) {
        if (level_[j] <= most) return;
        level_[j] = static_cast<std::int8_t>(most);
        lowered[static_cast<std::size_t>(most)].push_back(j);
    };
    bool any = false;
    const auto look_around = [&](Index i, int most) {
        for (const Index j : neighbours.of(i)) {
            if (level_[j] <= most) continue;
            any = true;
            lower(j, most);
            if (!synchronised_[j]) continue;
            synchronised_level_ = most;
            for (Index k = 0; k < synchronised_.size(); ++k)
                if (synchronised_[k]) lower(k, most);
        }
    };
    for (int n = least; n < highest - reach; ++n) {
        const auto k = static_cast<std::size_t>(n);
        for (const std::vector<Index>* rows : {&rows_[k], &lowered[k]})
            for (const Index i : *rows)
                if (level_[i] == n) look_around(i, n + reach);
    }
    if (any) move(lowered);
}

void BlockTimeSteps::move(const std::array<std::vector<Index>, depth + 1>& lowered) {
    for (int n = 0; n <= depth; ++n) {
        const auto stays = [&](Index i) { return level_[i] == n; };
        std::vector<Index>& rows = rows_[static_cast<std::size_t>(n)];
        std::erase_if(rows, [&](Index i) { return !stays(i); });
        const auto before = static_cast<std::ptrdiff_t>(rows.size());
        const std::vector<Index>& more = lowered[static_cast<std::size_t>(n)];
        std::copy_if(more.begin(), more.end(), std::back_inserter(rows), stays);
        std::sort(rows.begin() + before, rows.end());
        std::inplace_merge(rows.begin(), rows.begin() + before, rows.end());
    }
}

void BlockTimeSteps::synchronise() {
    if (!synchronised_active_) return;
    synchronised_level_ = depth;
    for (const Index i : active_)
        if (synchronised_[i]) synchronised_level_ = std::min<int>(synchronised_level_, level_[i]);
    for (const Index i : active_)
        if (synchronised_[i]) level_[i] = static_cast<std::int8_t>(synchronised_level_);
}

int BlockTimeSteps::least() const {
    int n = 0;
    while (n < depth && rows_[static_cast<std::size_t>(n)].empty()) ++n;
    return n;
}

double BlockTimeSteps::shortest() const { return fraction(1u << least()); }

int BlockTimeSteps::highest() const {
    int n = depth;
    while (n > 0 && rows_[static_cast<std::size_t>(n)].empty()) --n;
    return n;
}

double BlockTimeSteps::longest() const { return fraction(1u << highest()); }

double BlockTimeSteps::advance() {
    const int least = this->least();
    const std::uint32_t next = ((tick_ >> least) + 1) << least;
    const double way = fraction(next - tick_);
    tick_ = next;
    most_ = std::countr_zero(tick_);
    synchronised_active_ = synchronised_level_ <= most_;
    collect_active();
    return way;
}

void BlockTimeSteps::collect_active() {
    active_.clear();
    for (int n = 0; n <= most_; ++n) {
        std::vector<Index>& rows = rows_[static_cast<std::size_t>(n)];
        const auto before = static_cast<std::ptrdiff_t>(active_.size());
        active_.insert(active_.end(), rows.begin(), rows.end());
        std::inplace_merge(active_.begin(), active_.begin() + before, active_.end());
        rows.clear();
    }
}

void BlockTimeSteps::list_rows() {
    for (std::vector<Index>& rows : rows_) rows.clear();
    active_.clear();
    for (Index i = 0; i < level_.size(); ++i)
        (level_[i] <= most_ ? active_ : rows_[static_cast<std::size_t>(level_[i])]).push_back(i);
}

std::size_t BlockTimeSteps::bytes() const {
    std::size_t listed = active_.capacity();
    for (const std::vector<Index>& rows : rows_) listed += rows.capacity();
    return listed * sizeof(Index) + level_.capacity() + synchronised_.capacity() +
           start_.capacity() * sizeof(std::uint32_t);
}

double best_block(const Device& device, View<const float> stable, View<const std::uint8_t> synchronised) {
    // A histogram of stable steps by eighths of octaves below the longest; all below a millionth of it are in
    // the last class.
    constexpr int fractions = 8, classes = fractions * BlockTimeSteps::depth;
    static const std::array<double, fractions> fractions_of_octave = [] {
        std::array<double, fractions> out{};
        for (int k = 0; k < fractions; ++k)
            out[static_cast<std::size_t>(k)] = std::exp2(-static_cast<double>(k) / fractions);
        return out;
    }();
    const auto n = static_cast<Index>(stable.size());
    struct Extremes {
        float longest = 0, shortest = std::numeric_limits<float>::infinity(),
              synchronised = std::numeric_limits<float>::infinity();  ///< the shortest of those
    };
    const Extremes extremes = reduce(
        device, n, Extremes{},
        [=](Index i) {
            return Extremes{stable[i], stable[i],
                            synchronised[i] ? stable[i] : std::numeric_limits<float>::infinity()};
        },
        [](const Extremes& a, const Extremes& b) {
            return Extremes{std::max(a.longest, b.longest), std::min(a.shortest, b.shortest),
                            std::min(a.synchronised, b.synchronised)};
        });
    const float longest = extremes.longest;
    if (extremes.shortest > 0.95f * longest) return longest;
    std::vector<std::uint8_t> class_of(n);
    launch(device, n, [=, out = View(class_of)](Index i) {
        const float octaves =
            std::log2(longest / std::max(synchronised[i] ? extremes.synchronised : stable[i], 1e-30f));
        out[i] = static_cast<std::uint8_t>(std::min<float>(std::ceil(fractions * octaves), classes - 1));
    });
    std::array<Index, classes> rows{};
    int last = 0;
    for (const std::uint8_t k : class_of) {
        ++rows[k];
        last = std::max<int>(last, k);
    }
    // At each step of any particle all particles move, which costs about a twentieth of their forces; and
    // each pass has a cost that does not depend on the number of rows.
    const double motion = 0.05 * n + 20;
    double least = std::numeric_limits<double>::infinity(), best = longest;
    for (int shorter = 0; shorter < fractions; ++shorter) {
        const double block = longest * fractions_of_octave[static_cast<std::size_t>(shorter)];
        const auto steps = [&](int k) {
            return static_cast<double>(1 << std::max(0, (k - shorter + fractions - 1) / fractions));
        };
        double forces = 0;
        for (int k = 0; k <= last; ++k) forces += rows[static_cast<std::size_t>(k)] * steps(k);
        const double work = (forces + motion * steps(last)) / block;
        if (work < least) {
            least = work;
            best = block;
        }
    }
    return best;
}

}  // namespace thixo
