"""The same scene gives the same bits, whatever the number of threads."""

import harness
from harness import BLOCKS, CRACK, HOT_PLATE, MILL, TANK, TANK_2D, GoldenTest


class SameBits(GoldenTest):
    def check_threads(self, *scene, thread_counts=(1, 3)):
        """Returns the ledger of the first run."""
        if harness.FULL:
            thread_counts = (1, 1, 2, 3, 4, 5, 7, 8, 16, 33)
        outcomes = []
        for k, threads in enumerate(thread_counts):
            out = self.folder / str(k)
            self.run_ok(*scene, "--threads", threads, "--out", out, "--quiet")
            outcomes.append(harness.outcome(out))
            self.assertEqual(outcomes[k].keys(), outcomes[0].keys())
            for row, expected in zip(outcomes[k]["stats.csv"], outcomes[0]["stats.csv"]):
                self.assertEqual(row, expected, f"{threads} threads, frame {expected['frame']}")
            self.assertEqual(outcomes[k], outcomes[0], f"{threads} threads")
        rows = harness.ledger(self.folder / "0")
        self.assertEqual(len({row["hash"] for row in rows}), len(rows), "frames that do not move prove nothing")
        return rows

    def check_lively(self, rows, spacing):
        """The fluid moved by several supports, so that neighbour lists were rebuilt more than once."""
        fastest = max((2 * row["kinetic"] / row["mass"]) ** 0.5 for row in rows)
        self.assertGreater(fastest * rows[-1]["time"], 4 * spacing)

    def test_3d(self):
        # More rows than the 512 that a thread takes at a time, or one thread would do all of them.
        rows = self.check_threads(TANK, "--set", "particles.spacing=0.05", "--frames", "6", thread_counts=(1, 1, 2, 3, 8))
        self.assertGreater(rows[0]["particles"], 4 * 512)
        self.check_lively(rows, 0.05)

    def test_2d(self):
        rows = self.check_threads(TANK_2D, "--set", "particles.spacing=0.015", "--frames", "6")
        self.assertGreater(rows[0]["particles"], 4 * 512)
        self.check_lively(rows, 0.015)
        self.assertEqual({row["pz"] for row in rows}, {0})

    def test_matter_that_comes_and_goes(self):
        rows = self.check_threads(MILL, "--set", "particles.spacing=0.05", "--frames", "6")
        counts = [row["particles"] for row in rows]
        self.assertGreater(counts[0], 4 * 512)
        self.assertGreater(counts[1], counts[0])
        self.assertLess(min(b - a for a, b in zip(counts, counts[1:])), 0)
        self.check_lively(rows, 0.05)
        for row in rows:
            self.assertAlmostEqual(row["mass"], row["particles"] * rows[0]["mass"] / counts[0], delta=1e-3)

    def test_solids_that_crack(self):
        rows = self.check_threads(CRACK, "--set", "particles.spacing=0.025")
        self.assertGreater(rows[0]["particles"], 2 * 512)
        self.assertGreater(rows[-1]["bodies"], rows[0]["bodies"])

    def test_rigid_bodies(self):
        for pressure in ("tait", "dfsph"):
            rows = self.check_threads(BLOCKS, "--set", f"solver.pressure={pressure}", "--force")
            self.assertGreater(rows[0]["rigid"], 100)
            self.assertEqual({row["bodies"] for row in rows}, {4})
            self.check_lively(rows, 0.06)

    def test_every_method_on_any_threads_and_resumed(self):
        methods = {
            "dfsph": ("pressure=dfsph", "viscosity=implicit"),
            "fast": ("preset=fast",),
            "continuity": ("pressure=tait", "density=continuity", "viscosity=artificial", "xsph=0.3"),
            "tension": ("pressure=tait",),
        }
        for name, settings in methods.items():
            scene = [MILL, "--quiet", "--set", "particles.spacing=0.08"]
            for setting in settings:
                scene += ["--set", f"solver.{setting}"]
            if name == "tension":
                scene += ["--set", "materials.water.liquid.surface_tension=0.5"]
            whole, threads, parts = (self.folder / f"{name} {k}" for k in ("whole", "threads", "parts"))
            self.run_ok(*scene, "--frames", "4", "--threads", "1", "--out", whole)
            self.run_ok(*scene, "--frames", "4", "--threads", "3", "--out", threads)
            self.run_ok(*scene, "--frames", "2", "--threads", "2", "--out", parts)
            self.run_ok(*scene, "--frames", "4", "--threads", "2", "--out", parts, "--resume")
            self.assertEqual(harness.outcome(threads), harness.outcome(whole), f"{name} on three threads")
            self.assertEqual(harness.outcome(parts), harness.outcome(whole), f"{name} resumed")
            rows = harness.ledger(whole)
            self.assertEqual(len({row["hash"] for row in rows}), len(rows), "frames that do not move prove nothing")

    def test_heat_on_any_threads_and_resumed(self):
        short = ()
        long = ("--set", "materials.pudding.heat.diffusivity=1", "--set", "materials.pudding.heat.latent_heat=1e4",
                "--set", "materials.pudding.heat.melting_point=40")
        for name, settings in {"short steps": short, "long steps": long}.items():
            scene = [HOT_PLATE, "--quiet", "--set", "particles.spacing=0.04", *settings]
            whole, parts = self.folder / f"{name} whole", self.folder / f"{name} parts"
            self.run_ok(*scene, "--frames", "4", "--threads", "1", "--out", whole)
            self.run_ok(*scene, "--frames", "2", "--threads", "2", "--out", parts)
            self.run_ok(*scene, "--frames", "4", "--threads", "3", "--out", parts, "--resume")
            self.assertEqual(harness.outcome(parts), harness.outcome(whole), name)
            rows = harness.ledger(whole)
            self.assertEqual(len({row["heat"] for row in rows}), len(rows), "heat that does not flow proves nothing")

    def test_another_scene_has_other_bits(self):
        self.run_ok(TANK, "--frames", "4", "--out", self.folder / "a")
        thicker = ("--set", "materials.oil.liquid.viscosity=2.0001")
        self.run_ok(TANK, "--frames", "4", "--out", self.folder / "b", *thicker)
        a, b = harness.hashes(self.folder / "a"), harness.hashes(self.folder / "b")
        self.assertEqual(a[0], b[0])
        self.assertNotEqual(a[4], b[4])


if __name__ == "__main__":
    harness.main()
