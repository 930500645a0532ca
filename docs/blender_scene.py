"""Opens an export of a Thixo run in Blender (3.4 or later) and makes it ready to render with Cycles.

    thixo export out/NAME --to gltf
    blender --python blender_scene.py -- out/NAME/export/gltf/scene.gltf
    blender --background --python blender_scene.py -- scene.gltf --frame 40 --render picture.png

Surfaces and skins are objects that follow the timeline, with a velocity for motion blur. Obstacles have keyframes. Camera, key light,
sky and materials are those of `thixo render`. Particles are there too, hidden where surfaces show the same matter.
"""

import argparse
import json
import math
import pathlib
import sys

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

UPRIGHT = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # Thixo's y is up, Blender's z
COLUMNS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
NAMES = {"_TEMPERATURE": "particle_temperature", "_DENSITY": "particle_density", "_RADIUS": "radius", "_PHASE": "phase",
         "_MATERIAL": "material", "_OBJECT": "object", "_BODY": "body"}


class Gltf:
    def __init__(self, path):
        self.folder, self.tree = path.parent, json.loads(path.read_text())

    def accessor(self, number):
        a = self.tree["accessors"][number]
        view = self.tree["bufferViews"][a["bufferView"]]
        kind, width = ("<u4" if a["componentType"] == 5125 else "<f4"), COLUMNS[a["type"]]
        path = self.folder / self.tree["buffers"][view["buffer"]]["uri"]
        values = np.fromfile(path, dtype=kind, count=a["count"] * width, offset=view["byteOffset"])
        return values.reshape(-1, width) if width > 1 else values

    def primitive(self, node):
        return self.tree["meshes"][self.tree["nodes"][node]["mesh"]]["primitives"][0]


def upright(vectors):
    return np.column_stack((vectors[:, 0], -vectors[:, 2], vectors[:, 1])).astype(np.float32)


def matrix_of(node):
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    return Matrix.Translation(node.get("translation", (0, 0, 0))) @ Quaternion((w, x, y, z)).to_matrix().to_4x4()


def put(shader, value, *names):
    """The input has another name in Blender 4."""
    for name in names:
        if name in shader.inputs:
            shader.inputs[name].default_value = value
            return


def material(gltf, description):
    out = bpy.data.materials.new(description["name"])
    out.use_nodes = True
    nodes, links = out.node_tree.nodes, out.node_tree.links
    shader, output = nodes["Principled BSDF"], nodes["Material Output"]
    base, extras = description["pbrMetallicRoughness"], description["extras"]
    extensions = description["extensions"]
    shader.inputs["Base Color"].default_value = (*base["baseColorFactor"][:3], 1)
    shader.inputs["Roughness"].default_value = base["roughnessFactor"]
    shader.inputs["Metallic"].default_value = base["metallicFactor"]
    shader.inputs["IOR"].default_value = extensions["KHR_materials_ior"]["ior"]
    shader.inputs["Alpha"].default_value = base["baseColorFactor"][3]
    if "KHR_materials_transmission" in extensions:
        put(shader, 1, "Transmission", "Transmission Weight")
        volume = extensions["KHR_materials_volume"]
        absorption = nodes.new("ShaderNodeVolumeAbsorption")
        # exp(-density (1 - colour) x): a colour of 0 where most is absorbed.
        sigma = [-math.log(max(c, 0.002)) / volume["attenuationDistance"] for c in volume["attenuationColor"]]
        most = max(max(sigma), 1e-6)
        absorption.inputs["Color"].default_value = (*(1 - s / most for s in sigma), 1)
        absorption.inputs["Density"].default_value = most
        links.new(absorption.outputs["Volume"], output.inputs["Volume"])
    elif max(extras["spread"]) > 0:
        put(shader, 1, "Subsurface", "Subsurface Weight")
        put(shader, extras["spread"], "Subsurface Radius")
        put(shader, 1, "Subsurface Scale")
        if "Subsurface Color" in shader.inputs:
            shader.inputs["Subsurface Color"].default_value = shader.inputs["Base Color"].default_value
    if extras["by_vertex"]:
        colour = nodes.new("ShaderNodeAttribute")
        colour.attribute_name = "colour"
        links.new(colour.outputs["Color"], shader.inputs["Base Color"])
    if "baseColorTexture" in base:
        image = gltf.tree["images"][gltf.tree["textures"][base["baseColorTexture"]["index"]]["source"]]["uri"]
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.load(str((gltf.folder / image).resolve()))
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    if extras["glow"] > 0:
        heat, kelvin, body = nodes.new("ShaderNodeAttribute"), nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeBlackbody")
        power = nodes.new("ShaderNodeMath")
        heat.attribute_name = "particle_temperature"
        kelvin.inputs[1].default_value = 273.15
        # Radiance grows about as T^12 around 1400 K, where red has a radiance of 3.
        ratio = nodes.new("ShaderNodeMath")
        ratio.operation, ratio.inputs[1].default_value = "DIVIDE", 1400
        power.operation, power.inputs[1].default_value = "POWER", 12
        links.new(heat.outputs["Fac"], kelvin.inputs[0])
        links.new(kelvin.outputs[0], body.inputs[0])
        links.new(kelvin.outputs[0], ratio.inputs[0])
        links.new(ratio.outputs[0], power.inputs[0])
        links.new(body.outputs[0], next(shader.inputs[n] for n in ("Emission", "Emission Color") if n in shader.inputs))
        links.new(power.outputs[0], shader.inputs["Emission Strength"])
    return out


