"""Checkpoints whose checksums are right and whose numbers are not: refused with a message, or run; never a crash."""

import random
import struct

import harness
from harness import BLOCKS, CRACK, GRABS, MILL, SNAP, GoldenTest

MASK = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def checksum(data):
    """`hash_bytes` of core/hash.h."""
    value = mix(len(data))
    for (word,) in struct.iter_unpack("<Q", data + bytes(-len(data) % 8)):
        value = mix(value ^ word)
    return value


class Checkpoint:
    """The sections of a checkpoint, to be changed and written again."""

    HEADER = struct.Struct("<32sQQQ")

    def __init__(self, path):
        data = path.read_bytes()
        self.head, self.sections, at = data[:16], {}, 16
        while at < len(data):
            name, size, count, expected = self.HEADER.unpack_from(data, at)
            at += self.HEADER.size
            payload = data[at:at + size * count]
            at += size * count
            assert checksum(payload) == expected, name
            self.sections[name.rstrip(b"\0").decode()] = (size, payload)

    def write(self, path, replaced):
        out = [self.head]
        for name, (size, payload) in self.sections.items():
            payload = replaced.get(name, payload)
            out.append(self.HEADER.pack(name.encode(), size, len(payload) // size, checksum(payload)))
            out.append(payload)
        path.write_bytes(b"".join(out))


# Where the indices of a section are, as (offset, format), offsets from the end where negative; and whether a number that is far too
# large must be refused. The others are flags and counts, which lead nowhere.
INDICES = {
    "id": ([(0, "I")], True),
    "phase": ([(0, "B")], True),
    "material": ([(0, "H")], True),
    "object": ([(0, "H")], False),
    "kinematic_id": ([(0, "H")], True),
    "body": ([(0, "I")], True),
    "rigid_cluster": ([(0, "I")], True),
    "elastic_index": ([(0, "I")], True),
    "lattice_index": ([(0, "I")], True),
    "rim": ([(0, "H")], False),
    "clock": ([(24, "Q"), (32, "Q"), (64, "Q")], True),
    "layers": ([(0, "Q")], False),
    "held": ([(0, "Q")], False),
    "removed": ([(0, "Q")], False),
    "kinematic_places": ([(0, "I"), (4, "I")], True),
    "lineage": ([(16, "I"), (20, "I"), (24, "I")], True),
    "elastic_link_counts": ([(0, "I")], True),
    "elastic_links": ([(0, "I")], True),
    "lattice_docked": ([(0, "I")], True),
    "rigid_bodies": ([(-16, "I"), (-12, "I"), (-8, "I"), (-4, "I")], True),
    "rigid_members": ([(0, "I"), (24, "I")], True),
    "rigid_contacts": ([(0, "I"), (4, "I")], False),
}
HUGE = {"B": 0xFE, "H": 0xFFFE, "I": 0x7FFFFFFE, "Q": 0x7FFFFFFFFFFFFFFE}


class Forged(GoldenTest):
    def forge(self, scene, *options):
        """Tries everything on a checkpoint of the scene. Returns the sections of indices that had any."""
        rng = random.Random(str(scene))
        out = self.folder / "out"
        self.run_ok(scene, "--frames", 2, "--out", out, *options)
        file = out / "checkpoint"
        checkpoint = Checkpoint(file)
        keep = {name: (out / name).read_bytes() for name in ("stats.csv", "scene.json")}

        def resume(replaced, code=None):
            for name, data in keep.items():
                (out / name).write_bytes(data)
            checkpoint.write(file, replaced)
            result = harness.thixo("run", scene, "--frames", 3, "--out", out, "--resume", "--threads", 1, *options)
            if code is None and result.returncode == 0:
                return
            self.check_message(result, result.returncode if code is None else code, *(["checkpoint"] if code else []))
            self.assertIn(result.returncode, (1, 2), result.stderr)

        resume({})
        tried = set()
        for name, (places, refused) in INDICES.items():
            size, payload = checkpoint.sections[name]
            count = len(payload) // size
            if count == 0:
                continue
            tried.add(name)

            def changed(values):
                data = bytearray(payload)
                for entry, place, kind, value in values:
                    struct.pack_into("<" + kind, data, entry * size + place % size, value)
                return {name: bytes(data)}

            for place, kind in places:
                with self.subTest(scene=scene.name, section=name, place=place):
                    resume(changed([(rng.randrange(count), place, kind, HUGE[kind])]), 2 if refused else None)
                    few = [(rng.randrange(count), place, kind, rng.randrange(min(2 * count, HUGE[kind])))
                           for _ in range(3)]
                    resume(changed(few))
                    bits = 8 * struct.calcsize(kind)
                    resume(changed([(k, place, kind, rng.getrandbits(bits)) for k in range(count)]),
                           2 if refused and count > 1 else None)
            with self.subTest(scene=scene.name, section=name, length="short"):
                # Contacts of the last step are where the next one starts: any number of them will do.
                resume({name: payload[:-size]}, None if name == "rigid_contacts" else 2)
        return tried

    def test_indices(self):
        tried = set()
        for scene, *options in ((MILL,), (SNAP,), (CRACK,), (BLOCKS,), (GRABS,)):
            tried |= self.forge(scene, *options)
            harness.shutil.rmtree(self.folder / "out")
        self.assertEqual(tried, set(INDICES), "sections of indices that no scene has")

    def test_numbers_that_are_not_finite(self):
        out = self.folder / "out"
        self.run_ok(BLOCKS, "--frames", 1, "--out", out)
        checkpoint = Checkpoint(out / "checkpoint")
        for name, value in (("position", "nan"), ("velocity", "inf"), ("mass", "-1"), ("radius", "0"),
                            ("temperature", "nan"), ("built_positions", "inf")):
            _, payload = checkpoint.sections[name]
            checkpoint.write(out / "checkpoint", {name: struct.pack("<f", float(value)) + payload[4:]})
            self.check_refused(harness.thixo("run", BLOCKS, "--frames", 2, "--out", out, "--resume"), name)
            self.check_refused(harness.thixo("info", out / "checkpoint"), name)

    def test_sections(self):
        out = self.folder / "out"
        self.run_ok(BLOCKS, "--frames", 1, "--out", out)
        whole = Checkpoint(out / "checkpoint")
        resume = lambda: harness.thixo("run", BLOCKS, "--frames", 2, "--out", out, "--resume")  # noqa: E731
        # Their order means nothing.
        shuffled = list(whole.sections.items())
        random.Random(1).shuffle(shuffled)
        checkpoint = Checkpoint(out / "checkpoint")
        checkpoint.sections = dict(shuffled)
        checkpoint.write(out / "checkpoint", {})
        self.assertEqual(harness.thixo("info", out / "checkpoint").returncode, 0)
        checkpoint.sections = {**whole.sections, "mood": (1, b"fine")}
        checkpoint.write(out / "checkpoint", {})
        self.check_refused(resume(), "`mood`", "is unknown to")
        for name in whole.sections:
            checkpoint.sections = {k: v for k, v in whole.sections.items() if k != name}
            checkpoint.write(out / "checkpoint", {})
            self.check_refused(resume(), f"no section `{name}`")

    def test_another_version(self):
        out = self.folder / "out"
        self.run_ok(BLOCKS, "--frames", 1, "--out", out)
        data = (out / "checkpoint").read_bytes()
        version = struct.unpack_from("<I", data, 8)[0]
        for other, word in ((version - 1, "older"), (version + 1, "newer")):
            (out / "checkpoint").write_bytes(data[:8] + struct.pack("<I", other) + data[12:])
            result = harness.thixo("run", BLOCKS, "--frames", 2, "--out", out, "--resume")
            self.check_refused(result, f"has version {other}", f"reads version {version}", word, "--force")


if __name__ == "__main__":
    harness.main()
