"""An earlier run is never overwritten by accident, and goes on only as what it was."""

import json

import harness
from harness import BLOCKS, CRACK, GRABS, MILL, SNAP, TANK, GoldenTest


class SecondRun(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.run_ok(TANK, "--frames", 4, "--out", self.out)

    def run_again(self, *options):
        return harness.thixo("run", TANK, "--out", self.out, *options)

    def check_unchanged(self, before, ignore=()):
        after = harness.digest(self.out)
        self.assertEqual(*[{k: v for k, v in d.items() if k not in ignore} for d in (after, before)])

    def refuse_again(self, words, *options):
        before = harness.digest(self.out)
        self.check_refused(self.run_again(*options), str(self.out), *words)
        self.check_unchanged(before)


class Resume(SecondRun):
    def test_second_run_is_refused(self):
        self.refuse_again(["--resume", "--force", "--out"])
        self.refuse_again(["--resume", "--force", "--out"], "--frames", 2)
        self.refuse_again(["--resume", "--force", "--out"], "--set", "particles.spacing=0.2")

    def test_finished_run_has_nothing_to_resume(self):
        before, scene = harness.digest(self.out), harness.resolved_scene(self.out)
        self.run_ok(TANK, "--frames", 4, "--out", self.out, "--resume")
        self.check_unchanged(before, ignore=["log.txt", "scene.json"])
        self.assertEqual(harness.resolved_scene(self.out), scene)  # the provenance is that of the last command

    def test_nothing_there_to_resume(self):
        for name in ("absent", "a/b/c"):
            out = self.folder / name
            result = harness.thixo("run", TANK, "--out", out, "--resume")
            self.check_refused(result, str(out), "no such folder", "--out", "without --resume")
            self.assertFalse(out.exists())
        empty = self.folder / "empty"  # as a run leaves it that is killed at once
        empty.mkdir()
        self.run_ok(TANK, "--frames", 4, "--out", empty, "--resume")
        self.assertEqual(harness.outcome(empty), harness.outcome(self.out))

    def test_run_of_frame_0_is_finished_too(self):
        out = self.folder / "start"
        self.run_ok(TANK, "--frames", 0, "--out", out)
        self.assertEqual([row["frame"] for row in harness.ledger(out)], [0])
        before = (out / "stats.csv").read_bytes()
        result = self.run_ok(TANK, "--frames", 0, "--out", out, "--resume")
        self.assertIn("resuming", result.stdout)
        self.assertEqual((out / "stats.csv").read_bytes(), before)
        self.run_ok(TANK, "--frames", 4, "--out", out, "--resume")
        self.assertEqual(harness.outcome(out), harness.outcome(self.out))

    def test_changed_scene_is_refused(self):
        self.refuse_again(["the scene has changed", '"density": 1000', '"density": 990'],
                          "--resume", "--set", "materials.water.density=990")
        self.refuse_again(["the scene has changed", "kernel", "spiky"], "--resume", "--set", "solver.kernel=spiky")
        self.refuse_again(["the scene has changed"], "--resume", "--set", "frame_rate=30")
        self.refuse_again(["the scene has changed"], "--resume", "--set", "objects.2={}".replace(
            "{}", json.dumps({"material": "oil", "shape": {"sphere": {"center": [0, 1.5, 0], "radius": 0.2}}})))

    def test_changed_files_are_refused(self):
        """What a mesh or an image holds is part of the scene."""
        mesh, image, scene = (self.folder / name for name in ("ramp.obj", "hills.pgm", "scene.json"))
        corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        faces = "1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"

        def write_mesh(size):
            mesh.write_text("".join(f"v {size * x} {size * y} {size * z}\n" for x, y, z in corners) +
                            "".join(f"f {face}\n" for face in faces))

        def write_image(height):
            image.write_bytes(b"P5\n2 2\n255\n" + bytes([0, height, 0, 0]))

        write_mesh(0.2)
        write_image(50)
        field = {"image": str(image), "min": [-1, -0.5, -1], "max": [1, -0.2, 1]}
        scene.write_text(json.dumps({
            "name": "files", "frame_rate": 60, "duration": 0.1, "particles": {"spacing": 0.1},
            "materials": {"water": {"density": 1000}},
            "objects": [{"name": "drop", "material": "water", "shape": {"box": {"min": [0, 0.4, 0], "max": [0.3, 0.7, 0.3]}}}],
            "obstacles": [{"name": "ramp", "shape": {"mesh": {"file": str(mesh)}}},
                          {"name": "hills", "shape": {"height_field": field}}]}))
        out = self.folder / "files"

        def resume(frames):
            return harness.thixo("run", scene, "--frames", frames, "--out", out, "--resume")

        self.run_ok(scene, "--frames", 1, "--out", out)
        write_mesh(0.21)
        self.check_refused(resume(2), str(out), "ramp.obj have changed", "--force")
        write_mesh(0.2)
        write_image(51)
        self.check_refused(resume(2), str(out), "hills.pgm have changed", "--force")
        write_image(50)
        self.assertEqual(resume(2).returncode, 0)

    def test_longer(self):
        for option in (("--frames", 7), ("--until", 0.35), ("--set", "duration=0.35")):
            whole, parts = (self.folder / f"{option[0]} {k}" for k in ("whole", "parts"))
            self.run_ok(TANK, *option, "--out", whole)
            self.run_ok(TANK, "--frames", 4, "--out", parts)
            self.run_ok(TANK, *option, "--out", parts, "--resume")
            self.assertEqual(harness.hashes(parts), harness.hashes(whole))
            a, b = harness.outcome(parts), harness.outcome(whole)
            if option[0] == "--set":  # the checkpoint remembers the scene, and so the duration
                self.assertEqual(a, b)
            self.assertEqual(a["stats.csv"], b["stats.csv"])

    def test_matter_that_comes_and_goes(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_ok(MILL, "--frames", 7, "--out", whole)
        for frame in (1, 2, 4, 5, 7):
            self.run_ok(MILL, "--frames", frame, "--out", parts, *harness.go_on(parts), "--threads", 1 + frame % 3)
        self.assertEqual(harness.outcome(parts), harness.outcome(whole))
        traffic = [[line for line in (out / "log.txt").read_text().splitlines() if " `tap` made " in line or
                    " `drain` removed " in line][-2:] for out in (whole, parts)]
        self.assertEqual(len(traffic[0]), 2)
        self.assertEqual(*traffic)

    def run_in_parts(self, scene, option):
        """Runs a scene with bodies whole and in parts, which must come to the same. Returns the folder of the whole."""
        whole, parts = (self.folder / f"{option} {k}" for k in ("whole", "parts"))
        self.run_ok(scene, option, "--out", whole)
        for frame in (1, 3, 4, 8):
            self.run_ok(scene, option, "--frames", frame, "--out", parts, *harness.go_on(parts), "--threads", 1 + frame % 3)
        self.assertEqual(harness.outcome(parts), harness.outcome(whole))
        self.assertEqual((parts / "bodies.csv").read_text(), (whole / "bodies.csv").read_text())
        return whole

    def test_bodies_that_break(self):
        for method in ("explicit", "implicit"):
            whole = self.run_in_parts(SNAP, f"--set=solver.elasticity={method}")
            lineage = (whole / "bodies.csv").read_text()
            rows = [row.split(",") for row in lineage.splitlines()]
            self.assertEqual(rows[0], ["frame", "time", "body", "event", "parents", "particles", "mass", "x", "y", "z", "vx", "vy", "vz"])
            self.assertEqual(rows[1][:5], ["0", "0", "1", "started", ""])
            self.assertGreater(len(rows), 2)
            ledger = harness.ledger(whole)
            self.assertEqual((ledger[0]["bodies"], ledger[-1]["bodies"]), (1, len(rows) - 1))
            self.assertIn("came off body 1", harness.thixo("info", whole / "bodies.csv").stdout)

    def test_lattices_that_crack(self):
        for method in ("pressure=tait", "pressure=dfsph", "preset=fast"):
            ledger = harness.ledger(self.run_in_parts(CRACK, f"--set=solver.{method}"))
            self.assertGreater(ledger[-1]["bodies"], ledger[0]["bodies"])

    def test_what_is_paused_and_grabbed(self):
        for pressure in ("tait", "dfsph"):
            ledger = harness.ledger(self.run_in_parts(GRABS, f"--set=solver.pressure={pressure}"))
            self.assertNotEqual(ledger[-1]["elastic"], ledger[0]["elastic"])

    def test_rigid_bodies(self):
        for pressure in ("tait", "dfsph"):
            whole, parts = (self.folder / f"{pressure} {k}" for k in ("whole", "parts"))
            option = f"--set=solver.pressure={pressure}"
            self.run_ok(BLOCKS, option, "--out", whole)
            for frame in (1, 3, 4, 7, 8):
                self.run_ok(BLOCKS, option, "--frames", frame, "--out", parts, *harness.go_on(parts), "--threads", 1 + frame % 3)
            self.assertEqual(harness.outcome(parts), harness.outcome(whole))

    def test_other_output(self):
        formats = '--set=output.particles=["vtu"]'
        self.run_ok(TANK, formats, "--frames", 6, "--out", self.out, "--resume")
        listed = harness.READERS[".pvd"].read(self.out / "particles.pvd")["file"]
        self.assertEqual([f[-8:] for f in listed], ["0005.vtu", "0006.vtu"])
        harness.check_whole(self.out)

    def test_shorter_is_refused(self):
        self.refuse_again(["the end is before the start", "frame 4", "last frame is 3"], "--resume", "--frames", 3)
        self.refuse_again(["the end is before the start"], "--resume", "--until", 0.1)

    def test_damaged_checkpoint(self):
        checkpoint = self.out / "checkpoint"
        whole = checkpoint.read_bytes()
        middle = len(whole) // 2  # of some column; the last sections are empty here
        damages = {
            "is damaged": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:],
            "too short": b"",
            "cut short": whole[:len(whole) // 2],
            "is not a checkpoint": b"x" * len(whole),
            "has version": whole[:8] + b"\x7f" + whole[9:],
        }
        for word, damage in damages.items():
            checkpoint.write_bytes(damage)
            self.refuse_again(["checkpoint", word], "--resume")
            self.check_refused(harness.thixo("info", checkpoint), word)
        for place in range(0, len(whole), 997 if not harness.FULL else 41):
            checkpoint.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1:])
            self.refuse_again(["checkpoint"], "--resume")

    def test_lost_checkpoint(self):
        (self.out / "checkpoint").unlink()
        self.refuse_again(["no checkpoint", "--force"], "--resume")


