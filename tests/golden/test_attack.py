"""What happens by accident or malice: two runs in one folder, files that were edited, devices instead of files, absurd
scenes, too little memory. It ends with the reason, and nothing is lost."""

import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import time
import zlib

import harness
from harness import TANK, GoldenTest

# Long enough to be met while it runs.
LONG = (TANK, "--set", "frame_rate=200", "--set", "duration=100", "--set", "particles.spacing=0.1")
SHORT = (TANK, "--set", "particles.spacing=0.2", "--set", "frame_rate=100")


class Lock(GoldenTest):
    def start_long(self, out):
        process = harness.start("run", *LONG, "--out", out, "--threads", 1)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None and not (out / "checkpoint").exists():
            time.sleep(0.01)
        self.assertIsNone(process.poll())
        return process

    def test_folder_in_use(self):
        out = self.folder / "out"
        process = self.start_long(out)
        for options in ((), ("--force",), ("--resume",)):
            result = harness.thixo("run", *LONG, "--out", out, "--frames", 1, *options)
            self.check_refused(result, str(out), f"process {process.pid}", socket.gethostname())
        self.assertIsNone(process.poll(), "the first run goes on")
        # Looking is allowed, whatever is being written and renamed meanwhile.
        for _ in range(20):
            self.assertEqual(harness.thixo("info", out).returncode, 0)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(harness.PATIENCE), 130)
        self.assertFalse((out / "lock").exists())
        frames = [row["frame"] for row in harness.ledger(out)]
        self.assertEqual(frames, list(range(len(frames))))

    def test_lock_of_a_killed_run_does_not_block(self):
        out = self.folder / "out"
        process = self.start_long(out)
        process.kill()
        process.wait()
        self.assertTrue((out / "lock").exists())
        frames = len(harness.ledger(out)) + 2
        self.run_ok(*LONG, "--out", out, "--resume", "--frames", frames)
        self.assertFalse((out / "lock").exists())
        self.assertEqual([row["frame"] for row in harness.ledger(out)], list(range(frames + 1)))

    def test_two_that_start_at_once(self):
        for attempt in range(5):
            out = self.folder / f"out {attempt}"
            both = [harness.start("run", *SHORT, "--frames", 30, "--out", out, "--threads", 1) for _ in range(2)]
            codes = sorted(p.wait(harness.PATIENCE) for p in both)
            self.assertEqual(codes, [0, 2])
            self.assertEqual([row["frame"] for row in harness.ledger(out)], list(range(31)))
            harness.check_whole(out)

    def test_two_renderings(self):
        out = self.folder / "out"
        self.run_ok(*SHORT, "--frames", 2, "--out", out)
        (out / "pictures").mkdir()
        for name in ("0001.png.part", "movie.mp4.part"):
            (out / "pictures" / name).write_text("half")
        (out / "pictures" / "mine.png.part").write_text("not ours")
        arguments = ("render", out, "--width", 64, "--height", 48, "--samples", 1)
        both = [harness.start(*arguments, "--threads", 1) for _ in range(2)]
        self.assertIn(sorted(p.wait(harness.PATIENCE) for p in both), ([0, 0], [0, 2]))
        left = {p.name for p in (out / "pictures").iterdir()}
        self.assertEqual(left, {"0000.png", "0001.png", "0002.png", "contact_sheet.png", "mine.png.part"})


