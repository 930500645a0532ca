"""Probes and force fields: the same bits for any number of threads and after a resume; columns as documented."""

import json
import re

import harness
from harness import HERE, GoldenTest

FORMATS = HERE.parents[1] / "docs" / "formats.md"

SCENE = {
    "duration": 0.1, "frame_rate": 60, "particles": {"spacing": 0.025},
    "materials": {
        "water": {"density": 1000, "liquid": {"sound_speed": 15, "viscosity": 0.5}},
        "gel": {"density": 900, "solid": {"model": "corotated", "young_modulus": 2e4}},
        "wood": {"density": 500}},
    "objects": [
        {"name": "die", "material": "wood", "phase": "rigid",
         "shape": {"box": {"min": [-0.15, 0.2, -0.05], "max": [-0.05, 0.3, 0.05]}}},
        {"name": "gel", "material": "gel", "phase": "elastic",
         "shape": {"box": {"min": [0.02, 0.18, -0.05], "max": [0.12, 0.38, 0.05]}},
         "held": [{"region": {"box": {"min": [-1, 0.32, -1], "max": [1, 1, 1]}}}]},
        {"name": "pool", "material": "water", "shape": {"fill": {"inside": "tank", "level": 0.16}}}],
    "obstacles": [{"name": "tank", "shape": {"box": {"min": [-0.2, 0, -0.1], "max": [0.2, 1, 0.1]}}, "inside": True}],
    "force_fields": [
        {"kind": "wind", "velocity": [3, 0, 0]},
        {"kind": "vortex", "center": [0, 0, 0], "strength": 5, "radius": 0.1, "keyframes": [{"time": 0, "factor": 0}, {"time": 0.1, "factor": 1}]},
        {"kind": "point", "center": [0, 0.1, 0], "strength": 1},
        {"kind": "line", "center": [0, 0.1, 0], "strength": -1},
        {"kind": "damping", "rate": 2, "region": {"sphere": {"center": [0, 0, 0], "radius": 0.1}}}],
    "probes": [
        {"name": "gauge", "kind": "level", "at": [0, 0, 0]}, {"name": "front", "kind": "front"},
        {"name": "tap", "kind": "point", "at": [0, 0.08, 0]},
        {"name": "weir", "kind": "flow", "at": [0, 0.08, 0], "width": 0.2, "height": 0.2},
        {"name": "floor", "kind": "force", "of": "tank"}, {"name": "hook", "kind": "force", "of": "gel"},
        {"name": "cube", "kind": "body", "of": "die"}]}


class Instruments(GoldenTest):
    def setUp(self):
        super().setUp()
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE))

    def run_to(self, out, *options):
        self.run_ok(self.scene, "--out", out, "--quiet", *options)
        return out

    def test_threads_and_resume(self):
        whole = self.run_to(self.folder / "whole", "--threads", 1)
        threads = self.run_to(self.folder / "threads", "--threads", 3)
        parts = self.run_to(self.folder / "parts", "--frames", 3, "--threads", 2)
        self.run_to(parts, "--resume", "--threads", 1)
        self.assertEqual(harness.outcome(threads), harness.outcome(whole))
        self.assertEqual(harness.outcome(parts), harness.outcome(whole))
        rows = (whole / "probes.csv").read_text().splitlines()
        self.assertEqual(len(rows), 1 + 7)

    def test_a_run_that_was_killed_repeats_no_row(self):
        out = self.run_to(self.folder / "out", "--frames", 2)
        probes = out / "probes.csv"
        good = probes.read_text()
        probes.write_text(good + good.splitlines()[-1].replace("2,", "3,", 1) + "\n7,0.1")
        self.run_to(out, "--frames", 3, "--resume")
        frames = [line.split(",")[0] for line in probes.read_text().splitlines()[1:]]
        self.assertEqual(frames, [str(k) for k in range(4)])

    def test_columns_are_documented(self):
        out = self.run_to(self.folder / "out", "--frames", 1)
        text = FORMATS.read_text()

        def documented(title):
            section = text.split(f"## `{title}`")[1].split("\n## ")[0]
            return re.findall(r"^\| `([^`]+)` \| ([^|]*) \| ([^|]*) \|$", section, re.M)

        for command in ("surface", "foam"):
            self.assertEqual(harness.thixo(command, out).returncode, 0)
        for name in ("stats.csv", "bodies.csv", "surface.csv", "foam.csv", "probes.csv"):
            columns = (out / name).read_text().splitlines()[0].split(",")
            known = {column: (unit.strip(), meaning.strip()) for column, unit, meaning in documented(name)}
            if name == "probes.csv":
                self.assertLessEqual({column.split(".")[-1] for column in columns}, set(known))
            else:
                self.assertEqual(list(known), columns, name)
            # Physical quantities have units; counts, names, flags and hashes have none.
            notes = json.loads((out / f"{name}-metadata.json").read_text())
            self.assertEqual(notes["url"], name)
            self.assertIn("thixo", notes["dc:creator"])
            described = notes["tableSchema"]["columns"]
            self.assertEqual([column["titles"] for column in described], columns, name)
            for column in described:
                self.assertEqual((column.get("schema:unitText", ""), column["dc:description"]), known[column["titles"].split(".")[-1]], column)
        self.assertEqual(json.loads((out / "stats.csv-metadata.json").read_text())["dc:title"], "scene")
        units = {column: unit for name in ("stats.csv", "probes.csv") for column, unit, _ in documented(name)}
        self.assertEqual([column for column, unit in units.items() if not unit.strip()],
                         ["frame", "steps", "particles", "liquid", "elastic", "rigid", "bodies", "neighbours", "hash"])
        harness.thixo("run", self.scene, "--out", out, "--force", "--frames", "0", "--quiet")
        self.assertEqual({file.name for file in out.glob("*-metadata.json")},
                         {"stats.csv-metadata.json", "bodies.csv-metadata.json", "probes.csv-metadata.json"})


if __name__ == "__main__":
    harness.main()
