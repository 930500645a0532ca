"""The commands of README.md under "A first scene": the program prints what is written there.

With THIXO_UPDATE_DOCS=1 the file is rewritten with what the program prints.
"""

import itertools
import os
import re
import subprocess

import harness
from harness import HERE, GoldenTest

README = HERE.parents[1] / "README.md"
SCENE = re.compile(r"^```jsonc\n// (\w+\.json).*?\n(.*?)^```$", re.M | re.S)
SAMPLE = re.compile(r"^    \$ (thixo .*)\n((?:    .*\n|\n(?=    \S))*)", re.M)
TYPO = '{\n  "materials": { "water": { "densty": 1000 } },\n  "objects": [ { "material": "water", "shape": { "bunny": {} } } ]\n}\n'

# What depends on the machine: times, threads, and how far a trial run got.
MASKED = ((r"ETA [\d.:]+ \w+", "ETA"), (r" in [\d.:]+ (s|min|h)\b", " in TIME"), (r"\d+ threads?", "THREADS"), (r"ETA  ", ""),
          (r", from .*?; limit", "; limit"), (r"estimate     [\d,]+ steps", "estimate     STEPS"))
NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")


def masked(line):
    for pattern, by in MASKED:
        line = re.sub(pattern, by, line)
    return re.sub(r"ETA\s+", "", line)


def words(line):
    return re.sub(r"\s+", " ", NUMBER.sub("#", masked(line).rstrip()))


def same(written, printed):
    """The same words; numbers to a thousandth, for other processors round differently, and means near zero are noise."""
    if words(written) != words(printed):
        return False
    pairs = zip(NUMBER.findall(masked(written)), NUMBER.findall(masked(printed)))
    values = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs]
    return all(abs(a - b) <= max(1e-4, 2e-3 * abs(a)) for a, b in values)


def place(part, printed, begin, alike):
    """Where lines that are written stand among those that are printed, from `begin` on."""
    return next((i for i in range(begin, len(printed) - len(part) + 1) if all(alike(a, b) for a, b in zip(part, printed[i:]))), None)


class Readme(GoldenTest):
    def test_samples(self):
        text = README.read_text()
        name, scene = SCENE.search(text).groups()
        (self.folder / name).write_text(scene)
        (self.folder / "typo.json").write_text(TYPO)
        changed, samples = text, SAMPLE.findall(text)
        self.assertGreaterEqual(len(samples), 6)
        for command, written in samples:
            result = subprocess.run([harness.PROGRAM, *command.split()[1:]], cwd=self.folder, env=harness.environment(),
                                    capture_output=True, text=True, timeout=harness.PATIENCE)
            printed = (result.stdout + result.stderr).splitlines()
            lines = [line[4:] for line in written.rstrip("\n").splitlines()]
            kept, at = list(lines), 0
            runs = [list(run) for left_out, run in itertools.groupby(enumerate(lines), lambda pair: pair[1] == "…") if not left_out]
            for run in runs:
                part = [line for _, line in run]
                found = place(part, printed, at, same)
                if found is None and os.environ.get("THIXO_UPDATE_DOCS"):
                    # The same words with other numbers; where the words are others too, all of it, if nothing is left out.
                    found = place(part, printed, at, lambda a, b: words(a) == words(b))
                    if found is None and len(part) == len(lines):
                        kept, found = printed, 0
                    elif found is not None:
                        for k, line in run:
                            # What is the same but for times and threads stays.
                            now = printed[found + k - run[0][0]]
                            kept[k] = line if same(line, now) else now
                self.assertIsNotNone(found, f"$ {command}\nREADME.md:\n" + "\n".join(part) + "\nprinted:\n" + "\n".join(printed))
                if run[0][0] == 0:
                    self.assertEqual(found, 0, command)
                at = found + len(part)
            if kept != lines:
                changed = changed.replace(written, "".join(f"    {line}".rstrip() + "\n" for line in kept))
        if changed != text:
            README.write_text(changed)


if __name__ == "__main__":
    harness.main()
