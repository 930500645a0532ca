#include "python/column_buffer.h"

namespace thixo {

bool ColumnBuffer::export_to(Py_buffer* view, PyObject* owner, int flags) {
    if (stale()) {
        PyErr_SetString(
            PyExc_BufferError,
            "this column is stale: the run has gone on, and its rows were sorted; get it again from the run");
        return false;
    }
    if ((flags & PyBUF_WRITABLE) && !writable_) {
        PyErr_SetString(PyExc_BufferError, "this column follows from the physics and cannot be written");
        return false;
    }
    shape_[0] = rows_;
    shape_[1] = width_;
    strides_[1] = item_;
    strides_[0] = width_ > 0 ? width_ * item_ : item_;
    view->buf = data_;
    view->len = rows_ * strides_[0];
    view->itemsize = item_;
    view->readonly = writable_ ? 0 : 1;
    view->ndim = width_ > 0 ? 2 : 1;
    view->format = (flags & PyBUF_FORMAT) ? const_cast<char*>(format_) : nullptr;
    view->shape = (flags & PyBUF_ND) ? shape_ : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? strides_ : nullptr;
    view->suboffsets = nullptr;
    view->internal = nullptr;
    view->obj = owner;
    Py_INCREF(owner);
    ++state_->exported;
    return true;
}

void count_exports(PyHeapTypeObject* type) {
    type->as_buffer.bf_getbuffer = [](PyObject* self, Py_buffer* view, int flags) -> int {
        view->obj = nullptr;
        auto& column = pybind11::cast<ColumnBuffer&>(pybind11::handle(self));
        return column.export_to(view, self, flags) ? 0 : -1;
    };
    type->as_buffer.bf_releasebuffer = [](PyObject* self, Py_buffer*) {
        pybind11::cast<ColumnBuffer&>(pybind11::handle(self)).release();
    };
}

}  // namespace thixo
