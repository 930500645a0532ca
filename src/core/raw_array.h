#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "core/view.h"

namespace thixo {

/// Numbers that are written before they are read. A vector would be cleared first, by one thread: where many
/// threads fill it, that takes as long as filling it.
template <class T>
class RawArray {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

public:
    explicit RawArray(std::size_t size)
        : memory_(std::make_unique_for_overwrite<std::byte[]>(size * sizeof(T))), size_(size) {}

    operator View<T>() { return {data(), size_}; }
    operator View<const T>() const { return {data(), size_}; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T* data() { return reinterpret_cast<T*>(memory_.get()); }
    const T* data() const { return reinterpret_cast<const T*>(memory_.get()); }
    std::size_t size() const { return size_; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_;
};

}  // namespace thixo
