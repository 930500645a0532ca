"""Obstacles that deform as a sequence of meshes shows: the same bits for any number of threads and after a resume; files that changed."""

import json

import harness
from harness import GoldenTest

FRAMES = 4


def plate(bulge):
    """A plate across the tank whose middle is moved along x, as OBJ."""
    lines, n = [], 4
    for side in (0, 1):
        for i in range(n + 1):
            for j in range(n + 1):
                u, v = i / n, j / n
                lines.append(f"v {0.06 * side - 16 * bulge * u * (1 - u) * v * (1 - v)} {-0.05 + 0.5 * u} {-0.15 + 0.3 * v}")
    at = lambda side, i, j: 1 + (side * (n + 1) + i) * (n + 1) + j
    for i in range(n):
        for j in range(n):
            lines.append(f"f {at(0, i, j)} {at(0, i, j + 1)} {at(0, i + 1, j + 1)} {at(0, i + 1, j)}")
            lines.append(f"f {at(1, i, j)} {at(1, i + 1, j)} {at(1, i + 1, j + 1)} {at(1, i, j + 1)}")
    for k in range(n):
        lines.append(f"f {at(0, 0, k)} {at(1, 0, k)} {at(1, 0, k + 1)} {at(0, 0, k + 1)}")
        lines.append(f"f {at(0, n, k)} {at(0, n, k + 1)} {at(1, n, k + 1)} {at(1, n, k)}")
        lines.append(f"f {at(0, k, 0)} {at(0, k + 1, 0)} {at(1, k + 1, 0)} {at(1, k, 0)}")
        lines.append(f"f {at(0, k, n)} {at(1, k, n)} {at(1, k + 1, n)} {at(0, k + 1, n)}")
    return "\n".join(lines) + "\n"


SCENE = {
    "duration": 0.2, "frame_rate": 40, "particles": {"spacing": 0.03},
    "materials": {"water": {"density": 1000, "liquid": {"sound_speed": 20, "viscosity": 0.5}}},
    "objects": [{"material": "water", "shape": {"box": {"min": [-0.3, 0, -0.1], "max": [0, 0.2, 0.1]}}}],
    "obstacles": [
        {"name": "tank", "shape": {"box": {"min": [-0.3, 0, -0.1], "max": [0.3, 0.4, 0.1]}}, "inside": True},
        {"name": "plate", "shape": {"mesh": {"file": "meshes/plate_01.obj"}},
         "animation": {"last_file": f"meshes/plate_0{FRAMES}.obj", "frame_rate": 30, "start": 0.03, "repeat": True}}],
    "probes": [{"name": "plate", "kind": "force", "of": "plate"}]}


class Animation(GoldenTest):
    def setUp(self):
        super().setUp()
        (self.folder / "meshes").mkdir()
        for k in range(FRAMES):
            (self.folder / "meshes" / f"plate_0{k + 1}.obj").write_text(plate((0, 0.05, 0.02, -0.03)[k]))
        self.scene = self.folder / "scene.json"
        self.write(SCENE)

    def write(self, scene):
        self.scene.write_text(json.dumps(scene))

    def test_threads_and_resume(self):
        whole, threads, parts = (self.folder / name for name in ("whole", "threads", "parts"))
        self.run_ok(self.scene, "--out", whole, "--quiet", "--threads", 1)
        self.run_ok(self.scene, "--out", threads, "--quiet", "--threads", 3)
        self.run_ok(self.scene, "--out", parts, "--quiet", "--threads", 2, "--frames", 3)
        self.run_ok(self.scene, "--out", parts, "--quiet", "--threads", 1, "--resume")
        self.assertEqual(harness.outcome(threads), harness.outcome(whole))
        self.assertEqual(harness.outcome(parts), harness.outcome(whole))
        # It pushes the water, and nothing leaks to the other side.
        force = [line.split(",")[2] for line in (whole / "probes.csv").read_text().splitlines()[2:]]  # frame 0 has no time before it
        self.assertGreater(max(map(abs, map(float, force))), 1)
        last = harness.READERS[".ply"].read(whole / "particles" / "0008.ply")
        self.assertLess(max(last["x"]), 0.04)

    def test_scene_of_the_run_runs_again(self):
        out, again = self.folder / "out", self.folder / "again"
        self.run_ok(self.scene, "--out", out, "--quiet", "--frames", 4)
        self.run_ok(out / "scene.json", "--out", again, "--quiet", "--frames", 4)
        self.assertEqual([row["hash"] for row in harness.ledger(again)], [row["hash"] for row in harness.ledger(out)])

    def test_a_changed_file_is_not_resumed(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "--out", out, "--quiet", "--frames", 2)
        (self.folder / "meshes" / "plate_03.obj").write_text(plate(0.04))
        self.check_refused(harness.thixo("run", self.scene, "--out", out, "--resume"), "plate_03.obj")

    def test_refused(self):
        def with_plate(**keys):
            scene = json.loads(json.dumps(SCENE))
            scene["obstacles"][1].update(keys)
            self.write(scene)
            return harness.thixo("check", self.scene)

        last = SCENE["obstacles"][1]["animation"]["last_file"]
        self.check_refused(with_plate(animation={"last_file": "meshes/plate_07.obj"}), "obstacles.1.animation.last_file", "plate_05.obj")
        self.check_refused(with_plate(animation={"last_file": "meshes/other.obj"}), "number at the end")
        self.check_refused(with_plate(animation={"last_file": last, "frame_rte": 3}), 'did you mean "frame_rate"?')
        self.check_refused(with_plate(shape={"sphere": {"center": [0, 0, 0], "radius": 0.1}}), "mesh")
        (self.folder / "meshes" / "plate_02.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        self.check_refused(with_plate(), "mesh 2 of the sequence")


if __name__ == "__main__":
    harness.main()
