"""The source keeps its promises: includes point one way, headers are guarded, the formatter has nothing to do."""

import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = (".h", ".cpp")

BASE = ["core", "geometry", "particles", "sph"]  # each may use those before it
PHYSICS = ["fluid", "elastic", "lattice", "rigid", "heat", "collide"]
CHANGE = ["phase", "adapt"]
ALLOWED = {name: set(BASE[:k]) for k, name in enumerate(BASE)}
ALLOWED |= {name: set(BASE) for name in PHYSICS}
ALLOWED |= {name: {*BASE, *PHYSICS} for name in CHANGE}
ALLOWED |= {"sim": {*BASE, *PHYSICS, *CHANGE}, "scene": {*BASE, *PHYSICS, *CHANGE, "sim", "io"}}
ALLOWED |= {name: set(BASE) for name in ("io", "surface", "skin", "render")}

INCLUDED_REPEATEDLY = [ROOT / "src/particles/fields.h"]  # the list of fields, expanded in several ways


def sources(*folders):
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES)


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)


class Architecture(unittest.TestCase):
    def test_modules_are_known(self):
        modules = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
        self.assertLessEqual(modules, set(ALLOWED), "a new module needs its place among the others")

    def test_includes_point_one_way(self):
        self.assertGreater(len(sources("src")), 100)
        for path in sources("src"):
            module = path.relative_to(ROOT / "src").parts[0]
            for name in includes(path):
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue((ROOT / "src" / name).exists(), "includes are written from the source root")
                    self.assertIn(name.split("/")[0], ALLOWED[module] | {module})

    def test_programs_include_modules_or_their_own(self):
        for path in sources("apps"):
            for name in includes(path):
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue((ROOT / "src" / name).exists() or (path.parent / name).exists())

    def test_headers_are_guarded(self):
        for path in sources("src", "apps", "tests", "bench"):
            if path.suffix == ".h" and path not in INCLUDED_REPEATEDLY:
                with self.subTest(file=str(path.relative_to(ROOT))):
                    code = re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text()).split("\n")
                    self.assertEqual(next(line for line in code if line.strip()), "#pragma once")

    def test_formatted(self):
        program = shutil.which("clang-format-14") or shutil.which("clang-format")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else "none"
        if not re.search(r"version 14\.", version):
            self.skipTest(f"needs clang-format 14, found {version.strip()}")
        files = sources("src", "apps", "tests", "bench")
        result = subprocess.run(
            [program, "--dry-run", "-Werror", "--ferror-limit=1", *files], capture_output=True, text=True)
        where = sorted(set(re.findall(rf"^{re.escape(str(ROOT))}/(\S+?):", result.stderr, re.MULTILINE)))
        self.assertEqual((result.returncode, where), (0, []), "run clang-format -i on these files")


if __name__ == "__main__":
    unittest.main()
