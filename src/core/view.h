#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace thixo {

/// A row of the particle table. Rows move when the table is sorted; a particle's `id` does not.
using Index = std::uint32_t;

/// Pointer and length of data that a pass reads (`View<const T>`) or writes (`View<T>`).
template <class T>
class View {
public:
    constexpr View() = default;
    constexpr View(T* data, std::size_t size) : data_(data), size_(size) {}
    View(std::vector<std::remove_const_t<T>>& values) : data_(values.data()), size_(values.size()) {}
    View(const std::vector<std::remove_const_t<T>>& values) requires std::is_const_v<T>
        : data_(values.data()), size_(values.size()) {}

    constexpr operator View<const T>() const requires(!std::is_const_v<T>) { return {data_, size_}; }

    constexpr T& operator[](std::size_t i) const {
        assert(i < size_);
        return data_[i];
    }
    constexpr T* data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <class T>
View(std::vector<T>&) -> View<T>;
template <class T>
View(const std::vector<T>&) -> View<const T>;

}  // namespace thixo
