"""Columns of particles as NumPy arrays that are never wrong."""
import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin


class StaleColumn(RuntimeError):
    """The run went on since this column was taken from it, and its rows were sorted."""


class Column(NDArrayOperatorsMixin):
    """One column of a run's particles: a view of the run's own memory, without a copy.

    It works where an array does: `run.position[:, 1].max()`, `numpy.linalg.norm(run.velocity, axis=1)`, `run.velocity[rows] *= 0.5`.
    Slices are columns too. As soon as the run goes on, using it raises StaleColumn: take it from the run again. `numpy.array(column)`
    is a copy that lasts. `numpy.asarray(column)` is a plain view to read; while one exists the run refuses to go on.
    """
    __slots__ = ("_buffer", "_index", "_guard")

    def __init__(self, buffer, index=(), guard=None):
        self._buffer = buffer  # of the whole column
        self._index = index    # slices that lead from it to this one
        self._guard = guard    # called around writing

    def _view(self, writable=False):
        """A plain view; of a guarded column one to read, unless what is written to it is checked afterwards."""
        if self._buffer.stale:
            raise StaleColumn("the run went on since this column was taken, and its rows were sorted; take it from the run again")
        memory = memoryview(self._buffer)
        view = numpy.asarray(memory.toreadonly() if self._guard and not writable else memory)
        for index in self._index:
            view = view[index]
        return view

    def is_of(self, other):
        """Whether it is the same column of the same run, as a whole."""
        return not self._index and numpy.shares_memory(self._view(), other._view()) and len(self) == len(other)

    def __array__(self, dtype=None):
        view = self._view()
        return view if dtype is None else view.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        out = keywords.get("out", ())
        in_place = method == "at"  # numpy.add.at(column, rows, values)
        written = [x for x in (inputs[:1] if in_place else out) if isinstance(x, Column)]
        plain = [x._view(writable=in_place and k == 0) if isinstance(x, Column) else x for k, x in enumerate(inputs)]
        if out:
            keywords["out"] = tuple(x._view(writable=True) if isinstance(x, Column) else x for x in out)
        with _guarded(written):
            result = getattr(ufunc, method)(*plain, **keywords)
        return result if in_place or not written else out[0] if len(out) == 1 else out

    def __getitem__(self, index):
        view = self._view()
        part = view[index]
        if isinstance(part, numpy.ndarray) and numpy.shares_memory(part, view):
            return Column(self._buffer, (*self._index, index), self._guard)
        return part

    def __setitem__(self, index, value):
        with _guarded([self]):
            self._view(writable=True)[index] = value._view() if isinstance(value, Column) else value

    def __getattr__(self, name):
        """Whatever an array can do: min, mean, shape, dtype, …"""
        if name.startswith("_"):
            raise AttributeError(name)
        view = self._view()
        found = getattr(view, name)
        if isinstance(found, numpy.ndarray) and numpy.shares_memory(found, view):
            return found.copy()  # T, flat, real …
        if not callable(found):
            return found

        def call(*arguments, **keywords):
            if name in ("fill", "put"):
                with _guarded([self]):
                    return getattr(self._view(writable=True), name)(*arguments, **keywords)
            result = getattr(self._view(), name)(*arguments, **keywords)
            shares = isinstance(result, numpy.ndarray) and result.size and numpy.shares_memory(result, self._view())
            return result.copy() if shares else result
        return call

    def __reduce__(self):
        """Pickles and deep copies are arrays: they last."""
        return numpy.array(self._view()).__reduce__()

    def __copy__(self):
        return numpy.array(self._view())

    def __deepcopy__(self, _):
        return numpy.array(self._view())

    def __len__(self):
        return len(self._view())

    def __iter__(self):
        return iter(numpy.array(self._view()))

    def __repr__(self):
        if self._buffer.stale:
            return "Column(stale)"
        return "Column(" + repr(numpy.array(self._view()))[len("array("):]

    def __bool__(self):
        return bool(self._view())


class _guarded:
    """Around writing: what the guards of columns refuse is undone."""

    def __init__(self, columns):
        self._columns = [c for c in columns if c._guard]

    def __enter__(self):
        for column in self._columns:
            column._view()  # which a stale one refuses
        self._before = [c._guard(c._buffer) for c in self._columns]

    def __exit__(self, kind, error, trace):
        for check in self._before:
            check()
