"""glTF 2.0 with buffers in files: checks the structure as the specification demands it, and reads accessors. No code of Thixo."""

import json

import numpy as np

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TYPES = {5125: "<u4", 5126: "<f4"}


class Gltf:
    def __init__(self, path):
        self.folder, self.tree = path.parent, json.loads(path.read_text())
        self.check()

    def accessor(self, number):
        a = self.tree["accessors"][number]
        view = self.tree["bufferViews"][a["bufferView"]]
        uri = self.tree["buffers"][view["buffer"]]["uri"]
        width = COMPONENTS[a["type"]]
        values = np.fromfile(self.folder / uri, TYPES[a["componentType"]], a["count"] * width, offset=view["byteOffset"])
        return values.reshape(-1, width) if width > 1 else values

    def need(self, condition, what):
        if not condition:
            raise ValueError(what)

    def check(self):
        tree = self.tree
        self.need(tree["asset"]["version"] == "2.0", "version")
        for name, list_ in tree.items():
            self.need(not isinstance(list_, list) or list_, f"{name} is an empty list")
        for number, buffer in enumerate(tree["buffers"]):
            size = (self.folder / buffer["uri"]).stat().st_size
            self.need(size == buffer["byteLength"], f"buffer {number}: {size} bytes")
        for number, view in enumerate(tree["bufferViews"]):
            self.need(view["byteLength"] > 0, f"view {number} is empty")
            self.need(view["byteOffset"] % 4 == 0, f"view {number} is not aligned")
            end = view["byteOffset"] + view["byteLength"]
            self.need(end <= tree["buffers"][view["buffer"]]["byteLength"], f"view {number} ends behind its buffer")
        for number, a in enumerate(tree["accessors"]):
            size = 4 * a["count"] * COMPONENTS[a["type"]]
            self.need(size == tree["bufferViews"][a["bufferView"]]["byteLength"], f"accessor {number}: size")
            if "min" in a:
                values = self.accessor(number).reshape(-1, COMPONENTS[a["type"]])
                self.need(np.array_equal(values.min(0), np.float32(a["min"])), f"accessor {number}: min")
                self.need(np.array_equal(values.max(0), np.float32(a["max"])), f"accessor {number}: max")
        for mesh in tree["meshes"]:
            for primitive in mesh["primitives"]:
                self.check_primitive(mesh["name"], primitive)
        for material in tree["materials"]:
            for extension in material.get("extensions", {}):
                self.need(extension in tree["extensionsUsed"], f"{extension} is not declared")
            self.need(all(0 <= c <= 1 for c in material["pbrMetallicRoughness"]["baseColorFactor"]), "colour")
        self.check_nodes()
        for animation in tree.get("animations", []):
            self.check_animation(animation)

    def check_primitive(self, name, primitive):
        counts = {self.tree["accessors"][a]["count"] for a in primitive["attributes"].values()}
        self.need(len(counts) == 1, f"{name}: attributes of different lengths")
        self.need("min" in self.tree["accessors"][primitive["attributes"]["POSITION"]], f"{name}: no bounds")
        for word in primitive["attributes"]:
            self.need(word in ("POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0") or word.startswith("_"), word)
        if "indices" in primitive:
            indices = self.accessor(primitive["indices"])
            self.need(len(indices) % 3 == 0 and indices.max() < min(counts), f"{name}: indices")
            self.need(primitive["material"] < len(self.tree["materials"]), f"{name}: material")

    def check_nodes(self):
        seen = []

        def visit(number):
            seen.append(number)
            node = self.tree["nodes"][number]
            if "rotation" in node:
                self.need(abs(np.linalg.norm(node["rotation"]) - 1) < 1e-5, "a quaternion that is no rotation")
            for child in node.get("children", []):
                visit(child)

        for root in self.tree["scenes"][self.tree["scene"]]["nodes"]:
            visit(root)
        self.need(sorted(seen) == list(range(len(self.tree["nodes"]))), "nodes that are not in the tree exactly once")

    def check_animation(self, animation):
        targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
        self.need(len(set(targets)) == len(targets), "two channels for one target")
        for sampler in animation["samplers"]:
            times = self.accessor(sampler["input"])
            self.need(np.all(np.diff(times) > 0), "times that do not increase")
            self.need("min" in self.tree["accessors"][sampler["input"]], "times without bounds")
            self.need(self.tree["accessors"][sampler["output"]]["count"] == len(times), "samples and times")
