"""The viewer: what a page does is replayed to the same bits, and no other client gets in or in the way."""

import json
import os
import signal
import socket
import struct
import time

import harness
from harness import HANDS, GoldenTest
from view_client import FRAME_HEAD, Page, Program

SCENE = (HANDS, "--set", "duration=100")


class ViewTest(GoldenTest):
    def start(self, *arguments, **options):
        program = Program(*arguments, **options)
        self.addCleanup(program.kill)
        return program

    def live(self, *arguments, **options):
        return self.start(*SCENE, "--threads", 1, "--out", self.folder / "view", "--speed", 0, *arguments, **options)

    def check_healthy(self, program):
        """A new page is served at once."""
        page = Page(program)
        self.assertEqual(page.status, 101)
        self.assertEqual(page.received("stage")["name"], "hands")
        self.assertGreater(page.frame()["count"], 1000)
        page.close()


class Live(ViewTest):
    def test_frames(self):
        program = self.live("--paused")
        page = Page(program)
        stage = page.received("stage")
        self.assertEqual((stage["live"], stage["dimensions"]), (True, 3))
        self.assertEqual([material["name"] for material in stage["constants"]["materials"]], ["water", "wood", "jelly", "wax"])
        frame = page.frame()
        self.assertEqual((frame["step"], frame["count"]), (0, 1360))
        self.assertEqual(len(frame["payload"]), FRAME_HEAD.size + 10 * frame["count"])
        for attribute in ("pressure", "latent", "mass", "speed", "id", "rigid_cluster"):
            self.assertIn(attribute, stage["attributes"])
        for attribute in stage["attributes"]:
            page.send({"colour": attribute})
            self.assertEqual(page.frame()["flags"] & 1, attribute in ("material", "phase", "object", "body", "rigid_cluster", "kinematic_id"))
        page.send({"colour": "position_low"})
        self.assertIn("no such attribute", page.received("refused"))
        page.send({"step": 3})
        page.send({"colour": "temperature"})
        while frame["step"] < 3:
            frame = page.frame()
        # Nothing changes any more: a frame that is requested does not come.
        page.send({"next": 1})
        page.connection.settimeout(0.5)
        with self.assertRaises(socket.timeout):
            page.receive()
        code, out, _ = program.stop()
        self.assertEqual(code, 0)
        self.assertFalse((self.folder / "view" / "events.jsonl").exists())

    def test_actions_are_replayed_to_the_same_bits(self):
        program = self.live("--paused")
        page = Page(program)
        page.frame()
        self.assertEqual(page.act(grab={"hand": 1, "at": [-0.3, 0.7, 0], "radius": 0.1}), "done")
        self.assertEqual(page.act(drag={"hand": 1, "to": [-0.3, 0.9, 0], "seconds": 0.05}), "done")
        self.assertEqual(page.act(heat={"hand": 2, "at": [0.39, 0.7, 0], "radius": 0.2, "power": 1e7}), "done")
        for action, why in [({"grab": {"hand": 1, "at": [0, 0.7, 0], "radius": 0.1}}, "busy"),
                            ({"grab": {"hand": 3, "at": [0, 1.7, 0], "radius": 0.1}}, "nothing solid"),
                            ({"drag": {"hand": 9, "to": [0, 0, 0], "seconds": 1}}, "does nothing"),
                            ({"pour": {"hand": 4, "material": "x", "at": [0, 1, 0], "radius": 0.1}}, "no material"),
                            ({"grab": {"hand": 1000, "at": [0, 0.7, 0], "radius": 0.1}}, "below 100"),
                            ({"shout": {}}, "unknown action"), ({}, "action")]:
            self.assertIn(why, page.act(**action))
        page.send({"step": 60})
        while page.frame()["step"] < 60:
            pass
        self.assertEqual(page.act(gravity={"acceleration": [0, -3, 0]}), "done")
        page.send({"pick": {"origin": [0.39, 0.7, 5], "direction": [0, 0, -1]}})
        picked = page.received("picked")
        self.assertEqual((picked["material"], picked["object"]), ("wax", "candle"))
        self.assertGreater(picked["temperature"], 25)
        # A page that is killed lets go of what it holds.
        page.close()
        other = Page(program)
        other.received("stage")
        other.send({"step": 100})
        while other.frame()["step"] < 160:
            pass
        other.send({"play": True})
        while other.frame()["frame"] < 5:
            pass
        hashes = other.hashes
        code, out, _ = program.stop()
        self.assertEqual(code, 0)
        events = self.folder / "view" / "events.jsonl"
        self.assertIn(str(events), out)
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        self.assertEqual([next(k for k in line if k != "step") for line in lines],
                         ["grab", "drag", "heat", "gravity", "release", "release"])
        self.assertEqual(lines[3]["step"], 60)
        out = self.folder / "replayed"
        self.run_ok(*SCENE, "--events", events, "--out", out, "--frames", 4, "--threads", 3)
        rows = harness.ledger(out)
        self.assertGreater(rows[4]["t_max"], 25)
        self.assertEqual([row["hash"] for row in rows], hashes[:5])

    def test_same_state_as_a_run(self):
        """What the page is shown at the end of a frame is what `thixo run` writes of it."""
        program = self.live("--paused")
        page = Page(program)
        page.frame()
        page.send({"colour": "temperature"})
        page.act(push={"at": [0, 0.7, 0], "radius": 0.2, "impulse": [2, 1, 0]})
        out = self.folder / "run"
        events = self.folder / "view" / "events.jsonl"
        self.run_ok(*SCENE, "--events", events, "--out", out, "--frames", 1)
        steps = int(harness.ledger(out)[1]["steps"])
        page.send({"step": steps})
        while (frame := page.frame())["step"] < steps:
            pass
        particles = harness.READERS[".ply"].read(out / "particles" / "0001.ply")
        values = FRAME_HEAD.unpack_from(frame["payload"])
        for axis, (name, low, high) in enumerate(zip("xyz", values[7:10], values[10:13])):
            self.assertAlmostEqual(low, min(particles[name]), places=6)
            self.assertAlmostEqual(high, max(particles[name]), places=6)


