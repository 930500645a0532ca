#include "sim/paces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/permute.h"

namespace thixo {

void Paces::begin(Index count, std::vector<std::uint8_t> tied) {
    tick_ = 0;
    most_ = depth;
    tied_ = std::move(tied);
    const bool any_tied = std::find(tied_.begin(), tied_.end(), 1) != tied_.end();
    tied_level_ = any_tied ? depth : depth + 1;
    tied_due_ = any_tied;
    level_.assign(count, depth);
    start_.assign(count, 0);
    for (std::vector<Index>& rows : rows_) rows.clear();
    due_.resize(count);
    std::iota(due_.begin(), due_.end(), Index{0});
}

void Paces::choose(const Device& device, View<const float> wishes, const Neighbours& neighbours) {
    launch(device, static_cast<Index>(level_.size()), Rows(due_),
           [=, most = most_, now = tick_, level = View(level_), start = View(start_)](Index i) {
               const int wished = std::ilogb(std::min(wishes[i], 1.f)) + depth;
               level[i] = static_cast<std::int8_t>(std::clamp(wished, 0, most));
               start[i] = now;
           });
    tie();
    if (tied_due_) tied_start_ = tick_;
    for (const Index i : due_) rows_[static_cast<std::size_t>(level_[i])].push_back(i);
    limit(neighbours);
}

/// levelⱼ = min(levelⱼ, levelᵢ + 2), from the lowest level upwards. Whoever has a lower level than a row that is due is due as well: it is
/// enough to look around those.
void Paces::limit(const Neighbours& neighbours) {
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
            if (!tied_[j]) continue;
            tied_level_ = most;
            for (Index k = 0; k < tied_.size(); ++k)
                if (tied_[k]) lower(k, most);
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

void Paces::move(const std::array<std::vector<Index>, depth + 1>& lowered) {
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

void Paces::tie() {
    if (!tied_due_) return;
    tied_level_ = depth;
    for (const Index i : due_)
        if (tied_[i]) tied_level_ = std::min<int>(tied_level_, level_[i]);
    for (const Index i : due_)
        if (tied_[i]) level_[i] = static_cast<std::int8_t>(tied_level_);
}

int Paces::least() const {
    int n = 0;
    while (n < depth && rows_[static_cast<std::size_t>(n)].empty()) ++n;
    return n;
}

double Paces::shortest() const { return share(1u << least()); }

int Paces::highest() const {
    int n = depth;
    while (n > 0 && rows_[static_cast<std::size_t>(n)].empty()) --n;
    return n;
}

double Paces::longest() const { return share(1u << highest()); }

double Paces::advance() {
    const int least = this->least();
    const std::uint32_t next = ((tick_ >> least) + 1) << least;
    const double way = share(next - tick_);
    tick_ = next;
    most_ = std::countr_zero(tick_);
    tied_due_ = tied_level_ <= most_;
    collect_due();
    return way;
}

void Paces::collect_due() {
    due_.clear();
    for (int n = 0; n <= most_; ++n) {
        std::vector<Index>& rows = rows_[static_cast<std::size_t>(n)];
        const auto before = static_cast<std::ptrdiff_t>(due_.size());
        due_.insert(due_.end(), rows.begin(), rows.end());
        std::inplace_merge(due_.begin(), due_.begin() + before, due_.end());
        rows.clear();
    }
}

void Paces::permute(const Device& device, View<const Index> order) {
    thixo::permute(device, order, tied_);
    thixo::permute(device, order, level_);
    thixo::permute(device, order, start_);
    for (std::vector<Index>& rows : rows_) rows.clear();
    due_.clear();
    for (Index i = 0; i < level_.size(); ++i)
        (level_[i] <= most_ ? due_ : rows_[static_cast<std::size_t>(level_[i])]).push_back(i);
}

std::size_t Paces::bytes() const {
    std::size_t listed = due_.capacity();
    for (const std::vector<Index>& rows : rows_) listed += rows.capacity();
    return listed * sizeof(Index) + level_.capacity() + tied_.capacity() +
           start_.capacity() * sizeof(std::uint32_t);
}

double best_block(const Device& device, View<const float> wishes, View<const std::uint8_t> tied) {
    // Wishes by eighths of octaves below the longest; who wishes for less than a millionth ends up in the last class.
    constexpr int fractions = 8, classes = fractions * Paces::depth;
    static const std::array<double, fractions> shares = [] {
        std::array<double, fractions> out{};
        for (int k = 0; k < fractions; ++k)
            out[static_cast<std::size_t>(k)] = std::exp2(-static_cast<double>(k) / fractions);
        return out;
    }();
    const auto n = static_cast<Index>(wishes.size());
    struct Extremes {
        float longest = 0, shortest = std::numeric_limits<float>::infinity(),
              tied = std::numeric_limits<float>::infinity();  ///< the shortest of those
    };
    const Extremes wish = reduce(
        device, n, Extremes{},
        [=](Index i) {
            return Extremes{wishes[i], wishes[i],
                            tied[i] ? wishes[i] : std::numeric_limits<float>::infinity()};
        },
        [](const Extremes& a, const Extremes& b) {
            return Extremes{std::max(a.longest, b.longest), std::min(a.shortest, b.shortest),
                            std::min(a.tied, b.tied)};
        });
    const float longest = wish.longest;
    if (wish.shortest > 0.95f * longest) return longest;
    std::vector<std::uint8_t> class_of(n);
    launch(device, n, [=, out = View(class_of)](Index i) {
        const float octaves = std::log2(longest / std::max(tied[i] ? wish.tied : wishes[i], 1e-30f));
        out[i] = static_cast<std::uint8_t>(std::min<float>(std::ceil(fractions * octaves), classes - 1));
    });
    std::array<Index, classes> rows{};
    int last = 0;
    for (const std::uint8_t k : class_of) {
        ++rows[k];
        last = std::max<int>(last, k);
    }
    // Where one particle steps all move, which costs about a twentieth of finding forces; and however few they are, the passes
    // over them cost something.
    const double motion = 0.05 * n + 20;
    double least = std::numeric_limits<double>::infinity(), best = longest;
    for (int shorter = 0; shorter < fractions; ++shorter) {
        const double block = longest * shares[static_cast<std::size_t>(shorter)];
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
