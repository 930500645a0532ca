"""Thixo: liquids, elastic, breakable and rigid solids that melt and freeze, as one particle system.

    import thixo
    run = thixo.Run("pool.json")            # or a dict with the same keys
    for frame in run.frames():
        print(frame, run.time, run.position[:, 1].max())

A run gives the same bits as the program `thixo` and as the C++ library, on any number of threads.
"""
from pathlib import Path as _Path


def _fast_code(folder):
    """A package has the extension for x86-64-v3 too. It is taken where the processor has all that the loader of glibc requires for the
    program: otherwise the two would round differently."""
    needed = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
    try:
        flags = next(line for line in _Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags"))
    except (OSError, StopIteration):
        return []
    return [str(folder)] if folder.is_dir() and needed <= set(flags.split()) else []


__path__ = _fast_code(_Path(__file__).parent / "x86-64-v3") + __path__

from ._thixo import InputError, RunError, __version__, schema as _schema  # noqa: E402
from .column import Column, StaleColumn  # noqa: E402
from .run import LIQUID, ELASTIC, RIGID, Run, load, parse  # noqa: E402

__all__ = ["Run", "Column", "StaleColumn", "InputError", "RunError", "load", "parse", "schema", "LIQUID", "ELASTIC", "RIGID",
           "__version__"]


def schema():
    """The JSON Schema of scenes, as a dict."""
    import json
    return json.loads(_schema())
