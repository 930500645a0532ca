"""Skins of a run: closed on every frame, the same bits in situ and from files, refused with line and column where they are wrong."""

import csv
import json
import pathlib
import subprocess

import numpy as np

import harness
from harness import GoldenTest

# A bar that is torn apart, and one that melts from below.
SCENE = {
    "name": "skins", "duration": 1, "frame_rate": 20, "gravity": [0, 0, 0],
    "particles": {"spacing": 0.03},
    "solver": {"pressure": "tait"},
    "materials": {"wax": {
        "density": 1000,
        "liquid": {"sound_speed": 10, "viscosity": 2},
        "solid": {"young_modulus": 1e5, "poisson_ratio": 0.3, "damping": 2e-3, "break_strain": 0.15},
        "heat": {"specific_heat": 2000, "diffusivity": 1e-4, "melting_point": 40, "freezing_point": 35}}},
    "objects": [
        {"name": "torn", "material": "wax", "phase": "elastic", "skin": "shape",
         "shape": {"box": {"min": [-0.24, 0, -0.06], "max": [0.24, 0.12, 0.06]}},
         "held": [{"region": {"box": {"min": [-0.3, -1, -1], "max": [-0.17, 1, 1]}}},
                  {"region": {"box": {"min": [0.17, -1, -1], "max": [0.3, 1, 1]}},
                   "motion": {"keyframes": [{"time": 0}, {"time": 0.25, "translate": [0.2, 0, 0]}]}}]},
        {"name": "melting", "material": "wax", "phase": "elastic", "skin": "shape",
         "shape": {"box": {"min": [-0.09, 0, 0.3], "max": [0.09, 0.18, 0.48]}}}],
    "heaters": [{"name": "below", "region": {"box": {"min": [-1, -1, 0.2], "max": [1, 0.07, 1]}}, "temperature": 90, "response": 0.05}],
    "output": {"surface": {"by": "body"}},
}
ROW = np.dtype([("n", "u1"), ("v", "<u4", 3), ("m", "u1"), ("uv", "<f4", (3, 2)), ("texture", "u1"), ("part", "u1")])


def read_skin(path):
    """Vertices, and faces with parts and texture coordinates; None where the file has no parts."""
    with open(path, "rb") as file:
        names, count, has_parts = [], 0, False
        while (line := file.readline().decode().split()) != ["end_header"]:
            if line[:2] == ["element", "vertex"]:
                count = int(line[2])
            elif line[0] == "property" and line[1] == "float":
                names.append(line[2])
            has_parts = has_parts or line == ["property", "uchar", "part"]
        vertices = np.frombuffer(file.read(4 * len(names) * count), dtype=[(n, "<f4") for n in names])
        return vertices, np.frombuffer(file.read(), dtype=ROW) if has_parts else None


