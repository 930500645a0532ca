"""A run that is killed at any moment, or interrupted, leaves nothing half written and resumes to the same bits."""

import os
import random
import re
import signal
import time

import harness
from harness import TANK, GoldenTest

FILES = ("--set", 'output.particles=["ply","vtu","bgeo"]', "--set", "output.checkpoint_every=1")


def half_written(folder):
    """Whether a file is being written in a run's folder at this moment."""
    for place in (folder, folder / "particles"):
        try:
            if any(name.endswith(".part") for name in os.listdir(place)):
                return True
        except FileNotFoundError:
            pass
    return False


def kill_later(process, delay):
    """Returns whether the program was still running then."""
    try:
        process.wait(delay)
    except harness.subprocess.TimeoutExpired:
        pass
    process.kill()
    return process.wait() == -signal.SIGKILL


def kill_while_writing(process, folder, files):
    """Kills it in the middle of the n-th file."""
    seen, before = 0, False
    while process.poll() is None:
        now = half_written(folder)
        seen += now and not before
        before = now
        if seen == files:
            break
    process.kill()
    return process.wait() == -signal.SIGKILL


class Disturbed(GoldenTest):
    def setUp(self):
        super().setUp()
        self.reference = self.folder / "undisturbed"
        begin = time.monotonic()
        self.run_ok(*self.SCENE, "--out", self.reference, "--threads", 1)
        self.seconds = time.monotonic() - begin  # to spread the kills over a run, not to judge it
        harness.check_whole(self.reference)

    def check_finish(self, out):
        """Resumes to the end; the output must not depend on the interruptions."""
        self.run_ok(*self.SCENE, "--out", out, *harness.go_on(out), "--threads", 2)
        self.assertEqual(harness.outcome(out), harness.outcome(self.reference))
        harness.check_whole(out)
        self.assertEqual([name for name in harness.files(out) if name.endswith(".part")], [])


class Kill(Disturbed):
    # Many particles and short frames: much of the time is spent writing.
    SCENE = (TANK, *FILES, "--set", "frame_rate=200", "--set", "duration=0.05", "--set", "particles.spacing=0.03")

    def test_kill_9(self):
        dice = random.Random(12 if harness.FULL else 7)
        wanted = 60 if harness.FULL else 10
        kills = caught_writing = 0
        for attempt in range(20 * wanted):
            if kills == wanted:
                break
            # A run suffers several kills; after each the next process goes on from what it finds.
            out = self.folder / f"killed {attempt // 5}"
            process = harness.start("run", *self.SCENE, "--out", out, *harness.go_on(out), "--threads", dice.choice((1, 2, 3)))
            kind = attempt % 3
            if kind == 0:
                killed = kill_later(process, dice.uniform(0, self.seconds / 2))
            elif kind == 1:
                killed = kill_while_writing(process, out, dice.randint(1, 12))
            else:
                killed = kill_later(process, dice.uniform(0, 0.03))  # while it starts
            kills += killed
            if out.exists():
                caught_writing += half_written(out)
                harness.check_whole(out)
        self.assertEqual(kills, wanted)
        self.assertGreater(caught_writing, 0, "no kill met a file that was being written")
        for out in self.folder.glob("killed *"):
            self.check_finish(out)


class Interrupt(Disturbed):
    # Few long frames: nearly all of the time is spent between them.
    SCENE = (TANK, *FILES, "--set", "frame_rate=4", "--set", "particles.spacing=0.06")

    def start_and_wait_for_frame_0(self, out, *options, **how):
        process = harness.start("run", *self.SCENE, "--out", out, *options, **how)
        while process.poll() is None and not (out / "checkpoint").exists():
            time.sleep(0.001)
        return process

    def interrupt_when_moving(self, out, number):
        """Stops a run in its midst. Returns the time it stands at, in frames."""
        process = self.start_and_wait_for_frame_0(out, "--threads", 1)
        time.sleep(0.05)
        process.send_signal(number)
        code = process.wait(harness.PATIENCE)
        if code == 0:
            return 0.0  # it was quicker
        self.assertEqual(code, harness.interrupted(number)[0])
        harness.check_whole(out)
        info = harness.thixo("info", out / "checkpoint").stdout
        return 4 * float(re.search(r"t = (\S+) s", info)[1])

    def check_signal(self, number):
        for attempt in range(20):
            out = self.folder / str(attempt)
            frames = self.interrupt_when_moving(out, number)
            self.check_finish(out)
            if abs(frames - round(frames)) > 1e-3:
                return
        self.fail("no checkpoint between two frames: the signal waits for the end of the frame")

    def test_ctrl_c(self):
        self.check_signal(signal.SIGINT)

    def test_terminate(self):
        self.check_signal(signal.SIGTERM)

    def test_ctrl_c_while_it_starts(self):
        for k in range(8):
            out = self.folder / str(k)
            process = harness.start("run", *self.SCENE, "--out", out)
            time.sleep(0.004 * k)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(harness.PATIENCE), (0, *harness.interrupted(signal.SIGINT)))
            if out.exists():
                harness.check_whole(out)
        self.check_finish(out)

    def test_says_how_to_go_on(self):
        out = self.folder / "it's here"
        process = self.start_and_wait_for_frame_0(out, "--frames", 1, stdout=harness.subprocess.PIPE)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=harness.PATIENCE)[0].decode()
        self.assertEqual(process.returncode, 130)
        advice = re.search(r"continue with: thixo (.*)\n", text)[1]
        result = harness.subprocess.run(
            f"{harness.PROGRAM} {advice}", shell=True, env=harness.environment(), capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(harness.hashes(out), harness.hashes(self.reference)[:2])


if __name__ == "__main__":
    harness.main()
