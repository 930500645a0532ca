"""Surfaces of a run: closed, of the right volume, the same bits while it runs, from files and for any number of threads."""

import csv
import json
import re
import resource
import signal
import time

import numpy as np

import harness
from harness import TANK, TANK_2D, GoldenTest

SURFACE = ["--set", 'output.surface={"resolution": 1.5}']


def read_mesh(path):
    """Vertex columns by name, and triangles; what files with skins have of triangles beside their corners is left out."""
    with open(path, "rb") as file:
        names, count, faces, extra = [], 0, 0, []
        while (line := file.readline().decode().split()) != ["end_header"]:
            if line[:2] == ["element", "vertex"]:
                count = int(line[2])
            elif line[:2] == ["element", "face"]:
                faces = int(line[2])
            elif line[0] == "property" and line[1] == "float":
                names.append(line[2])
            elif line[0] == "property" and line[-1] == "texcoord":
                extra += [("m", "u1"), ("uv", "<f4", 6)]
            elif line[0] == "property" and line[1] == "uchar":
                extra.append((line[2], "u1"))
        vertices = np.frombuffer(file.read(4 * len(names) * count), dtype=[(n, "<f4") for n in names])
        triangles = np.frombuffer(file.read(), dtype=[("n", "u1"), ("v", "<u4", 3), *extra])
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

    def test_liquids_at_rest_keep_their_volume(self):
        """Within 1 %, by every method, smoothed and simplified or not, in 3D and in 2D; without the shift of the iso-value they do not."""
        scenes = harness.HERE.parents[1] / "scenes" / "fluid"
        methods = ("density", "zhu_bridson", "solenthaler", "anisotropic")
        finishes = (["--smooth", 10, "--slivers", 0.3], ["--smooth", 10])  # outlines have no slivers
        for name, spacing, ways, finish in (("still_water", 0.025, methods + ("active",), finishes[0]),
                                            ("still_water_2d", 0.0125, methods, finishes[1])):
            run = self.folder / name
            result = harness.thixo("run", scenes / f"{name}.json", "--set", f"particles.spacing={spacing}", "--frames", 5,
                                   "--out", run)
            self.assertEqual(result.returncode, 0, result.stderr)
            worst = {}
            for method in ways:
                for options in ([], finish, ["--no-volume"]):
                    result = harness.thixo("surface", run, "--method", method, *options)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    rows = table(run)
                    self.assertEqual(len(rows), 6)
                    errors = [abs(float(row["volume"]) / float(row["matter"]) - 1) for row in rows]
                    if "--no-volume" in options:
                        worst[method] = max(errors)
                    else:
                        self.assertLess(max(errors), 0.01, (name, method, options))
            self.assertGreater(max(worst.values()), 0.01, worst)

    def test_active_in_situ_resumed_and_from_files(self):
        active = ["--set", 'output.surface={"method": "active", "resolution": 1.5}']
        self.run_ok(TANK, "--frames", 4, "--out", self.out, *active)
        meshes = {k: v for k, v in self.meshes().items() if k.endswith(".ply")}
        self.assertEqual(len(meshes), 5)
        for row in table(self.out):
            self.assertLess(abs(float(row["volume"]) / float(row["matter"]) - 1), 0.01)
        # In two runs.
        resumed = self.folder / "resumed"
        self.run_ok(TANK, "--frames", 2, "--out", resumed, *active)
        self.run_ok(TANK, "--frames", 4, "--out", resumed, *active, "--resume")
        self.assertEqual({k: v for k, v in harness.digest(resumed).items() if k in meshes}, meshes)
        # From files, at once and in two commands; all frames before the chosen one are made.
        options = ("--method", "active", "--resolution", 1.5)
        self.assertEqual(self.surface(*options, "--again", "--threads", 3).returncode, 0)
        self.assertEqual({k: v for k, v in self.meshes().items() if k.endswith(".ply")}, meshes)
        self.assertEqual(self.surface("--method", "density").returncode, 0)
        self.assertEqual(self.surface(*options, "--frames", "2").returncode, 0)
        self.assertEqual(len(table(self.out)), 3)
        self.assertEqual(self.surface(*options).returncode, 0)
        self.assertEqual({k: v for k, v in self.meshes().items() if k.endswith(".ply")}, meshes)
        # Two states are kept, and a damaged one is refused.
        states = sorted((self.out / "surface" / "all").glob("*.active"))
        self.assertEqual([s.name for s in states], ["0003.active", "0004.active"])
        states[1].write_bytes(states[1].read_bytes()[:-1])
        self.check_refused(harness.thixo("run", TANK, "--frames", 5, "--out", self.out, *active, "--resume"), "damaged")

    def test_outlines_in_2d(self):
        flat = self.folder / "flat"
        self.run_ok(TANK_2D, "--frames", 1, "--out", flat, "--set", 'output.surface={"formats": ["ply", "vtp", "obj"]}')
        in_situ = {k: v for k, v in harness.digest(flat).items() if k.startswith("surface/") and k.endswith(".ply")}
        self.assertEqual(len(in_situ), 2)
        for ending in ("ply", "obj", "vtp"):
            info = harness.thixo("info", flat / "surface" / "all" / f"0001.{ending}")
            self.assertIn("outlines", info.stdout, info.stderr)
            self.assertIn("closed      yes", info.stdout)
        self.assertEqual(harness.thixo("surface", flat, "--again", "--threads", 3).returncode, 0)
        self.assertEqual({k: v for k, v in harness.digest(flat).items() if k in in_situ}, in_situ)
        for row in table(flat):
            self.assertEqual(row["manifold"], "1")
            self.assertLess(abs(float(row["volume"]) / float(row["matter"]) - 1), 0.02)
        small = ("--width", 160, "--height", 90, "--samples", 1, "--as", "surface", "--frames", 1)
        self.assertEqual(harness.thixo("render", flat, *small).returncode, 0)

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

    def columns(self, frame=2, name="all"):
        return read_mesh(self.out / "surface" / name / f"{frame:04}.ply")[0]

    def test_rest_coordinates(self):
        """Where matter was at the start: the same while the scene runs, after a stop, and from files."""
        rest = ["--set", 'output.surface={"resolution": 1.5, "rest": true}']
        self.run_ok(TANK, "--frames", 3, "--out", self.out, *rest)
        while_running = self.meshes()
        resumed = self.folder / "resumed"
        self.run_ok(TANK, "--frames", 1, "--out", resumed, *rest)
        self.run_ok(TANK, "--frames", 3, "--out", resumed, *rest, "--resume")
        self.assertEqual({k: v for k, v in harness.digest(resumed).items() if k in while_running and k.endswith(".ply")},
                         {k: v for k, v in while_running.items() if k.endswith(".ply")})
        for frames in ("3", "all"):
            self.assertEqual(self.surface("--resolution", 1.5, "--rest", "--again", "--frames", frames).returncode, 0)
            digests = self.meshes()
            self.assertEqual(digests["surface/all/0003.ply"], while_running["surface/all/0003.ply"])
        start, end = self.columns(0), self.columns(3)
        # At the start the matter of a vertex is within two spacings, as far as it takes from particles; later it has fallen, and still has them. Between pool and ball
        # there is a stone.
        clear = (start["y"] < 0.4) | (start["y"] > 0.65)
        self.assertLess(np.max(np.abs(start["rest_y"] - start["y"])[clear]), 0.2)
        oil = end["fraction_oil"] > 0.99
        self.assertTrue(np.all(end["rest_y"][oil] > 0.5))
        self.assertLess(np.min(end["y"][oil]), 0.5)
        self.check_refused(harness.thixo("check", TANK, *rest, "--set", "output.particles=[]"), "output.surface.rest")

    def thin_triangles(self):
        """How many triangles of frame 0 have an angle below ten degrees."""
        vertices, triangles = read_mesh(self.out / "surface" / "all" / "0000.ply")
        x = np.stack([vertices[n] for n in ("x", "y", "z")], 1)[triangles].astype(float)
        smallest = np.full(len(x), np.pi)
        for c in range(3):
            u, v = x[:, (c + 1) % 3] - x[:, c], x[:, (c + 2) % 3] - x[:, c]
            angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), np.sum(u * v, axis=1))
            smallest = np.minimum(smallest, angle)
        return int(np.sum(smallest < np.radians(10)))

    def test_slivers(self):
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        self.assertEqual(self.surface("--resolution", 0.6).returncode, 0)
        raw = table(self.out)[0]
        thin = self.thin_triangles()
        self.assertGreater(thin, 10)
        self.assertEqual(self.surface("--resolution", 0.6, "--slivers", 0.3).returncode, 0)
        clean = table(self.out)[0]
        self.check_closed(self.out / "surface" / "all" / "0000.ply")
        self.assertLess(self.thin_triangles(), 0.5 * thin)
        self.assertLess(int(clean["triangles"]), int(raw["triangles"]))
        for name in ("components", "genus", "manifold"):
            self.assertEqual(clean[name], raw[name])
        self.assertLess(abs(float(clean["volume"]) / float(clean["matter"]) - 1), 0.01)

    def test_fields_for_openvdb(self):
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        result = self.surface("--format", "ply,vdb")
        if "vdb" not in harness.thixo("surface", "--help").stdout:
            self.check_refused(result, "built without OpenVDB")
            return
        self.assertEqual(result.returncode, 0)
        self.assertTrue((self.out / "surface" / "all" / "0000.vdb").read_bytes().startswith(b" BDV"))
        # Other settings remove it.
        self.assertEqual(self.surface().returncode, 0)
        self.assertFalse((self.out / "surface" / "all" / "0000.vdb").exists())

    def test_each_body_has_its_surface_and_its_parent(self):
        self.run_ok(harness.SNAP, "--out", self.out, "--set", 'output.surface={"by": "body"}')
        with open(self.out / "bodies.csv", newline="") as file:
            parents = {row["body"]: row["parents"] for row in csv.DictReader(file) if row["event"] == "came off"}
        self.assertGreater(len(parents), 0)
        rows = table(self.out)
        for row in rows:
            if row["name"].startswith("body_"):
                self.assertEqual(row["parent"], parents.get(row["name"][5:], "0"))
                mesh, _ = read_mesh(self.out / "surface" / row["name"] / f"{int(row['frame']):04}.ply")
                self.assertEqual(set(mesh["body"]), {float(row["name"][5:])})
        last = [row["name"] for row in rows if row["frame"] == rows[-1]["frame"]]
        self.assertTrue({"body_" + body for body in parents} & set(last))
        while_running = self.meshes()
        self.assertEqual(self.surface("--by", "body", "--again").returncode, 0)
        self.assertEqual(self.meshes(), while_running)
        self.assertEqual([{k: v for k, v in row.items() if k != "seconds"} for row in table(self.out)],
                         [{k: v for k, v in row.items() if k != "seconds"} for row in rows])

    def test_full_disk_leaves_no_half_mesh(self):
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        self.assertEqual(self.surface("--frames", 0).returncode, 0)
        whole = (self.out / "surface" / "all" / "0000.ply").stat().st_size
        limit = whole // 2
        result = harness.thixo("surface", self.out, "--resolution", 0.5,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.check_message(result, 1, "cannot write", "0000.ply")
        self.assertEqual(list(self.out.rglob("*.part")) + list(self.out.rglob("surface/all/*.ply")), [])
        self.assertEqual(self.surface().returncode, 0)
        self.assertEqual(len(table(self.out)), 3)

    def test_memory_is_refused_in_advance(self):
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        wide = self.folder / "wide"
        (wide / "particles").mkdir(parents=True)
        count = 4000
        places = np.random.default_rng(1).uniform(0, 4000, (count, 3))
        header = "ply\nformat ascii 1.0\nelement vertex %d\n" % count + "".join(
            f"property float {n}\n" for n in ("x", "y", "z", "radius")) + "end_header\n"
        rows = "".join(f"{x} {y} {z} {1 if k else 0.005}\n" for k, (x, y, z) in enumerate(places))
        (wide / "particles" / "0000.ply").write_text(header + rows)
        result = harness.thixo("surface", wide, "--resolution", 0.3)
        self.check_message(result, 1, "GB")
        self.assertEqual(list(wide.rglob("surface/all/*")), [])

    def test_odd_particles(self):
        """No particles: an empty closed mesh. A position that is none: a message, and no file."""
        bare = self.folder / "bare"
        (bare / "particles").mkdir(parents=True)
        header = "ply\nformat ascii 1.0\nelement vertex %d\n" + "".join(
            f"property float {n}\n" for n in ("x", "y", "z", "radius")) + "end_header\n"
        (bare / "particles" / "0000.ply").write_text(header % 0)
        (bare / "particles" / "0001.ply").write_text(header % 1 + "0 0 0 0.1\n")
        self.assertEqual(harness.thixo("surface", bare).returncode, 0)
        rows = table(bare)
        self.assertEqual([(row["triangles"] == "0", row["manifold"]) for row in rows], [(True, "1"), (False, "1")])
        (bare / "particles" / "0002.ply").write_text(header % 1 + "0 nan 0 0.1\n")
        self.check_refused(harness.thixo("surface", bare), "0002.ply", "no finite position")
        (bare / "particles" / "0002.ply").write_text(header % 1 + "0 0 0 0\n")
        self.check_refused(harness.thixo("surface", bare), "radius 0")
        self.assertEqual(len(table(bare)), 2)
        self.check_refused(harness.thixo("surface", bare, "--rest", "--frames", 1), '"id"')

    def test_colours_of_materials_blend(self):
        self.run_ok(TANK, "--frames", 3, "--out", self.out)
        self.assertEqual(self.surface("--frames", 3).returncode, 0)
        mixed = self.columns(3)
        self.assertTrue(np.any((mixed["fraction_oil"] > 0.2) & (mixed["fraction_oil"] < 0.8)))
        small = ("--width", 160, "--height", 90, "--samples", 1, "--as", "surface", "--frames", 3)
        self.assertEqual(harness.thixo("render", self.out, *small, "--colour-by", "material").returncode, 0)

    def test_every_frame_of_twenty_scenes(self):
        """Closed, manifold and finite, at coarse spacings: twice those of the scenes, the longest runs more, adaptive ones less."""
        if not harness.FULL:
            self.skipTest("thorough variant only")
        scenes = {"fluid/dam_break": 2, "fluid/splash": 2, "fluid/honey_coil": 2, "fluid/fill_a_bowl": 2, "fluid/stirred_tank": 2,
                  "fluid/oscillating_drop": 2, "fluid/oil_and_water": 2, "fluid/tap_and_drain": 2,
                  "desbrun1999/pour_into_box_adaptive": 1, "desbrun1999/down_a_terrain_adaptive": 1.2,
                  "desbrun1999/big_splash_adaptive": 2.3, "gallery/melting_bunny": 2, "gallery/ice_cubes": 2.3, "gallery/lava": 2,
                  "gallery/candle": 2, "gallery/rigid_stack": 1.6, "solenthaler2007/shell": 2, "solenthaler2007/melt_and_merge": 2,
                  "becker2009/melting_ducks": 2.3, "wicke2006/goo_on_cooled_rod": 1.6}
        self.assertEqual(len(scenes), 20)
        for k, (name, coarser) in enumerate(scenes.items()):
            with self.subTest(scene=name):
                self.check_every_frame(k, name, coarser)

    def check_every_frame(self, k, name, coarser):
        """Of scene number k, by one of the methods, groupings and finishes."""
        path = harness.HERE.parents[1] / "scenes" / f"{name}.json"
        out = self.folder / name.replace("/", "_")
        spacing = coarser * float(re.search(r'"spacing":\s*([\d.e-]+)', path.read_text())[1])
        # In 2D there are neither slivers nor active surfaces: oil_and_water stands where neither is chosen.
        surface = {"method": ("anisotropic", "density", "solenthaler", "zhu_bridson", "active")[k % 5],
                   "by": ("all", "body", "material", "phase")[k // 5], "slivers": 0.2 * (k % 2), "smooth": 5 * (k % 3)}
        result = harness.thixo("run", path, "--set", f"particles.spacing={spacing:.4g}", "--out", out, "--set",
                               f"output.surface={json.dumps(surface)}", timeout=3000)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out / "stats.csv", newline="") as file:
            frames = {row["frame"] for row in csv.DictReader(file) if int(row["particles"]) > 0}
        rows = table(out)
        self.assertLessEqual(frames, {row["frame"] for row in rows})
        for row in rows:
            self.assertEqual(row["manifold"], "1")
            if int(row["triangles"]) > 0:
                self.check_closed(out / "surface" / row["name"] / f"{int(row['frame']):04}.ply")

    def test_info(self):
        self.run_ok(TANK, "--frames", 0, "--out", self.out)
        self.assertEqual(self.surface("--format", "ply,obj,vtp").returncode, 0)
        reports = []
        for ending in ("ply", "obj", "vtp"):
            mesh = self.out / "surface" / "all" / f"0000.{ending}"
            result = harness.thixo("info", mesh)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for word in ("vertices", "components", "genus", "volume", "closed      yes"):
                self.assertIn(word, result.stdout)
            reports.append([line for line in result.stdout.splitlines()[1:] if not line.startswith("attributes")])
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])

    def test_pictures_of_surfaces(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        small = ("--width", 160, "--height", 90, "--samples", 1, "--as", "surface", "--frames", 1)
        # Made on the way, then those of the run.
        self.assertEqual(harness.thixo("render", self.out, *small).returncode, 0)
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
        self.check_refused(harness.thixo("surface", flat, "--method", "active"), "2D")
        bare = self.folder / "bare"
        (bare / "particles").mkdir(parents=True)
        (bare / "particles" / "0000.ply").write_text(
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n")
        self.check_refused(harness.thixo("surface", bare), "has no property radius")
        self.assertEqual(harness.thixo("surface", bare, "--radius", 0.1).returncode, 0)
        self.check_closed(bare / "surface" / "all" / "0000.ply")


if __name__ == "__main__":
    harness.main()
