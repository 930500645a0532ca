"""Exports for other programs: files that readers without code of Thixo accept, the same matter in all of them, obstacles where they move."""

import base64
import json
import shutil
import subprocess
import xml.etree.ElementTree as xml

import numpy as np

import harness
from harness import HANDS, HANDS_EVENTS, MILL, TANK_2D, GoldenTest
from readers import gltf, ply, png, pvd, usda

FRAMES = [0, 2, 4]
DOCS = harness.HERE.parents[1] / "docs"

# The second object hangs still and has a textured skin.
SKINS = {
    "name": "skins", "duration": 0.1, "frame_rate": 20, "gravity": [0, 0, 0], "particles": {"spacing": 0.04},
    "materials": {"wax": {"density": 900, "solid": {"model": "corotated", "young_modulus": 1e4}}},
    "objects": [{"name": "block", "material": "wax", "phase": "elastic", "skin": {"texture": "dots.png"},
                 "shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}}],
}


def vtp(path):
    """Points and triangles of a PolyData file."""
    piece = xml.parse(path).getroot().find("PolyData").find("Piece")

    def array(element):
        data = base64.b64decode(element.text)
        kind = {"Float32": "<f4", "Int64": "<i8", "UInt8": "u1"}[element.get("type")]
        assert int.from_bytes(data[:8], "little") == len(data) - 8
        return np.frombuffer(data[8:], kind).reshape(-1, int(element.get("NumberOfComponents")))

    points = array(piece.find("Points").find("DataArray"))
    cells = {e.get("Name"): array(e)[:, 0] for e in piece.find("Polys").findall("DataArray")}
    return points, cells["connectivity"].reshape(-1, 3), {e.get("Name"): array(e) for e in piece.find("PointData")}


def turn(degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


class Export(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def export(self, kind, *options):
        result = harness.thixo("export", self.out, "--to", kind, *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result

    def run_mill(self):
        self.run_ok(MILL, "--out", self.out, "--frames", FRAMES[-1], "--quiet")

    def check_provenance(self, gltf_data):
        """Every exported file that has a place for words names program and scene."""
        made_by = json.loads((self.out / "scene.json").read_text())["provenance"]
        program = f"{made_by['program']}, commit {made_by['commit']}"
        self.assertEqual(gltf_data.tree["asset"]["generator"], program)
        self.assertIn(f'doc = "{program}: mill"', (self.out / "export/usd/scene.usda").read_text())
        for file in ("obj/0004.obj", "obj/scene.mtl"):
            self.assertIn(f"# program {program}\n# scene mill\n", (self.out / "export" / file).read_text())
        for folder in ("particles", "surface_water_liquid", "obstacle_paddle"):
            self.assertIn(f" program: {program}. scene: mill. -->", (self.out / f"export/vtp/{folder}/0004.vtp").read_text())

    def particles(self, frame):
        return ply.read(self.out / "particles" / f"{frame:04}.ply")

    def test_every_format_has_the_same_matter(self):
        self.run_mill()
        for kind in ("usd", "gltf", "obj", "vtp"):
            self.export(kind, "--frames", "0:4:2")
        self.assertEqual([p for p in self.out.rglob("*.part")], [])
        data = gltf.Gltf(self.out / "export/gltf/scene.gltf")
        stage = usda.read(self.out / "export/usd/scene.usda")
        self.check_gltf(data)
        self.check_usd(stage)
        for frame in FRAMES:
            points = np.column_stack([self.particles(frame)[c] for c in "xyz"])
            node = next(n for n in data.tree["nodes"] if n.get("extras", {}).get("frame") == frame)
            named = {data.tree["nodes"][c]["name"]: data.tree["nodes"][c] for c in node["children"]}
            self.assertEqual(set(named), {"water liquid", "particles"} | ({"tap"} if frame > 0 else set()))  # it opens at 0.02 s
            cloud = data.tree["meshes"][named["particles"]["mesh"]]["primitives"][0]
            self.assertTrue(np.array_equal(data.accessor(cloud["attributes"]["POSITION"]), points))
            surface = data.tree["meshes"][named["water liquid"]["mesh"]]["primitives"][0]
            vertices = data.accessor(surface["attributes"]["POSITION"])
            corners = data.accessor(surface["indices"]).reshape(-1, 3)
            matter = usda.read(self.out / f"export/usd/frames/{frame:04}.usda").at("/Matter")
            cloud = matter.at("Particles").values
            self.assertTrue(np.array_equal(np.float32(cloud["points"][frame]), points))
            self.assertEqual(len(cloud["widths"][frame]), len(points))
            water = matter.at("water_liquid").values
            self.assertTrue(np.array_equal(np.float32(water["points"][frame]), vertices))
            self.assertEqual(water["faceVertexIndices"][frame], list(map(float, corners.ravel())))
            self.assertEqual(set(water["faceVertexCounts"][frame]), {3.0})
            self.assertEqual(len(water["velocities"][frame]), len(vertices))
            shown, triangles, columns = vtp(self.out / f"export/vtp/surface_water_liquid/{frame:04}.vtp")
            self.assertTrue(np.array_equal(shown, vertices) and np.array_equal(triangles, corners))
            self.assertIn("vx", columns)
            self.assertTrue(np.array_equal(vtp(self.out / f"export/vtp/particles/{frame:04}.vtp")[0], points))
            self.check_obj(frame, points, vertices, corners)
        self.check_provenance(data)
        self.check_paddle(data, stage)

    def check_gltf(self, data):
        names = [n["name"] for n in data.tree["nodes"]]
        for name in ("tank", "paddle", "camera", "key", "frame 0000", "frame 0004"):
            self.assertEqual(names.count(name), 1, names)
        self.assertEqual(data.tree["scenes"][0]["extras"]["frames"], FRAMES)
        materials = {m["name"]: m for m in data.tree["materials"]}
        water = materials["water liquid"]
        self.assertEqual(water["extensions"]["KHR_materials_transmission"]["transmissionFactor"], 1)
        self.assertAlmostEqual(water["extensions"]["KHR_materials_ior"]["ior"], 1.33, 5)
        self.assertEqual(materials["obstacle tank"]["alphaMode"], "BLEND")
        # In each frame exactly one node has a size.
        animation = data.tree["animations"][0]
        for k, time in enumerate(data.tree["scenes"][0]["extras"]["times"]):
            sizes = {}
            for channel in animation["channels"]:
                if channel["target"]["path"] != "scale":
                    continue
                sampler = animation["samplers"][channel["sampler"]]
                when = data.accessor(sampler["input"])
                now = max(0, int(np.searchsorted(when, np.float32(time), side="right")) - 1)
                sizes[data.tree["nodes"][channel["target"]["node"]]["name"]] = data.accessor(sampler["output"])[now][0]
            self.assertEqual([n for n, size in sizes.items() if size > 0], [f"frame {FRAMES[k]:04}"])

    def check_usd(self, stage):
        self.assertEqual(stage.metadata["upAxis"], "Y")
        self.assertEqual((stage.metadata["startTimeCode"], stage.metadata["endTimeCode"]), (0, 4))
        prims = list(stage.walk())
        for prim in prims:
            if "material:binding" in prim.values:
                self.assertEqual(stage.at(prim.values["material:binding"]).type, "Material")
            for value in prim.values.values():
                if isinstance(value, str) and ".outputs:" in value:
                    self.assertEqual(stage.at(value.split(".")[0]).type, "Shader")
        self.assertEqual([p.name for p in prims if p.type in ("Camera", "DistantLight", "DomeLight")], ["Camera", "Key", "Sky"])
        clips = stage.at("/Scene/Matter").metadata["clips"]["default"]
        self.assertEqual(clips["active"], [(frame, k) for k, frame in enumerate(FRAMES)])
        folder = self.out / "export/usd"
        manifest = usda.read(folder / clips["manifestAssetPath"]).at(clips["primPath"])
        for path in clips["assetPaths"]:
            for name, prim in usda.read(folder / path).at(clips["primPath"]).children.items():
                self.assertIn(name, stage.at("/Scene/Matter").children)
                self.assertLessEqual(set(prim.types.items()), set(manifest.at(name).types.items()))

    def check_obj(self, frame, points, vertices, corners):
        objects, looks, used, name = {}, set(), set(), None
        every = []
        for line in (self.out / f"export/obj/{frame:04}.obj").read_text().splitlines():
            word, *rest = line.split()
            if word == "o":
                name = rest[0]
                self.assertNotIn(name, objects)
                objects[name] = {"v": [], "f": []}
            elif word == "v":
                every.append([float(x) for x in rest])
                objects[name]["v"].append(every[-1])
            elif word == "f":
                objects[name]["f"].append([int(c.split("/")[0]) - 1 for c in rest])
            elif word == "usemtl":
                used.add(rest[0])
        for line in (self.out / "export/obj/scene.mtl").read_text().splitlines():
            if line.startswith("newmtl "):
                looks.add(line.split()[1])
        self.assertLessEqual(used, looks)
        self.assertEqual(set(objects), {"tank", "paddle", "water_liquid", "particles"} | ({"tap"} if frame > 0 else set()))
        water = objects["water_liquid"]
        self.assertTrue(np.array_equal(np.float32(water["v"]), vertices))
        self.assertTrue(np.array_equal(np.array(every, np.float32)[np.array(water["f"])], vertices[corners]))
        self.assertTrue(np.array_equal(np.float32(objects["particles"]["v"]), points))
        self.paddle = np.float32(objects["paddle"]["v"]) if frame == 4 else None

    def check_paddle(self, data, stage):
        """At 0.2 s the paddle has turned by 100 degrees about (0, 0.4, 0), in all formats."""
        corners = np.array([[x, y, z] for z in (-0.3, 0.3) for y in (0.35, 0.45) for x in (-0.3, 0.3)])
        pivot = np.array([0, 0.4, 0])
        there = (corners - pivot) @ turn(100).T + pivot
        order = lambda points: points[np.lexsort(np.round(points, 4).T)]
        rows = np.array(stage.at("/Scene/Obstacles/paddle").values["xformOp:transform"][4])
        shape = np.array(stage.at("/Scene/Obstacles/paddle").values["points"])
        by_usd = np.column_stack((shape, np.ones(len(shape)))) @ rows
        animation = data.tree["animations"][0]
        paddle = next(k for k, n in enumerate(data.tree["nodes"]) if n["name"] == "paddle")
        moved = {}
        for channel in animation["channels"]:
            if channel["target"]["node"] == paddle:
                moved[channel["target"]["path"]] = data.accessor(animation["samplers"][channel["sampler"]]["output"])[2]
        x, y, z, w = moved["rotation"]
        self.assertAlmostEqual(abs(2 * np.degrees(np.arctan2(z, w))) % 360, 100, 3)
        by_gltf = shape @ turn(2 * np.degrees(np.arctan2(z, w))).T + moved["translation"]
        by_vtp, _, columns = vtp(self.out / "export/vtp/obstacle_paddle/0004.vtp")
        for found in (by_usd[:, :3], by_gltf, by_vtp, self.paddle):
            np.testing.assert_allclose(order(found), order(there), atol=1e-5)
        self.assertGreater(np.abs(columns["vx"]).max(), 0.1)
        series = pvd.read(self.out / "export/vtp/obstacle_tank.pvd")
        self.assertEqual(len(series["time"]), 3)
        self.assertEqual(len(list((self.out / "export/vtp/obstacle_tank").iterdir())), 1)

    def test_boxes_of_usd_hold_what_is_drawn(self):
        self.run_mill()
        self.export("usd", "--frames", 4)
        stage = usda.read(self.out / "export/usd/scene.usda")
        for name in ("tank", "paddle"):
            values = stage.at(f"/Scene/Obstacles/{name}").values
            np.testing.assert_allclose(values["extent"], [np.min(values["points"], 0), np.max(values["points"], 0)], atol=1e-6)
        matter = usda.read(self.out / "export/usd/frames/0004.usda").at("/Matter")
        for name in ("water_liquid", "Particles"):
            values = matter.at(name).values
            points = np.array(values["points"][4])
            reach = np.array(values["widths"][4])[:, None] / 2 if name == "Particles" else 0
            np.testing.assert_allclose(values["extent"][4], [(points - reach).min(0), (points + reach).max(0)], atol=1e-6)

    def test_clear_looks_of_gltf_have_one_side(self):
        """KHR_materials_volume is not meant for materials with two sides: where light is in matter follows from the side it comes from."""
        self.run_mill()
        self.export("gltf", "--frames", 4)
        for material in gltf.Gltf(self.out / "export/gltf/scene.gltf").tree["materials"]:
            if "KHR_materials_volume" in material["extensions"]:
                self.assertFalse(material["doubleSided"], material["name"])

    def test_threads_and_repetition(self):
        self.run_mill()
        for kind in ("usd", "gltf"):
            for threads in (1, 2, 5):
                self.export(kind, "--frames", 4, "--threads", threads, "--out", self.folder / f"{kind}{threads}")
            first = harness.digest(self.folder / f"{kind}1")
            for threads in (2, 5):
                self.assertEqual(harness.digest(self.folder / f"{kind}{threads}"), first)

    def test_camera_and_what_is_left_out(self):
        self.run_mill()
        self.export("gltf", "--frames", "0:4", "--no-particles", "--hide", "paddle", "--eye", 3, 1, 2, "--target", 0, 0.5, 0,
                    "--turn", 90, "--quiet")
        data = gltf.Gltf(self.out / "export/gltf/scene.gltf")
        names = [n["name"] for n in data.tree["nodes"]]
        self.assertNotIn("particles", names)
        self.assertNotIn("paddle", names)
        camera = data.tree["nodes"][names.index("camera")]
        np.testing.assert_allclose(camera["translation"], [3, 1, 2], atol=1e-5)
        moving = {c["target"]["path"] for c in data.tree["animations"][0]["channels"]
                  if c["target"]["node"] == names.index("camera")}
        self.assertEqual(moving, {"translation", "rotation"})

    def test_skins_have_their_textures(self):
        png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
        (self.folder / "dots.png").write_bytes(png)
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(SKINS))
        self.run_ok(scene, "--out", self.out, "--frames", 1, "--quiet")
        for kind in ("usd", "gltf", "obj"):
            self.export(kind, "--frames", 1)
            self.assertEqual((self.out / f"export/{kind}/textures/0.png").read_bytes(), png)
        data = gltf.Gltf(self.out / "export/gltf/scene.gltf")
        mesh = next(m for m in data.tree["meshes"] if "skin" in m["name"])["primitives"][0]
        material = data.tree["materials"][mesh["material"]]["pbrMetallicRoughness"]
        texture = data.tree["textures"][material["baseColorTexture"]["index"]]
        self.assertEqual(data.tree["images"][texture["source"]]["uri"], "textures/0.png")
        places = data.accessor(mesh["attributes"]["TEXCOORD_0"])
        self.assertTrue(places.min() >= -1e-6 and places.max() <= 1 + 1e-6 and np.ptp(places[:, 0]) > 0.5)
        self.assertIn("map_Kd textures/0.png", (self.out / "export/obj/scene.mtl").read_text())
        looks = usda.read(self.out / "export/usd/scene.usda").at("/Scene/Looks")
        self.assertIn("./textures/0.png", [p.values.get("inputs:file") for p in looks.walk()])

    def test_hands_and_spouts_are_exported_while_they_are_there(self):
        """What hands did is read from events.jsonl: which of them are in a frame, how far a drag has led one, and where the spout is."""
        self.run_ok(HANDS, "--events", HANDS_EVENTS, "--out", self.out, "--quiet")
        self.export("gltf", "--no-particles")
        data = gltf.Gltf(self.out / "export/gltf/scene.gltf")
        found = {}
        for node in data.tree["nodes"]:
            if "frame" in node.get("extras", {}):
                found[node["extras"]["frame"]] = {data.tree["nodes"][c]["name"]: data.tree["nodes"][c] for c in node["children"]}
        tools = {frame: {n for n in names if n.startswith("hand ") or n in ("push", "cut")} for frame, names in found.items()}
        self.assertEqual(tools[0], {"hand 1"})
        self.assertEqual(tools[1], {"hand 1", "hand 2", "push", "cut"})
        self.assertEqual(tools[3] - {"push", "cut"}, {"hand 1", "hand 2", "hand 3", "hand 4"})
        self.assertEqual(tools[5], set())

        def points(frame, name, column="POSITION"):
            mesh = data.tree["meshes"][found[frame][name]["mesh"]]["primitives"][0]
            return data.accessor(mesh["attributes"][column])

        # From -0.3, 0.7, 0 to -0.2, 0.9, 0.05, in two drags that are over by then.
        np.testing.assert_allclose(points(3, "hand 1") - points(0, "hand 1"), np.tile([0.1, 0.2, 0.05], (len(points(0, "hand 1")), 1)), atol=1e-5)
        # On its second way, 0.1 m along x in 0.05 s.
        np.testing.assert_allclose(points(2, "hand 1", "_VELOCITY"), np.tile([2, 0, 0], (len(points(2, "hand 1")), 1)), atol=1e-4)
        spout = points(4, "hand 4")
        np.testing.assert_allclose(spout[:, [0, 2]].min(0) + spout[:, [0, 2]].max(0), 0, atol=1e-5)
        self.assertGreater(np.ptp(spout[:, 0]), 0.2)
        self.assertAlmostEqual(spout[:, 1].mean(), 1.4, delta=0.15)
        self.export("gltf", "--no-particles", "--hide", "hand 1", "--frames", 0)
        self.assertNotIn("hand 1", [n["name"] for n in gltf.Gltf(self.out / "export/gltf/scene.gltf").tree["nodes"]])

    def test_two_dimensions_have_particles(self):
        self.run_ok(TANK_2D, "--out", self.out, "--frames", 1, "--quiet")
        self.export("gltf")
        self.assertEqual(gltf.Gltf(self.out / "export/gltf/scene.gltf").tree["cameras"][0]["type"], "orthographic")

    def test_refused(self):
        self.run_ok(MILL, "--out", self.out, "--frames", 1, "--quiet")
        before = harness.digest(self.out)
        self.check_refused(harness.thixo("export", self.out, "--to", "gtlf"), 'did you mean "gltf"?')
        self.check_refused(harness.thixo("export", self.out, "--to", "usd", "--frames", 7), "it has 0 to 1")
        self.check_refused(harness.thixo("export", self.out, "--to", "usd", "--no-surfaces", "--no-particles"), "no matter")
        self.check_refused(harness.thixo("export", self.out, "--to", "obj", "--hide", "padle"), 'did you mean "paddle"?')
        self.check_refused(harness.thixo("export", self.folder / "nowhere", "--to", "obj"), "no such folder")
        self.assertEqual(harness.thixo("export", self.out).returncode, 2)
        self.assertEqual(harness.digest(self.out), before)

    def test_paraview_opens_it(self):
        """Where ParaView is installed: every series opens with its times, counts, box and ranges, and makes a picture of obstacles and matter."""
        if not shutil.which("pvpython"):
            self.skipTest("no ParaView")
        self.run_mill()
        self.export("vtp", "--frames", "0:4:2")
        folder, picture = self.out / "export/vtp", self.folder / "paraview.png"
        # A display that is named need not be there. Without -noreset the server starts over between ParaView's first look at it and its window.
        display = ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24 -noreset"] if shutil.which("xvfb-run") else []
        result = subprocess.run([*display, "pvpython", harness.HERE / "paraview_screenshot.py", folder, picture], capture_output=True, text=True,
                                timeout=harness.PATIENCE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = json.loads(next(line for line in result.stdout.splitlines() if line.startswith("FOUND"))[6:])
        self.assertEqual(set(found), {"obstacle_tank", "obstacle_paddle", "surface_tap", "surface_water_liquid", "particles"})
        for name, data in found.items():
            last = "0000" if name == "obstacle_tank" else "0004"
            np.testing.assert_allclose(data["times"], [0.1, 0.2] if name == "surface_tap" else [0, 0.1, 0.2], atol=1e-9)
            if name == "particles":
                points, columns = np.column_stack([self.particles(4)[c] for c in "xyz"]), self.particles(4)
                self.assertEqual(data["cells"], len(points))
            else:
                points, triangles, columns = vtp(folder / name / f"{last}.vtp")
                self.assertEqual(data["cells"], len(triangles))
            self.assertEqual(data["points"], len(points))
            box = np.array(data["box"]).reshape(3, 2)
            np.testing.assert_allclose(box, np.column_stack((points.min(0), points.max(0))), atol=1e-5)
            for column in ("vx", "vy", "vz") + (("temperature", "density", "phase") if name == "particles" else ()):
                low, high = data["ranges"][column]
                np.testing.assert_allclose((low, high), (columns[column].min(), columns[column].max()), rtol=1e-4, atol=1e-5, err_msg=f"{name} {column}")
        image = png.read(picture)
        self.assertEqual(image.shape[:2], (360, 640))
        # The matter is in the colours of its velocity; obstacles and background are grey.
        colourful = np.ptp(image[:, :, :3].astype(int), axis=2) > 60
        self.assertGreater(colourful.mean(), 0.03)

    def test_blender_opens_it(self):
        """Where Blender is installed: all objects, materials, keyframes, the camera and the light are there, and Cycles renders them."""
        if not shutil.which("blender"):
            self.skipTest("no Blender")
        self.run_mill()
        self.export("gltf", "--frames", "0:4:2")
        check = self.folder / "check.py"
        check.write_text(
            "import bpy, json\n"
            "scene = bpy.context.scene\n"
            "objects = {o.name: [o.type, len(o.data.vertices) if o.type == 'MESH' else 0, bool(o.animation_data)] for o in bpy.data.objects}\n"
            "water = bpy.data.objects['water liquid']\n"
            "low = [min(v.co[k] for v in water.data.vertices) for k in range(3)]\n"
            "print('FOUND', json.dumps([objects, water.data.materials[0].name, scene.camera.name, scene.render.engine,\n"
            "      [scene.frame_start, scene.frame_end], low, 'velocity' in water.data.attributes]))\n")
        picture = self.folder / "picture.png"
        result = subprocess.run(["blender", "--background", "--python-exit-code", "3", "--python", DOCS / "blender_scene.py", "--python", check,
                                 "--", self.out / "export/gltf/scene.gltf", "--frame", "4", "--render", picture, "--samples", "1",
                                 "--height", "32"], capture_output=True, text=True, timeout=harness.PATIENCE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = json.loads(next(line for line in result.stdout.splitlines() if line.startswith("FOUND"))[6:])
        objects, look, camera, engine, frames, low, velocity = found
        self.assertEqual(set(objects), {"tank", "paddle", "tap", "camera", "key", "water liquid", "particles"})
        self.assertEqual((objects["camera"][0], objects["key"][0]), ("CAMERA", "LIGHT"))
        self.assertEqual(objects["particles"][1], len(self.particles(4)["x"]))
        self.assertEqual((objects["paddle"][2], objects["tank"][2]), (True, False))
        self.assertEqual((look, camera, engine, frames, velocity), ("water liquid", "camera", "CYCLES", [0, 4], True))
        # Upright: z is what was y, and y what was -z.
        data = gltf.Gltf(self.out / "export/gltf/scene.gltf")
        water = [m for m in data.tree["meshes"] if m["name"] == "water liquid"][-1]["primitives"][0]["attributes"]["POSITION"]
        least, most = data.tree["accessors"][water]["min"], data.tree["accessors"][water]["max"]
        np.testing.assert_allclose(low, [least[0], -most[2], least[1]], atol=1e-6)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    harness.main()
