#!/usr/bin/env python3
"""A controller: a jelly is pushed so that it hovers over a mark. Each step it reads where the jelly is and how fast, and returns an
acceleration (a proportional-derivative law, at most 3 g)."""
import sys

import numpy

import thixo

QUICK = "--quick" in sys.argv
MARK = numpy.array([0.0, 0.6, 0.0])
STIFF, DAMP = 40.0, 10.0  # 1/s², 1/s

run = thixo.Run({
    "duration": 0.4 if QUICK else 2, "frame_rate": 25, "particles": {"spacing": 0.1 if QUICK else 0.04},
    "materials": {"jelly": {"density": 1000, "solid": {"young_modulus": 2e4, "poisson_ratio": 0.3, "damping": 0.01}}},
    "objects": [{"name": "jelly", "material": "jelly", "phase": "elastic", "velocity": [0.8, 0, 0],
                 "shape": {"box": {"min": [-0.2, 0.1, -0.2], "max": [0.2, 0.5, 0.2]}}}],
    "obstacles": [{"name": "floor", "shape": {"box": {"min": [-3, -1, -3], "max": [3, 0, 3]}}}],
})


def hover(run):
    mass = numpy.array(run.mass)[:, None]
    centre = (mass * run.position).sum(axis=0) / mass.sum()
    velocity = (mass * run.velocity).sum(axis=0) / mass.sum()
    wanted = STIFF * (MARK - centre) - DAMP * velocity + [0, 9.81, 0]
    wanted *= min(1, 3 * 9.81 / numpy.linalg.norm(wanted))
    return numpy.tile(wanted, (len(run), 1))


run.push = hover
for frame in run.frames():
    centre = numpy.array(run.position).mean(axis=0)
    print(f"{run.time:5.2f} s   off the mark by {numpy.linalg.norm(centre - MARK):.3f} m")
