"""Pictures of a run: they decode, they show something, and wrong options are refused."""

import json
import shutil
import subprocess

import numpy as np

import harness
from harness import TANK, TANK_2D, GoldenTest
from readers import exr, png
from test_skin import SCENE as SKINS

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

    def test_several_cameras(self):
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        views = {"side": ((3, 1, 0), (0, 0.5, 0)), "top-1": ((0.01, 4, 0), (0, 0.5, 0))}
        texts = [f"{name}:{','.join(map(str, eye))}:{','.join(map(str, target))}" for name, (eye, target) in views.items()]
        result = self.render("--frames", "0:2:2", "--camera", texts[0], "--camera", texts[1])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(sorted(p.name for p in (self.out / "pictures").iterdir()), sorted(views))
        for name, (eye, target) in views.items():
            folder = self.out / "pictures" / name
            self.assertEqual(sorted(p.name for p in folder.iterdir()), ["0000.png", "0002.png", "contact_sheet.png"])
            alone = self.render("--frames", "2", "--fit", "run", "--eye", *eye, "--target", *target, "--out", self.folder / name, "--no-contact-sheet")
            self.assertEqual(alone.returncode, 0)
            self.assertTrue(np.array_equal(png.read(folder / "0002.png"), png.read(self.folder / name / "0002.png")), name)
        for wrong in ("side", "side:1,2,3", "a/b:1,2,3:0,0,0", ":1,2,3:0,0,0", "s:1,2:0,0,0", "s:1,2,3:1,2,3", "../x:1,2,3:0,0,0"):
            self.check_refused(self.render("--camera", wrong), "--camera")
        self.check_refused(self.render("--camera", texts[0], "--camera", texts[0]), "two are called")
        self.assertEqual(self.render("--camera", texts[0], "--eye", 1, 2, 3).returncode, 2)

    def test_a_camera_on_its_way_that_sees_nothing_says_so(self):
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        self.assertIn("sees none of the matter", self.render("--frames", "0:2", "--key", "0:50,50,50:60,60,60").stderr)
        self.assertIn('camera "far" sees none', self.render("--frames", "0", "--camera", "far:50,50,50:60,60,60").stderr)
        self.assertIn("sees none", self.render("--frames", "0", "--eye", 9, 0, 0, "--target", 20, 0, 0, "--turn", 90).stderr)
        self.assertEqual(self.render("--frames", "0", "--key", "0:3,1,0:0,0.5,0", "--turn", 90).stderr, "")
        self.assertIn("show no matter", self.render("--frames", "0", "--hide", "water", "--hide", "oil").stderr)
        self.assertIn("show no matter", self.render("--frames", "0", "--clip", "y>-1").stderr)

    def test_fit_shown_frames_what_is_shown(self):
        """Of a ball that falls into a pool, the last frame alone fills more of the picture than with room for the first. One picture is fitted so."""
        self.run_ok(TANK, "--frames", 6, "--out", self.out)
        filled = {}
        for fit in ("run", "shown"):
            result = self.render("--frames", 6, "--fit", fit, "--as", "spheres", "--plain", "--no-contact-sheet", "--out", self.folder / fit)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            image = png.read(self.folder / fit / "0006.png").astype(int)
            filled[fit] = np.mean(image[:, :, 2] - image[:, :, 0] > 60)
        self.assertGreater(filled["shown"], 1.1 * filled["run"])
        self.render("--frames", 6, "--as", "spheres", "--plain", "--no-contact-sheet")
        self.assertTrue(np.array_equal(png.read(self.out / "pictures/0006.png"), png.read(self.folder / "shown/0006.png")))
        self.check_refused(self.render("--fit", "all"), "--fit")

    def test_emitters_are_drawn_while_they_are_open(self):
        """A tap that is open until 0.05 s: hiding it changes pictures until then, and none later. It is around its opening."""
        scene = json.loads("".join(line for line in TANK.read_text().splitlines() if not line.startswith("//")))
        scene["emitters"] = [{"name": "tap", "material": next(iter(scene["materials"])), "opening": {"disc": {"radius": 0.1}},
                              "position": [0, 1.5, 0], "speed": 0.5, "stop": 0.05}]
        path = self.folder / "tap.json"
        path.write_text(json.dumps(scene))
        self.run_ok(path, "--frames", 4, "--out", self.out)
        for frame, drawn in ((0, True), (4, False)):
            images = []
            for hide in ((), ("--hide", "tap")):
                view = ("--eye", 0, 1.5, 3, "--target", 0, 1.5, 0, "--fov", 20)
                # With enough paths that a shadow of the spout makes no single bright or dark pixels elsewhere.
                result = harness.thixo("render", self.out, "--width", 160, "--height", 90, "--samples", 16, "--frames", frame, *view, *hide,
                                       "--plain", "--no-contact-sheet")
                self.assertEqual(result.returncode, 0)
                images.append(png.read(self.out / "pictures" / f"{frame:04}.png").astype(int))
            differs = np.abs(images[0] - images[1]).max(axis=2) > 30
            if not drawn:
                # The matter that came out of it is hidden with it: it is below the middle.
                self.assertFalse(differs[:44].any())
                continue
            rows, columns = np.nonzero(differs)
            self.assertGreater(len(rows), 20)
            # Above the opening in the middle of the picture, as wide as the disc and its wall: 0.1 to 0.17 m of 1.06 m over 90 pixels.
            self.assertTrue(30 <= rows.min() and rows.max() <= 48, (rows.min(), rows.max()))
            self.assertTrue(80 - 16 <= columns.min() <= 80 - 8 and 80 + 7 <= columns.max() <= 80 + 16, (columns.min(), columns.max()))

    def test_a_scene_names_its_colours(self):
        """Pictures have the colours of output.picture, unless an option says something else."""
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        named = self.folder / "named"
        self.run_ok(TANK, "--frames", 2, "--out", named, "--set", 'output.picture={"colour_by":"speed","min":0,"max":5}')
        options = ("--frames", 2, "--no-contact-sheet")

        def picture(folder, *more):
            result = harness.thixo("render", folder, *SMALL, *options, *more)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return png.read(folder / "pictures/0002.png")

        by_name = picture(named)
        self.assertTrue(np.array_equal(by_name, picture(self.out, "--colour-by", "speed", "--range", "0:5")))
        self.assertFalse(np.array_equal(by_name, picture(self.out, "--colour-by", "speed")), "the ends count")
        self.assertTrue(np.array_equal(picture(named, "--colour-by", "look", "--as", "surface"), picture(self.out)))
        wrong = harness.thixo("check", TANK, "--set", 'output.picture={"colour_by":"look","min":0}')
        self.check_refused(wrong, "output.picture.min", "output.picture.colour_by")
        self.check_refused(harness.thixo("check", TANK, "--set", 'output.picture={"colour_by":"speed","min":1,"max":1}'), "is not above 1")
        self.check_refused(harness.thixo("check", TANK, "--set", 'output.picture.colour_by="sped"'), 'did you mean "speed"?')

    def test_shipped_scenes_name_their_colours(self):
        for file in sorted((harness.HERE.parents[1] / "scenes").glob("*/*.json")):
            self.assertRegex(file.read_text(), r'"output": \{.*"picture": \{ "colour_by": "\w+"', file.name)

    def test_hands_are_drawn_while_they_hold(self):
        """A hand that moves a bar, in 2D and 3D: hiding it changes pictures while it holds, beside the bar and not on it."""
        for dimensions in (2, 3):
            scene = {"dimensions": dimensions, "frame_rate": 25, "gravity": [0, 0, 0], "particles": {"spacing": 0.05},
                     "materials": {"rubber": {"solid": {"young_modulus": 1e4}}},
                     "objects": [{"name": "bar", "material": "rubber", "phase": "elastic", "shape": {"box": {"min": [0, 0, 0], "max": [1, 0.2, 0.2]}}}],
                     "grabs": [{"name": "hand", "region": {"box": {"min": [-1, -1, -1], "max": [0.2, 1, 1]}}, "start": 0.04, "stop": 0.08,
                                "motion": {"keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0.5, 0]}]}}]}
            path, out = self.folder / f"bar{dimensions}.json", self.folder / f"bar{dimensions}"
            path.write_text(json.dumps(scene))
            self.run_ok(path, "--frames", 4, "--out", out)
            for frame, drawn in ((0, False), (1, True), (2, True), (4, False)):
                images = []
                for hide in ((), ("--hide", "hand")):
                    result = harness.thixo("render", out, "--width", 160, "--height", 90, "--samples", 16, "--frames", frame, "--plain", *hide,
                                           "--eye", 0.5, 0.1, 5, "--target", 0.5, 0.1, 0.1, "--no-contact-sheet", "--as", "spheres")
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    images.append(png.read(out / f"pictures/{frame:04}.png").astype(int))
                rows, columns = np.nonzero(np.abs(images[0] - images[1]).max(axis=2) > 30)
                if not drawn:
                    self.assertLess(len(rows), 5, (dimensions, frame))
                    continue
                self.assertGreater(len(rows), 20, (dimensions, frame))
                # The bar is in the middle; it is held at its left end.
                self.assertLess(np.median(columns), 70)
        self.check_refused(harness.thixo("render", out, "--hide", "hands"), "hand")

    def test_captions_cover_no_matter(self):
        """Cameras that are near: the time is in a corner without matter, or left out; a legend gets a strip of its own."""
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        size = ("--width", 320, "--height", 180, "--samples", 2, "--frames", 0, "--as", "spheres", "--no-contact-sheet")

        def picture(view, *options):
            eye, target = view
            result = harness.thixo("render", self.out, *size, "--eye", *eye, "--target", *target, *options)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return png.read(self.out / "pictures/0000.png").astype(int)

        far, left, inside = ((0, 0.5, 6), (0, 0.5, 0)), ((0.5, 0.35, 1.5), (0.55, 0.05, 0)), ((0, 0.15, 0.9), (0, 0.15, 0))
        corners = {}
        for name, view in (("far", far), ("left", left), ("inside", inside)):
            plain, written = picture(view, "--plain"), picture(view)
            rows, columns = np.nonzero(np.abs(written - plain).max(axis=2) > 20)
            corners[name] = (rows.mean() > 90, columns.mean() > 160) if len(rows) else None
            matter = plain.max(axis=2) - plain.min(axis=2) > 60
            self.assertFalse(matter[rows, columns].any(), name)
        self.assertEqual((corners["far"], corners["inside"]), ((False, False), None))
        # Behind the last letters of the legend there is nothing: far and near.
        for view in (far, inside):
            beside = picture(view, "--colour-by", "speed")[:, -6:]
            self.assertLess((beside.max(axis=2) - beside.min(axis=2)).max(), 40)
        beside = picture(inside, "--colour-by", "speed", "--plain")[:, -6:]
        self.assertGreater((beside.max(axis=2) - beside.min(axis=2)).max(), 60)

    def test_movies_have_the_speed_of_the_scene(self):
        """Frames 0, 1 and 4 of 24 a second: the first is shown for one, the second for three frames."""
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg")
        self.run_ok(TANK, "--frames", 4, "--out", self.out)
        rate = json.loads((self.out / "scene.json").read_text())["frame_rate"]
        for kind in ("mp4", "webm", "gif"):
            for frames, count, step in (("0,1,4", 5, 1), ("0:4:2", 3, 2), ("0:4", 5, 1), ("2", 1, 1)):
                self.assertEqual(self.render("--frames", frames, "--movie", "--movie-format", kind, "--no-contact-sheet").returncode, 0)
                probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                        "stream=nb_read_frames,r_frame_rate", "-of", "json", self.out / "pictures" / f"movie.{kind}"],
                                       capture_output=True, text=True, check=True)
                stream = json.loads(probe.stdout)["streams"][0]
                up, down = map(int, stream["r_frame_rate"].split("/"))
                if kind != "gif":  # GIF leaves out what does not change, and has times in hundredths.
                    self.assertEqual(int(stream["nb_read_frames"]), count, (kind, frames))
                    if count > 1:
                        self.assertAlmostEqual(up / down, rate / step, delta=0.01 * rate)

    def test_skins_are_made_on_the_way(self):
        """A run without saved surfaces shows its skins, as they look when they are saved before (files round normals)."""
        path = self.folder / "skins.json"
        path.write_text(json.dumps({key: value for key, value in SKINS.items() if key != "output"}))
        self.run_ok(path, "--frames", 6, "--out", self.out)

        def picture(*options):
            self.assertEqual(self.render("--plain", "--no-contact-sheet", *options).returncode, 0)
            return png.read(self.out / "pictures" / "0006.png").astype(int)

        made, plain = picture("--frames", 6), picture("--frames", 6, "--as", "surface")
        self.assertGreater(np.abs(made - plain).mean(), 1)
        self.assertEqual(harness.thixo("surface", self.out, "--frames", 6, "--resolution", 1, "--smooth", 8).returncode, 0)
        for options in ((), ("--as", "skin")):
            self.assertLess(np.abs(made - picture("--frames", 6, *options)).mean(), 0.1)

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
