"""ParaView's collection files: which data set belongs to which time."""

import os
import xml.etree.ElementTree as ElementTree

import numpy as np


def read(path):
    """{"time": array, "file": array of paths, resolved from the collection's folder}"""
    root = ElementTree.parse(path).getroot()
    if root.tag != "VTKFile" or root.get("type") != "Collection":
        raise ValueError("not a collection")
    sets = root.find("Collection").findall("DataSet")
    folder = os.path.dirname(os.path.abspath(path))
    return {
        "time": np.array([float(s.get("timestep")) for s in sets]),
        "file": np.array([os.path.join(folder, s.get("file")) for s in sets], dtype=object),
    }
