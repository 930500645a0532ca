"""Obstacles that deform as a sequence of meshes shows: the same bits for any number of threads and after a resume; files that changed."""

import json
import math
import struct

import numpy as np

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


def flap_gltf(thickness=0.06, turn=20, external=None):
    """A flap across the tank as glTF: a skinned grid that joints at its foot and its middle bend by `turn` degrees about z, and back."""
    n, positions, weights, triangles = 6, [], [], []
    for side in (0, 1):
        for i in range(n + 1):
            for j in range(2):
                y = 0.4 * i / n
                positions.append((thickness * side, y - 0.02, -0.15 + 0.3 * j))
                upper = min(max((y - 0.1) / 0.2, 0), 1)
                weights.append((1 - upper, upper, 0, 0))
    at = lambda side, i, j: (side * (n + 1) + i) * 2 + j
    quad = lambda a, b, c, d: triangles.extend([(a, b, c), (a, c, d)])
    for i in range(n):
        quad(at(0, i, 0), at(0, i, 1), at(0, i + 1, 1), at(0, i + 1, 0))
        quad(at(1, i, 0), at(1, i + 1, 0), at(1, i + 1, 1), at(1, i, 1))
        quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0))
        quad(at(0, i, 1), at(1, i, 1), at(1, i + 1, 1), at(0, i + 1, 1))
    quad(at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1))
    quad(at(0, n, 0), at(0, n, 1), at(1, n, 1), at(1, n, 0))
    # As exporters do, every triangle has its own corners: a mesh with seams everywhere.
    corners = [corner for triangle in triangles for corner in triangle]
    data, views, accessors = b"", [], []

    def add(rows, kind, form, component):
        nonlocal data
        bytes_ = b"".join(struct.pack("<" + form, *row) for row in rows)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(bytes_)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": len(rows), "type": kind})
        data += bytes_ + b"\0" * (-len(bytes_) % 4)
        return len(accessors) - 1

    half = math.radians(turn) / 2
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "foot", "children": [2]}, {"name": "middle", "translation": [0, 0.2, 0]}],
        "meshes": [{"primitives": [{"attributes": {
            "POSITION": add([positions[c] for c in corners], "VEC3", "3f", 5126),
            "JOINTS_0": add([(0, 1, 0, 0)] * len(corners), "VEC4", "4B", 5121),
            "WEIGHTS_0": add([weights[c] for c in corners], "VEC4", "4f", 5126)}}]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": add([identity, identity[:13] + [-0.2, 0, 1]], "MAT4", "16f", 5126)}],
        "animations": [{"name": "wave", "channels": [{"sampler": 0, "target": {"node": k, "path": "rotation"}} for k in (1, 2)],
                        "samplers": [{"input": add([(0,), (0.1,), (0.2,)], "SCALAR", "f", 5126),
                                      "output": add([(0, 0, 0, 1), (0, 0, math.sin(half), math.cos(half)), (0, 0, 0, 1)], "VEC4", "4f", 5126)}]}],
        "bufferViews": views, "accessors": accessors, "buffers": [{"byteLength": len(data)}]}
    if external:
        external.write_bytes(data)
        tree["buffers"][0]["uri"] = external.name
        return json.dumps(tree).encode()
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(data), b"BIN\0") + data)


def flap_scene(file):
    scene = json.loads(json.dumps(SCENE))
    scene["obstacles"][1] = {"name": "plate", "shape": {"mesh": {"file": file}}, "animation": {"frame_rate": 60, "repeat": True}}
    return scene


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


class GltfAnimation(Animation):
    """The same of a skinned glTF file."""

    def setUp(self):
        super().setUp()
        (self.folder / "flap.glb").write_bytes(flap_gltf())
        self.write(flap_scene("flap.glb"))

    def test_where_the_skin_is(self):
        """The exported obstacle against the joints' rotations, which are known."""
        out = self.folder / "out"
        self.run_ok(self.scene, "--out", out, "--quiet", "--frames", 4)  # 0.1 s: the middle of the clip
        self.assertEqual(harness.thixo("export", out, "--to", "obj", "--frames", "4").returncode, 0)
        (file,) = (out / "export").rglob("0004.obj")
        plate = next(part for part in file.read_text().split("\no ") if part.startswith("obstacle_plate\n"))
        lines = [line.split() for line in plate.splitlines()]
        found = np.array([[float(x) for x in words[1:4]] for words in lines if words and words[0] == "v"])
        angle = math.radians(20)
        turn = lambda a, x, y: (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
        # The top follows the middle joint alone, which is turned with the foot and once more.
        hinge = turn(angle, 0, 0.2)
        for x in (0, 0.06):
            arm = turn(2 * angle, x, 0.4 - 0.02 - 0.2)
            expected = (hinge[0] + arm[0], hinge[1] + arm[1], 0.15)
            self.assertLess(np.abs(found - expected).max(axis=1).min(), 1e-4, (expected, found))

    def test_a_changed_file_is_not_resumed(self):
        (self.folder / "flap.gltf").write_bytes(flap_gltf(external=self.folder / "flap.bin"))
        self.write(flap_scene("flap.gltf"))
        out = self.folder / "out"
        self.run_ok(self.scene, "--out", out, "--quiet", "--frames", 2)
        flap_gltf(turn=25, external=self.folder / "flap.bin")
        self.check_refused(harness.thixo("run", self.scene, "--out", out, "--resume"), "flap.bin")

    def test_refused(self):
        def with_animation(**keys):
            scene = flap_scene("flap.glb")
            scene["obstacles"][1]["animation"].update(keys)
            self.write(scene)
            return harness.thixo("check", self.scene)

        self.check_refused(with_animation(last_file="flap_2.obj"), "obstacles.1.animation.last_file", "leave this key out")
        self.check_refused(with_animation(clip="run"), "obstacles.1.animation.clip", '"wave"')
        self.assertEqual(with_animation(clip="wave").returncode, 0)
        whole = (self.folder / "flap.glb").read_bytes()
        (self.folder / "flap.glb").write_bytes(whole[:-100])
        self.check_refused(with_animation(), "ends")

    def test_in_two_dimensions(self):
        """The flap bends within the plane: its outline drives water in 2D; what leaves the plane is refused."""
        scene = flap_scene("flap.glb")
        scene["dimensions"] = 2
        self.write(scene)
        out = self.folder / "out"
        self.run_ok(self.scene, "--out", out, "--quiet")
        force = [abs(float(line.split(",")[2])) for line in (out / "probes.csv").read_text().splitlines()[2:]]
        self.assertGreater(max(force), 1)
        last = harness.READERS[".ply"].read(out / "particles" / "0008.ply")
        self.assertLess(max(last["x"]), 0.04)
        self.assertEqual(int(harness.ledger(out)[-1]["particles"]), int(harness.ledger(out)[0]["particles"]))
        sine, cosine = math.sin(math.radians(10)), math.cos(math.radians(10))
        moved = flap_gltf().replace(struct.pack("<4f", 0, 0, sine, cosine), struct.pack("<4f", sine, 0, 0, cosine))
        self.assertNotEqual(moved, flap_gltf())
        (self.folder / "flap.glb").write_bytes(moved)
        self.check_refused(harness.thixo("check", self.scene), "obstacles.1.animation", "along z")


if __name__ == "__main__":
    harness.main()
