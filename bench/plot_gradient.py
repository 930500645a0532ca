#!/usr/bin/env python3
"""Draws why gradients of turned bodies need corotation, as [BIT09, fig. 1]:  plot_gradient.py PICTURE.png

A body of two particles i and j is turned about i. The gradient of the displacement by [SSP07] (eq. 6 of [BIT09]) is v u_ji ⊗ ∇W(x⁰_ij), which is exact for
constants only: the strain that follows from it is not zero, and neither is the force, although nothing is deformed.
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# v |x⁰| |∇W|, of the cubic spline in 2D with a support of two spacings, at one spacing.
WEIGHT = 0.75 * 10 / (7 * np.pi)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def strain(angle, corotated=False):
    """Green's strain of i, and the force on j over v σ for a stress that equals the strain [eq. 8]."""
    e = np.array([1.0, 0.0])
    moved = turn(-angle) @ turn(angle) @ e if corotated else turn(angle) @ e
    gradient = WEIGHT * np.outer(moved - e, e)
    deformation = np.eye(2) + gradient
    epsilon = 0.5 * (deformation.T @ deformation - np.eye(2))
    return epsilon, -deformation @ epsilon @ e


def main(picture):
    figure, (sketch, curve) = plt.subplots(1, 2, figsize=(9, 4))
    angle = np.radians(60)
    j0, j = np.array([1.0, 0.0]), turn(angle) @ [1.0, 0.0]
    for to, style, name in ((j0, "--", "j at rest"), (j, "-", "j")):
        sketch.plot([0, to[0]], [0, to[1]], style, color="0.5", zorder=1)
        sketch.text(to[0] + 0.14, to[1] - 0.02, name)
    sketch.scatter([0, j[0]], [0, j[1]], s=500, color="#3a6ea8", zorder=2)
    sketch.scatter(*j0, s=500, facecolor="white", edgecolor="#3a6ea8", zorder=2)
    sketch.text(-0.06, -0.2, "i")
    force = strain(angle)[1]
    sketch.annotate("", xy=j + 4 * force, xytext=j, arrowprops={"color": "#c8643c", "width": 2, "headwidth": 9}, zorder=3)
    sketch.text(*(j + 4 * force + [0.05, 0.02]), "false force", color="#c8643c")
    sketch.text(-0.1, 1.25, "a body of two particles, turned by 60°")
    sketch.set_xlim(-0.4, 1.7)
    sketch.set_ylim(-0.4, 1.3)
    sketch.set_aspect("equal")
    sketch.axis("off")
    angles = np.linspace(0, 180, 91)
    for corotated, name in ((False, "original SPH"), (True, "corotated")):
        curve.plot(angles, [np.linalg.norm(strain(np.radians(a), corotated)[0]) for a in angles], label=name)
    curve.set_xlabel("turned by (degrees)")
    curve.set_ylabel("strain of a body that is not deformed")
    curve.set_xlim(0, 180)
    curve.grid(alpha=0.3)
    curve.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
