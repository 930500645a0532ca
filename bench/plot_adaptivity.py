#!/usr/bin/env python3
"""Draws what `bench_adaptivity --csv FILE` wrote, as [DC99, fig. 9 and 10]:  plot_adaptivity.py FILE.csv PICTURE.svg"""
import csv
import sys

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 640, 300, 70, 30, 45, 40


def nice(most):
    """The next of 1, 2, 5, 10 … above."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if factor * step >= most:
                return factor * step
        step *= 10


def chart(title, times, lines, y):
    """One diagram: lines are (name, colour, values)."""
    most = nice(max(max(values) for _, _, values in lines))
    across, up = WIDTH - LEFT - 20, HEIGHT - TOP - BOTTOM
    left = lambda t: LEFT + across * t / times[-1]
    above = lambda value: y + TOP + up * (1 - value / most)
    out = [f'<text x="{LEFT}" y="{y + 18}" font-weight="bold">{title}</text>']
    for k in range(6):
        value, t = most * k / 5, times[-1] * k / 5
        out.append(f'<line x1="{LEFT}" x2="{LEFT + across}" y1="{above(value)}" y2="{above(value)}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{above(value) + 4}" text-anchor="end">{value:g}</text>')
        out.append(f'<text x="{left(t)}" y="{y + TOP + up + 18}" text-anchor="middle">{t:.3g}</text>')
    out.append(f'<text x="{LEFT + across / 2}" y="{y + HEIGHT - 8}" text-anchor="middle">time (s)</text>')
    for k, (name, colour, values) in enumerate(lines):
        points = " ".join(f"{left(t):.1f},{above(v):.1f}" for t, v in zip(times, values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + across - 8}" y="{y + TOP + 16 + 18 * k}" text-anchor="end" fill="{colour}">{name}</text>')
    return out


def main(table, picture):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    column = lambda name, start=0: [float(row[name]) for row in rows[start:]]
    uniform, adaptive = column("uniform_seconds", 1), column("adaptive_seconds", 1)
    total = [sum(uniform[: k + 1]) / max(sum(adaptive[: k + 1]), 1e-9) for k in range(len(uniform))]
    frame = [a / max(b, 1e-9) for a, b in zip(uniform, adaptive)]
    body = chart("speed-up", column("time", 1), [("of the frame", "#9ab", frame), ("so far", "#06c", total)], 0)
    body += chart("particles", column("time"),
                  [("uniform", "#888", column("uniform_particles")), ("adaptive", "#c40", column("adaptive_particles"))],
                  HEIGHT + GAP)
    with open(picture, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{2 * HEIGHT + GAP}" '
                   'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>')
        file.write("\n".join(body) + "</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