class Skins(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def write(self, **changes):
        scene = json.loads(json.dumps(SCENE))
        scene["objects"][0].update(changes)
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene, indent=2))
        return path

    def meshes(self):
        return {k: v for k, v in harness.digest(self.out).items() if k.startswith("surface/") and k.endswith(".ply")}

    def test_torn_and_melting(self):
        self.run_ok(self.write(), "--frames", 12, "--out", self.out)
        in_situ = self.meshes()
        with open(self.out / "surface.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertTrue(all(row["manifold"] == "1" for row in rows))
        # The torn bar is two bodies at the end, each closed by a crack face; what melted is in `liquid`.
        last = {row["name"]: row for row in rows if row["frame"] == "12"}
        bodies = [name for name in last if name.startswith("body_")]
        self.assertGreaterEqual(len(bodies), 3, last)
        self.assertIn("liquid", last)
        cracked = 0
        for name in bodies:
            vertices, faces = read_skin(self.out / "surface" / name / "0012.ply")
            self.assertIsNotNone(faces)
            self.assertTrue(np.all(faces["n"] == 3) and np.all(faces["m"] == 6))
            self.assertTrue(np.any(faces["part"] == 0))
            cracked += np.any(faces["part"] == 1)
            self.assertTrue(np.all(np.isfinite(vertices["x"])))
        self.assertGreaterEqual(cracked, 2)
        # Frame 0: the boxes themselves, whole and sharp.
        first = [row for row in rows if row["frame"] == "0"]
        self.assertEqual(len(first), 2)
        for row, volume in zip(first, (0.48 * 0.12 * 0.12, 0.18**3)):
            self.assertAlmostEqual(float(row["volume"]) / volume, 1, 4)
        # From files: the same bits, for any number of threads, also a frame alone.
        result = harness.thixo("surface", self.out, "--by", "body", "--again", "--threads", 3)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.meshes(), in_situ)
        result = harness.thixo("surface", self.out, "--by", "body", "--again", "--frames", 9)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.meshes(), in_situ)
        # Without skins there are no parts.
        harness.thixo("surface", self.out, "--no-skin", "--frames", 12)
        self.assertIsNone(read_skin(self.out / "surface" / "all" / "0012.ply")[1])

    def watched(self, rays):
        """What rays from outside see, frame by frame; None where this program was built without Embree."""
        watch = pathlib.Path(harness.PROGRAM).resolve().parents[2] / "tests" / "golden" / "watch_surface"
        if not watch.exists():
            return None
        result = subprocess.run([watch, self.out, str(rays)], capture_output=True, text=True, timeout=harness.PATIENCE)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(result.stdout.splitlines())]

    def look(self, frames):
        self.run_ok(self.scene, "--frames", frames, "--out", self.out)
        rows = self.watched(100000 if harness.FULL else 20000)
        if rows is None:
            self.skipTest("without Embree")
        self.assertEqual(len(rows), frames + 1)
        for row in rows:
            self.assertGreater(row["hits"], 1000)
            self.assertEqual(row["inside"], 0, row)
        return rows

    def test_torn_without_a_hole_or_a_pop(self):
        """Rays never see the inside of a face, and cracks open without a pop."""
        self.scene = self.write()
        for row in self.look(12):
            self.assertLess(max(row["forward"], row["back"]), 0.1, row)

    def test_melts_without_a_pop(self):
        """What rays see of the skin moves from frame to frame as far as the particles around it and a tenth of a spacing."""
        self.scene = self.write()
        scene = json.loads(self.scene.read_text())
        del scene["objects"][0]
        self.scene.write_text(json.dumps(scene, indent=2))
        for row in self.look(30):
            self.assertLess(max(row["forward"], row["back"]), 0.1, row)

    def check_refused(self, words, **changes):
        result = harness.thixo("check", self.write(**changes))
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertRegex(result.stderr, r"scene.json:\d+:\d+: objects.0.skin")
        for word in words:
            self.assertIn(word, result.stderr)

    def test_check(self):
        result = harness.thixo("check", self.write())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"skins +`torn`: [\d,]+ vertices, [\d,]+ triangles, at most 0.026 m \(0.87 spacings\)")
        (self.folder / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.check_refused(["not closed"], skin="open.obj")
        far = "".join(f"v {5 + 0.1 * (k & 1)} {0.1 * (k >> 1 & 1)} {0.1 * (k >> 2)}\n" for k in range(8))
        far += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
        (self.folder / "far.obj").write_text(far)
        self.check_refused(["outside of its object", "one spacing"], skin={"mesh": "far.obj"})
        self.check_refused(["no such file"], skin="missing.obj")
        self.check_refused(["only solids"], phase="liquid", held=[])
        (self.folder / "grey.png").write_bytes(b"no picture")
        self.check_refused(["not a PNG"], skin={"texture": "grey.png"})
        self.check_refused(["unknown key"], skin={"picture": "grey.png"})


if __name__ == "__main__":
    harness.main()
