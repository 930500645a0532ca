"""Pictures of a run: they decode, they show something, and wrong options are refused."""

import json

import numpy as np

import harness
from harness import TANK, TANK_2D, GoldenTest
from readers import exr, png

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
        note = png.notes(self.out / "pictures" / frames[0])
        provenance = json.loads((self.out / "scene.json").read_text())["provenance"]
        self.assertEqual((note["Title"], note["Software"]), ("tank", f"{provenance['program']}, commit {provenance['commit']}"))
        self.assertRegex(note["Comment"], r"thixo render .*")
        self.assertEqual(png.notes(self.out / "pictures" / "contact_sheet.png"), note)
        self.render("--threads", 3)
        for name, image in images.items():
            self.assertTrue(np.array_equal(png.read(self.out / "pictures" / name), image), "the same pixels for any threads")
        self.assertIn("--threads 3", png.notes(self.out / "pictures" / frames[0])["Comment"])

    def test_2d(self):
        self.run_ok(TANK_2D, "--frames", 1, "--out", self.out, "--set", 'output.particles=["vtu"]')
        self.assertEqual(self.render("--frames", 1, "--colour-by", "density", "--no-contact-sheet").returncode, 0)
        self.check_pictures(["0001.png"])

    def test_as_spheres_and_field(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        images = {}
        for kind in ("surface", "spheres", "field"):
            result = self.render("--frames", 1, "--as", kind, "--no-contact-sheet", "--plain", "--out", self.folder / kind)
            self.assertEqual((result.returncode, result.stderr), (0, ""), kind)
            images[kind] = png.read(self.folder / kind / "0001.png").astype(int)
            # Water is blue: more blue than green, more green than red, where it is.
            water = images[kind][images[kind][:, :, 2] - images[kind][:, :, 0] > 40]
            self.assertGreater(len(water), 200, kind)
            self.assertTrue(np.all(water[:, :3].mean(axis=0)[[2, 1]] > water[:, :3].mean(axis=0)[[1, 0]]), kind)
        # The field and its mesh are the same surface.
        self.assertLess(np.abs(images["surface"] - images["field"]).mean(), 12)

    def test_exr(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        self.assertEqual(self.render("--frames", 1, "--exr", "--no-contact-sheet").returncode, 0)
        channels = exr.read(self.out / "pictures" / "0001.exr")
        self.assertEqual(sorted(channels), sorted(["R", "G", "B", "Z", "albedo.R", "albedo.G", "albedo.B", "normal.X", "normal.Y", "normal.Z"]))
        self.assertEqual(channels["R"].shape, (90, 160))
        hit = np.isfinite(channels["Z"])
        self.assertGreater(hit.mean(), 0.05)
        self.assertTrue(np.all(channels["Z"][hit] > 0))
        normals = np.stack([channels["normal." + c] for c in "XYZ"])
        self.assertLess(np.linalg.norm(normals, axis=0).max(), 1.001)
        self.check_refused(self.render("--exr", "--as", "spheres"), "--exr")

    def test_hide_and_clip(self):
        self.run_ok(TANK, "--frames", 1, "--out", self.out)
        whole = self.render("--frames", 1, "--no-contact-sheet", "--plain", "--out", self.folder / "whole")
        cut = self.render("--frames", 1, "--no-contact-sheet", "--plain", "--clip", "x>0.1", "--out", self.folder / "cut")
        self.assertEqual((whole.returncode, cut.returncode), (0, 0))
        images = [png.read(self.folder / name / "0001.png").astype(int) for name in ("whole", "cut")]
        self.assertGreater(np.abs(images[0] - images[1]).mean(), 0.5)
        self.check_refused(self.render("--clip", "up"), "--clip", "z>0.1")
        self.check_refused(self.render("--hide", "watr"), "--hide", "water")
        far = self.render("--frames", 1, "--no-contact-sheet", "--eye", 50, 50, 50, "--target", 60, 60, 60)
        self.assertIn("sees none of the matter", far.stderr)

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
