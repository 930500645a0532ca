#pragma once

#include <cassert>
#include <cstring>
#include <vector>

#include "core/launch.h"
#include "core/raw_array.h"

namespace thixo {

/// Entry k becomes the former entry order[k], in all arrays that were added, each with an entry for a row;
/// rows that are not in the order vanish. Some arrays at a time are copied aside and gathered from there:
/// nothing is cleared, and threads meet twice for all of them.
class RowPermutation {
public:
    RowPermutation(const Device& device, View<const Index> order, std::size_t rows)
        : device_(device), order_(order), rows_(rows) {
        assert(order.size() <= rows);
    }

    template <class T>
    void add(std::vector<T>& array) {
        static_assert(std::is_trivially_copyable_v<T>);
        assert(array.size() == rows_);
        arrays_.push_back({reinterpret_cast<std::byte*>(array.data()), sizeof(T), 0});
    }

    /// The arrays keep their length: whoever drops rows shortens them.
    void run() {
        for (auto first = arrays_.begin(); first != arrays_.end();) {
            auto last = first;
            std::size_t width = 0;
            while (last != arrays_.end() && (last == first || width + last->entry <= most_width)) {
                last->aside = rows_ * width;
                width += (last++)->entry;
            }
            permute({&*first, static_cast<std::size_t>(last - first)}, RawArray<std::byte>(rows_ * width));
            first = last;
        }
    }

private:
    /// Bytes of a row that are copied aside at a time, a limit of the memory for it.
    static constexpr std::size_t most_width = 32;

    struct Array {
        std::byte* data;
        std::size_t entry;  ///< its size
        std::size_t aside;  ///< where its copy begins
    };

    void permute(View<const Array> arrays, RawArray<std::byte> aside) const {
        for_each_block<launch_grain>(device_, static_cast<Index>(rows_),
                                     [&](Index begin, Index end, std::size_t) {
                                         for (const Array& a : arrays)
                                             std::memcpy(&aside[a.aside + begin * a.entry],
                                                         a.data + begin * a.entry, (end - begin) * a.entry);
                                     });
        for_each_block<launch_grain>(device_, static_cast<Index>(order_.size()),
                                     [&](Index begin, Index end, std::size_t) {
                                         for (const Array& a : arrays)
                                             gather_entries(a, &aside[a.aside], begin, end);
                                     });
    }

    void gather_entries(const Array& a, const std::byte* from, Index begin, Index end) const {
        switch (a.entry) {
            case 1:
                return gather_entries<1>(a.data, from, begin, end);
            case 2:
                return gather_entries<2>(a.data, from, begin, end);
            case 4:
                return gather_entries<4>(a.data, from, begin, end);
            case 8:
                return gather_entries<8>(a.data, from, begin, end);
            case 12:
                return gather_entries<12>(a.data, from, begin, end);
            case 16:
                return gather_entries<16>(a.data, from, begin, end);
        }
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(a.data + i * a.entry, from + order_[i] * a.entry, a.entry);
    }

    /// The same with a size that the compiler knows.
    template <std::size_t entry>
    void gather_entries(std::byte* to, const std::byte* from, Index begin, Index end) const {
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(to + i * entry, from + order_[i] * entry, entry);
    }

    Device device_;
    View<const Index> order_;
    std::size_t rows_;
    std::vector<Array> arrays_;
};

/// Entry k becomes the former entry order[k]; those that are not in the order vanish.
template <class T>
void permute(const Device& device, View<const Index> order, std::vector<T>& array) {
    RowPermutation permutation(device, order, array.size());
    permutation.add(array);
    permutation.run();
    array.resize(order.size());
}

/// Permutes all arrays with an entry for each row that a part lists in its visit_rows(visit); not those that
/// are not in use, which have another length.
template <class Part>
void permute_rows(const Device& device, View<const Index> order, Part& part) {
    RowPermutation permutation(device, order, order.size());
    part.visit_rows([&](auto& array) {
        if (array.size() == order.size()) permutation.add(array);
    });
    permutation.run();
}

}  // namespace thixo
