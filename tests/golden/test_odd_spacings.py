"""Scenes at spacings that divide nothing start at rest: no energy without a source, and no warning from `check`."""

import re

import harness
from harness import HERE, GoldenTest

SCENES = HERE.parents[1] / "scenes"

# Small at these spacings; every one of them jumped when its lattice was not fitted to its walls.
QUICK = (("fluid/splash", 0.071), ("fluid/splash_2d", 0.046), ("fluid/still_water", 0.0287), ("fluid/still_water_2d", 0.0115),
         ("fluid/poiseuille", 0.0092), ("gallery/floating_blocks", 0.069),
         ("fluid/oil_and_water", 0.00865), ("gallery/materials", 0.0138))

# Of the spacing that a scene was made with.
FACTORS = (1.37, 1.73, 2.3)


def odd_cases():
    for path in sorted(SCENES.glob("*/*.json")):
        spacing = float(re.search(r'"spacing"\s*:\s*([0-9.e-]+)', path.read_text())[1])
        for factor in FACTORS:
            yield str(path.relative_to(SCENES))[:-len(".json")], float(f"{factor * spacing:.4g}")


class OddSpacings(GoldenTest):
    def try_scene(self, name, spacing):
        out = self.folder / f"{name.replace('/', '_')}_{spacing}"
        result = harness.thixo("run", SCENES / f"{name}.json", "--out", out, "--frames", 6, "--set", f"particles.spacing={spacing}",
                               "--set", "output.particles=[]")
        # Shapes that are thinner than a spacing are refused, and nothing was run.
        if result.returncode == 2 and "its smallest extent" in result.stderr:
            return
        self.assertEqual(result.returncode, 0, f"{name} at {spacing}: {result.stderr}")
        self.assertNotIn("nothing paid for", (out / "log.txt").read_text(), f"{name} at {spacing}")

    def test_scenes(self):
        for name, spacing in odd_cases() if harness.FULL else QUICK:
            with self.subTest(scene=name, spacing=spacing):
                self.try_scene(name, spacing)

    def test_check(self):
        for name, spacing in QUICK[:4]:
            result = harness.thixo("check", SCENES / f"{name}.json", "--set", f"particles.spacing={spacing}")
            self.assertEqual(result.returncode, 0, result.stderr)
            start = re.search(r"^start +density error (\S+) % in the mean, (\S+) % at most, largest acceleration (\S+) g$",
                              result.stdout, re.M)
            self.assertTrue(start, result.stdout)
            self.assertLess(float(start[2]), 1)
            self.assertNotIn("start compressed", result.stdout)
            for mass in re.findall(r"together, (\S+) % of its shape", result.stdout):
                self.assertLess(abs(float(mass)), 0.5, result.stdout)


if __name__ == "__main__":
    harness.main()
