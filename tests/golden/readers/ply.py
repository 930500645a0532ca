"""PLY, the polygon file format (Greg Turk, Stanford, 1994): the vertices, one array per scalar property."""

import numpy as np

TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}
BYTE_ORDER = {"binary_little_endian": "<", "binary_big_endian": ">"}


def _header(stream):
    """(format, comments, elements); an element is [name, count, [(property, type)]]."""
    if stream.readline().strip() != b"ply":
        raise ValueError("the first line is not 'ply'")
    form, comments, elements = None, [], []
    while True:
        line = stream.readline()
        if not line.endswith(b"\n"):
            raise ValueError("the header does not end")
        word = line.decode("ascii").split()
        if word[0] == "end_header":
            return form, comments, elements
        if word[0] == "comment":
            comments.append(line.decode("ascii").strip()[len("comment "):])
        elif word[0] == "format":
            form, version = word[1:]
            if version != "1.0":
                raise ValueError(f"PLY version {version}")
        elif word[0] == "element":
            elements.append([word[1], int(word[2]), []])
        elif word[0] == "property" and len(word) == 3:
            elements[-1][2].append((word[2], TYPES[word[1]]))
        else:
            raise ValueError(f"not understood: {line!r}")


def read(path):
    with open(path, "rb") as stream:
        form, _, elements = _header(stream)
        if len(elements) != 1 or elements[0][0] != "vertex":
            raise ValueError("expected the element vertex alone")
        _, count, properties = elements[0]
        if form == "ascii":
            table = np.loadtxt(stream, ndmin=2).reshape(count, len(properties))
            return {name: table[:, i].astype(kind) for i, (name, kind) in enumerate(properties)}
        row = np.dtype([(name, BYTE_ORDER[form] + kind) for name, kind in properties])
        data = stream.read()
        if len(data) != count * row.itemsize:
            raise ValueError(f"{len(data)} bytes of data, {count * row.itemsize} expected")
        table = np.frombuffer(data, row)
        return {name: table[name] for name, _ in properties}


def comments(path):
    with open(path, "rb") as stream:
        return _header(stream)[1]
