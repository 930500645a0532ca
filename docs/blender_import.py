"""Opens the particles of a Thixo run in Blender (3.4 or later), with every attribute.

    blender --python blender_import.py -- out/NAME

The object "particles" is a mesh of points that follows the timeline: frame n shows particles/n.ply. A geometry
nodes modifier turns the points into spheres of their radius, a material colours them by temperature. All
attributes can be used by name in geometry nodes (Named Attribute) and in shaders (Attribute): velocity, id,
radius, particle_density, particle_temperature, phase, material, object, body, rim. Cycles draws the spheres and
blurs their motion by `velocity`.
"""

import pathlib
import sys

import bpy
import numpy as np

# In Cycles the plain names mean the grids of a volume, and a shader that reads them on points gets zero.
RENAMED = {"density": "particle_density", "temperature": "particle_temperature"}
PLY_TYPES = {"float": "<f4", "uint": "<u4", "ushort": "<u2", "uchar": "<u1"}


def read_ply(path):
    """The particles as a numpy table with one column per property."""
    with open(path, "rb") as stream:
        count, columns = 0, []
        while (line := stream.readline().split()) != [b"end_header"]:
            if not line:
                raise ValueError(f"{path}: no PLY header")
            if line[:2] == [b"element", b"vertex"]:
                count = int(line[2])
            elif line[0] == b"property":
                columns.append((line[2].decode(), PLY_TYPES[line[1].decode()]))
        return np.fromfile(stream, dtype=columns, count=count)


def time_of(path):
    """Seconds, from the comment in the header."""
    with open(path, "rb") as stream:
        while (line := stream.readline().split()) != [b"end_header"]:
            if line[:2] == [b"comment", b"time"]:
                return float(line[2])
    return 0.0


def fill(mesh, table):
    """Points and attributes of one frame. Thixo's y is up, Blender's is z."""
    mesh.clear_geometry()
    mesh.vertices.add(len(table))
    upright = lambda x, y, z: np.column_stack((table[x], -table[z], table[y])).astype(np.float32).ravel()
    mesh.vertices.foreach_set("co", upright("x", "y", "z"))
    mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", upright("vx", "vy", "vz"))
    for name in table.dtype.names:
        if name in ("x", "y", "z", "vx", "vy", "vz"):
            continue
        real = table.dtype[name].kind == "f"
        attribute = mesh.attributes.new(RENAMED.get(name, name), "FLOAT" if real else "INT", "POINT")
        attribute.data.foreach_set("value", table[name].astype(np.float32 if real else np.int32))
    mesh.update()


def temperature_material(coldest, hottest):
    material = bpy.data.materials.new("temperature")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    attribute = nodes.new("ShaderNodeAttribute")
    attribute.attribute_name = RENAMED["temperature"]
    scale = nodes.new("ShaderNodeMapRange")
    scale.inputs["From Min"].default_value = coldest
    scale.inputs["From Max"].default_value = max(hottest, coldest + 1e-3)
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (0.02, 0.15, 0.6, 1)
    ramp.color_ramp.elements[1].color = (0.9, 0.15, 0.02, 1)
    links.new(attribute.outputs["Fac"], scale.inputs["Value"])
    links.new(scale.outputs["Result"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return material


def spheres(material):
    """Geometry nodes: mesh -> points with their radius -> material."""
    tree = bpy.data.node_groups.new("particles as spheres", "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    source, target = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    points = tree.nodes.new("GeometryNodeMeshToPoints")
    radius = tree.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    paint = tree.nodes.new("GeometryNodeSetMaterial")
    paint.inputs["Material"].default_value = material
    tree.links.new(source.outputs[0], points.inputs["Mesh"])
    tree.links.new(next(o for o in radius.outputs if o.enabled), points.inputs["Radius"])
    tree.links.new(points.outputs[0], paint.inputs["Geometry"])
    tree.links.new(paint.outputs[0], target.inputs[0])
    return tree


def open_run(folder):
    files = sorted((pathlib.Path(folder) / "particles").glob("*.ply"))
    if not files:
        sys.exit(f"{folder}: no particles/*.ply")
    table = read_ply(files[-1])
    temperature = table["temperature"] if len(table) else np.zeros(1)
    mesh = bpy.data.meshes.new("particles")
    particles = bpy.data.objects.new("particles", mesh)
    bpy.context.collection.objects.link(particles)
    modifier = particles.modifiers.new("spheres", "NODES")
    modifier.node_group = spheres(temperature_material(float(temperature.min()), float(temperature.max())))

    def show(scene, *_):
        fill(mesh, read_ply(files[min(max(scene.frame_current, 0), len(files) - 1)]))

    bpy.app.handlers.frame_change_pre.append(show)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, len(files) - 1
    if len(files) > 1:  # playback speed and motion blur need the run's frame rate
        scene.render.fps = max(1, round(1 / (time_of(files[1]) - time_of(files[0]))))
    scene.frame_set(0)
    return particles


if "Cube" in bpy.data.objects:
    bpy.data.objects.remove(bpy.data.objects["Cube"])
open_run(sys.argv[sys.argv.index("--") + 1])
