#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>

#include <pybind11/pybind11.h>

#include "core/vec.h"
#include "particles/phase.h"

namespace thixo {

/// What a run and its buffers share.
struct BufferState {
    std::uint64_t generation = 0;  ///< grows whenever rows may have moved
    std::uint64_t exported = 0;    ///< buffers that NumPy holds at this moment
    bool busy = false;             ///< a thread goes on with the run, without the interpreter's lock
    std::thread::id thread;        ///< this one
    bool inside = false;           ///< it calls a function of the program at this moment, with the lock
    int readers = 0;               ///< threads that read the run without the lock

    bool inside_here() const { return inside && thread == std::this_thread::get_id(); }
    bool elsewhere() const { return busy && !inside_here(); }
};

/// One column of a run's particles, by Python's buffer protocol: NumPy arrays made from it are views of the
/// run's own memory. Counts what it hands out.
class ColumnBuffer {
public:
    template <class T>
    ColumnBuffer(std::shared_ptr<BufferState> state, std::span<T> values, bool writable)
        : state_(std::move(state)),
          generation_(state_->generation),
          data_(const_cast<void*>(static_cast<const void*>(values.data()))),
          rows_(static_cast<Py_ssize_t>(values.size())),
          writable_(writable) {
        using Value = std::remove_const_t<T>;
        if constexpr (std::is_same_v<Value, Vec3f>) {
            format_ = "f", item_ = sizeof(float), width_ = 3;
        } else if constexpr (std::is_same_v<Value, float>) {
            format_ = "f", item_ = sizeof(float);
        } else if constexpr (sizeof(Value) == 1) {
            format_ = "B", item_ = 1;
        } else if constexpr (std::is_same_v<Value, std::uint16_t>) {
            format_ = "H", item_ = 2;
        } else {
            static_assert(std::is_same_v<Value, std::uint32_t>);
            format_ = "I", item_ = 4;
        }
    }

    std::uint64_t generation() const { return generation_; }
    bool stale() const { return generation_ != state_->generation; }

    /// Fills in what Python requests; false with an exception set if it cannot.
    bool export_to(Py_buffer* view, PyObject* owner, int flags);
    void release() { --state_->exported; }

private:
    std::shared_ptr<BufferState> state_;
    std::uint64_t generation_;
    void* data_;
    Py_ssize_t rows_, item_ = 0, width_ = 0;  ///< width 0: one number a row
    Py_ssize_t shape_[2] = {}, strides_[2] = {};
    const char* format_ = "";
    bool writable_;
};

/// Puts the buffer protocol of ColumnBuffer into its Python type; pybind11's own does not report when a
/// buffer is released.
void count_exports(PyHeapTypeObject* type);

}  // namespace thixo
