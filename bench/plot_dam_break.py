#!/usr/bin/env python3
"""Runs dams with the program and draws their fronts over experiments:  plot_dam_break.py THIXO FOLDER PICTURE.svg

FOLDER keeps scenes and fronts; what is there is not run again. docs/theory/dam_break.md shows the picture and the tables that are printed.
"""
import html
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys

L = 0.146  # width of the column, m; its height is 2 L
UNIT = 1 / math.sqrt(2 * 9.81 / L)  # s
END = 3.2  # in that unit
FRAMES = 64

# Front x/L over t √(2g/L), read from the figures of the papers.
EXPERIMENTS = {
    "Koshizuka & Oka 1996": [(0.381, 1.111), (0.769, 1.252), (1.153, 1.505), (1.537, 1.892), (1.935, 2.241), (2.323, 2.615),
                             (2.719, 3.003), (3.096, 3.624)],
    "Martin & Moyce 1952, a = 57 mm": [(0.832, 1.217), (1.219, 1.474), (1.997, 2.292), (2.547, 2.995)],
    "Martin & Moyce 1952, a = 29 mm": [(0.849, 1.245), (1.212, 1.443), (1.602, 1.884), (2.283, 2.689), (2.950, 3.728)],
}

# name: (pressure, L over spacing, dimensions, no-slip floor, viscosity in Pa s, speed of the gate in m/s or None)
RUNS = {
    "tait, L/16": ("tait", 16, 2, False, 0.05, None),
    "tait, L/32": ("tait", 32, 2, False, 0.05, None),
    "tait, L/64": ("tait", 64, 2, False, 0.05, None),
    "dfsph, L/16": ("dfsph", 16, 2, False, 0.05, None),
    "dfsph, L/32": ("dfsph", 32, 2, False, 0.05, None),
    "dfsph, L/64": ("dfsph", 64, 2, False, 0.05, None),
    "dfsph, L/32, no-slip floor": ("dfsph", 32, 2, True, 0.05, None),
    "dfsph, L/32, no-slip floor, 0.5 Pa s": ("dfsph", 32, 2, True, 0.5, None),
    "dfsph, L/32, gate at 3 m/s": ("dfsph", 32, 2, False, 0.05, 3.0),
    "dfsph, L/32, gate at 1.5 m/s": ("dfsph", 32, 2, False, 0.05, 1.5),
    "dfsph, L/32, gate at 1.5 m/s, no-slip floor": ("dfsph", 32, 2, True, 0.05, 1.5),
    "dfsph, L/16, 3D": ("dfsph", 16, 3, False, 0.05, None),
}


def scene(pressure, cells, dimensions, no_slip, viscosity, gate):
    spacing, depth = L / cells, L / 2
    corner = lambda *x: list(x[:dimensions])
    obstacles = [
        {"name": "floor", "no_slip": no_slip, "shape": {"plane": {}}},
        {"name": "tank", "inside": True, "shape": {"box": {"min": corner(0, -L, 0), "max": corner(5 * L, 4 * L, depth)}}},
    ]
    if gate:
        last = 2.5 * L / gate
        obstacles.append({
            "name": "gate",
            "shape": {"box": {"min": corner(L, 0, -1), "max": corner(L + 3 * spacing, 2.2 * L, 1)}},
            "motion": {"keyframes": [{"time": 0}, {"time": last, "translate": [0, gate * last, 0]}]},
        })
    return {
        "dimensions": dimensions, "duration": END * UNIT, "frame_rate": FRAMES / (END * UNIT),
        "particles": {"spacing": spacing}, "solver": {"pressure": pressure},
        "materials": {"water": {"density": 1000, "liquid": {"sound_speed": 24, "viscosity": viscosity}}},
        "objects": [{"name": "column", "material": "water",
                     "shape": {"box": {"min": corner(0, 0, 0), "max": corner(L, 2 * L, depth)}}}],
        "obstacles": obstacles,
    }


