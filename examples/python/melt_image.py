#!/usr/bin/env python3
"""Melts a shape from an image: dark pixels of a picture (.pgm, or the letter T if none is given) become a sheet of wax in 2D, which is
heated from above until it drips. Frames are written as .ply."""
import sys

import numpy

import thixo

QUICK = "--quick" in sys.argv
files = [name for name in sys.argv[1:] if not name.startswith("--")]


def read_pgm(file):
    kind, width, height, _ = open(file, "rb").read().split(maxsplit=4)[:4]
    if kind != b"P5":
        sys.exit(f"{file}: only binary PGM (P5) is read")
    return numpy.frombuffer(open(file, "rb").read()[-int(width) * int(height):], numpy.uint8).reshape(int(height), int(width))


if files:
    dark = read_pgm(files[0]) < 128
else:
    dark = numpy.zeros((12, 12), bool)
    dark[1:4, 1:11] = dark[4:11, 5:8] = True

# A box for each run of dark pixels in a row, one object of all of them.
size = 1.0 / dark.shape[1]
boxes = []
for row, pixels in enumerate(dark):
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[0], pixels, [0]])))
    y = (dark.shape[0] - row) * size
    boxes += [{"box": {"min": [a * size, y - size, 0], "max": [b * size, y, 0]}} for a, b in zip(edges[::2], edges[1::2])]

run = thixo.Run({
    "dimensions": 2, "duration": 0.2 if QUICK else 2, "frame_rate": 25, "particles": {"spacing": size / (2 if QUICK else 4)},
    "materials": {"wax": {"density": 900, "liquid": {"viscosity": 5}, "solid": {"young_modulus": 2e5},
                          "heat": {"melting_point": 60, "specific_heat": 2000}}},
    "objects": [{"name": "shape", "material": "wax", "phase": "elastic", "shape": {"union": {"shapes": boxes}}}],
    "obstacles": [{"name": "floor", "shape": {"box": {"min": [-2, -1, 0], "max": [3, 0, 0]}}}],
})
for frame in run.frames():
    # A lamp: 20 kW/kg for the uppermost tenth of what is still solid.
    solid = numpy.array(run.phase) != thixo.LIQUID
    if not solid.any():
        break
    y = numpy.array(run.position)[:, 1]
    lit = solid & (y > numpy.quantile(y[solid], 0.9))
    run.add_heat(numpy.where(lit, 2e4 * numpy.array(run.mass), 0))
    print(f"{run.time:5.2f} s   {100 * (1 - solid.mean()):.0f} % liquid")
run.write_particles("melted.ply")
