"""The source keeps its promises: includes point one way, headers are guarded, the formatter has nothing to do."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import local_names

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = (".h", ".cpp")


def dependencies():
    """module -> modules it may include, from src/CMakeLists.txt, where the graph stands: what a module depends on, and so on."""
    text = re.sub(r"#.*", "", (ROOT / "src/CMakeLists.txt").read_text())
    direct = {}
    for call in re.findall(r"thixo_(?:module|python_package)\(([^)]*)\)", text):
        words = call.split()
        listed = words[words.index("DEPENDS") + 1:] if "DEPENDS" in words else []
        stop = next((k for k, word in enumerate(listed) if word.isupper()), len(listed))
        direct[words[0]] = listed[:stop]
    allowed = {"version": set()}  # one header, no folder in src
    for name, listed in direct.items():  # bottom up: a module is listed behind those it depends on
        allowed[name] = set(listed).union(*(allowed[other] for other in listed))
    return allowed


ALLOWED = dependencies()

INCLUDED_REPEATEDLY = [ROOT / "src/particles/fields.h"]  # the list of fields, expanded in several ways


def sources(*folders):
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES)


def exists(name):
    """Headers that other programs include are in include/thixo, all others in src; within the tree their names are the same."""
    return (ROOT / "src" / name).exists() or (ROOT / "include/thixo" / name).exists()


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)


class Architecture(unittest.TestCase):
    def test_modules_are_known(self):
        modules = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
        self.assertLessEqual(modules, set(ALLOWED), "a new module needs a line in src/CMakeLists.txt")

    def test_graph_is_the_one_of_the_documents(self):
        """Physics modules meet in the particle table and in `body`, `phase` and `sim` alone."""
        physics = ["fluid", "elastic", "lattice", "rigid", "heat", "collide"]
        for name in physics:
            self.assertEqual(ALLOWED[name], {"core", "geometry", "particles", "sph"}, name)
        self.assertLessEqual(set(physics), ALLOWED["body"])
        self.assertIn("body", ALLOWED["phase"])
        self.assertNotIn("adapt", ALLOWED["phase"])
        self.assertNotIn("phase", ALLOWED["adapt"])
        for name in ("io", "render"):
            self.assertNotIn("sim", ALLOWED[name])
        for name in set(ALLOWED) - {"scene", "api", "python", "view"}:
            self.assertNotIn("scene", ALLOWED[name])

    def test_simulation_stays_small(self):
        """It is the order of the stages: what a stage does belongs to its type or function."""
        text = (ROOT / "src/sim/simulation.h").read_text()
        private = text[text.index("\nprivate:", text.index("\nclass Simulation")):]
        private = re.sub(r" *//.*", "", private[:private.index("\n};")])
        members = re.findall(r"^    [\w:<>, *]+? (\w+_)(?: = [^;]*)?;$", private, re.MULTILINE)
        functions = re.findall(r"^    (?!return|if)[\w:<>,&\[\] ]*?\b(\w+)\(.*(?:[;{]|,)$", private, re.MULTILINE)
        self.assertGreater(len(members), 10)
        self.assertLessEqual(len(members), 20, members)
        self.assertGreater(len(functions), 15)
        self.assertLessEqual(len(functions), 25, functions)

    def test_includes_point_one_way(self):
        self.assertGreater(len(sources("src")), 100)
        for path in sources("src"):
            module = path.relative_to(ROOT / "src").parts[0]
            for name in includes(path):
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue(exists(name), "includes are written from the source root")
                    # Python has pictures where Embree is found.
                    extra = {"render"} if module == "python" else set()
                    self.assertIn(name.split("/")[0].removesuffix(".h"), ALLOWED[module] | {module} | extra)

    def test_public_headers_include_public_headers(self):
        self.assertGreater(len(sources("include")), 20)
        for path in sources("include"):
            for name in includes(path):
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue(name.startswith("thixo/") and (ROOT / "include" / name).exists())

    def test_a_header_is_public_or_not(self):
        public = {str(path.relative_to(ROOT / "include/thixo")) for path in sources("include")}
        self.assertEqual([name for name in sorted(public) if (ROOT / "src" / name).exists()], [])

    def test_documents_name_files_that_exist(self):
        text = (ROOT / "docs/architecture.md").read_text()
        names = set(re.findall(r"`((?:[a-z_]+/)*[a-z_0-9]+\.(?:h|cpp))`", text))
        self.assertGreater(len(names), 50)
        known = {p.name for p in sources("include", "src", "apps", "tests")}
        for name in names:
            self.assertTrue(name in known or exists(name) or (ROOT / name).exists(), name)

    def test_files_are_for_one_sitting(self):
        for path in sources("include", "src", "apps"):
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertLessEqual(len(path.read_text().splitlines()), 400, "divide it by concepts")

    def test_classes_have_one_source(self):
        """A class that needs more than one .cpp file is more than one class."""
        defined = {}
        for path in sources("src"):
            if path.suffix == ".cpp":
                for name in re.findall(
                        r"^(?!\s)(?:[\w:<>,&*\[\] ]+\s)?\b([A-Z]\w+)::~?\w+\(", path.read_text(), re.MULTILINE):
                    defined.setdefault((path.parent.name, name), set()).add(path.name)
        self.assertGreater(len(defined), 30)
        for (module, name), files in defined.items():
            self.assertEqual(len(files), 1, f"{module}: {name} is defined in {sorted(files)}")

    def test_local_names_differ(self):
        """Unity builds (sanitizers, continuous integration) compile several files of a module as one: what only one of them defines
        needs a name that no other one in the module has, and no type of a header that they may include."""
        types = {}
        for path in sources("include/thixo", "src"):
            if path.suffix == ".h":
                types.setdefault(path.parent.name, set()).update(local_names.types_of_header(path.read_text()))
        self.assertIn("Placement", types["geometry"])
        for module in sorted(ALLOWED) + ["thixo"]:
            folder = ROOT / "src" / module if module in ALLOWED else ROOT / "apps/thixo"
            visible = set().union(*(types.get(name, set()) for name in (ALLOWED[module] if module in ALLOWED else set(ALLOWED)) | {module}))
            seen = {}
            for path in sorted(folder.glob("*.cpp")):
                for name, declaration in local_names.local_names(path.read_text()).items():
                    self.assertFalse(declaration.is_type and name in visible, f"{path}: {name} is a type of a header")
                    other = seen.setdefault(name, (path, declaration))
                    self.assertFalse(other[0] != path and declaration.collides(other[1]),
                                     f"{name} is defined in {other[0].name} and {path.name} of {module}")

    def test_solvers_of_velocities_run_through_one_function(self):
        """`Simulation::solve_velocities` restores behind each solver what holds for velocities; none may run without it."""
        lines = (ROOT / "src/sim/simulation.cpp").read_text().split("\n")
        calls = [k for k, line in enumerate(lines) if re.search(r"\b(forces_|contacts)\.solve_\w+\(", line)]
        self.assertGreater(len(calls), 3)
        for k in calls:
            self.assertIn("solve_velocities(", "".join(lines[k - 2:k]), lines[k])
        for path in sources("src"):
            if path.parent.name == "sim" and path.name not in ("simulation.cpp", "forces.cpp"):
                self.assertNotRegex(path.read_text(), r"\.solve_(divergence|density|viscosity|deformable|rigid)\(", path)

    def test_programs_include_modules_or_their_own(self):
        for path in sources("apps"):
            for name in includes(path):
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue(
                        exists(name) or (path.parent / name).exists() or (ROOT / "include" / name).exists())

    def test_headers_are_guarded(self):
        for path in sources("include", "src", "apps", "tests", "bench", "examples"):
            if path.suffix == ".h" and path not in INCLUDED_REPEATEDLY:
                with self.subTest(file=str(path.relative_to(ROOT))):
                    code = re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text()).split("\n")
                    self.assertEqual(next(line for line in code if line.strip()), "#pragma once")

    def test_formatted(self):
        program = shutil.which("clang-format-14") or shutil.which("clang-format")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else "none"
        if not re.search(r"version 14\.", version):
            self.skipTest(f"needs clang-format 14, found {version.strip()}")
        files = sources("include", "src", "apps", "tests", "bench", "examples")
        result = subprocess.run(
            [program, "--dry-run", "-Werror", "--ferror-limit=1", *files], capture_output=True, text=True)
        where = sorted(set(re.findall(rf"^{re.escape(str(ROOT))}/(\S+?):", result.stderr, re.MULTILINE)))
        self.assertEqual((result.returncode, where), (0, []), "run clang-format -i on these files")

    def test_comments_fit_the_line_length(self):
        files = sources("include", "src", "apps", "tests", "bench", "examples")
        result = subprocess.run([sys.executable, "-B", ROOT / "script/wrap_comments", "--check", *files],
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
