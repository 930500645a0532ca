"""Progress: a bar in place on a terminal, plain lines in a file, nothing with --quiet."""

import fcntl
import os
import pty
import re
import struct
import termios

import harness
from harness import TANK, GoldenTest

BAR = r"\[([#.]{20})\] frame (\d+)/4"


class Terminal(GoldenTest):
    def on_terminal(self, *arguments, columns=200):
        """What the program sends to a terminal of this width, and its exit code."""
        process, terminal = pty.fork()
        if process == 0:
            try:
                os.execvpe(harness.PROGRAM, harness.command(*arguments), harness.environment())
            finally:
                os._exit(127)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
        text = b""
        while True:
            try:
                block = os.read(terminal, 65536)
            except OSError:  # the program has ended
                break
            if not block:
                break
            text += block
        os.close(terminal)
        return text.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def test_bar(self):
        text, code = self.on_terminal("run", TANK, "--frames", 4, "--out", self.folder / "out")
        self.assertEqual(code, 0, text)
        drawn = text.split("\r")
        bars = [line for line in drawn if re.match(BAR, line)]
        self.assertGreaterEqual(len(bars), 5)
        self.assertEqual({int(re.match(BAR, line)[2]) for line in bars}, {0, 1, 2, 3, 4})
        for line in bars:
            self.assertRegex(line, r"t = \d\.\d{4} s  \d+ steps  [\d,]+ liquid  dt \S+ s")
            self.assertIn("\x1b[K", line)
        self.assertTrue(all("ETA " in line for line in bars if re.match(BAR, line)[2] in "123"))
        self.assertEqual(re.match(BAR, bars[-1])[1], "#" * 20)
        self.assertRegex(text, r"\r\ndone: 4 frames in ")
        self.assertNotIn("\nframe ", text)

    def test_narrow_terminal(self):
        """The line is cut where it ends, between characters, and what matters most comes first."""
        scene = self.folder / "scene.json"
        scene.write_text(TANK.read_text().replace('"water"', '"wässriges Wasser für den Wärmeübergang"'))
        for columns in (60, 90, 130, 131, 132, 133, 134):
            out = self.folder / str(columns)
            text, code = self.on_terminal("run", scene, "--frames", 4, "--out", out, columns=columns)
            self.assertEqual(code, 0, text)
            bars = [line.split("\x1b")[0] for line in text.split("\r") if re.match(BAR, line)]
            self.assertLess(max(map(len, bars)), columns)
            self.assertTrue(any("ETA " in line for line in bars))

    def test_error_begins_on_its_own_line(self):
        text, code = self.on_terminal("run", TANK, "--out", self.folder / "out", "--set", "solver.time_step_scale=100")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"\r\nerror: the simulation diverged")

    def test_plain_lines(self):
        result = self.run_ok(TANK, "--frames", 4, "--out", self.folder / "out")
        self.assertNotRegex(result.stdout, r"[\r\x1b]")
        frames = re.findall(r"^frame (\d)/4  ", result.stdout, re.MULTILINE)
        self.assertEqual(frames, list("01234"))
        self.assertEqual(len(re.findall("^frame [123]/4  ETA ", result.stdout, re.MULTILINE)), 3)
        self.assertRegex(result.stdout, r"\ndone: 4 frames in .*\n\Z")

    def test_quiet(self):
        out = self.folder / "out"
        self.assertEqual(self.run_ok(TANK, "--frames", 2, "--out", out, "--quiet").stdout, "")
        self.assertEqual(self.on_terminal("run", TANK, "--frames", 3, "--out", out, "--quiet", "--resume"), ("", 0))
        self.assertIn("done: 3 frames", (out / "log.txt").read_text())
        result = harness.thixo("run", TANK, "--out", out, "--quiet")
        self.assertEqual(result.stdout, "")
        self.check_refused(result, "--resume")


if __name__ == "__main__":
    harness.main()
