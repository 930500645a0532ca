"""Scene files with random damage are refused or run; they never crash the program."""

import random
import resource

import harness
from harness import HERE, TANK, TANK_2D, GoldenTest

SEEDS = [HERE / "scenes" / "good" / "minimal.json", HERE / "scenes" / "good" / "full.json", TANK, TANK_2D]
TOKENS = [
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"//", b"/*", b"*/", b"\\", b"\n", b"\0", b"\xff", b"-", b"e9",
    b"0", b"1", b"null", b"true", b"1e308", b"-1", b"1e-300", b"0.5", b'""', b"[]", b"{}", b'"water"', b'"sphere"',
    b'"inside"']


def mutate(text, dice):
    """One to four small accidents: bytes lost, doubled, changed, put in, or moved."""
    text = bytearray(text)
    for _ in range(dice.choice((1, 1, 2, 4))):
        a = dice.randrange(len(text) + 1)
        b = min(len(text), a + dice.choice((1, 1, 3, 20, 200)))
        kind = dice.randrange(6)
        if kind == 0:
            del text[a:b]
        elif kind == 1:
            text[a:a] = text[a:b]
        elif kind == 2:
            text[a:a] = dice.choice(TOKENS)
        elif kind == 3:
            text[a:b] = dice.choice(TOKENS)
        elif kind == 4 and b > a:
            text[a] ^= 1 << dice.randrange(8)
        elif kind == 5:
            digits = [i for i, c in enumerate(text) if chr(c).isdigit()]
            if digits:
                text[dice.choice(digits)] = ord(dice.choice("0123456789.e-"))
    return bytes(text)


def little_memory():
    # A digit can turn a thousand particles into a hundred million; what does not fit is an error like any other.
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def very_little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))


class Mutations(GoldenTest):
    def setUp(self):
        super().setUp()
        # A program built with sanitizers reserves more than 2 GB before it begins.
        if harness.thixo("check", SEEDS[0], preexec_fn=little_memory).returncode != 0:
            self.skipTest("the program does not start in 2 GB of address space")

    def check_resolved(self, scene, number):
        """What was understood is a scene, and is understood the same way."""
        first, second = self.folder / f"{number} a", self.folder / f"{number} b"
        self.run_ok(scene, "--frames", 0, "--out", first, "--set", "output.particles=[]")
        self.run_ok(first / "scene.json", "--frames", 0, "--out", second)
        self.assertEqual(harness.resolved_scene(first), harness.resolved_scene(second))
        self.assertEqual(harness.hashes(first), harness.hashes(second))

    def test_mutations(self):
        dice = random.Random(1999)
        count = 3000 if harness.FULL else 200
        codes = {0: 0, 1: 0, 2: 0}
        for number in range(count):
            scene = self.folder / f"{number}.json"
            scene.write_bytes(mutate(dice.choice(SEEDS).read_bytes(), dice))
            result = harness.thixo("check", scene, preexec_fn=little_memory)
            with self.subTest(scene=scene.read_bytes()):
                self.assertIn(result.returncode, codes)
                codes[result.returncode] += 1
                if result.returncode == 0:
                    self.assertEqual(result.stderr, "")
                    self.check_resolved(scene, number)
                elif result.returncode == 2:
                    self.check_refused(result, str(scene))
                else:  # a right scene that cannot be simulated
                    self.check_message(result, 1)
                    self.assertRegex(result.stderr, "not enough memory|the simulation diverged")
        self.assertGreater(codes[0], count // 20)
        self.assertGreater(codes[2], count // 3)
        self.assertLess(codes[1], count // 20 + 1)

    def test_memory_runs_out(self):
        """A kernel that is wide for its spacing has lists of hundreds of neighbours."""
        crowd = ("--set", "particles.spacing=0.0006", "--set", "particles.support=4")
        result = harness.thixo("check", TANK_2D, *crowd, "--threads", 2, preexec_fn=very_little_memory)
        self.check_message(result, 2, "particles need", "of memory")


if __name__ == "__main__":
    harness.main()
