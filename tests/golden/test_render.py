"""Pictures of a run: they decode, they show something, and wrong options are refused."""

import numpy as np

import harness
from harness import TANK, TANK_2D, GoldenTest
from readers import png

SMALL = ("--width", 160, "--height", 90, "--samples", 1)


class Render(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def render(self, *options):
        return harness.thixo("render", self.out, *SMALL, *options)

    def check_pictures(self, names):
        pictures = self.out / "pictures"
        self.assertEqual(sorted(p.name for p in pictures.iterdir()), sorted(names))
        images = {}
        for name in names:
            images[name] = png.read(pictures / name)
            self.assertGreater(len(np.unique(images[name].reshape(-1, images[name].shape[2]), axis=0)), 50, name)
        return images

    def test_3d(self):
        self.run_ok(TANK, "--frames", 3, "--out", self.out)
        before = harness.digest(self.out)
        result = self.render()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        frames = [f"{k:04}.png" for k in range(4)]
        images = self.check_pictures(frames + ["contact_sheet.png"])
        for name in frames:
            self.assertEqual(images[name].shape[:2], (90, 160))
        self.assertTrue(np.any(images[frames[0]] != images[frames[3]]), "nothing moves")
        after = harness.digest(self.out)
        self.assertEqual({k: v for k, v in after.items() if not k.startswith("pictures/")}, before)
        again = {k: v for k, v in after.items() if k.startswith("pictures/")}
        self.render("--threads", 3)
        self.assertEqual({k: harness.digest(self.out)[k] for k in again}, again, "the same pictures for any threads")

    def test_2d(self):
        self.run_ok(TANK_2D, "--frames", 1, "--out", self.out, "--set", 'output.particles=["vtu"]')
        self.assertEqual(self.render("--frames", 1, "--colour-by", "density", "--no-contact-sheet").returncode, 0)
        self.check_pictures(["0001.png"])

    def test_wrong_options(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        before = harness.digest(self.out)
        result = self.render("--colour-by", "temprature")
        self.check_refused(result, 'did you mean "temperature"?', "density", "speed", "phase")
        self.check_refused(self.render("--colour-map", "rainbow"), "rainbow", "viridis")
        self.check_refused(self.render("--frames", "9"), "--frames", "it has 0 to 1")
        self.check_refused(self.render("--frames", "one"), "--frames", "expected")
        self.check_refused(self.render("--range", "5:1"), "--range", "min:max")
        self.check_refused(self.render("--width", "0"), "--width")
        self.check_refused(harness.thixo("render", self.folder / "nothing"), "no such folder")
        self.assertEqual(harness.digest(self.out), before)

    def test_damaged_particle_file(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        path = self.out / "particles" / "0001.ply"
        path.write_bytes(path.read_bytes()[:-7])
        result = self.render()
        self.check_refused(result, str(path))


if __name__ == "__main__":
    harness.main()
