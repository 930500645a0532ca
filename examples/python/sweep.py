#!/usr/bin/env python3
"""A parameter sweep: how far a column of liquid has run after 0.5 s, for six viscosities. Prints a table, and draws sweep.png if
matplotlib is there."""
import sys

import thixo

QUICK = "--quick" in sys.argv


def front(viscosity):
    run = thixo.Run({
        "dimensions": 2, "duration": 0.5, "frame_rate": 50, "particles": {"spacing": 0.04 if QUICK else 0.015},
        "materials": {"goo": {"density": 1000, "liquid": {"viscosity": viscosity}}},
        "objects": [{"material": "goo", "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0]}}}],
        "obstacles": [{"name": "tank", "shape": {"box": {"min": [0, 0, 0], "max": [3, 2, 0]}}, "inside": True}],
    })
    times, fronts = [], []
    for _ in run.frames():
        times.append(run.time)
        fronts.append(float(run.position[:, 0].max()))
    return times, fronts


curves = {viscosity: front(viscosity) for viscosity in ((0.1, 10) if QUICK else (0.1, 1, 10, 30, 100))}
print("viscosity (Pa s)   front after 0.5 s (m)")
for viscosity, (times, fronts) in curves.items():
    print(f"{viscosity:16g}   {fronts[-1]:.3f}")

try:
    from matplotlib import pyplot
except ImportError:
    sys.exit()
for viscosity, (times, fronts) in curves.items():
    pyplot.plot(times, fronts, label=f"{viscosity:g} Pa s")
pyplot.xlabel("time, s")
pyplot.ylabel("front, m")
pyplot.legend()
pyplot.savefig("sweep.png", dpi=120)
