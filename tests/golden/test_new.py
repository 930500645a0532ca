"""The first minutes of a new user: templates, and messages for what was misspelt."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATES = sorted(path.stem for path in (ROOT / "apps/thixo/templates").glob("*.json"))


def thixo(*arguments, cwd=None, columns=None):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if columns:
        environment["COLUMNS"] = str(columns)
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=600, env=environment)


class New(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)

    def test_every_template_is_listed_checks_and_runs(self):
        self.assertGreaterEqual(len(TEMPLATES), 6)
        listed = thixo("new").stdout
        for name in TEMPLATES:
            with self.subTest(template=name):
                self.assertIn(name, listed)
                made = thixo("new", name, cwd=self.at)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual((self.at / f"{name}.json").read_text(), (ROOT / f"apps/thixo/templates/{name}.json").read_text())
                check = thixo("check", f"{name}.json", cwd=self.at)
                self.assertEqual(check.returncode, 0, check.stderr)
                run = thixo("run", f"{name}.json", "--frames", 3, "--quiet", cwd=self.at)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(run.stderr, "")

    def test_an_existing_file_is_kept(self):
        (self.at / "melt.json").write_text("mine")
        refused = thixo("new", "melt", cwd=self.at)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("exists already", refused.stderr)
        self.assertEqual((self.at / "melt.json").read_text(), "mine")
        self.assertEqual(thixo("new", "melt", "other.json", cwd=self.at).returncode, 0)

    def test_misspelt(self):
        for arguments, near in ((("rnu", "x.json"), '"run"'), (("run", "x.json", "--reume"), '"--resume"'), (("new", "splsh"), '"splash"'),
                                (("check", "x.json", "--thread=2"), '"--threads"')):
            refused = thixo(*arguments, cwd=self.at)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"did you mean {near}?", refused.stderr)
            self.assertEqual(list(self.at.iterdir()), [])

    def test_help_follows_the_width_and_hides_the_path(self):
        for command in ((), ("run",), ("render",), ("preview",)):
            text = thixo(*command, "--help", columns=64).stdout
            self.assertNotIn(str(pathlib.Path(PROGRAM).parent), text)
            table = text[text.index("\n\n"):]
            long = [line for line in table.splitlines() if len(line) > 64 and " " in line.strip()]
            self.assertEqual(long, [])
            self.assertEqual(sorted(text.split()), sorted(thixo(*command, "--help").stdout.split()))

    def test_completion_and_man_page_follow_the_help(self):
        help_text = thixo("--help").stdout
        commands = [line.split()[0] for line in help_text.split("Subcommands:")[1].splitlines() if line.strip()]
        self.assertIn("run", commands)
        self.assertTrue(help_text.splitlines()[1].startswith("Usage: thixo "))
        for printed in (thixo("completion", "bash").stdout, thixo("completion", "fish").stdout, thixo("man").stdout):
            for command in commands:
                self.assertIn(command, printed)
            self.assertIn("resume", printed)
        completed = subprocess.run(
            ["bash", "-c", 'eval "$1"; COMP_WORDS=(thixo run --re); COMP_CWORD=2; _thixo; echo "${COMPREPLY[@]}"', "",
             thixo("completion", "bash").stdout], capture_output=True, text=True)
        self.assertEqual(completed.stdout.strip(), "--resume")


if __name__ == "__main__":
    unittest.main()
