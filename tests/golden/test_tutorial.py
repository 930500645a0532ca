"""The commands of docs/tutorial.md, as they are written there, in an empty folder; and how long the first picture takes."""

import os
import re
import subprocess
import time

import harness
from harness import HERE, GoldenTest

TUTORIAL = HERE.parents[1] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
SECONDS_TO_FIRST_PICTURE = 120


class Tutorial(GoldenTest):
    def shell(self, line):
        """As a reader types it, with the program on the path."""
        there = self.folder / "bin"
        there.mkdir(exist_ok=True)
        if not (there / "thixo").exists():
            (there / "thixo").symlink_to(harness.PROGRAM)
        environment = dict(harness.environment(), PATH=f"{there}:{os.environ['PATH']}")
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        result = subprocess.run(["sh", "-c", line], cwd=work, env=environment, capture_output=True, text=True,
                                timeout=harness.PATIENCE)
        self.assertEqual(result.returncode, 0, f"{line}\n{result.stdout}\n{result.stderr}")
        self.assertEqual(result.stderr, "", line)
        return result.stdout

    def test_every_command(self):
        work = self.folder / "work"
        commands = 0
        for kind, name, text in BLOCK.findall(TUTORIAL.read_text()):
            if name:
                (work / name).write_text(text)
            elif kind == "sh":
                for line in text.splitlines():
                    self.shell(line)
                    commands += 1
        self.assertGreaterEqual(commands, 12)
        for picture in ("melt_preview.png", "drink_preview.png", "out/melt/pictures/contact_sheet.png",
                        "out/break/pictures/0025.png"):
            self.assertGreater((work / picture).stat().st_size, 2000, picture)
        # What the text says of the three scenes.
        rows = [line.split(",") for line in (work / "out/drink/probes.csv").read_text().splitlines()]
        last = dict(zip(rows[0], map(float, rows[-1])))
        self.assertGreater(last["cube.y"], 0.055)
        self.assertLess(last["pebble.y"], 0.03)
        self.assertLess(last["glass.fy"], 0)
        self.assertIn("came off", self.shell("thixo info out/break/bodies.csv"))
        self.assertNotIn("came off", self.shell("thixo info out/tough/bodies.csv"))
        self.assertIn("remedies", self.shell("thixo check drink.json"))

    def test_two_minutes_to_the_first_picture(self):
        start = time.monotonic()
        self.shell("thixo new melt")
        scene = self.folder / "work" / "melt.json"
        scene.write_text(scene.read_text().replace('"temperature": 120', '"temperature": 150'))
        self.assertIn("melt_preview.png", self.shell("thixo preview melt.json"))
        self.shell("thixo run melt.json --frames 10")
        self.shell("thixo render out/melt --frames 10")
        self.assertTrue((self.folder / "work/out/melt/pictures/0010.png").exists())
        self.assertLess(time.monotonic() - start, SECONDS_TO_FIRST_PICTURE)

    def test_preview_is_refused_like_any_other_command(self):
        scene = self.folder / "x.json"
        scene.write_text('{ "objects": [ { "material": "watr", "shape": { "sphere": { "center": [0,0,0], "radius": 1 } } } ] }')
        self.check_refused(harness.thixo("preview", scene, cwd=self.folder), "watr", 'did you mean "water"?')
        self.assertEqual(list(self.folder.glob("*.png")), [])


if __name__ == "__main__":
    harness.main()
