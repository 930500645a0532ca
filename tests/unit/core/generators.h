#pragma once

#include <rapidcheck.h>

#include "core/random.h"
#include "core/vec.h"

namespace thixo {

/// A number in [low, high), drawn by RapidCheck; shrinks towards `low`.
inline double any_real(double low, double high) {
    return low + (high - low) * (*rc::gen::inRange(0, 1 << 24)) * 0x1p-24;
}

inline Vec3d any_point(double low, double high) {
    const double x = any_real(low, high), y = any_real(low, high), z = any_real(low, high);
    return {x, y, z};
}

/// A stream of numbers for clouds too large to be drawn one by one: the same for the same seed.
class Stream {
public:
    explicit Stream(std::uint64_t seed) : seed_(seed) {}
    float unit() { return to_unit(random_words(seed_, next_++, 0, Purpose::test)[0]); }
    float real(float low, float high) { return low + (high - low) * unit(); }
    std::uint32_t below(std::uint32_t n) { return random_words(seed_, next_++, 1, Purpose::test)[0] % n; }
    Vec3f point(float low, float high) {
        const float x = real(low, high), y = real(low, high), z = real(low, high);
        return {x, y, z};
    }

private:
    std::uint64_t seed_;
    std::uint32_t next_ = 0;
};

}  // namespace thixo