class Ledger(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.run_ok(*SHORT, "--frames", 6, "--out", self.out)
        self.stats = self.out / "stats.csv"
        self.whole = self.stats.read_bytes()

    def resume(self, frames=8):
        return harness.thixo("run", *SHORT, "--frames", frames, "--out", self.out, "--resume")

    def frames(self):
        return [row["frame"] for row in harness.ledger(self.out)]

    def test_line_ends_of_windows(self):
        self.stats.write_bytes(self.whole.replace(b"\n", b"\r\n"))
        result = self.resume()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.frames(), list(range(9)))
        self.assertEqual(self.stats.read_bytes()[:len(self.whole)], self.whole)

    def test_foreign_files_are_not_touched(self):
        header, rows = self.whole.split(b"\n", 1)
        for text, line in ((b"frame;time;steps\n" + rows, "line 1"), (header + b",mine\n" + rows, "line 1"),
                           (b"\xef\xbb\xbf" + self.whole, "line 1"), (b"my notes", "line 1"),
                           (self.whole.replace(b"\n3,", b"\nthree,"), "line 5"),
                           (self.whole.replace(b"\n3,", b"3,"), "line 4"),  # two rows in one
                           (self.whole + self.whole.split(b"\n")[2] + b"\n", "line 9")):
            self.stats.write_bytes(text)
            before = harness.digest(self.out)
            self.check_refused(self.resume(), str(self.stats), line, "--force")
            self.assertEqual(harness.digest(self.out), before)

    def test_missing_rows_are_named(self):
        lines = self.whole.splitlines(keepends=True)
        self.stats.write_bytes(b"".join(lines[:2] + lines[3:4] + lines[6:]))  # without frames 1, 3 and 4
        result = self.resume()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, f"warning: {self.stats} has no row for frame 1, 3 to 4\n")
        self.assertIn(result.stderr, (self.out / "log.txt").read_text())
        self.assertEqual(self.frames(), [0, 2, 5, 6, 7, 8])
        self.stats.unlink()
        self.assertIn("frame 0 to 8", self.resume(9).stderr)

    def test_row_that_was_cut_short(self):
        self.stats.write_bytes(self.whole + b"7,0.07,1")
        self.assertEqual(self.resume().returncode, 0)
        self.assertEqual(self.frames(), list(range(9)))