def positions(path):
    """x and y of the particles of a PLY file as the program writes it: binary, little endian."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    header = data[:end].decode().splitlines()
    count = next(int(line.split()[2]) for line in header if line.startswith("element vertex"))
    kinds = {"float": "f", "double": "d", "int": "i", "uint": "I", "uchar": "B", "char": "b", "ushort": "H", "short": "h",
             "float32": "f", "float64": "d", "int32": "i", "uint32": "I", "uint8": "B", "uint16": "H"}
    row = struct.Struct("<" + "".join(kinds[line.split()[1]] for line in header if line.startswith("property")))
    return [row.unpack_from(data, end + k * row.size)[:2] for k in range(count)]


def front_of(points, spacing):
    """The farthest particle on the floor that at least three others are within two spacings of: no drop ahead of the water counts."""
    low = sorted((x for x, y in points if y < 2.5 * spacing), reverse=True)
    for k, x in enumerate(low):
        if sum(1 for other in low[k + 1:k + 8] if x - other < 2 * spacing) >= 3:
            return x + 0.5 * spacing
    return low[0] + 0.5 * spacing


def fronts(program, folder, name, settings):
    kept = folder / (name.replace("/", "_").replace(",", "").replace(" ", "_") + ".json")
    if kept.exists():
        return json.loads(kept.read_text())
    made, run = folder / "scene.json", folder / "run"
    made.write_text(json.dumps(scene(*settings)))
    subprocess.run([program, "run", made, "--out", run, "--force", "--quiet", "--threads", "1"], check=True)
    out = []
    for k, file in enumerate(sorted((run / "particles").glob("*.ply"))):
        out.append((k * END / FRAMES, front_of(positions(file), L / settings[1]) / L))
    shutil.rmtree(run)
    kept.write_text(json.dumps(out))
    return out


def at(curve, t):
    for (t0, x0), (t1, x1) in zip(curve, curve[1:]):
        if t0 <= t <= t1:
            return x0 + (x1 - x0) * (t - t0) / (t1 - t0)
    return curve[-1][1]


def lead(curve, data, late=0.0):
    """Relative errors of a curve that starts `late`."""
    return [at(curve, max(0.0, t - late)) / x - 1 for t, x in data]


def best_start(curve, data):
    """The delay with the smallest RMS error, and that error."""
    rms = lambda late: math.sqrt(sum(e * e for e in lead(curve, data, late)) / len(data))
    late = min((0.01 * k for k in range(60)), key=rms)
    return late, rms(late)


def draw(curves, picture):
    left, top, wide, high = 60, 20, 620, 420
    px, py = lambda t: left + wide * t / END, lambda x: top + high * (4.5 - x) / 3.5
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + wide + 20}" height="{top + high + 50}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for k in range(8):
        x = 1 + 0.5 * k
        out.append(f'<line x1="{left}" x2="{left + wide}" y1="{py(x):.1f}" y2="{py(x):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{py(x) + 4:.1f}" text-anchor="end">{x:g}</text>')
    for k in range(7):
        out.append(f'<text x="{px(0.5 * k):.1f}" y="{top + high + 18}" text-anchor="middle">{0.5 * k:g}</text>')
    out.append(f'<text x="{left + wide / 2}" y="{top + high + 40}" text-anchor="middle">t √(2g/L)</text>')
    out.append(f'<text x="16" y="{top + high / 2}" text-anchor="middle" transform="rotate(-90 16 {top + high / 2})">x/L</text>')
    shown = [("tait, L/16", "#fb8", ""), ("tait, L/32", "#e60", ""), ("tait, L/64", "#930", ""), ("dfsph, L/16", "#8bf", ""),
             ("dfsph, L/32", "#06c", ""), ("dfsph, L/64", "#036", ""),
             ("dfsph, L/32, gate at 1.5 m/s, no-slip floor", "#090", "6 3"), ("dfsph, L/32, no-slip floor, 0.5 Pa s", "#909", "2 3")]
    legend = top + 16
    for name, colour, dash in shown:
        if name not in curves:
            continue
        points = " ".join(f"{px(t):.1f},{py(x):.1f}" for t, x in curves[name] if x <= 4.5)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dash}"/>')
        out.append(f'<text x="{left + 16}" y="{legend}" fill="{colour}">{name}</text>')
        legend += 17
    for (name, points), mark in zip(EXPERIMENTS.items(), "●▲□"):
        for t, x in points:
            out.append(f'<text x="{px(t):.1f}" y="{py(x) + 4:.1f}" text-anchor="middle">{mark}</text>')
        out.append(f'<text x="{left + 16}" y="{legend}">{mark} {html.escape(name)}</text>')
        legend += 17
    pathlib.Path(picture).write_text("\n".join(out) + "</svg>\n")


def main(program, folder, picture):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    program = pathlib.Path(program).resolve()
    curves = {}
    print("| run | x/L at 1.15 | at 1.54 | at 2.32 | at 3.10 | speed, 1.5 to 3 | lead over K & O | left if later by | lead over M & M | left if later by |")
    print("| --- |" + " --- |" * 9)
    for name, settings in RUNS.items():
        curves[name] = curve = fronts(program, folder, name, settings)
        cells = [f"{at(curve, t):.2f}" for t in (1.153, 1.537, 2.323, 3.096)]
        cells.append(f"{(at(curve, 3.0) - at(curve, 1.5)) / 1.5:.2f}")
        for data in list(EXPERIMENTS.values())[:2]:
            late, left = best_start(curve, data)
            cells += [f"{100 * sum(lead(curve, data)) / len(data):.1f} %", f"{100 * left:.1f} %, {late:.2f}"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    draw(curves, picture)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
