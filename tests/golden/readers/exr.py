"""OpenEXR as it is specified, of files with one part, scan lines, floats and no compression: nothing of Thixo is used here."""

import struct

import numpy as np


def _name(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def read(path):
    """Channel -> rows of floats."""
    data = path.read_bytes()
    magic, version = struct.unpack_from("<ii", data)
    if magic != 20000630 or version != 2:
        raise ValueError("not a plain OpenEXR file")
    at, header = 8, {}
    while data[at] != 0:
        key, at = _name(data, at)
        kind, at = _name(data, at)
        size = struct.unpack_from("<i", data, at)[0]
        header[key] = (kind, data[at + 4:at + 4 + size])
        at += 4 + size
    at += 1
    if header["compression"][1] != b"\0" or header["lineOrder"][1] != b"\0":
        raise ValueError("compressed, or not from the top")
    x0, y0, x1, y1 = struct.unpack("<iiii", header["dataWindow"][1])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    names, listed, k = [], header["channels"][1], 0
    while listed[k] != 0:
        name, k = _name(listed, k)
        if struct.unpack_from("<i", listed, k)[0] != 2:
            raise ValueError("not 32-bit floats")
        names.append(name)
        k += 16
    if names != sorted(names):
        raise ValueError("channels are not in order")
    offsets = struct.unpack_from(f"<{height}Q", data, at)
    rows = np.empty((height, len(names), width), dtype="<f4")
    for row, offset in enumerate(offsets):
        y, size = struct.unpack_from("<ii", data, offset)
        if y != y0 + row or size != 4 * len(names) * width:
            raise ValueError(f"line {row} is not where it should be")
        rows[row] = np.frombuffer(data, "<f4", len(names) * width, offset + 8).reshape(len(names), width)
    return {name: rows[:, k] for k, name in enumerate(names)}
