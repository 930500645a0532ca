"""Houdini's classic binary geometry, version 5 (GPD.txt of the Houdini distribution): points and attributes.

    "Bgeo" 'V' version  points primitives  point_groups primitive_groups
                        point_attributes vertex_attributes primitive_attributes detail_attributes   (int32 each)
    point attribute dictionary:  name (uint16 length, characters)  size (uint16)  type (int32)  size defaults
                                 (of type 4: count (int32), as many strings; values are indices into them)
    points:  x y z w, then the attributes, 32 bits per value
    detail attribute dictionary, detail values
    0x00 0xff

All values are big endian.
"""

import struct

import numpy as np

FLOAT, INT, INDEX, VECTOR = 0, 1, 4, 5


class _Stream:
    def __init__(self, data):
        self.data, self.position = data, 0

    def unpack(self, layout):
        layout = ">" + layout
        values = struct.unpack_from(layout, self.data, self.position)
        self.position += struct.calcsize(layout)
        return values

    def bytes(self, count):
        if self.position + count > len(self.data):
            raise ValueError("the file is too short")
        self.position += count
        return self.data[self.position - count:self.position]


def _dictionary(stream, count):
    """[(name, numpy field type, size)], and the strings of those that are indices into a list of them."""
    fields, strings = [], {}
    for _ in range(count):
        name = stream.bytes(stream.unpack("H")[0]).decode("ascii")
        size, kind = stream.unpack("Hi")
        if kind == INDEX:
            strings[name] = [stream.bytes(stream.unpack("H")[0]).decode() for _ in range(stream.unpack("i")[0])]
            fields.append((name, ">i4", size))
            continue
        if kind not in (FLOAT, INT, VECTOR):
            raise ValueError(f"{name} has type {kind}")
        if kind == VECTOR and size != 3:
            raise ValueError(f"vector {name} of size {size}")
        stream.bytes(4 * size)
        fields.append((name, ">i4" if kind == INT else ">f4", size))
    return fields, strings


def _rows(stream, fields, count):
    row = np.dtype([(name, kind, (size,)) if size > 1 else (name, kind) for name, kind, size in fields])
    table = np.frombuffer(stream.bytes(count * row.itemsize), row)
    return {name: table[name] for name, _, _ in fields}


def _parse(path):
    with open(path, "rb") as file:
        stream = _Stream(file.read())
    if stream.bytes(5) != b"BgeoV":
        raise ValueError("not a classic bgeo file")
    version, points, primitives, *groups = stream.unpack("5i")
    point_attributes, vertex_attributes, primitive_attributes, detail_attributes = stream.unpack("4i")
    if version != 5:
        raise ValueError(f"version {version}")
    if primitives or any(groups) or vertex_attributes or primitive_attributes:
        raise ValueError("more than points")
    fields = [("P", ">f4", 3), ("w", ">f4", 1)] + _dictionary(stream, point_attributes)[0]
    table = _rows(stream, fields, points)
    fields, strings = _dictionary(stream, detail_attributes)
    details = {name: value[0] for name, value in _rows(stream, fields, 1).items()}
    details.update({name: words[details[name]] for name, words in strings.items()})
    if stream.bytes(2) != b"\x00\xff" or stream.position != len(stream.data):
        raise ValueError("no end marker where the data ends")
    return table, details


def read(path):
    table, _ = _parse(path)
    if not np.all(table.pop("w") == 1):
        raise ValueError("w is not 1")
    return table


def details(path):
    """The attributes of the whole file: time, frame, program and scene."""
    return _parse(path)[1]