class Starts(GoldenTest):
    def test_failed_start_leaves_nothing(self):
        for out in (self.folder / "a" / "b", self.folder / "there"):
            if out.name == "there":
                out.mkdir()
            result = harness.thixo("run", *SHORT, "--frames", 1, "--out", out,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
            self.check_message(result, 1, "File too large")
            self.assertEqual(list(self.folder.iterdir()), [out] if out.name == "there" else [])
            self.assertEqual(list(out.iterdir()) if out.exists() else [], [])
            self.run_ok(*SHORT, "--frames", 1, "--out", out)
            subprocess.run(["rm", "-r", self.folder / out.relative_to(self.folder).parts[0]], check=True)

    def test_unwritable_messages(self):
        for how in ("2>/dev/full", "2>&-"):
            result = subprocess.run(f"{harness.PROGRAM} check {self.folder}/missing.json {how}", shell=True,
                                    env=harness.environment(), capture_output=True)
            self.assertEqual(result.returncode, 2, how)
            result = subprocess.run(f"{harness.PROGRAM} rum {how}", shell=True, env=harness.environment())
            self.assertEqual(result.returncode, 2, how)

    def test_more_threads_than_can_be(self):
        result = harness.thixo("run", *SHORT, "--threads", 500, "--out", self.folder / "out",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
        self.check_refused(result, "500 threads", "--threads")
        self.assertEqual(list(self.folder.iterdir()), [])


class OddFiles(GoldenTest):
    def check_quickly(self, *arguments, words):
        self.check_refused(harness.thixo(*arguments, timeout=60), *words)

    def test_pipes(self):
        pipe = self.folder / "pipe.json"
        os.mkfifo(pipe)
        self.check_quickly("check", pipe, words=["pipe.json", "pipe"])
        for name in ("p.ply", "checkpoint", "stats.csv"):
            os.mkfifo(self.folder / name)
            self.check_quickly("info", self.folder / name, words=[name, "pipe"])
        for kind, name in (("mesh", "m.obj"), ("height_field", "h.png")):
            os.mkfifo(self.folder / name)
            shape = {"mesh": {"file": str(self.folder / name)},
                     "height_field": {"image": str(self.folder / name), "min": [0, 0, 0], "max": [1, 1, 1]}}[kind]
            self.check_quickly("check", TANK, "--set", "obstacles.1.shape=" + json.dumps({kind: shape}),
                               words=[name, "pipe"])
        particles = self.folder / "run" / "particles"
        particles.mkdir(parents=True)
        os.mkfifo(particles / "0000.ply")
        self.check_quickly("render", self.folder / "run", words=["0000.ply", "pipe"])

    def test_scene_through_a_pipe(self):
        result = subprocess.run(f"(sleep 1.5; cat {TANK}) | {harness.PROGRAM} check /dev/stdin", shell=True,
                                env=harness.environment(), capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_symlink_loop(self):
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        for arguments in (("check", loop), ("info", loop), ("render", loop), ("run", TANK, "--out", loop)):
            self.check_quickly(*arguments, words=[str(loop), "Too many levels of symbolic links"])

    def test_huge_images(self):
        def png(width, height, colour):
            def chunk(name, data):
                return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            head = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, 0)
            return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
        images = {"a.png": (png(16384, 16384, 6), "16384 × 16384"), "b.png": (png(60000, 60000, 0), "60000 × 60000"),
                  "c.png": (png(2**31 - 1, 1, 0), "2147483647 × 1"), "d.pgm": (b"P5 60000 60000 255\n", "60000 × 60000"),
                  "e.pgm": (b"P5 16000 16000 255\n", "16000 × 16000")}
        for name, (data, size) in images.items():
            (self.folder / name).write_bytes(data)
            shape = {"height_field": {"image": str(self.folder / name), "min": [0, 0, 0], "max": [1, 1, 1]}}
            self.check_quickly("check", TANK, "--set", "obstacles.1.shape=" + json.dumps(shape),
                               words=[name, size, "allowed", "100 million"])

    def test_array_before_its_piece(self):
        array = '<DataArray type="Float32" Name="{}" NumberOfComponents="{}" format="ascii"></DataArray>'
        text = ('<VTKFile type="UnstructuredGrid"><Points>' + array.format("position", 3) + "</Points><PointData>"
                + array.format("radius", 1) + '</PointData><Piece NumberOfPoints="100"></Piece></VTKFile>')
        path = self.folder / "p.vtu"
        path.write_text(text)
        self.check_quickly("info", path, words=[str(path), "before <Piece>"])

    def test_small_files_that_declare_much(self):
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))}
        indices = b"".join(struct.pack(">H", 1) + b"a" + struct.pack(">Hii", 65535, 4, 0) for _ in range(8000))
        floats = b"".join(struct.pack(">H", 1) + b"a" + struct.pack(">Hi", 1000, 0) + b"\0" * 4000 for _ in range(30))
        for attributes, points in ((indices, 0), (floats, 0), (floats, 2**31 - 1)):
            count = attributes.count(b"\0\1a")
            head = b"BgeoV" + struct.pack(">9i", 5, points, 0, 0, 0, count, 0, 0, 0)
            path = self.folder / "p.bgeo"
            path.write_bytes(head + attributes)
            self.check_refused(harness.thixo("info", path, **limit), str(path))


