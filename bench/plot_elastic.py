#!/usr/bin/env python3
"""Draws what `bench_elastic --csv FILE` wrote, as [BIT09, fig. 2]:  plot_elastic.py FILE.csv PICTURE.png"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(table, picture):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    particles = [int(row["particles"]) / 1000 for row in rows]
    figure, axes = plt.subplots(figsize=(6, 4))
    for model in [name for name in rows[0] if name not in ("cuboids", "particles")]:
        axes.plot(particles, [float(row[model]) for row in rows], marker="o", markersize=3, label=model)
    axes.set_xlabel("particles (thousands)")
    axes.set_ylabel("elastic forces (ms)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