class Force(SecondRun):
    def test_force_removes_what_runs_write_and_nothing_else(self):
        foreign = ["notes.txt", "particles/mine.ply", "particles/0001.blend", "pictures/look.png", "checkpoint.backup",
                   "surface/hull/mine.ply", "stats.csv.bak"]
        stale = ["particles/0099.ply", "particles/10000.vtu", "particles/0003.ply.part", "pictures/0002.png",
                 "pictures/movie.mp4", "pictures/contact_sheet.png", "checkpoint.0002", "checkpoint.part",
                 "scene.json.part", "particles.pvd", "surface/hull/0000.ply"]
        for name in foreign + stale:
            path = self.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
        self.run_ok(TANK, "--frames", 2, "--out", self.out, "--force")
        for name in foreign:
            self.assertEqual((self.out / name).read_text(), name)
        fresh = self.folder / "fresh"
        self.run_ok(TANK, "--frames", 2, "--out", fresh)
        self.assertEqual(set(harness.files(self.out)) - set(foreign), set(harness.files(fresh)))
        self.assertEqual(harness.hashes(self.out), harness.hashes(fresh))

    def test_force_into_an_absent_folder(self):
        self.run_ok(TANK, "--frames", 4, "--out", self.folder / "absent", "--force")
        self.assertEqual(harness.outcome(self.folder / "absent"), harness.outcome(self.out))

    def test_its_own_resolved_scene(self):
        before = harness.outcome(self.out)
        self.run_ok(self.out / "scene.json", "--frames", 4, "--out", self.out, "--force")
        self.assertEqual(harness.outcome(self.out), before)


if __name__ == "__main__":
    harness.main()
