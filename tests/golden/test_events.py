"""What was done to a run is replayed to the same bits, by any number of threads and through a resume; nonsense is refused."""

import json

import harness
from harness import HANDS, HANDS_EVENTS, TANK, GoldenTest


class Events(GoldenTest):
    def events(self, *lines):
        file = self.folder / "events.jsonl"
        file.write_text("".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return file

    def test_replay_gives_the_same_bits(self):
        out = self.folder / "whole"
        self.run_ok(HANDS, "--events", HANDS_EVENTS, "--out", out, "--threads", 1)
        expected, rows = harness.outcome(out), harness.ledger(out)
        self.assertGreater(sum(row["steps"] for row in rows), 6 * 34, "all events must have come")
        self.assertGreater(rows[-1]["liquid"], rows[0]["liquid"] + 10)  # poured and melted
        self.assertLess(rows[-1]["elastic"], rows[0]["elastic"])
        self.assertGreater(rows[-1]["bodies"], rows[0]["bodies"])  # the cut
        for threads in (3,):
            again = self.folder / f"threads {threads}"
            self.run_ok(HANDS, "--events", HANDS_EVENTS, "--out", again, "--threads", threads)
            self.assertEqual(harness.outcome(again), expected)
        # What the folder holds is what was done.
        from_folder = self.folder / "again"
        self.run_ok(HANDS, "--events", out / "events.jsonl", "--out", from_folder)
        self.assertEqual(harness.outcome(from_folder), expected)

        pieces = self.folder / "pieces"
        for frames in (1, 2, 3, 4, 6):
            self.run_ok(HANDS, "--events", HANDS_EVENTS, "--out", pieces, "--frames", frames, *harness.go_on(pieces))
        self.assertEqual(harness.outcome(pieces), expected)

        without = self.folder / "without"
        self.run_ok(HANDS, "--out", without)
        self.assertNotEqual(harness.outcome(without), expected)

    def test_resume_needs_the_same_events(self):
        out = self.folder / "out"
        lines = HANDS_EVENTS.read_text().splitlines(keepends=True)
        self.run_ok(HANDS, "--events", self.events(*lines), "--out", out, "--frames", 2)
        before = harness.digest(out)
        changed = [lines[0].replace("0.1}", "0.11}"), *lines[1:]]
        for options in ([], ["--events", self.events(*changed)]):
            self.check_refused(harness.thixo("run", HANDS, "--out", out, "--resume", *options), "cannot resume", "events")
            self.assertEqual(harness.digest(out), before)
        # Those that are still to come may be others.
        self.run_ok(HANDS, "--events", self.events(*lines[:-1]), "--out", out, "--resume", "--frames", 3)

    def test_nonsense_is_refused_with_its_line(self):
        grab = {"step": 1, "grab": {"hand": 1, "at": [0, 0, 0], "radius": 0.1}}
        drag = {"step": 2, "drag": {"hand": 1, "to": [0, 1, 0], "seconds": 0.1}}
        for lines, words in [
            (["{\n"], ["events.jsonl:1:"]),
            (["[1, 2]\n"], ["events.jsonl:1:1", "an event"]),
            ([grab, "\n", {"step": 2}], ["events.jsonl:2:1", "action", "missing"]),
            ([{"step": 1, "grap": {}}], ["events.jsonl:1:", "unknown action", 'did you mean "grab"']),
            ([{**grab, "push": {}}], ["events.jsonl:1:", "a second action"]),
            ([{"grab": grab["grab"]}], ["events.jsonl:1:", '"step" is missing']),
            ([{"step": -1, "release": {"hand": 1}}], ["events.jsonl:1:", "step"]),
            ([{"step": 1, "grab": {"hand": 1, "at": [0, 0, 0], "radius": 0}}], ["grab.radius", "above 0"]),
            ([{"step": 1, "grab": {"hand": 1, "at": [0], "radius": 1}}], ["grab.at"]),
            ([drag, "\n", grab], ["events.jsonl:1:", "hand 1 does nothing", "events.jsonl:2:", "1 follows 2"]),
            ([grab, "\n", grab], ["events.jsonl:2:", "hand 1 is busy"]),
            ([{"step": 1, "pour": {"hand": 1, "material": "watr", "at": [0, 1, 0], "radius": 0.2}}], ['no material "watr"', '"water"']),
            ([{"step": 1, "pour": {"hand": 1, "material": "water", "at": [0, 1, 0], "radius": 0.001}}], ["no particle fits"]),
            ([{"step": 1, "material": {"name": "water", "melting_point": 3}}], ["does not melt"]),
            ([{"step": 1, "material": {"name": "wax", "freezing_point": 90}}], ["90", "above the melting point"]),
            ([{"step": 1, "material": {"name": "wax"}}], ["nothing is changed"]),
            ([{"step": 1, "cut": {"from": [0, 0, 0], "to": [0, 0, 0], "depth": [0, 0, 1]}}], ["length"]),
            ([{"step": 1, "push": {"at": [0, 0, 0], "radius": 1, "impulse": [0, 0, 0]}}], ["does nothing"]),
        ]:
            with self.subTest(words=words):
                out = self.folder / "out"
                result = harness.thixo("run", HANDS, "--events", self.events(*lines), "--out", out, "--frames", 0)
                self.check_refused(result, *words)
                self.assertFalse(out.exists())
        self.check_refused(harness.thixo("run", TANK, "--events", self.folder / "none", "--out", self.folder / "out"), "none")

    def test_a_cut_jelly_may_be_dragged(self):
        """Both sides of the cut are held: contact between them must not disturb what hangs on them."""
        spacing, held = 0.05, [0.15, 0.18, 0.1]
        scene = self.folder / "jelly.json"
        events = self.folder / "events.jsonl"
        runs = 0
        for model in ("corrected", "corotated"):
            for preset in ("accurate", "fast"):
                for speed, way in ((0.5, (0, 1, 0)), (2, (1, 0, 0)), (2, (0.6, 0.5, 0.6)), (5, (0, 1, 0))):
                    scene.write_text(json.dumps({
                        "duration": 0.5, "frame_rate": 20, "particles": {"spacing": spacing}, "solver": {"preset": preset},
                        "materials": {"jelly": {"density": 1000, "liquid": {"sound_speed": 20}, "solid": {"model": model, "young_modulus": 2e4, "poisson_ratio": 0.3}}},
                        "objects": [{"material": "jelly", "phase": "elastic", "shape": {"box": {"min": [0, 0, 0], "max": [4 * spacing] * 3}}}],
                        "obstacles": [{"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}, "friction": 0.3}]}))
                    events.write_text("".join(json.dumps({"step": 0, **event}) + "\n" for event in (
                        {"cut": {"from": [3 * spacing, -1, -1], "to": [3 * spacing, 1, -1], "depth": [0, 0, 3]}},
                        {"grab": {"hand": 1, "at": held, "radius": 0.06}},
                        {"drag": {"hand": 1, "to": [a + 0.3 * speed * w for a, w in zip(held, way)], "seconds": 0.3}})))
                    with self.subTest(model=model, preset=preset, speed=speed, way=way):
                        out = self.folder / str(runs)
                        runs += 1
                        result = harness.thixo("run", scene, "--events", events, "--out", out, "--threads", 1)
                        self.assertEqual(result.returncode, 0, result.stderr)  # fast hands squeeze it far, which is a warning
                        rows = harness.ledger(out)
                        # A hand that leads a body of mass m at the speed v gives its end twice that at most, in one blow.
                        most = 0.5 * rows[0]["mass"] * (2 * speed + 2) ** 2
                        self.assertLess(max(row["kinetic"] for row in rows), most)

    def test_what_makes_no_sense_at_the_time_ends_the_run(self):
        for event, words in [
            ({"grab": {"hand": 1, "at": [0, 1.8, 0], "radius": 0.05}}, ["nothing solid to grab"]),
            ({"grab": {"hand": 1, "at": [0, 0.1, 0], "radius": 0.2}}, ["nothing solid to grab"]),
            ({"push": {"at": [0, 1.8, 0], "radius": 0.05, "impulse": [1, 0, 0]}}, ["nothing to push"]),
            ({"cut": {"from": [-0.5, 0.7, -0.3], "to": [-0.1, 0.7, -0.3], "depth": [0, 0, 1]}}, ["nothing that can be cut"]),
            ({"pour": {"hand": 1, "material": "water", "at": [0, -1, 0], "radius": 0.1}}, ["inside an obstacle"]),
        ]:
            with self.subTest(words=words):
                out = self.folder / "out"
                file = self.events({"step": 4, **event})
                result = harness.thixo("run", HANDS, "--events", file, "--out", out, "--frames", 1, "--force")
                self.check_refused(result, "events.jsonl:1", "at step 4", *words)


if __name__ == "__main__":
    harness.main()
