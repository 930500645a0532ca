#pragma once

#include <cstdint>

#include "core/launch.h"
#include "core/simd.h"
#include "core/vec.h"

// Bodies that answer impulses on single particles within an implicit step: the passes that do not depend on
// the kind of body. Arrays are by index of the body's particles; `row` is the row of the particle table of
// each index. A mass of 0: it does not take part.

namespace thixo {

/// Begins again at the velocities that were reached.
inline void begin_again(const Device& device, View<Vec3f> start, View<Vec3f> last, View<Vec3f> change,
                        View<Vec3f> residual, View<Vec3f> total) {
    launch(device, static_cast<Index>(start.size()), [=](Index s) {
        last[s] = start[s] += change[s];
        change[s] = residual[s] = total[s] = {};
    });
}

/// Adds the pending impulses to the residual and to the total.
inline void take_up(const Device& device, View<Vec3f> pending, View<Vec3f> residual, View<Vec3f> total) {
    launch(device, static_cast<Index>(pending.size()), [=](Index s) {
        total[s] += pending[s];
        residual[s] += pending[s];
        pending[s] = {};
    });
}

/// What of all impulses is missing in the momentum.
inline void find_missing(const Device& device, View<const float> m, View<const Vec3f> total,
                         View<const Vec3f> change, View<Vec3f> missing) {
    launch(device, static_cast<Index>(m.size()), [=](Index s) { missing[s] = total[s] - m[s] * change[s]; });
}

inline void write_velocities(const Device& device, View<const float> m, View<const Vec3f> start,
                             View<const Vec3f> change, View<const Index> row, View<Vec3f> velocity) {
    launch(device, static_cast<Index>(m.size()), [=](Index s) {
        if (m[s] > 0) velocity[row[s]] = start[s] + change[s];
    });
}

/// For solvers that work on records (x, ·), (V⁰v, ·) of each row: what changed there since the last
/// velocities becomes a pending impulse. `position_volume`: V⁰ of each row in w.
inline void read_records(const Device& device, View<const float> m, View<const Vec3f> last,
                         View<const Index> row, const Packed4* position_volume, View<const Packed4> records,
                         View<Vec3f> pending) {
    launch(device, static_cast<Index>(m.size()), [=](Index s) {
        if (m[s] == 0) return;
        const Packed4& flow = records[2 * row[s] + 1];
        pending[s] += m[s] * (Vec3f{flow.x, flow.y, flow.z} / position_volume[row[s]].w - last[s]);
    });
}

/// Kinematic particles take no impulses, but the solvers read their velocities.
inline void write_records(const Device& device, View<const float> m, View<const std::uint8_t> kinematic,
                          View<const Vec3f> start, View<const Vec3f> change, View<const Index> row,
                          const Packed4* position_volume, View<Vec3f> last, View<Packed4> records) {
    launch(device, static_cast<Index>(m.size()), [=](Index s) {
        if (m[s] == 0 && kinematic[s] == 0) return;
        last[s] = start[s] + change[s];
        const Vec3f flow = position_volume[row[s]].w * last[s];
        records[2 * row[s] + 1] = {flow.x, flow.y, flow.z, 0};
    });
}

}  // namespace thixo
