"""VTK XML UnstructuredGrid files with ascii or inline base64 data ("VTK File Formats", docs.vtk.org)."""

import base64
import xml.etree.ElementTree as ElementTree

import numpy as np

TYPES = {
    "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
    "UInt64": "u8", "Float32": "f4", "Float64": "f8",
}
VTK_VERTEX = 1


class _File:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        if root.tag != "VTKFile" or root.get("type") != "UnstructuredGrid":
            raise ValueError("not an UnstructuredGrid")
        if root.get("compressor"):
            raise ValueError("compressed")
        self.order = {"LittleEndian": "<", "BigEndian": ">"}[root.get("byte_order")]
        # Version 0.1 always has 32-bit lengths, 1.0 names their type.
        self.length_type = np.dtype(self.order + TYPES[root.get("header_type", "UInt32")])
        self.grid = root.find("UnstructuredGrid")
        pieces = self.grid.findall("Piece")
        if len(pieces) != 1:
            raise ValueError(f"{len(pieces)} pieces")
        self.piece = pieces[0]

    def array(self, element):
        kind = np.dtype(self.order + TYPES[element.get("type")])
        if element.get("format") == "ascii":
            values = np.array(element.text.split(), dtype=kind)
        elif element.get("format") == "binary":
            data = base64.b64decode(element.text.strip(), validate=True)
            length = int(np.frombuffer(data, self.length_type, 1)[0])
            data = data[self.length_type.itemsize:]
            if length != len(data):
                raise ValueError(f"{element.get('Name')}: {len(data)} bytes, {length} announced")
            values = np.frombuffer(data, kind)
        else:
            raise ValueError(f"format {element.get('format')}")
        components = int(element.get("NumberOfComponents", "1"))
        return values.reshape(-1, components) if components > 1 else values


def _check_cells(file, count):
    cells = {a.get("Name"): file.array(a) for a in file.piece.find("Cells").findall("DataArray")}
    if int(file.piece.get("NumberOfCells")) != count:
        raise ValueError("not one cell per point")
    if not np.array_equal(cells["connectivity"], np.arange(count)):
        raise ValueError("connectivity is not 0 ... n-1")
    if not np.array_equal(cells["offsets"], np.arange(1, count + 1)):
        raise ValueError("offsets are not 1 ... n")
    if not np.all(cells["types"] == VTK_VERTEX) or len(cells["types"]) != count:
        raise ValueError("cells that are no vertices")


def read(path):
    """The point data by name, and the points as "position"."""
    file = _File(path)
    count = int(file.piece.get("NumberOfPoints"))
    result = {"position": file.array(file.piece.find("Points").find("DataArray")).reshape(count, 3)}
    for element in file.piece.find("PointData").findall("DataArray"):
        result[element.get("Name")] = file.array(element)
    for name, values in result.items():
        if len(values) != count:
            raise ValueError(f"{name}: {len(values)} values for {count} points")
    _check_cells(file, count)
    return result


def time(path):
    file = _File(path)
    for element in file.grid.find("FieldData").findall("DataArray"):
        if element.get("Name") == "TimeValue":
            return float(file.array(element)[0])
    raise ValueError("no TimeValue")
