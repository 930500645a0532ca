"""Checks the particle files of a run folder with readers written from the formats' specifications.

    /usr/bin/python3 check_formats.py DIR [--analytic]

Every frame must be complete, free of NaN, ordered by id, and the same in every format it was written in.
--analytic: the folder was written by write_sample_particles, whose values are known in closed form.
"""

import argparse
import pathlib
import re
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from readers import bgeo, ply, pvd, vtu  # noqa: E402

# Names and types of the PLY properties, in order; VTU arrays have the same types.
PROPERTIES = dict(
    x="f4", y="f4", z="f4", vx="f4", vy="f4", vz="f4", id="u4", radius="f4", density="f4", temperature="f4",
    phase="u1", material="u2", object="u2", body="u4", rim="u2", mass="f4", pressure="f4")
VECTORS = {"position": "xyz", "P": "xyz", "velocity": ("vx", "vy", "vz"), "v": ("vx", "vy", "vz")}


def fail(message):
    sys.exit(f"FAILED: {message}")


def scalars(table):
    """Vectors taken apart, so that all formats have the names of the PLY properties."""
    result = {}
    for name, values in table.items():
        if values.ndim == 1:
            result[name] = values
        else:
            result.update({part: values[:, i] for i, part in enumerate(VECTORS[name])})
    return result


def check_frame(name, table):
    count = len(table["id"])
    for column, kind in PROPERTIES.items():
        if column not in table:
            fail(f"{name}: no {column}")
        if len(table[column]) != count:
            fail(f"{name}: {len(table[column])} values of {column} for {count} particles")
        if kind == "f4" and not np.all(np.isfinite(table[column])):
            fail(f"{name}: {column} is not finite")
    if count > 1 and not np.all(np.diff(table["id"].astype(np.int64)) > 0):
        fail(f"{name}: ids do not ascend")
    if not np.all(table["phase"] <= 2):
        fail(f"{name}: unknown phase")
    if not np.all(table["radius"] > 0):
        fail(f"{name}: radius is not positive")


def check_types(name, table):
    for column, kind in PROPERTIES.items():
        if table[column].dtype.str[1:] != kind:
            fail(f"{name}: {column} is stored as {table[column].dtype}, not {kind}")


def check_same(name, table, reference):
    for column in PROPERTIES:
        if not np.array_equal(table[column], reference[column].astype(table[column].dtype)):
            fail(f"{name}: {column} differs from the other formats")


def read_ply(path):
    table = ply.read(path)
    if list(table) != list(PROPERTIES):
        fail(f"{path.name}: properties {list(table)}")
    check_types(path.name, table)
    comments = dict(c.split(" ", 1) for c in ply.comments(path) if re.match(r"(time|frame) ", c))
    return table, float(comments["time"]), int(comments["frame"])


def read_vtu(path):
    table = scalars(vtu.read(path))
    check_types(path.name, table)
    return table, vtu.time(path), None


def read_bgeo(path):
    table = scalars(bgeo.read(path))
    if not np.array_equal(table["pscale"], table["radius"]):
        fail(f"{path.name}: pscale is not the radius")
    details = bgeo.details(path)
    # Houdini's classic format has signed 32-bit integers only.
    for column, kind in PROPERTIES.items():
        if kind.startswith("u"):
            table[column] = table[column].astype(np.int32).view(np.uint32)
    return table, float(details["time"]), int(details["frame"])


READERS = {".ply": read_ply, ".vtu": read_vtu, ".bgeo": read_bgeo}


def analytic(frame, count):
    k = np.arange(count)
    return dict(
        x=k % 16 / 64, y=k // 16 % 16 / 64 + frame / 64, z=k // 256 / 64, vx=k % 3, vy=np.full(count, -frame),
        vz=k / 2, id=2 * k + 3, radius=np.where(k % 2 == 0, 1 / 128, 1 / 256), density=1000 + k % 11,
        temperature=k / 64 - 10, phase=k % 3, material=k % 4 * 300, object=65535 - k % 5,
        body=np.where(k % 3 == 2, 70000 + k, 0), rim=k % 13, mass=(k % 7 + 1) / 4, pressure=(k % 11) * 16)


def check_number(folder, number, compare_analytic):
    """One frame in all its formats; returns its time."""
    reference, frame_time = None, None
    for suffix, reader in READERS.items():
        path = folder / "particles" / (number + suffix)
        if not path.exists():
            continue
        try:
            table, time, frame = reader(path)
        except (ValueError, KeyError, AttributeError) as error:
            fail(f"{path}: {error!r}")
        check_frame(path.name, table)
        if frame is not None and frame != int(number):
            fail(f"{path.name}: says it is frame {frame}")
        if reference is None:
            reference, frame_time = table, time
            if compare_analytic:
                check_same(path.name, table, analytic(int(number), len(table["id"])))
        check_same(path.name, table, reference)
        if not np.isclose(time, frame_time, rtol=1e-6, atol=0):
            fail(f"{path.name}: time {time}, elsewhere {frame_time}")
    return frame_time


def check_series(folder, times):
    series = pvd.read(folder / "particles.pvd")
    expected = [str(folder / "particles" / (number + ".vtu")) for number in times]
    if [str(f) for f in series["file"]] != expected:
        fail(f"particles.pvd lists {list(series['file'])}, not {expected}")
    if not np.allclose(series["time"], list(times.values()), rtol=1e-12, atol=0):
        fail(f"particles.pvd has the times {series['time']}, the files {list(times.values())}")
    if not np.all(np.diff(series["time"]) > 0):
        fail("the times of particles.pvd do not ascend")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--analytic", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    files = sorted(p for p in (folder / "particles").glob("*") if p.suffix in READERS)
    if not files:
        fail(f"{folder}: no particle files")
    leftovers = list(folder.rglob("*.part"))
    if leftovers:
        fail(f"half-written files: {leftovers}")
    numbers = sorted({p.stem for p in files})
    suffixes = sorted({p.suffix for p in files})
    if len(files) != len(numbers) * len(suffixes):
        fail("not every frame has every format")
    times = {number: check_number(folder, number, arguments.analytic) for number in numbers}
    if ".vtu" in suffixes:
        check_series(folder, times)
    print(f"ok: {len(numbers)} frames in {' '.join(suffixes)}")


if __name__ == "__main__":
    main()