def add_object(name, data):
    out = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(out)
    return out


def fill(mesh, gltf, primitive, materials):
    """Vertices, triangles and attributes of a primitive; nothing where there is none."""
    mesh.clear_geometry()
    if primitive is None:
        return
    attributes = primitive["attributes"]
    points = upright(gltf.accessor(attributes["POSITION"]))
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.ravel())
    if "indices" in primitive:
        corners = gltf.accessor(primitive["indices"]).astype(np.int32)
        mesh.loops.add(len(corners))
        mesh.loops.foreach_set("vertex_index", corners)
        mesh.polygons.add(len(corners) // 3)
        mesh.polygons.foreach_set("loop_start", np.arange(0, len(corners), 3, dtype=np.int32))
        mesh.polygons.foreach_set("loop_total", np.full(len(corners) // 3, 3, dtype=np.int32))
        mesh.polygons.foreach_set("use_smooth", np.full(len(corners) // 3, "NORMAL" in attributes))
        if "TEXCOORD_0" in attributes:
            places = gltf.accessor(attributes["TEXCOORD_0"])[corners]
            mesh.uv_layers.new(name="st").data.foreach_set(
                "uv", np.column_stack((places[:, 0], 1 - places[:, 1])).astype(np.float32).ravel())
        if not mesh.materials:
            mesh.materials.append(materials[primitive["material"]])
    for word, number in attributes.items():
        if word == "_VELOCITY":
            mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT").data.foreach_set(
                "vector", upright(gltf.accessor(number)).ravel())
        elif word == "COLOR_0":
            colour = gltf.accessor(number)
            mesh.attributes.new("colour", "FLOAT_COLOR", "POINT").data.foreach_set(
                "color", np.column_stack((colour, np.ones(len(colour)))).astype(np.float32).ravel())
        elif word in NAMES:
            mesh.attributes.new(NAMES[word], "FLOAT", "POINT").data.foreach_set("value", gltf.accessor(number))
    mesh.update(calc_edges=True)


def place(out, gltf, number, scene_frames, whole):
    """Where a node is, and its keyframes. `whole`: a mesh, whose own axes were turned upright too."""
    turn = UPRIGHT.inverted() if whole else Matrix.Identity(4)
    out.rotation_mode = "QUATERNION"
    out.matrix_world = UPRIGHT @ matrix_of(gltf.tree["nodes"][number]) @ turn
    animation = gltf.tree.get("animations", [{"channels": [], "samplers": []}])[0]
    moves = {c["target"]["path"]: animation["samplers"][c["sampler"]] for c in animation["channels"]
             if c["target"]["node"] == number}
    if not moves:
        return
    places, turns = gltf.accessor(moves["translation"]["output"]), gltf.accessor(moves["rotation"]["output"])
    last = None
    for frame, t, q in zip(scene_frames, places, turns):
        pose = Matrix.Translation(Vector(t.tolist())) @ Quaternion((q[3], q[0], q[1], q[2])).to_matrix().to_4x4()
        location, rotation, _ = (UPRIGHT @ pose @ turn).decompose()
        if last is not None and last.dot(rotation) < 0:
            rotation.negate()
        last = rotation
        out.location, out.rotation_quaternion = location, rotation
        out.keyframe_insert("location", frame=frame)
        out.keyframe_insert("rotation_quaternion", frame=frame)
    for curve in out.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def add_camera(gltf, number, frames):
    description = gltf.tree["cameras"][0]
    camera = bpy.data.cameras.new("camera")
    if description["type"] == "perspective":
        lens = description["perspective"]
        camera.sensor_fit, camera.angle_y = "VERTICAL", lens["yfov"]
    else:
        lens = description["orthographic"]
        camera.type, camera.ortho_scale = "ORTHO", 2 * lens["xmag"]
    camera.clip_start, camera.clip_end = lens["znear"], lens["zfar"]
    out = add_object("camera", camera)
    place(out, gltf, number, frames, False)
    bpy.context.scene.camera = out
    return lens.get("aspectRatio", 16 / 9)


def add_lights(gltf, number, frames, extras):
    sun = bpy.data.lights.new("key", "SUN")
    irradiance = extras["key_irradiance"]
    sun.energy, sun.angle = max(irradiance), math.radians(extras["key_angle"])
    sun.color = [c / max(irradiance) for c in irradiance]
    place(add_object("key", sun), gltf, number, frames, False)
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*extras["sky"], 1)
    bpy.context.scene.world = world


def open_scene(path):
    for old in list(bpy.data.objects):
        bpy.data.objects.remove(old)
    gltf = Gltf(path)
    nodes, extras = gltf.tree["nodes"], gltf.tree["scenes"][0]["extras"]
    frames = extras["frames"]
    materials = [material(gltf, m) for m in gltf.tree["materials"]]
    scene = bpy.context.scene
    matter = {}  # frame -> name -> node
    for number in gltf.tree["scenes"][0]["nodes"]:
        node = nodes[number]
        if "frame" in node.get("extras", {}):
            matter[node["extras"]["frame"]] = {nodes[c]["name"]: c for c in node["children"]}
        elif "mesh" in node:
            mesh = bpy.data.meshes.new(node["name"])
            fill(mesh, gltf, gltf.primitive(number), materials)
            obstacle = add_object(node["name"], mesh)
            obstacle["obstacle"] = True
            place(obstacle, gltf, number, frames, True)
        elif "camera" in node:
            aspect = add_camera(gltf, number, frames)
        else:
            add_lights(gltf, number, frames, extras)
    meshes = {name: bpy.data.meshes.new(name) for name in sorted({n for names in matter.values() for n in names})}
    for name, mesh in meshes.items():
        out = add_object(name, mesh)
        out.hide_render = out.hide_viewport = name == "particles" and len(meshes) > 1

    def show(scene, *_):
        earlier = [f for f in frames if f <= scene.frame_current]
        now = matter.get(earlier[-1] if earlier else frames[0], {})
        for name, mesh in meshes.items():
            fill(mesh, gltf, gltf.primitive(now[name]) if name in now else None, materials)

    bpy.app.handlers.frame_change_pre.append(show)
    scene.frame_start, scene.frame_end = frames[0], frames[-1]
    scene.render.fps = max(1, round(extras["frame_rate"]))
    scene.render.engine, scene.cycles.samples = "CYCLES", 64
    scene.cycles.use_denoising = False  # Debian's Blender has none
    scene.render.use_motion_blur = True
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_y, scene.render.resolution_x = 720, round(720 * aspect)
    scene.frame_set(frames[0])
    return frames


def main():
    parser = argparse.ArgumentParser(prog="blender_scene.py")
    parser.add_argument("scene", type=pathlib.Path)
    parser.add_argument("--frame", type=int)
    parser.add_argument("--render", type=pathlib.Path, metavar="PNG")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--height", type=int, default=720)
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    frames = open_scene(options.scene)
    scene = bpy.context.scene
    scene.frame_set(frames[0] if options.frame is None else options.frame)
    if options.render:
        scene.cycles.samples = options.samples
        scene.render.resolution_x = round(scene.render.resolution_x * options.height / scene.render.resolution_y)
        scene.render.resolution_y = options.height
        scene.render.filepath = str(options.render.resolve())
        bpy.ops.render.render(write_still=True)


main()
