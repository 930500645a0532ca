"""Opens what `thixo export --to vtp` wrote, in ParaView: pvpython paraview_screenshot.py FOLDER PICTURE. Prints counts, boxes and ranges at the last
time, and takes a picture of obstacles and surfaces there."""

import json
import pathlib
import sys

from paraview.simple import ColorBy, CreateView, GetColorTransferFunction, PVDReader, SaveScreenshot, Show

folder, picture = map(pathlib.Path, sys.argv[1:])
series = {path.stem: PVDReader(FileName=str(path)) for path in sorted(folder.glob("*.pvd"))}
last = max(time for reader in series.values() for time in reader.TimestepValues)
found = {}
for name, reader in series.items():
    reader.UpdatePipeline(last)
    data = reader.GetDataInformation()
    arrays = [reader.PointData.GetArray(k) for k in range(reader.PointData.GetNumberOfArrays())]
    found[name] = {"times": list(reader.TimestepValues), "points": data.GetNumberOfPoints(), "cells": data.GetNumberOfCells(), "box": data.GetBounds(),
                   "ranges": {a.Name: a.GetRange(0) for a in arrays}}
view = CreateView("RenderView")
view.ViewSize = [640, 360]
view.ViewTime = last
view.OrientationAxesVisibility = 0
for name, reader in series.items():
    if name == "particles":
        continue
    shown = Show(reader, view)
    if name.startswith("obstacle"):
        shown.BackfaceRepresentation = "Cull Backface"  # Containers face inwards: they are seen into.
    else:
        ColorBy(shown, ("POINTS", "vy"))
        GetColorTransferFunction("vy").ApplyPreset("Viridis (matplotlib)", True)
        shown.RescaleTransferFunctionToDataRange(True)
view.ResetCamera()
view.GetActiveCamera().Azimuth(25)
view.GetActiveCamera().Elevation(15)
view.GetActiveCamera().Dolly(1.3)
SaveScreenshot(str(picture), view)
print("FOUND", json.dumps(found))
