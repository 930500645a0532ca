"""What a run writes: names, ledger, particle files, log, kept checkpoints, and what `info` says about them."""

import json
import re
import subprocess
import sys

import numpy as np

import harness
from harness import HERE, MILL, TANK, TANK_2D, GoldenTest

ALL = '--set=output.particles=["ply","vtu","bgeo"]'
FRAMES = 6


class Outputs(GoldenTest):
    @classmethod
    def setUpClass(cls):
        # One run serves all tests: they only look.
        super().setUpClass()
        case = cls("test_layout")
        GoldenTest.setUp(case)
        cls.addClassCleanup(case.doCleanups)
        cls.out = case.folder / "run"
        case.run_ok(TANK, ALL, "--set", "output.checkpoint_every=2", "--frames", FRAMES, "--out", cls.out)
        cls.rows = harness.ledger(cls.out)

    def particles(self, frame):
        return harness.READERS[".ply"].read(self.out / "particles" / f"{frame:04}.ply")

    def test_layout(self):
        numbers = [f"{k:04}" for k in range(FRAMES + 1)]
        expected = {"scene.json", "stats.csv", "stats.csv-metadata.json", "checkpoint", "log.txt", "particles.pvd"}
        expected |= {f"particles/{n}.{kind}" for n in numbers for kind in ("ply", "vtu", "bgeo")}
        expected |= {f"checkpoint.{n}" for n in numbers[::2]}
        self.assertEqual(set(harness.files(self.out)), expected)
        harness.check_whole(self.out)

    def test_default_folder_has_the_scenes_name(self):
        self.run_ok(TANK_2D, "--frames", 0, "--set", "particles.spacing=0.1", cwd=self.folder)
        self.assertEqual(list(harness.files(self.folder)), [
            f"out/tank 2D/{n}" for n in ("checkpoint", "log.txt", "particles/0000.ply", "scene.json", "stats.csv",
                                         "stats.csv-metadata.json")])

    def test_formats(self):
        check = [sys.executable, "-B", HERE / "check_formats.py", self.out]
        result = subprocess.run(check, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"ok: {FRAMES + 1} frames in .bgeo .ply .vtu", result.stdout)

    def test_resolved_scene_runs_to_the_same_bits(self):
        scene = json.loads((self.out / "scene.json").read_text())
        self.assertEqual(scene["solver"]["kernel"], "cubic_spline", "defaults are filled in")
        again = self.folder / "again"
        self.run_ok(self.out / "scene.json", "--frames", FRAMES, "--out", again)
        self.assertEqual(harness.outcome(again), harness.outcome(self.out))

    def test_provenance(self):
        provenance = json.loads((self.out / "scene.json").read_text())["provenance"]
        self.assertEqual(list(provenance), ["program", "commit", "compiler", "command", "date"])
        version = harness.thixo("--version").stdout.strip()
        self.assertEqual(version, f"{provenance['program']} (commit {provenance['commit']}, {provenance['compiler']})")
        self.assertRegex(version, r"^thixo [0-9.]+ \(commit ([0-9a-f]+\+?|unknown), \w+ [0-9.]+ for [\w-]+\)$")
        self.assertRegex(provenance["command"], r"thixo run .*tank.json .*--frames")
        self.assertRegex(provenance["date"], r"^20[0-9-]+T[0-9:]+Z$")
        log = (self.out / "log.txt").read_text().split("\n")
        self.assertEqual(log[:2], [version, f"{provenance['date']}: {provenance['command']}"])

    def test_ledger(self):
        # The pool starts compressed by its weight, and may give off that energy: ∫ p²/(2ρc²) dV.
        compression = 1000 * 9.81**2 * 0.3**3 * 0.8 / (6 * 25**2)
        for k, row in enumerate(self.rows):
            self.assertEqual(row["frame"], k)
            self.assertAlmostEqual(row["time"], k / 20, delta=1e-12)
            self.assertEqual(row["particles"], row["liquid"] + row["elastic"] + row["rigid"])
            self.assertEqual(row["mass"], self.rows[0]["mass"])
            self.assertEqual((row["t_min"], row["t_max"]), (20, 60))
            self.assertRegex(row["hash"], r"\A[0-9a-f]{16}\Z")
            self.assertEqual((row["elastic"], row["rigid"], row["bodies"], row["elastic_energy"]), (0, 0, 0, 0))
            self.assertTrue(0 <= row["density_error"] < 0.2)
        for row in self.rows[1:]:
            # The steps of a frame fill it.
            self.assertTrue(row["steps"] * row["dt_min"] <= 0.05 * (1 + 1e-9))
            self.assertTrue(row["steps"] * row["dt_max"] >= 0.05 * (1 - 1e-9))
            energy = row["kinetic"] + row["potential"]
            self.assertLess(energy, self.rows[0]["kinetic"] + self.rows[0]["potential"] + compression)
        self.assertEqual(self.rows[0]["steps"], 0)

    def test_provenance_of_particle_files(self):
        """Each file names program and scene; command line and date are in scene.json, so that files do not depend on them."""
        provenance = json.loads((self.out / "scene.json").read_text())["provenance"]
        program = f"{provenance['program']}, commit {provenance['commit']}"
        file = self.out / "particles" / "0001"
        comments = harness.READERS[".ply"].comments(file.with_suffix(".ply"))
        self.assertIn(f"program {program}", comments)
        self.assertIn("scene tank", comments)
        comment = re.search(r"<!--(.*?)-->", file.with_suffix(".vtu").read_text(), re.S)[1]
        self.assertIn(f"program: {program}. scene: tank.", comment)
        details = harness.READERS[".bgeo"].details(file.with_suffix(".bgeo"))
        self.assertEqual((details["program"], details["scene"]), (program, "tank"))
        for table in ("stats.csv",):  # without comments, which programs that read tables stumble over
            self.assertTrue((self.out / table).read_text().startswith("frame,time,"))

    def test_scene_names_that_xml_forbids_in_comments(self):
        out = self.folder / "hyphens"
        self.run_ok(TANK, ALL, "--set", 'name="a--b -- c- ü"', "--frames", 0, "--out", out)
        harness.READERS[".vtu"].read(out / "particles" / "0000.vtu")
        self.assertIn("scene: a- -b - - c- ü.", (out / "particles" / "0000.vtu").read_text())
        self.assertIn("scene a--b -- c- ??", harness.READERS[".ply"].comments(out / "particles" / "0000.ply"))

    def test_particle_files_agree_with_the_ledger(self):
        scene = json.loads((self.out / "scene.json").read_text())
        c = {"water": 4186, "oil": 2000}
        names = list(scene["materials"])
        first = self.particles(0)
        ball = first["material"] == names.index("oil")
        mass = first["mass"].astype(float)
        for k, row in enumerate(self.rows):
            table = {name: values.astype(float) for name, values in self.particles(k).items()}
            v = np.column_stack([table[n] for n in ("vx", "vy", "vz")])
            x = np.column_stack([table[n] for n in "xyz"])
            np.testing.assert_array_equal(table["id"], np.arange(row["particles"]))
            scale = row["mass"] * np.abs(v).max()
            # Files have the velocities of the leapfrog, half a step behind the positions. The ledger is at their time: in between
            # gravity and walls act, which together are at most the weight while nothing hits the floor.
            half_step = 0.5 * row["dt_max"] * 9.81 * row["mass"]
            np.testing.assert_allclose(mass.sum(), row["mass"], rtol=1e-5)
            np.testing.assert_allclose(mass @ v, [row[n] for n in ("px", "py", "pz")],
                                       atol=1e-5 * scale + half_step)
            np.testing.assert_allclose(mass @ np.cross(x, v), [row[n] for n in ("lx", "ly", "lz")],
                                       atol=1e-5 * scale + half_step * np.abs(x).max())
            np.testing.assert_allclose(0.5 * mass @ (v**2).sum(1), row["kinetic"], rtol=1e-4,
                                       atol=half_step * np.abs(v).max())
            np.testing.assert_allclose(9.81 * mass @ x[:, 1], row["potential"], rtol=1e-5)
            heat = mass * np.where(ball, c["oil"], c["water"]) * table["temperature"]
            np.testing.assert_allclose(heat.sum(), row["heat"], rtol=1e-5)
            np.testing.assert_allclose(table["temperature"].mean(), row["t_mean"], rtol=1e-5)
            rest = np.where(ball, 800, 1000)
            error = np.maximum(0, table["density"] / rest - 1).mean()
            np.testing.assert_allclose(error, row["density_error"], rtol=1e-4, atol=1e-7)

    def test_log(self):
        log = (self.out / "log.txt").read_text()
        lines = log.splitlines()
        self.assertRegex(lines[2], r"\Arunning `tank` into .*, \d+ threads?\Z")
        for word in ("spacing      0.1 m", "radius", "support", "time step", "limited by", "memory"):
            self.assertIn(word, log)
        frames = [line.split()[1] for line in lines if line.startswith("frame ")]
        self.assertEqual(frames, [str(k) for k in range(1, FRAMES + 1)])
        self.assertRegex(lines[-1], rf"\Adone: {FRAMES} frames in ")
        self.assertNotIn("", lines)

    def test_kept_checkpoints_are_starting_points(self):
        out = self.folder / "from 2"
        out.mkdir()
        (out / "checkpoint").write_bytes((self.out / "checkpoint.0002").read_bytes())
        (out / "stats.csv").write_text("".join((self.out / "stats.csv").read_text().splitlines(True)[:4]))
        self.run_ok(self.out / "scene.json", "--frames", FRAMES, "--out", out, "--resume")
        self.assertEqual(harness.hashes(out), [row["hash"] for row in self.rows])

    def test_info(self):
        count = int(self.rows[0]["particles"])
        for name in ("particles/0002.ply", "particles/0002.vtu", "particles/0002.bgeo", "checkpoint", "checkpoint.0004",
                     "stats.csv", "."):
            result = harness.thixo("info", self.out / name)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, rf"\b{count}\b", name)
        result = harness.thixo("info", self.out / "scene.json")
        self.assertIn("`tank`, 3D, 2 objects", result.stdout)
        self.check_refused(harness.thixo("info", self.out / "log.txt"), "log.txt")

    def test_check_estimates(self):
        text = harness.thixo("check", TANK, ALL).stdout
        self.assertRegex(text, rf"particles    {int(self.rows[0]['particles'])} in 2 objects, 3D")
        for word in ("spacing      0.1 m", "radius       0.05 m", "support H", "carved       none", "10 frames"):
            self.assertIn(word, text)
        size = sum(path.stat().st_size for path in (self.out / "particles").iterdir()) / (FRAMES + 1) * 11 / 1000
        self.assertAlmostEqual(float(re.search(r"disk         (\S+) kB", text)[1]), size, delta=0.2 * size)
        carved = harness.thixo("check", TANK, "--set", "objects.1.shape.sphere.center=[0.2,0.4,0]").stdout
        self.assertRegex(carved, r"carved       `ball`: \d+ of \d+ particles carved: \d+ in obstacle `stone`, "
                                 r"\d+ in object `pool`(; mass [^\n]*)?\n")
        # As slow as it gets.
        slow = ("--set", "materials.oil.liquid.viscosity=1e12", "--set", "duration=1e4")
        text = harness.thixo("check", TANK, *slow).stdout
        self.assertRegex(text, r"estimate     \S+ billion steps in \S+ years")

    def test_check_counts_what_will_be_emitted(self):
        out = self.folder / "mill"
        self.run_ok(MILL, "--out", out)
        rows, log = harness.ledger(out), (out / "log.txt").read_text()
        text = harness.thixo("check", MILL).stdout
        expected = int(re.search(r"emitted      `tap`: (\d+) of `water` in 0.5 s", text)[1])
        made, held = map(int, re.search(r"emitter `tap` made (\d+) particles(?:; (\d+) more were skipped)?",
                                        log + "; 0 more were skipped").groups(default="0"))
        taken = int(re.search(r"sink `drain` removed (\d+) particles", log)[1])
        self.assertEqual(made + held, expected)
        self.assertEqual(rows[-1]["particles"], rows[0]["particles"] + made - taken)
        # π r² × speed × time, in cells of the lattice; half a layer of 12 more or less
        self.assertAlmostEqual(expected, 3.14159 * 0.2**2 * 3 * 0.48 / 0.1**3, delta=6.1)
        self.assertRegex(text, r"memory .*; \S+ kB at the end")

    def test_frames_beyond_9999_keep_their_order(self):
        out = self.folder / "long"
        tiny = (TANK, "--set", "frame_rate=1e6", "--set", "duration=0.02", "--set", "particles.spacing=0.25",
                "--set", "output.particles=[]")
        if not harness.FULL:
            self.skipTest("ten thousand frames: only with --full")
        self.run_ok(*tiny, "--frames", 9999, "--out", out, "--quiet")
        formats = ("--set", 'output.particles=["ply","vtu"]')
        self.run_ok(*tiny, *formats, "--frames", 10001, "--out", out, "--resume", "--quiet")
        self.assertEqual(sorted(p.name for p in (out / "particles").iterdir()),
                         ["10000.ply", "10000.vtu", "10001.ply", "10001.vtu"])
        listed = harness.READERS[".pvd"].read(out / "particles.pvd")
        np.testing.assert_allclose(listed["time"], [0.01, 0.010001])
        self.assertEqual(len(harness.ledger(out)), 10002)


if __name__ == "__main__":
    harness.main()
