"""What the tests of the Python package share. Arguments of each: folder of the package, the program."""
import sys

sys.path.insert(0, sys.argv[1])
PROGRAM = sys.argv[2]

POOL = {
    "duration": 0.2, "frame_rate": 25, "particles": {"spacing": 0.05},
    "materials": {"water": {"density": 1000}},
    "objects": [{"name": "pool", "material": "water", "shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.3, 0.5]}}}],
    "obstacles": [{"name": "tank", "shape": {"box": {"min": [0, 0, 0], "max": [0.5, 1, 0.5]}}, "inside": True}],
}


def pool(**changes):
    return {**POOL, **changes}
