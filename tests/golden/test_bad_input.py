"""A scene or command line that is wrong is refused with exit code 2 and the reason, before anything is written."""

import pathlib
import re

import harness
from harness import HERE, TANK, GoldenTest

BAD = sorted((HERE / "scenes" / "bad").glob("*.json"))
GOOD = sorted((HERE / "scenes" / "good").glob("*.json"))
COMMANDS = (("check",), ("run",), ("run", "--force"), ("run", "--resume"))


class BadInput(GoldenTest):
    def refuse(self, scene, *words, options=(), commands=COMMANDS):
        """Every command refuses the scene and touches nothing."""
        work = self.folder / "work"
        kept = work / "out" / "tank" / "stats.csv"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("an earlier result")
        before = sorted(work.rglob("*")), kept.stat().st_mtime_ns
        for command in commands:
            result = harness.thixo(*command, scene, *options, cwd=work)
            with self.subTest(command=command):
                self.check_refused(result, *words)
                self.assertEqual(result.stdout, "")
                self.assertEqual((sorted(work.rglob("*")), kept.stat().st_mtime_ns), before)

    def refuse_text(self, text, *words):
        scene = self.folder / "scene.json"
        scene.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.refuse(scene, *words)

    def refuse_set(self, override, *words):
        self.refuse(TANK, *words, options=("--set", override))


class Scenes(BadInput):
    def test_every_bad_scene(self):
        self.assertGreater(len(BAD), 50)
        for scene in BAD:
            expected = re.match(r"// expect: (\d+:\d+: .*)\n", scene.read_text(errors="replace"))[1]
            with self.subTest(scene=scene.name):
                self.refuse(scene, commands=COMMANDS[:2])
                for command in ("check", "run"):
                    message = harness.thixo(command, scene, cwd=self.folder).stderr
                    self.assertTrue(message.startswith(f"error: {scene}:{expected}\n"), message)

    def test_good_scenes_are_not_refused(self):
        for scene in [*GOOD, TANK]:
            self.assertEqual(harness.thixo("check", scene).returncode, 0, scene)

    def test_several_mistakes_are_told_at_once(self):
        scene = self.folder / "scene.json"
        scene.write_text('{ "duratoin": 1, "materials": {}, "objects": [ { "shap": 1 } ] }')
        message = harness.thixo("check", scene).stderr
        self.assertGreaterEqual(message.count(f"{scene}:1:"), 3, message)

    def test_not_a_scene(self):
        self.refuse(self.folder / "missing.json", "missing.json", "no such file")
        self.refuse(self.folder, str(self.folder), "folder")
        self.refuse_text("", ":1:1:", "empty")
        self.refuse_text(bytes(range(256)) * 50, ":1:1:")
        self.refuse_text(b'{ "name": "\xff\xfe" }', ":1:")
        self.refuse_text("[" * 100_000_000, "larger than 64 MB")
        self.refuse_text("[" * 60_000_000, "scene.json:1:")
        self.refuse_text('{"a":' * 10_000_000, "scene.json:1:")

    def test_numbers(self):
        self.refuse_set("duration=1e400", "duration", "too large")
        self.refuse_set("duration=-1", "duration", "out of range")
        self.refuse_set("materials.water.density=-5", "materials.water.density", "-5 kg/m³", "allowed")
        self.refuse_set("particles.spacing=1e-4", "particles.spacing", "particles; allowed: at most 500 million")
        self.refuse_set("particles.spacing=0.9", "objects.0.shape", "no particle fits")
        self.refuse_set("particles.spacing=nan", "particles.spacing", "expected a number")
        self.refuse_set("objects.0.shape.box.max=[-1,1,1]", "objects.0.shape.box.max", "max must be above min")


    def test_objects_out_of_place(self):
        # Found when the objects are filled, after `run` has seen that it may write.
        for override, *words in (
            ("objects.1.shape.sphere.center=[0,5,0]", "objects.1.shape", "no particle remains",
             "in obstacle `tank`"),
            ('objects.0.held=[{"region":{"sphere":{"center":[9,0,0],"radius":0.1}}}]', "objects.0.held.0.region",
             "no particle of", "starts inside; move or enlarge it"),
            ('objects.0.held=[{"region":{"plane":{"point":[0,9,0]}}},{"region":{"plane":{}}}]',
             "objects.0.held.1.region", "starts inside that is not in an earlier region"),
            ("obstacles.1.shape.sphere.radius=5", "objects.0.shape", "no particle remains",
             "240 of 240 particles carved: 240 in obstacle `stone`", "move or enlarge it"),
        ):
            self.refuse(TANK, *words, options=("--set", override), commands=(("check",), ("run", "--force")))


class CommandLine(BadInput):
    def test_set(self):
        self.refuse_set("particles.spaceing=1", "--set", "particles.spaceing", 'did you mean "spacing"?')
        self.refuse_set("particels.spacing=1", 'did you mean "particles"?')
        self.refuse_set("particles.spacing=wide", "particles.spacing", "expected a number (m)", '"wide"')
        self.refuse_set("objects.7.temperature=3", "objects.7")
        self.refuse_set("objects.-1.temperature=3", "objects.-1")
        self.refuse_set("duration", "--set", "=")
        self.refuse_set("=3", "--set")
        self.refuse_set("", "--set")
        self.refuse_set("duration.x=3", "duration")

    def refuse_run(self, words, *options):
        self.refuse(TANK, *words, options=options, commands=(("run",),))

    def test_options(self):
        self.refuse_run(["--until", "before the start"], "--until", "-1")
        self.refuse_run(["--until"], "--until", "nan")
        self.refuse_run(["--until", "at most 1 million"], "--until", "1e300")
        self.refuse_run(["--until"], "--until", "soon")
        self.refuse_run(["--frames", "before the start"], "--frames", "-1")
        self.refuse_run(["--frames", "at most 1 million"], "--frames", "2000000")
        self.refuse_run(["--frames"], "--frames", "99999999999999999999")
        self.refuse_run(["--frames", "--until"], "--frames", "3", "--until", "1")
        self.refuse_run(["--resume", "--force"], "--resume", "--force")
        self.refuse_run(["--colour"], "--colour", "blue")
        self.refuse_run(["--threads", "1 to 1024"], "--threads", "0")
        self.refuse_run(["--threads"], "--threads", "-3")
        self.refuse_run(["--threads"], "--threads", "many")

    def test_commands(self):
        self.check_refused(harness.thixo("rum", TANK, cwd=self.folder), 'did you mean "run"?', "allowed: new, check, preview, run")
        for arguments in ((), ("run",), ("check",), ("info",), ("render",), ("run", TANK, TANK)):
            self.check_refused(harness.thixo(*arguments, cwd=self.folder), "--help")
        self.check_refused(harness.thixo("info", self.folder / "nothing"), "does not exist")
        self.check_refused(harness.thixo("info", self.folder), "not the folder of a run")
        self.check_refused(harness.thixo("render", self.folder), "no particle files")
        self.assertEqual(list(self.folder.iterdir()), [])
        for arguments in (("--help",), ("run", "--help"), ("--version",)):
            result = harness.thixo(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("thixo", result.stdout.lower() + str(pathlib.Path(harness.PROGRAM).name))

    def test_out_is_a_file(self):
        place = self.folder / "file"
        place.write_text("not a folder")
        for option in ((), ("--force",), ("--resume",)):
            result = harness.thixo("run", TANK, "--frames", 0, "--out", place, *option)
            self.check_refused(result, str(place), "is a file")
        self.assertEqual(place.read_text(), "not a folder")


if __name__ == "__main__":
    harness.main()