class Pictures(GoldenTest):
    def write_ply(self, *rows):
        path = self.folder / "run" / "particles" / "0000.ply"
        path.parent.mkdir(parents=True, exist_ok=True)
        names = ("x", "y", "z", "radius", "temperature")
        path.write_text(f"ply\nformat ascii 1.0\nelement vertex {len(rows)}\n"
                        + "".join(f"property float {n}\n" for n in names) + "end_header\n"
                        + "".join(" ".join(map(str, row)) + "\n" for row in rows))
        return path

    def render(self, *options):
        return harness.thixo("render", self.folder / "run", "--width", 64, "--height", 48, "--samples", 1, *options)

    def test_places_that_no_picture_has(self):
        self.write_ply((0, 0, 0, 0.1, 20), (1, 1, 1, 0.1, 30))
        for option in ("--eye", "--target"):
            for far in ("1e20", "-1e300", "nan", "inf", "2e6"):
                self.check_refused(self.render(option, far, 1, 1), option, "allowed")
        self.assertEqual(self.render("--eye", 9e5, 1, 1).returncode, 0)

    def test_particles_that_no_picture_has(self):
        for bad in ((1e20, 0, 0, 0.1, 20), ("nan", 0, 0, 0.1, 20), (0, "inf", 0, 0.1, 20), (0, 0, -2e6, 0.1, 20),
                    (0, 0, 0, 1e20, 20), (0, 0, 0, "nan", 20), (0, 0, 0, -1, 20)):
            path = self.write_ply((0, 0, 0, 0.1, 20), bad)
            self.check_refused(self.render(), str(path), "particle 1")

    def test_values_that_are_no_numbers(self):
        for first, second in (("nan", "inf"), (1e38, -1e38), ("nan", "nan"), (3e38, 3e38)):
            self.write_ply((0, 0, 0, 0.1, first), (1, 1, 1, 0.1, second))
            result = self.render("--colour-by", "temperature")
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_far_and_huge_particles_within_bounds(self):
        for rows in (((9e5, 0, 0, 0.1, 20), (0, 0, 0, 0.1, 20)), ((0, 0, 0, 9e5, 20),), ((0, 0, 0, 0, 20),),
                     ((0, 0, 0, 1e-38, 20), (1e-38, 0, 0, 1e-38, 20))):
            self.write_ply(*rows)
            result = self.render()
            self.assertEqual((result.returncode, result.stderr), (0, ""), rows)

    def test_messages(self):
        self.write_ply((0, 0, 0, 0.1, 20))
        self.check_refused(self.render("--frames", "4:0"), "--frames", "ends before it begins", "0:4")
        self.check_refused(self.render("--radius", "-1"), "--radius", "above 0")
        self.check_refused(self.render("--radius", "nan"), "--radius", "above 0")
        self.check_refused(self.render("--radius", "1e30"), "--radius", "at most")
        self.check_refused(harness.thixo("run", TANK, "--frames", "4:0"), "--frames", "4:0")

    def test_numbers_that_are_none(self):
        self.write_ply((0, 0, 0, 0.1, 20))
        run = self.folder / "run"
        for option in ("--aperture", "--focus", "--shutter", "--fov", "--turn", "--noise", "--resolution", "--radius"):
            self.check_refused(self.render(option, "nan"), option, "nan", "allowed" if option != "--radius" else "above 0")
        for option in ("--resolution", "--specks", "--slivers", "--radius"):
            self.check_refused(harness.thixo("surface", run, option, "nan"), option, "nan")
        for option in ("--air", "--crests", "--rise", "--size"):
            self.check_refused(harness.thixo("foam", run, option, "nan"), option, "nan")
        self.check_refused(harness.thixo("export", run, "--to", "obj", "--radius", "-1"), "--radius", "above 0")
        for cut in ("z>1e400", "z>nan", "z>-1e20"):
            self.check_refused(self.render("--clip", cut), "--clip", "expected an axis")


