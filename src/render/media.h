#pragma once

#include <array>
#include <cmath>

#include "render/optics.h"

namespace thixo {

/// The clear matter that a ray is in: every surface it has entered and not left. Where surfaces overlap, the
/// one with the highest priority counts [Schmidt & Budge 2002]: ice in water in a glass, without exact common
/// faces.
class Media {
public:
    struct Entry {
        unsigned surface = ~0u;  ///< none: air
        int priority = -1;
        float refractive_index = 1;
        Rgb absorption{};
        float scattering = 0;
    };

    const Entry& current() const { return entries_[top_]; }
    /// Enters a surface or leaves it.
    Media crossed(bool entering, const Entry& entry) const {
        Media next = *this;
        if (entering)
            next.enter(entry);
        else
            next.leave(entry.surface);
        return next;
    }

private:
    static constexpr int most = 6;

    void enter(const Entry& entry) {
        if (count_ + 1 >= most) return;
        entries_[static_cast<std::size_t>(++count_)] = entry;
        find_top();
    }
    void leave(unsigned surface) {
        for (int k = count_; k > 0; --k)
            if (entries_[static_cast<std::size_t>(k)].surface == surface) {
                entries_[static_cast<std::size_t>(k)] = entries_[static_cast<std::size_t>(count_--)];
                break;
            }
        find_top();
    }
    void find_top() {
        top_ = 0;
        for (std::size_t k = 1; k <= static_cast<std::size_t>(count_); ++k)
            if (entries_[k].priority > entries_[top_].priority) top_ = k;
    }

    std::array<Entry, most> entries_{};  ///< the first one is air
    int count_ = 0;
    std::size_t top_ = 0;
};

/// Beer–Lambert: exp(−σ d).
inline Rgb transmitted(const Rgb& absorption, float distance) {
    return {std::exp(-absorption.x * distance), std::exp(-absorption.y * distance),
            std::exp(-absorption.z * distance)};
}

}  // namespace thixo
