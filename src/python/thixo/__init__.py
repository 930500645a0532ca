"""Thixo: liquids, elastic, breakable and rigid solids that melt and freeze, as one particle system.

    import thixo
    run = thixo.Run("pool.json")            # or a dict with the same keys
    for frame in run.frames():
        print(frame, run.time, run.position[:, 1].max())

A run gives the same bits as the program `thixo` and as the C++ library, on any number of threads.
"""
from ._thixo import InputError, RunError, __version__, schema as _schema
from .column import Column, StaleColumn
from .run import LIQUID, ELASTIC, RIGID, Run, load, parse

__all__ = ["Run", "Column", "StaleColumn", "InputError", "RunError", "load", "parse", "schema", "LIQUID", "ELASTIC", "RIGID",
           "__version__"]


def schema():
    """The JSON Schema of scenes, as a dict."""
    import json
    return json.loads(_schema())
