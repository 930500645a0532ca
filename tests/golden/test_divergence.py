"""A run that blows up says where and why, keeps what was good, and blows up again in the same way."""

import re

import harness
from harness import TANK, GoldenTest

PATTERN = (
    r"the simulation diverged in frame (\d+) at t = (\S+) s \(step (\d+), time step (\S+) s\): "
    r"particle (\d+) of `(\w+)` at \(.*\): .*; "
    r"the term that grew is (pressure|wall pressure|viscosity|gravity) \(\S+ m/s²\)")


class Divergence(GoldenTest):
    # Calm until the ball meets the water with a time step that is too long for a splash.
    SCENE = (TANK, "--set", "solver.time_step_scale=20", "--set", "objects.0.shape.box.max=[0.5,0.11,0.4]",
             "--set", "frame_rate=60", "--set", "obstacles.1.shape.sphere.center=[9,9,9]")

    def diverge(self, out, *options):
        result = harness.thixo("run", *self.SCENE, "--out", out, *options)
        self.check_message(result, 1, "solver.time_step_scale is 20", "try 1", "last good checkpoint", str(out))
        found = re.search(PATTERN, result.stderr)
        self.assertTrue(found, result.stderr)
        return found

    def test_divergence(self):
        out = self.folder / "out"
        found = self.diverge(out)
        frame, time, step, particle = int(found[1]), float(found[2]), int(found[3]), int(found[5])
        rows = harness.ledger(out)
        self.assertGreater(frame, 1, "nothing was good before it diverged")
        self.assertEqual([row["frame"] for row in rows], list(range(frame)))
        # The message gives six digits.
        self.assertTrue((frame - 1) / 60 - 1e-6 <= time < frame / 60)
        self.assertGreaterEqual(step, sum(row["steps"] for row in rows))
        self.assertLess(particle, rows[0]["particles"])
        self.assertIn(found[6], ("water", "oil"))
        harness.check_whole(out)
        self.assertEqual(sorted(p.name for p in (out / "particles").iterdir()), [f"{k:04}.ply" for k in range(frame)])
        self.assertIn(found[0], (out / "log.txt").read_text())

        before = harness.outcome(out)
        for threads in (1, 2, 3):
            self.assertEqual(self.diverge(out, "--resume", "--threads", threads)[0], found[0])
            self.assertEqual(harness.outcome(out), before)
        self.assertEqual(self.diverge(self.folder / "again", "--threads", 3)[0], found[0])
        self.assertEqual(harness.outcome(self.folder / "again"), before)

    def test_same_scene_with_its_own_time_step(self):
        self.run_ok(*self.SCENE, "--set", "solver.time_step_scale=1", "--out", self.folder / "out")

    def test_check_tells_too(self):
        result = harness.thixo("check", TANK, "--set", "solver.time_step_scale=100")
        self.check_message(result, 1, "diverged", "solver.time_step_scale is 100", "try 1")


if __name__ == "__main__":
    harness.main()
