"""Helpers of the golden tests: running the program, its scenes, and reading its output.

    /usr/bin/python3 -B test_NAME.py PROGRAM [--full]

PROGRAM is the program `thixo`; --full selects the thorough variant of a test.
"""

import csv
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from readers import bgeo, ply, pvd, vtu  # noqa: E402

TANK = HERE / "scenes" / "run" / "tank.json"
MILL = HERE / "scenes" / "run" / "mill.json"
HOT_PLATE = HERE.parents[1] / "scenes" / "gallery" / "hot_plate.json"
SNAP = HERE / "scenes" / "run" / "snap.json"
CRACK = HERE / "scenes" / "run" / "crack.json"
BLOCKS = HERE / "scenes" / "run" / "blocks.json"
GRABS = HERE / "scenes" / "run" / "grabs.json"
HANDS = HERE / "scenes" / "run" / "hands.json"
HANDS_EVENTS = HERE / "scenes" / "run" / "hands.jsonl"
TANK_2D = HERE / "scenes" / "run" / "tank_2d.json"
READERS = {".ply": ply, ".vtu": vtu, ".bgeo": bgeo, ".pvd": pvd}
COLUMNS = (
    "frame,time,steps,particles,liquid,elastic,rigid,bodies,mass,px,py,pz,lx,ly,lz,kinetic,potential,elastic_energy,"
    "heat,t_min,t_mean,t_max,density_error,solid_density_error,dt_min,dt_max,neighbours,wall_seconds,hash").split(",")

# Against hangs only: nothing is ever said about speed.
PATIENCE = 600

PROGRAM = None
FULL = False


def environment():
    # The program decides how its threads wait, as it does for a user.
    own = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    return dict(own, LC_ALL="C.UTF-8")


def command(*arguments):
    return [PROGRAM, *map(str, arguments)]


def thixo(*arguments, **options):
    """The finished program: returncode, stdout, stderr."""
    options = {"capture_output": True, "timeout": PATIENCE, "env": environment(), **options}
    result = subprocess.run(command(*arguments), **options)
    for name in ("stdout", "stderr"):
        text = getattr(result, name)
        setattr(result, name, text.decode("utf-8", "replace") if text is not None else "")
    return result


def start(*arguments, **options):
    """The running program, silent."""
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment(), **options}
    return subprocess.Popen(command(*arguments), **options)


def go_on(out):
    """What makes a run go on from what is in a folder, or begin."""
    return ("--resume",) if pathlib.Path(out).exists() else ()


def ledger(folder):
    """The rows of stats.csv: a dict each, numbers as numbers."""
    with open(pathlib.Path(folder) / "stats.csv", newline="") as file:
        text = file.read()
    if not text.endswith("\n"):
        raise ValueError("the last row of stats.csv is cut short")
    rows = list(csv.reader(text.splitlines()))
    if rows[0] != COLUMNS:
        raise ValueError(f"the columns of stats.csv are {rows[0]}")
    if any(len(row) != len(COLUMNS) for row in rows):
        raise ValueError("a row of stats.csv is incomplete")
    return [{k: v if k == "hash" else float(v) for k, v in zip(COLUMNS, row)} for row in rows[1:]]


def hashes(folder):
    return [row["hash"] for row in ledger(folder)]


def files(folder):
    """Every file below a folder by its relative path."""
    folder = pathlib.Path(folder)
    return {str(p.relative_to(folder)): p for p in sorted(folder.rglob("*")) if p.is_file()}


def digest(folder):
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files(folder).items()}


def resolved_scene(folder):
    """scene.json without its provenance, which names program, command line and date."""
    scene = json.loads((pathlib.Path(folder) / "scene.json").read_text())
    del scene["provenance"]
    return scene


def outcome(folder):
    """All that must not depend on how a run came about: everything but the log, the provenance and the seconds it took."""
    result = digest(folder)
    result.pop("log.txt", None)
    if "scene.json" in result:
        result["scene.json"] = resolved_scene(folder)
    result["stats.csv"] = [{k: v for k, v in row.items() if k != "wall_seconds"} for row in ledger(folder)]
    return result


def check_whole(folder):
    """Raises unless every file with a final name can be read to its end."""
    for name, path in files(folder).items():
        if path.suffix == ".part" or path.name in ("log.txt", "lock"):  # a killed run leaves its lock
            continue
        try:
            if path.suffix in READERS:
                READERS[path.suffix].read(path)
            elif path.name == "stats.csv":
                ledger(folder)
            elif path.name == "scene.json" or path.name.endswith(".csv-metadata.json"):
                json.loads(path.read_text())
            elif path.name.startswith("checkpoint"):
                result = thixo("info", path)
                if result.returncode != 0:
                    raise ValueError(result.stderr)
            else:
                raise ValueError("nothing of this name belongs to a run")
        except Exception as error:
            raise AssertionError(f"{name}: {error!r}") from error


class GoldenTest(unittest.TestCase):
    """A test with its own folder, `self.folder`, which is removed at its end."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thixo_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_ok(self, *arguments, **options):
        result = thixo("run", *arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result

    def check_message(self, result, code, *words):
        """It ended with this exit code and one message that holds these words."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"\Aerror: \S")
        self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
        for bad in ("terminate called", "what():", "Abort", "Sanitizer", "std::", "core dumped"):
            self.assertNotIn(bad, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def check_refused(self, result, *words):
        self.check_message(result, 2, *words)


def interrupted(code):
    """Exit codes of a program after a signal: its own code, or that of the signal."""
    return {signal.SIGINT: (130, -signal.SIGINT), signal.SIGTERM: (143, -signal.SIGTERM)}[code]


def main():
    global PROGRAM, FULL
    arguments = sys.argv[1:]
    FULL = "--full" in arguments
    arguments = [a for a in arguments if a != "--full"]
    if not arguments:
        sys.exit(__doc__)
    PROGRAM = str(pathlib.Path(arguments[0]).resolve())
    unittest.main(argv=[sys.argv[0], *arguments[1:]], verbosity=2)
