"""A disk that is full or read-only ends a run with the file and the reason; what was finished stays usable."""

import contextlib
import os
import pathlib
import re
import resource
import subprocess
import tempfile

import harness
from harness import TANK, GoldenTest

# A handful of particles: then the ledger is what grows.
FEW = (TANK, "--set", "particles.spacing=0.2", "--set", "frame_rate=200", "--set", "output.particles=[]")


def can_mount():
    return os.geteuid() == 0 and subprocess.run(
        "d=$(mktemp -d) && mount -t tmpfs thixo $d && umount $d && rmdir $d", shell=True,
        capture_output=True).returncode == 0


class Disk(GoldenTest):
    @contextlib.contextmanager
    def disk(self, options):
        """A small file system of our own."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "thixo", place], check=True)
        try:
            yield place
        finally:
            subprocess.run(["umount", place], check=True)

    def check_full(self, result, out, reference, words):
        """The run stopped half-way, and what it left is the beginning of the reference."""
        self.check_message(result, 1, str(out), *words)
        self.assertIn("last good checkpoint", result.stderr)
        harness.check_whole(out)
        self.assertEqual([name for name in harness.files(out) if name.endswith(".part")], [])
        finished = harness.hashes(out)
        self.assertGreater(len(finished), 2)
        self.assertLess(len(finished), len(reference))
        self.assertEqual(finished, reference[:len(finished)])

    def test_file_size_limit(self):
        """Stands for a full disk where a small one cannot be mounted; every appended row meets it in its middle."""
        reference = self.folder / "reference"
        self.run_ok(*FEW, "--frames", 100, "--out", reference)
        largest = max((reference / name).stat().st_size for name in ("scene.json", "checkpoint"))
        limit = largest + 3000
        self.assertGreater((reference / "stats.csv").stat().st_size, limit + 1000)
        out = self.folder / "limited"
        result = harness.thixo("run", *FEW, "--frames", 100, "--out", out,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.check_full(result, out, harness.hashes(reference), ["stats.csv", "File too large"])
        self.run_ok(*FEW, "--frames", 100, "--out", out, "--resume")
        self.assertEqual(harness.outcome(out), harness.outcome(reference))

    def test_file_that_cannot_grow_at_all(self):
        out = self.folder / "limited"
        limit = 8000  # enough for scene.json, too little for the checkpoint
        result = harness.thixo("run", *FEW, "--out", out,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.check_message(result, 1, "checkpoint", "File too large")
        self.assertFalse((out / "checkpoint").exists())
        self.run_ok(*FEW, "--frames", 2, "--out", out)

    def test_full_disk(self):
        if not can_mount():
            self.skipTest("cannot mount a small disk here")
        scene = (TANK, "--set", 'output.particles=["ply","vtu","bgeo"]')
        reference = self.folder / "reference"
        self.run_ok(*scene, "--out", reference)
        size = sum(p.stat().st_size for p in harness.files(reference).values())
        for fraction in (0.5, 0.7, 0.9):
            room = int(fraction * size) // 4096 * 4096
            with self.subTest(fraction=fraction), self.disk(f"size={room}") as place:
                self.check_full_disk(place, scene, reference, 4 * size)

    def check_full_disk(self, place, scene, reference, enough):
        out = place / "out"
        result = harness.thixo("run", *scene, "--out", out)
        self.check_full(result, out, harness.hashes(reference), ["No space left on device"])
        self.assertRegex(result.stderr, rf"cannot \w+ {re.escape(str(out))}/\S+: No space left on device\n")
        # Still full: nothing gets worse.
        before = harness.outcome(out)
        self.check_message(harness.thixo("run", *scene, "--out", out, "--resume"), 1, "No space left on device")
        self.assertEqual(harness.outcome(out), before)
        subprocess.run(["mount", "-o", f"remount,size={enough}", place], check=True)
        self.run_ok(*scene, "--out", out, "--resume")
        self.assertEqual(harness.outcome(out), harness.outcome(reference))

    def check_read_only(self, place, reason):
        for out in (place / "out", place):
            self.check_message(harness.thixo("run", TANK, "--out", out), 1, str(out), reason)
        self.assertEqual(list(place.iterdir()), [])

    def test_read_only(self):
        if os.geteuid() != 0:
            place = self.folder / "sealed"
            place.mkdir(mode=0o555)
            self.check_read_only(place, "Permission denied")
        elif can_mount():  # permissions do not bind root
            with self.disk("ro") as place:
                self.check_read_only(place, "Read-only file system")
        else:
            self.skipTest("root, and cannot mount a read-only disk here")

    def test_run_becomes_read_only(self):
        if not can_mount():
            self.skipTest("cannot mount a disk here")
        with self.disk("size=20m") as place:
            out = place / "out"
            self.run_ok(TANK, "--frames", 2, "--out", out)
            before = harness.digest(out)
            subprocess.run(["mount", "-o", "remount,ro", place], check=True)
            for option in ("--resume", "--force"):
                result = harness.thixo("run", TANK, "--out", out, option)
                self.check_message(result, 1, str(out), "Read-only file system")
                self.assertEqual(harness.digest(out), before)

    def test_below_a_file(self):
        (self.folder / "file").write_text("not a folder")
        result = harness.thixo("run", TANK, "--out", self.folder / "file" / "out")
        self.check_message(result, 1, str(self.folder / "file"), "Not a directory")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            for arguments in (("schema",), ("reference",), ("check", TANK), ("--version",)):
                result = harness.thixo(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
                self.check_message(result, 1, "No space left on device")


if __name__ == "__main__":
    harness.main()