class Saved(ViewTest):
    def test_scrubbing(self):
        out = self.folder / "run"
        self.run_ok(HANDS, "--out", out, "--frames", 3, "--set", 'output.surface={"method": "density"}')
        program = self.start(out)
        page = Page(program)
        stage = page.received("stage")
        self.assertEqual((stage["live"], stage["frames"]), (False, 3))
        self.assertEqual(page.frame()["frame"], 0)
        page.send({"frame": 2})
        frame = page.frame()
        self.assertEqual(frame["frame"], 2)
        self.assertAlmostEqual(frame["time"], 0.1)
        page.send({"frame": 99})
        self.assertIn("there is no frame 99", page.received("refused"))
        page.send({"meshes": True})
        page.send({"next": 1})
        while True:
            opcode, payload = page.receive()
            if opcode == 2:
                break
        self.assertEqual(payload[:4], b"TXM1")
        self.assertEqual(payload[:4], b"TXM1")
        self.assertGreater(struct.unpack_from("<4sIII", payload)[2], 100, "triangles")
        page.send({"pick": {"origin": [0.39, 0.7, 5], "direction": [0, 0, -1]}})
        picked = page.received("picked")
        self.assertEqual((picked["material"], picked["object"]), ("wax", "candle"))
        self.assertEqual([entry["what"] for entry in picked["lineage"]], ["existed at the start"])
        for attribute in stage["attributes"]:
            page.send({"colour": attribute})
            page.frame()
        self.assertEqual(stage["units"]["temperature"], "°C")
        self.assertIn("cannot be touched", page.act(release={"hand": 1}))
        self.assertEqual(program.stop()[0], 0)


