"""Spray, foam and bubbles of a run: the same bits for any number of threads and after an interrupt; files, tables and pictures."""

import csv
import json
import re
import signal
import time

import numpy as np

import harness
from harness import HERE, GoldenTest
from readers import bgeo, ply, png, vtu

FORMATS = HERE.parents[1] / "docs" / "formats.md"

# A block of water that falls into a pool.
SCENE = {
    "duration": 0.6, "frame_rate": 30, "particles": {"spacing": 0.04},
    "materials": {"water": {"density": 1000, "liquid": {"sound_speed": 30, "viscosity": 0.1}}},
    "objects": [
        {"material": "water", "velocity": [0, -3, 0], "shape": {"box": {"min": [-0.16, 0.4, -0.16], "max": [0.16, 0.72, 0.16]}}},
        {"material": "water", "shape": {"box": {"min": [-0.4, 0, -0.2], "max": [0.4, 0.2, 0.2]}}}],
    "obstacles": [{"shape": {"box": {"min": [-0.4, 0, -0.2], "max": [0.4, 2, 0.2]}}, "inside": True}]}


class Foam(GoldenTest):
    def setUp(self):
        super().setUp()
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(SCENE))
        self.out = self.folder / "out"
        self.run_ok(scene, "--out", self.out, "--quiet")

    def foam(self, *options):
        result = harness.thixo("foam", self.out, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def files(self):
        """Contents of what the command left, without the provenance in settings.json."""
        found = {path.name: path.read_bytes() for path in (self.out / "foam").glob("[0-9]*")}
        return found | {"foam.csv": (self.out / "foam.csv").read_bytes()}

    def rows(self):
        with open(self.out / "foam.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_splash_foams_and_all_of_it_is_finite_and_inside(self):
        untouched = harness.digest(self.out)
        self.foam("--quiet")
        after = harness.digest(self.out)
        self.assertEqual({name: after[name] for name in untouched}, untouched)
        rows = self.rows()
        self.assertEqual([int(row["frame"]) for row in rows], list(range(19)))
        self.assertEqual(rows[0]["made"], "0")
        self.assertGreater(int(rows[-1]["made"]), 1000)
        kinds = {name: max(int(row[name]) for row in rows) for name in ("spray", "foam", "bubbles")}
        for name, most in kinds.items():
            self.assertGreater(most, 20, name)
        for row in rows:
            particles = ply.read(self.out / "foam" / f"{int(row['frame']):04}.ply")
            count = sum(int(row[name]) for name in kinds)
            self.assertEqual(len(particles["x"]), count)
            for name in ("x", "y", "z", "vx", "vy", "vz", "life", "radius"):
                self.assertTrue(np.all(np.isfinite(particles[name])), name)
            self.assertTrue(np.all(particles["life"] > 0))
            self.assertTrue(np.all(np.abs(particles["x"]) <= 0.4) and np.all(np.abs(particles["z"]) <= 0.2))
            self.assertTrue(np.all(particles["y"] >= 0))
            self.assertEqual(len(np.unique(particles["id"])), count)

    def test_threads_and_interrupts_change_no_bit(self):
        self.foam("--quiet", "--threads", 1)
        whole = self.files()
        self.foam("--quiet", "--threads", 3, "--again")
        self.assertEqual(self.files(), whole)
        self.foam("--quiet", "--again", "--air", 1)
        self.assertNotEqual(self.files(), whole)
        # Other settings begin anew; Ctrl-C in between, and what was written last is lost.
        (self.out / "foam" / "0008.ply").unlink()
        process = harness.start("foam", self.out, "--threads", 1)
        while not (self.out / "foam" / "0008.ply").exists() and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(harness.PATIENCE), (0, *harness.interrupted(signal.SIGINT)))
        rows = (self.out / "foam.csv").read_text().splitlines(True)
        (self.out / "foam.csv").write_text("".join(rows[:-1]) + rows[-1][:4])
        self.assertIn("goes on after frame", self.foam("--threads", 2))
        self.assertEqual(self.files(), whole)

    def test_formats_hold_the_same(self):
        self.foam("--quiet", "--format", "ply,vtu,bgeo")
        name = self.out / "foam" / "0012"
        read = [reader.read(name.with_suffix(ending)) for reader, ending in ((ply, ".ply"), (vtu, ".vtu"), (bgeo, ".bgeo"))]
        for column in ("id", "kind", "life", "radius"):
            for other in read[1:]:
                self.assertTrue(np.array_equal(np.asarray(read[0][column]).ravel(), np.asarray(other[column]).ravel()), column)

    def test_pictures_show_it_and_a_new_run_removes_it(self):
        if "Not available" in harness.thixo("render", "--help").stdout:
            self.skipTest("without pictures")
        options = ["--frames", "8", "--width", "200", "--height", "120", "--quiet", "--plain", "--no-contact-sheet"]
        pictures = {}
        for kind in ("spheres", "surface"):
            for foamy in (False, True):
                if foamy:
                    self.foam("--quiet")
                else:
                    harness.thixo("foam", self.out, "--quiet", "--air", 0, "--crests", 0, "--again")
                drawn = harness.thixo("render", self.out, "--as", kind, *options)
                self.assertEqual(drawn.returncode, 0, drawn.stderr)
                pictures[kind, foamy] = png.read(self.out / "pictures" / "0008.png").tobytes()
            self.assertNotEqual(pictures[kind, False], pictures[kind, True])
        self.run_ok(self.folder / "scene.json", "--out", self.out, "--quiet", "--force", "--frames", 1)
        self.assertFalse((self.out / "foam.csv").exists())
        self.assertFalse((self.out / "foam").exists())

    def test_columns_are_documented(self):
        self.foam("--quiet")
        section = FORMATS.read_text().split("## `foam.csv`")[1].split("\n## ")[0]
        documented = re.findall(r"^\| `([^`]+)` \| ([^|]*) \|", section, re.M)
        self.assertEqual([name for name, _ in documented], (self.out / "foam.csv").read_text().splitlines()[0].split(","))
        self.assertEqual({name: unit.strip() for name, unit in documented if unit.strip()}, {"time": "s"})

    def test_refused(self):
        for options, words in ((["--format", "plyy"], '"ply"'), (["--life", "3", "2"], "--life"), (["--speed", "-1"], "--speed")):
            refused = harness.thixo("foam", self.out, *options)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(words, refused.stderr)
            self.assertFalse((self.out / "foam.csv").exists())
        refused = harness.thixo("foam", self.folder / "none")
        self.assertEqual(refused.returncode, 2)


if __name__ == "__main__":
    harness.main()
