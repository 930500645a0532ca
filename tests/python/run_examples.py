#!/usr/bin/env python3
"""Runs every example of a folder, at reduced size, in a folder of its own."""
import pathlib
import subprocess
import sys
import tempfile

examples = sorted(pathlib.Path(sys.argv[1]).glob("*.py"))
assert len(examples) >= 4, "there are no examples"
for example in examples:
    with tempfile.TemporaryDirectory() as folder:
        print(f"=== {example.name}", flush=True)
        subprocess.run([sys.executable, "-B", example, "--quick"], cwd=folder, check=True)