class Attack(ViewTest):
    def test_strangers_are_refused(self):
        program = self.live("--paused")
        here, root = f"127.0.0.1:{program.port}", f"/{program.token}/"
        self.assertEqual(program.request(root)[0], 200)
        self.assertEqual(program.request(root, {"Host": f"localhost:{program.port}"})[0], 200)
        for path, headers, status in [
            ("/", {}, 403), ("/live", {}, 403), ("/" + "0" * 32 + "/", {}, 403), (f"/{program.token}", {}, 403), (f"/{program.token[:-1]}/", {}, 403),
            (root, {"Host": "evil.example"}, 403), (root, {"Host": None}, 403), (root, {"Host": "127.0.0.1"}, 403),
            (root, {"Origin": "http://evil.example"}, 403), (root, {"Origin": "null"}, 403), (root, {"Origin": f"https://{here}"}, 403),
            (root + "live", {}, 400), (root + "nothing", {}, 404),
            (root + "../../../../etc/passwd", {}, 404), (root + "..%2f..%2fetc/passwd", {}, 404), (root + "/etc/passwd", {}, 404),
            (root + "events.jsonl", {}, 404), (root + "scene.json", {}, 404),
        ]:
            answer, body = program.request(path, headers)
            self.assertEqual(answer, status, (path, headers))
            self.assertNotIn(b"root:", body)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "get"):
            self.assertEqual(program.request(root, method=method)[0], 405)
        for headers in ({"Origin": "http://evil.example"}, {"Origin": None}, {"Host": "evil.example"}):
            self.assertEqual(Page(program, **headers).status, 403)
        self.assertEqual(Page(program, **{"Sec-WebSocket-Version": "8"}).status, 400)
        self.check_healthy(program)
        # Nothing listens on any other address of this machine.
        for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}:
            if not address.startswith("127."):
                with self.assertRaises(OSError):
                    socket.create_connection((address, program.port), timeout=2)
        self.assertEqual(program.stop()[0], 0)

    def test_messages_are_bounded(self):
        program = self.live("--paused")
        before = program.memory()
        page = Page(program)
        try:
            page.send_frame(1, b"", length=100 << 20)  # announced
            for _ in range(100):
                page.connection.sendall(b" " * (1 << 20))
        except OSError:
            pass  # it hung up
        page = Page(program)
        try:
            for _ in range(2000):  # in parts
                page.send_frame(1 if _ == 0 else 0, b" " * 60000, last=False)
        except OSError:
            pass
        page = Page(program)
        page.send_frame(1, b"", length=1 << 62)
        self.assertEqual(page.close_code(), 1009)
        self.assertLess(program.memory() - before, 20 << 20)
        page = Page(program)
        try:
            for _ in range(20000):
                page.send({"next": 1})
        except OSError:
            pass
        self.assertIn(page.close_code(), (1008, None))
        self.check_healthy(program)
        code, _, err = program.stop()
        self.assertEqual(code, 0)
        self.assertIn("too long", err)
        self.assertIn("too many", err)

    def test_garbage(self):
        program = self.live("--paused")
        for opcode, payload, options, code in [(2, b"abc", {}, 1002), (3, b"", {}, 1002), (0, b"x", {}, 1002), (1, b"x", {"masked": False}, 1002),
                                               (9, b"x" * 126, {}, 1002), (0x41, b"x", {}, 1002), (8, b"", {}, 1000)]:
            page = Page(program)
            page.send_frame(opcode, payload, **options)
            self.assertEqual(page.close_code(), code, (opcode, payload))
        page = Page(program)
        page.received("stage")
        for text in [b"", b"{", b"[]", b"1", b"null", b'{"a": 1, "b": 2}', b'{"fly": 1}', b'{"step": -1}', b'{"step": "x"}', b'{"speed": 1e999}',
                     b'{"colour": "no"}', b'{"colour": 3}', b'{"pick": 1}', b'{"pick": {"origin": [1], "direction": [0, 0, 1]}}',
                     b'{"pick": {"origin": [0, 0, 0], "direction": [0, 0, 0]}}', b'{"frame": 1}', b"\xff\xfe", b"[" * 60000, b'{"act": "x"}',
                     b'{"act": {"grab": {"hand": 1, "at": [0, 0, 0], "radius": 1e999}}}']:
            page.send_frame(1, text)
            self.assertTrue(page.received("refused"), text)
        for garbage in [b"\0" * 100, b"GET\r\n\r\n", b"\xff\xff\xff\r\n\r\n", b"A" * 20000, b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"]:
            with program.connect() as connection:
                connection.sendall(garbage)
                connection.settimeout(10)
                try:
                    self.assertIn(connection.recv(65536)[:12], (b"HTTP/1.1 400", b""), garbage)
                except OSError:
                    pass
        self.check_healthy(program)
        self.assertEqual(program.stop()[0], 0)

    def test_many_connections(self):
        program = self.live("--paused")
        page = Page(program)
        page.received("stage")
        held = []
        for _ in range(1000):
            try:
                held.append(program.connect())
            except OSError:
                break
        self.assertGreater(len(held), 900)
        page.send({"step": 1})
        self.assertGreaterEqual(page.frame()["step"], 0)
        self.check_healthy(program)
        for connection in held:
            connection.close()
        pages = [Page(program) for _ in range(12)]
        self.assertEqual([p.status for p in pages].count(503), 12 - 7)
        for p in pages:
            p.close()
        time.sleep(0.2)
        self.check_healthy(program)
        self.assertEqual(program.stop()[0], 0)

    def visit(self, program, k):
        """A connection of one of many kinds: a page that is closed, or killed with a hand on something, clients without the token, garbage, nothing at all."""
        kind = k % 6
        if kind < 3:
            page = Page(program)
            page.received("stage")
            page.frame()
            if kind == 1:
                page.act(grab={"hand": 1, "at": [-0.3, 0.7, 0], "radius": 0.1})
            if kind == 2:
                page.send_frame(1, b"", length=1 << 40)
                self.assertEqual(page.close_code(), 1009)
            # A reset, as of a process that is killed, rather than a farewell.
            page.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            page.close()
        elif kind == 3:
            self.assertEqual(program.request("/" + "0" * 32 + "/")[0], 403)
        elif kind == 4:
            with program.connect() as connection:
                connection.sendall(b"\x16\x03\x01" + bytes(range(256)) * 4 + b"\r\n\r\n")
        else:
            program.connect().close()

    def test_connects_do_not_leak(self):
        """A thousand visits of all kinds; under `full` as many as an hour brings, ten a second."""
        program = self.live("--paused")
        sizes = []
        for k in range(1200 if not harness.FULL else 36000):
            self.visit(program, k)
            # Memory is allocated in pages and kept for later: it is compared once that has settled.
            if k % 300 == 299:
                self.check_healthy(program)
                sizes.append(program.memory())
        # 100 bytes for each visit would be seen; the grabs of a run are never forgotten, and are about that.
        self.assertLess(sizes[-1] - sizes[len(sizes) // 2], 1 << 20, sizes)
        deadline = time.monotonic() + 30
        while program.descriptors() > 12 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertLessEqual(program.descriptors(), 12)
        code, _, err = program.stop()
        self.assertEqual(code, 0)
        # Nothing but lines of the log.
        self.assertEqual({line for line in err.splitlines() if line},
                         {"refused a request: wrong token", "refused a request: this is not a request", "a page sent a message that is too long"})

    def test_log_that_nobody_reads(self):
        """Refused requests go on being refused when the pipe behind stderr is full."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        program = self.live("--paused", errors=os.fdopen(writer, "w"))
        for _ in range(2600):  # 64 KiB of lines
            self.assertEqual(program.request("/" + "0" * 32 + "/")[0], 403)
        self.check_healthy(program)
        lines = os.read(reader, 1 << 20).decode()
        self.assertGreater(len(lines), 60000)
        self.assertEqual(program.request("/" + "0" * 32 + "/")[0], 403)
        self.assertRegex(os.read(reader, 4096).decode(), r"^\d+ lines are left out here\nrefused a request: wrong token\n$")
        program.process.send_signal(signal.SIGINT)
        self.assertEqual(program.process.wait(harness.PATIENCE), 0)

    def test_slow_readers_hold_nobody_up(self):
        program = self.live()
        slow = Page(program)
        slow.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(50):
            slow.send({"next": 1})  # and never reads
        page = Page(program)
        first = page.frame()["step"]
        for _ in range(30):
            slow.send({"next": 1})
            last = page.frame()["step"]
        self.assertGreater(last, first + 10)
        self.assertEqual(program.stop()[0], 0)

    def test_what_a_page_does_not_read_is_bounded(self):
        program = self.live("--paused")
        page = Page(program)
        page.received("stage")
        before = program.memory()
        try:
            # Each is answered at length: what was sent comes back in the reason.
            for _ in range(3000):
                page.send({"act": {"x" * 60000: 1}})
                time.sleep(0.003)
        except OSError:
            pass  # it was dropped
        self.assertLess(program.memory() - before, 100 << 20)
        self.check_healthy(program)
        self.assertEqual(program.stop()[0], 0)

    def test_frames_without_effect_are_bounded_too(self):
        program = self.live("--paused")
        for opcode, last in ((10, True), (0, False)):
            page = Page(program)
            page.received("stage")
            if opcode == 0:
                page.send_frame(1, b"", last=False)
            try:
                for _ in range(3000):
                    page.send_frame(opcode, b"", last=last)
            except OSError:
                pass
            self.assertIn(page.close_code(), (1008, None))
        self.check_healthy(program)
        code, _, err = program.stop()
        self.assertEqual((code, set(err.split("\n")) - {""}), (0, {"a page sent too many messages"}))


if __name__ == "__main__":
    harness.main()
