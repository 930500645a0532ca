#!/usr/bin/env python3
"""Runs every example of a folder, at reduced size, in its own folder; of notebooks the cells, which print what they did when they were saved."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

folder_of_examples = pathlib.Path(sys.argv[1]).resolve()
examples = sorted(folder_of_examples.glob("*.py"))
assert len(examples) >= 4, "there are no examples"
for example in examples:
    with tempfile.TemporaryDirectory() as folder:
        print(f"=== {example.name}", flush=True)
        subprocess.run([sys.executable, "-B", example, "--quick"], cwd=folder, check=True)
for notebook in sorted(folder_of_examples.glob("*.ipynb")):
    print(f"=== {notebook.name}", flush=True)
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells, "a notebook without code"
    program = "\n".join("".join(cell["source"]) for cell in cells)
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([sys.executable, "-B", "-"], cwd=folder, check=True, input=program, stdout=subprocess.PIPE, encoding="utf-8").stdout
    saved = "".join("".join(output["text"]) + "\n" for cell in cells for output in cell["outputs"] if output["output_type"] == "stream")
    # Their words, without numbers, which are of the version that the notebook was saved with, and without NumPy's padding of them.
    wording = [re.sub(r"\s+\]", "]", re.sub(r"[-+0-9.e]+", "0", text)).split() for text in (saved, said)]
    assert wording[0] == wording[1], f"the notebook says\n{saved}and now\n{said}"
    print(said)
