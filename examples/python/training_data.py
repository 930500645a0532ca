#!/usr/bin/env python3
"""Training data: positions and velocities of a splash over time, with the same particles in the same order in every frame, as one
training_data.npz."""
import sys

import numpy

import thixo

QUICK = "--quick" in sys.argv
run = thixo.Run({
    "duration": 0.12 if QUICK else 1, "frame_rate": 50, "particles": {"spacing": 0.08 if QUICK else 0.03},
    "materials": {"water": {"density": 1000}},
    "objects": [{"material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0.4]}}}],
    "obstacles": [{"name": "tank", "shape": {"box": {"min": [0, 0, 0], "max": [1.2, 1.2, 0.4]}}, "inside": True}],
})
positions, velocities, times = [], [], []
for frame in run.frames():
    order = numpy.argsort(numpy.array(run.id))  # rows are sorted by place: `id` is what lasts
    positions.append(numpy.array(run.position)[order])
    velocities.append(numpy.array(run.velocity)[order])
    times.append(run.time)
numpy.savez_compressed("training_data.npz", position=positions, velocity=velocities, time=times)
print("training_data.npz:", numpy.shape(positions), "positions (frames, particles, 3)")