class Surfaces(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.run_ok(*SHORT, "--frames", 1, "--out", self.out)
        self.assertEqual(harness.thixo("surface", self.out, "--quiet").returncode, 0)
        self.mesh = self.out / "surface" / "all" / "0001.ply"

    def every_command(self):
        yield "render", self.out, "--as", "skin", "--width", 32, "--height", 32, "--samples", 1, "--out", self.folder / "p"
        for kind in ("gltf", "usd", "obj", "vtp"):
            yield "export", self.out, "--to", kind, "--out", self.folder / kind

    def test_surface_without_triangles(self):
        # What a tap has made at t = 0.
        names = self.mesh.read_bytes().split(b"end_header\n")[0].decode().splitlines()
        head = [re.sub(r"^element (\w+) \d+", r"element \1 0", line) for line in names]
        self.mesh.write_text("\n".join(head) + "\nend_header\n")
        for command in self.every_command():
            result = harness.thixo(*command)
            self.assertEqual((result.returncode, result.stderr), (0, ""), command)

    def test_surface_that_is_none(self):
        for data in (bytes(3000), b"\xef\xbb\xbf" + self.mesh.read_bytes(), b"", self.mesh.read_bytes()[:900]):
            self.mesh.write_bytes(data)
            for command in self.every_command():
                self.check_refused(harness.thixo(*command), "0001.ply")

    def test_tables_that_are_devices(self):
        os.mkfifo(self.folder / "pipe.csv")
        for file in ("/dev/zero", self.folder / "pipe.csv"):
            self.check_refused(harness.thixo("plot", file, timeout=60), str(file), "pipe or a device")
        (self.out / "stats.csv").unlink()
        os.mkfifo(self.out / "stats.csv")
        self.check_refused(harness.thixo("plot", self.out, timeout=60), "stats.csv", "pipe or a device")


class AbsurdStates(GoldenTest):
    def test_squeezed_liquid_stops(self):
        out = self.folder / "out"
        result = harness.thixo("run", TANK, "--set", "gravity=[0,-1e5,0]", "--set", "frame_rate=100", "--out", out)
        self.check_message(result, 1, "compressed by", "frame", "sound_speed", "gravity (100000 m/s²)")
        # The start itself is beyond the bound: nothing of the run is left.
        self.assertIn("in frame 0", result.stderr)
        self.assertFalse(out.exists())

    def test_crushed_solid_stops(self):
        scene = self.folder / "crush.json"
        scene.write_text(json.dumps({
            "dimensions": 2, "duration": 1, "frame_rate": 30, "particles": {"spacing": 0.05}, "solver": {"pressure": "tait"},
            "materials": {"foam": {"density": 1000, "liquid": {"sound_speed": 20}, "solid": {"young_modulus": 1e3, "damping": 0.01}}},
            # It moves: what rests starts in balance with its weight, and this would be stopped before its first step.
            "objects": [{"name": "block", "material": "foam", "phase": "elastic", "velocity": [0, -0.01, 0],
                         "shape": {"box": {"min": [-0.5, 0, -1], "max": [0.5, 1, 1]}}}],
            "obstacles": [{"name": "pot", "inside": True, "friction": 0,
                           "shape": {"box": {"min": [-0.5, 0, -1], "max": [0.5, 4, 1]}}}]}))
        out = self.folder / "out"
        result = harness.thixo("run", scene, "--out", out)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"\nerror: solids are compressed by \d+ % on average in frame \d+ ")
        self.assertIn("materials.foam.solid.young_modulus (1000 Pa)", result.stderr)
        self.assertRegex((out / "log.txt").read_text(), r"warning: solids are compressed by \d+ % on average in frame \d+ ")
        self.assertTrue(all(row["solid_density_error"] < 1 for row in harness.ledger(out)))

    def test_doubtful_compression_is_a_warning(self):
        out = self.folder / "out"
        result = harness.thixo("run", TANK, "--set", "gravity=[0,-100,0]", "--set", "materials.water.liquid.sound_speed=10",
                               "--set", "materials.oil.liquid.sound_speed=10", "--frames", 6, "--quiet", "--out", out)
        worst = max(row["density_error"] for row in harness.ledger(out))
        self.assertGreater(worst, 0.1)
        if worst < 0.5:
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"\Awarning: liquids are compressed by \d+ % on average in frame \d+ ")
        self.assertIn(result.stderr.splitlines()[0], (out / "log.txt").read_text())

    def test_heat_stops_at_absolute_zero(self):
        for conductivity in (0, 0.6, 6e4):
            out = self.folder / str(conductivity)
            cooler = {"region": {"sphere": {"center": [0, 0, 0], "radius": 0.3}}, "power": -1e12}
            self.run_ok(TANK, "--set", "heaters=" + json.dumps([cooler]), "--set",
                        f"materials.water.heat.conductivity={conductivity}", "--frames", 4, "--out", out)
            coldest = [row["t_min"] for row in harness.ledger(out)]
            self.assertLess(min(coldest), -272)
            self.assertGreaterEqual(min(coldest), -273.16)


class Memory(GoldenTest):
    def test_scene_that_does_not_fit(self):
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))}
        for command in (("check", TANK), ("run", TANK, "--out", self.folder / "out")):
            started = time.monotonic()
            result = harness.thixo(*command, "--set", "particles.spacing=0.0016", **limit)
            self.check_refused(result, "particles.spacing", "million particles", "GB of memory", "would fit")
            self.assertLess(time.monotonic() - started, 60)
        fitting = float(re.search(r"a spacing of (\S+) m would fit", result.stderr)[1])
        self.assertLess(fitting, 0.02)
        self.assertEqual(list(self.folder.iterdir()), [])
        result = harness.thixo("check", TANK, "--set", f"particles.spacing={4 * fitting}", **limit)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    harness.main()
