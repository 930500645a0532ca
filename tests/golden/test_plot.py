"""Curves of runs: files that other programs read, several runs over each other, and messages for what cannot be plotted."""

import struct
import xml.etree.ElementTree as xml

import harness
from harness import TANK, GoldenTest
from readers.png import notes

SVG = "{http://www.w3.org/2000/svg}"


class Plot(GoldenTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def words(self, path):
        return [text.text for text in xml.parse(path).getroot().iter(SVG + "text")]

    def test_one_run(self):
        self.run_ok(TANK, "--frames", 3, "--out", self.out)
        result = harness.thixo("plot", self.out)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        words = self.words(self.out / "plot.svg")
        for word in ("Energy, J (potential above its lowest)", "kinetic", "sum", "Momentum, kg m/s", "Time step, s",
                     "Seconds a frame took"):
            self.assertIn(word, words)
        self.assertNotIn("Temperature, °C", words)  # which does not change in a tank of water
        png = (self.out / "plot.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG"))
        width, height = struct.unpack(">II", png[16:24])
        root = xml.parse(self.out / "plot.svg").getroot()
        self.assertEqual((width, height), (2 * round(float(root.get("width"))), 2 * round(float(root.get("height")))))
        # The same bits again.
        before = harness.digest(self.out)
        harness.thixo("plot", self.out)
        self.assertEqual(harness.digest(self.out), before)
        self.assertIn("thixo plot ", notes(self.out / "plot.png")["Comment"])
        self.assertEqual(harness.thixo("plot", self.out, "--quiet").stdout, "")

    def test_several_runs_and_chosen_panels(self):
        other = self.folder / "other"
        self.run_ok(TANK, "--frames", 2, "--out", self.out)
        self.run_ok(TANK, "--frames", 3, "--out", other)
        result = harness.thixo("plot", self.out, other, "--what", "energy,step", "--out", self.folder / "both.png")
        self.assertEqual(result.returncode, 0)
        words = self.words(self.folder / "both.svg")
        for word in ("out", "other", "Time step, s"):
            self.assertIn(word, words)
        self.assertNotIn("Momentum, kg m/s", words)
        self.assertTrue((self.folder / "both.png").exists())

    def test_tables(self):
        table = self.folder / "flicker.csv"
        table.write_text("time,density,active\n0,1,2\n1,2,1\n2,nan,3\n")
        self.assertEqual(harness.thixo("plot", table, "--columns", "density,active").returncode, 0)
        self.assertIn("active", self.words(self.folder / "plot.svg"))
        self.assertEqual(harness.thixo("plot", table, "--columns", "density+active", "--title", "Flicker").returncode, 0)
        for word in ("Flicker", "density", "active", "density+active"):
            self.assertIn(word, self.words(self.folder / "plot.svg"))
        self.check_refused(harness.thixo("plot", table, "--columns", "activ"), 'did you mean "active"?')

    def test_bad_input(self):
        self.check_refused(harness.thixo("plot", self.folder / "nothing"), "does not exist")
        self.check_refused(harness.thixo("plot", self.folder), "has no stats.csv")
        (self.folder / "stats.csv").write_text("frame,time\n")
        self.check_refused(harness.thixo("plot", self.folder), "no rows")
        (self.folder / "stats.csv").write_text("frame,time\n0,0\n")
        self.check_refused(harness.thixo("plot", self.folder), "nothing to plot")
        self.check_refused(harness.thixo("plot", self.folder, "--what", "enery"), 'did you mean "energy"?')


if __name__ == "__main__":
    harness.main()
