"""Thixo: liquids, elastic, breakable and rigid solids that melt and freeze, as one particle system.

    import thixo
    run = thixo.Run("pool.json")            # or a dict with the same keys
    for frame in run.frames():
        print(frame, run.time, run.position[:, 1].max())

A run gives the same bits as the program `thixo` and as the C++ library, on any number of threads.
"""
import os as _os
from pathlib import Path as _Path


def _fast_code(folder):
    """A package has the extension for x86-64-v3 too. It is taken where the loader of glibc takes the program for it, by the same features of the
    processor: otherwise the two would round differently. They are read from glibc, since /proc may not be mounted."""
    import ctypes

    class Leaf(ctypes.Structure):  # of CPUID: registers eax, ebx, ecx, edx; what the processor has, and what of it is enabled
        _fields_ = [("has", ctypes.c_uint * 4), ("enabled", ctypes.c_uint * 4)]
    try:
        leaf = getattr(ctypes.CDLL(None), "__x86_get_cpuid_feature_leaf")
    except (OSError, AttributeError):
        return []
    leaf.argtypes, leaf.restype = [ctypes.c_uint], ctypes.POINTER(Leaf)
    fma, movbe, avx, f16c = ((0, 2, bit) for bit in (12, 22, 28, 29))  # leaf, register, bit
    bmi1, avx2, bmi2 = ((1, 1, bit) for bit in (3, 5, 8))
    needed = (fma, movbe, avx, f16c, bmi1, avx2, bmi2, (2, 2, 5))  # the last one is LZCNT
    fast = all(leaf(number).contents.enabled[register] >> bit & 1 for number, register, bit in needed)
    return [str(folder)] if fast and folder.is_dir() else []


__path__ = _fast_code(_Path(__file__).parent / "x86-64-v3") + __path__


def _sleeping_threads():
    """OpenMP's threads that wait for each other go to sleep soon, as those of the program `thixo`: on a busy machine they would keep the processor
    from the one they wait for. The runtime reads the environment when it is loaded."""
    if any(name in _os.environ for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")):
        from . import _thixo  # noqa: F401
        return
    _os.environ["GOMP_SPINCOUNT"] = "500"
    try:
        from . import _thixo  # noqa: F401
    finally:
        del _os.environ["GOMP_SPINCOUNT"]


_sleeping_threads()

from ._thixo import InputError, RunError, __version__, end_threads as _end_threads, schema as _schema  # noqa: E402
from .column import Column, StaleColumn  # noqa: E402
from .run import LIQUID, ELASTIC, RIGID, Run, load, parse  # noqa: E402

_os.register_at_fork(before=_end_threads)

InputError.__doc__ = "Something is wrong with a scene or an argument: lists all that is, and where. A ValueError."
RunError.__doc__ = "A run cannot go on, because it diverged, or a file could not be written. A RuntimeError."

__all__ = ["Run", "Column", "StaleColumn", "InputError", "RunError", "load", "parse", "schema", "LIQUID", "ELASTIC", "RIGID",
           "__version__"]


def schema():
    """The JSON Schema of scenes, as a dict."""
    import json
    return json.loads(_schema())
