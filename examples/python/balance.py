#!/usr/bin/env python3
"""A controller: a plate carries a tower of jelly 0.6 m to the side, without toppling it. Each frame the program reads how far the
tower leans and how fast that grows, and leads the plate, which a hand holds, to where it shall be a frame later. `--careless` does not look at the
tower: it falls. Draws balance.png if matplotlib is there."""
import sys

import numpy

import thixo

QUICK, CARELESS = "--quick" in sys.argv, "--careless" in sys.argv
RATE = 50  # frames a second
SPACING = 0.06 if QUICK else 0.04
MARK, HEIGHT = 0.6, 0.48  # m
GRIP, HAND = numpy.array([-0.3, -0.06, 0.0]), 1  # where the plate is held

run = thixo.Run({
    "duration": 0.2 if QUICK else 4, "frame_rate": RATE, "particles": {"spacing": SPACING},
    "materials": {"jelly": {"density": 1000, "solid": {"young_modulus": 2e5, "poisson_ratio": 0.3, "damping": 0.01, "friction": 1}},
                  "board": {"density": 2000, "solid": {"friction": 1}}},
    "objects": [{"name": "tower", "material": "jelly", "phase": "elastic",
                 "shape": {"box": {"min": [-0.06, 0, -0.06], "max": [0.06, HEIGHT, 0.06]}}},
                {"name": "plate", "material": "board", "phase": "rigid",
                 "shape": {"box": {"min": [-0.36, -0.12, -0.12], "max": [0.36, 0, 0.12]}}}],
})
run.grab(HAND, at=GRIP, radius=1.5 * SPACING)

jelly = numpy.array(run.object) == 0
foot = numpy.array(run.id)[jelly & (numpy.array(run.position)[:, 1] < 2 * SPACING)]
top = numpy.array(run.id)[jelly & (numpy.array(run.position)[:, 1] > HEIGHT - 2 * SPACING)]


def lean():
    """Angle of the tower (rad) and its rate (rad/s): of the line from its foot to its top, by the particles that these had at the start."""
    ids = numpy.array(run.id)
    x, v = (numpy.array(column)[:, 0] for column in (run.position, run.velocity))
    ends = [numpy.isin(ids, those) for those in (foot, top)]
    return tuple((column[ends[1]].mean() - column[ends[0]].mean()) / HEIGHT for column in (x, v))


times, leans, plates = [], [], []
at = speed = 0.0  # of the plate
for frame in run.frames():
    angle, rate = lean()
    if CARELESS:
        wanted = 9 * (MARK - at) - 6 * speed
    else:
        # To the mark, and below the tower where it leans.
        wanted = numpy.clip(4 * (MARK - at) - 5 * speed, -1.5, 1.5) + 25 * angle + 6 * rate
    speed += float(numpy.clip(wanted, -6, 6)) / RATE
    at += speed / RATE
    run.drag(HAND, to=GRIP + [at, 0, 0], seconds=1 / RATE)
    times.append(run.time)
    leans.append(float(numpy.degrees(angle)))
    plates.append(at)
    if frame % 10 == 0:
        print(f"{run.time:5.2f} s   plate at {at:.3f} m, tower leans by {leans[-1]:6.1f} degrees")

try:
    from matplotlib import pyplot
except ImportError:
    sys.exit()
figure, (above, below) = pyplot.subplots(2, sharex=True)
above.plot(times, plates)
above.axhline(MARK, linestyle=":")
above.set_ylabel("plate, m")
below.plot(times, leans)
below.set_ylabel("lean, degrees")
below.set_xlabel("time, s")
figure.savefig("balance.png", dpi=120)
