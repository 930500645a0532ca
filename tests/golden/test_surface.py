"""Surfaces of a run: closed, of the right volume, the same bits while it runs, from files and for any number of threads."""

import csv
import signal
import time

import numpy as np

import harness
from harness import TANK, TANK_2D, GoldenTest

SURFACE = ["--set", 'output.surface={"resolution": 1.5}']


def read_mesh(path):
    """Vertex columns by name, and triangles."""
    with open(path, "rb") as file:
        names, count, faces = [], 0, 0
        while (line := file.readline().decode().split()) != ["end_header"]:
            if line[:2] == ["element", "vertex"]:
                count = int(line[2])
            elif line[:2] == ["element", "face"]:
                faces = int(line[2])
            elif line[0] == "property" and line[1] == "float":
                names.append(line[2])
        vertices = np.frombuffer(file.read(4 * len(names) * count), dtype=[(n, "<f4") for n in names])
        triangles = np.frombuffer(file.read(), dtype=[("n", "u1"), ("v", "<u4", 3)])
    assert len(triangles) == faces and np.all(triangles["n"] == 3)
    return vertices, triangles["v"].astype(int)


def table(folder):
    with open(folder / "surface.csv", newline="") as file:
        return list(csv.DictReader(file))


class Surface(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def surface(self, *options):
        return harness.thixo("surface", self.out, *options)

    def meshes(self):
        return {k: v for k, v in harness.digest(self.out).items() if k.startswith("surface/") and "." in k}

    def check_closed(self, path):
        """Every directed edge once, and its reverse once."""
        vertices, triangles = read_mesh(path)
        edges = np.concatenate([triangles[:, [a, (a + 1) % 3]] for a in range(3)])
        keys = edges[:, 0] * len(vertices) + edges[:, 1]
        self.assertEqual(len(np.unique(keys)), len(keys))
        self.assertTrue(np.array_equal(np.sort(keys), np.sort(edges[:, 1] * len(vertices) + edges[:, 0])))
        for name in vertices.dtype.names:
            self.assertTrue(np.all(np.isfinite(vertices[name])), name)
        return vertices, triangles

    def test_same_bits_in_situ_from_files_and_for_any_threads(self):
        self.run_ok(TANK, "--frames", 3, "--out", self.out, *SURFACE)
        while_running = self.meshes()
        self.assertEqual(len([k for k in while_running if k.endswith(".ply")]), 4)
        for threads in (1, 3):
            result = self.surface("--resolution", 1.5, "--again", "--threads", threads)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(self.meshes(), while_running)

    def test_closed_and_of_the_right_volume(self):
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        for method in ("density", "zhu_bridson", "solenthaler", "anisotropic"):
            self.assertEqual(self.surface("--method", method, "--smooth", 2, "--format", "ply,obj,vtp").returncode, 0)
            rows = table(self.out)
            self.assertEqual([row["frame"] for row in rows], ["0", "1", "2"])
            for row in rows:
                self.assertEqual(row["manifold"], "1")
                self.assertLess(abs(float(row["volume"]) / float(row["matter"]) - 1), 0.02, method)
            vertices, _ = self.check_closed(self.out / "surface" / "all" / "0002.ply")
            self.assertEqual(len(vertices), int(rows[2]["vertices"]))
            lengths = np.sqrt(vertices["nx"] ** 2 + vertices["ny"] ** 2 + vertices["nz"] ** 2)
            self.assertTrue(np.allclose(lengths, 1, atol=1e-3))
            self.assertIn("temperature", vertices.dtype.names)

    def test_resume_skips_what_is_finished(self):
        self.run_ok(TANK, "--frames", 3, "--out", self.out)
        self.assertEqual(self.surface("--frames", "0:1").returncode, 0)
        first = self.out / "surface" / "all" / "0000.ply"
        stamp = first.stat().st_mtime_ns
        result = self.surface()
        self.assertIn("2 frames were finished before", result.stdout)
        self.assertEqual(first.stat().st_mtime_ns, stamp)
        self.assertEqual(len(table(self.out)), 4)
        # Other settings: everything again.
        self.assertEqual(self.surface("--frames", "3", "--method", "density").returncode, 0)
        self.assertFalse(first.exists())
        self.assertEqual([row["frame"] for row in table(self.out)], ["3"])

    def test_interrupt(self):
        self.run_ok(TANK, "--frames", 6, "--out", self.out)
        process = harness.start("surface", self.out, "--resolution", 0.3)
        deadline = time.monotonic() + harness.PATIENCE
        while not (self.out / "surface.csv").exists() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(harness.PATIENCE), (0, 130))
        self.assertEqual(list(self.out.rglob("*.part")), [])
        for row in table(self.out):
            self.assertTrue((self.out / "surface" / "all" / f"{int(row['frame']):04}.ply").exists())

    def test_info(self):
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        self.assertEqual(self.surface().returncode, 0)
        result = harness.thixo("info", self.out / "surface" / "all" / "0000.ply")
        self.assertEqual(result.returncode, 0)
        for word in ("vertices", "components", "genus", "volume", "closed      yes"):
            self.assertIn(word, result.stdout)

    def test_pictures_of_surfaces(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        small = ("--width", 160, "--height", 90, "--samples", 1, "--as", "surface", "--frames", 1)
        self.check_refused(harness.thixo("render", self.out, *small), "thixo surface")
        self.assertEqual(self.surface().returncode, 0)
        self.assertEqual(harness.thixo("render", self.out, *small).returncode, 0)
        self.assertTrue((self.out / "pictures" / "0001.png").exists())

    def test_bad_input(self):
        self.check_refused(harness.thixo("surface", self.folder / "nothing"), "no such folder")
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        self.check_refused(self.surface("--method", "densty"), 'did you mean "density"?')
        self.check_refused(self.surface("--by", "colour"), "--by", "material")
        self.check_refused(self.surface("--format", "stl"), "--format", "obj")
        self.assertFalse((self.out / "surface").exists())
        flat = self.folder / "flat"
        self.run_ok(TANK_2D, "--frames", 0, "--out", flat)
        self.check_refused(harness.thixo("surface", flat), "2D")
        bare = self.folder / "bare"
        (bare / "particles").mkdir(parents=True)
        (bare / "particles" / "0000.ply").write_text(
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n")
        self.check_refused(harness.thixo("surface", bare), "has no property radius")
        self.assertEqual(harness.thixo("surface", bare, "--radius", 0.1).returncode, 0)
        self.check_closed(bare / "surface" / "all" / "0000.ply")


if __name__ == "__main__":
    harness.main()
