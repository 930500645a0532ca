"""Runs: scenes in motion."""
import json
import os
import struct
import weakref
import zlib

import numpy

from . import _thixo
from .column import Column

LIQUID, ELASTIC, RIGID = 0, 1, 2  #: values of the column `phase`

_COLUMNS = {
    "id": "stable number of each particle; a row's number means nothing beyond a step",
    "position": "m, (particles, 3)",
    "velocity": "m/s, (particles, 3), half a step behind the position; may be written, but for rigid bodies",
    "mass": "kg; in 2D per metre of depth",
    "radius": "m, half the spacing",
    "density": "kg/m³",
    "pressure": "Pa",
    "temperature": "°C; change it by `add_heat`",
    "phase": "thixo.LIQUID, ELASTIC or RIGID",
    "material": "number in the scene's materials",
    "object": "number in the scene's objects; emitters follow behind them",
    "body": "number of the connected solid; 0 for none",
}


def load(file, *overrides):
    """Reads a scene file. Overrides are texts such as "particles.spacing=0.02"."""
    return _thixo.load_scene(os.fspath(file), list(overrides))


def parse(scene, *overrides, name="scene"):
    """A scene from a dict with the keys of a scene file, or from its text. Paths of files start at the current folder."""
    text = scene if isinstance(scene, str) else json.dumps(scene, indent=2, default=_plain)
    return _thixo.parse_scene(text, name, list(overrides))


def _plain(value):
    """What JSON can hold: arrays become lists, paths texts."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scene or an action cannot hold a {type(value).__name__}")


def _lines(events):
    """Events as lines of JSON."""
    if isinstance(events, (str, os.PathLike)):
        with open(events, encoding="utf-8") as file:
            return file.read()
    return "".join(json.dumps(event, default=_plain) + "\n" for event in events)


class Run:
    """A scene in motion.

    scene:   a path, a dict with the keys of a scene file (docs/scene.md), or what `load` and `parse` return.
    *overrides: texts such as "particles.spacing=0.02".
    threads: 0 for all processors; the result is the same, bit by bit, for any number.
    events:  what is to be done to it, and when: a path to an events.jsonl (docs/viewer.md), or a list of dicts as `events` has them.

    Raises InputError, with all that is wrong and where, if the scene is wrong; RunError if the run diverges.
    """

    def __init__(self, scene, *overrides, threads=0, events=()):
        if isinstance(scene, (str, os.PathLike)):
            scene = load(scene, *overrides)
        elif isinstance(scene, dict):
            scene = parse(scene, *overrides)
        elif not isinstance(scene, _thixo.Scene):
            raise TypeError(f"a scene is a path, a dict, or what `load` and `parse` return, and no {type(scene).__name__}")
        elif overrides:
            raise TypeError("overrides belong to `load` or `parse` here")
        self._run = _thixo.Run(scene, threads, _lines(events))
        self._push = None

    @classmethod
    def resume(cls, checkpoint, threads=0, events=(), scene=None):
        """Goes on where a checkpoint was saved, to the same bits as if it had never stopped. Where events were applied, they and the scene
        must be given again."""
        self = cls.__new__(cls)
        if isinstance(scene, dict):
            scene = parse(scene)
        elif isinstance(scene, (str, os.PathLike)):
            scene = load(scene)
        elif scene is None and events:
            raise TypeError("resume: events are read for a scene, which must be given again: scene=…")
        self._run = _thixo.Run.resume(os.fspath(checkpoint), threads, _lines(events), scene)
        self._push = None
        return self

    scene = property(lambda self: json.loads(self._run.scene_json), doc="The scene as understood, with all defaults, as a dict.")
    time = property(lambda self: self._run.time, doc="s")
    steps = property(lambda self: self._run.steps, doc="Steps so far.")
    frame = property(lambda self: self._run.frame, doc="Last finished frame.")
    done = property(lambda self: self._run.done, doc="Whether all frames of the scene are finished.")
    hash = property(lambda self: self._run.hash, doc="Of all that the next step depends on; the same for any number of threads.")
    step_limit = property(lambda self: self._run.step_limit, doc="What limited the last step, in words.")

    def __reduce__(self):
        raise TypeError("a run cannot be copied or pickled: save a checkpoint, and resume it where it is needed")

    def __len__(self):
        """Number of particles."""
        return len(self._run)

    def __repr__(self):
        return f"<thixo.Run: {len(self)} particles, frame {self.frame}, t = {self.time:g} s>"

    def statistics(self):
        """The ledger of this moment as a dict, in SI units: what stats.csv has (docs/formats.md) but for the time by the clock, with the
        vectors `momentum` and `angular_momentum`, and the steps since the last frame."""
        return self._run.statistics()

    def step(self, end=None):
        """One step as long as is stable, but not beyond `end` (s)."""
        self._run.step(float("inf") if end is None else end)

    def advance_frame(self):
        """Steps to the end of the next frame."""
        self._run.advance_frame()

    def frames(self, count=None, on_step=None):
        """Advances frame by frame and yields the number of each, to the end of the scene or `count` of them. `on_step(run)` is called
        after each step."""
        finished = 0
        rate = self.scene["frame_rate"]
        while (count is None and not self.done) or (count is not None and finished < count):
            if on_step is not None:
                end = (self.frame + 1) / rate
                while self.time < end:
                    self.step(end)
                    on_step(self)
            self.advance_frame()
            finished += 1
            yield self.frame

    def run(self, on_frame=None):
        """Runs to the end of the scene; `on_frame(run)` is called after each frame."""
        for _ in self.frames():
            if on_frame is not None:
                on_frame(self)
        return self

    @property
    def push(self):
        """A function push(run) that is called once a step, before the forces, and returns accelerations (m/s²) of shape (particles, 3)
        or None. If they follow from the columns and the time alone, the run is repeatable."""
        return self._push

    @push.setter
    def push(self, function):
        # A weak reference: the garbage collector does not see what C++ holds, and a cycle through it would never be freed.
        me = weakref.ref(self)
        self._run.set_push(None if function is None else lambda time: me()._push(me()))
        self._push = function

    def add_heat(self, joules):
        """Gives each particle heat (J), a number or an array with one for each row. Negative takes it, but not below absolute zero."""
        self._run.add_heat(numpy.broadcast_to(numpy.asarray(joules, dtype=float), (len(self),)))

    def add_liquid(self, material, positions, velocity=(0, 0, 0), temperature=20):
        """Adds particles of liquid and returns how many; those without room (in obstacles, or closer than 0.8 spacings to another
        particle) are left out."""
        return self._run.add_liquid(material, numpy.asarray(positions, dtype=float), tuple(velocity), temperature)

    def remove_liquid(self, rows):
        """Removes liquid particles: a mask with one entry for each row."""
        mask = numpy.zeros(len(self), dtype=numpy.uint8)
        mask[numpy.asarray(rows)] = 1
        self._run.remove_liquid(mask)

    def act(self, name, /, **keys):
        """Does something before the next step: run.act("grab", hand=1, at=(0, 1, 0), radius=0.1). The actions and their keys are those of
        docs/viewer.md; what makes no sense is an InputError. It becomes an event of the run."""
        self._run.act(json.dumps({name: keys}, default=_plain))

    def grab(self, hand, at, radius, whole_bodies=False, liquids=False):
        """Takes hold of the solids in a ball (m), rigid bodies as a whole; `liquids`: of liquid too."""
        self.act("grab", hand=hand, at=at, radius=radius, whole_bodies=whole_bodies, liquids=liquids)

    def drag(self, hand, to, seconds):
        """Leads what a hand grabs or heats to another place (m) in so much simulated time."""
        self.act("drag", hand=hand, to=to, seconds=seconds)

    def release(self, hand):
        """Ends what a hand does."""
        self.act("release", hand=hand)

    def heat(self, hand, at, radius, power):
        """Heats what is in a ball by a power (W) until the hand is released; below zero it cools."""
        self.act("heat", hand=hand, at=at, radius=radius, power=power)

    def impulse(self, at, radius, impulse):
        """Gives what is in a ball an impulse (N s), shared by mass."""
        self.act("push", at=at, radius=radius, impulse=impulse)

    @property
    def events(self):
        """What was done to the run and what is still to come, as a list of dicts: `thixo run --events` replays them, a line each."""
        return [json.loads(line) for line in self._run.events.splitlines()]

    def surface(self, method="anisotropic", resolution=1.0, smooth=0):
        """A closed surface around all particles: vertices (m) and normals of shape (n, 3), triangles of shape (m, 3), in this order:
        vertices, triangles, normals. `resolution` is the edge of a grid cell in radii."""
        return self._run.surface(method, float(resolution), smooth)

    def picture(self, width=640, height=360, colour_by="speed"):
        """A picture of the particles as bytes of shape (height, width, 3): shaded balls among the obstacles."""
        return self._run.picture(width, height, colour_by)

    def _repr_png_(self):
        """What a notebook shows of a run."""
        try:
            pixels = self.picture(320, 180)
        except _thixo.InputError:
            return None  # built without pictures
        height, width, _ = pixels.shape
        rows = numpy.zeros((height, 1 + 3 * width), numpy.uint8)  # each begins with its filter, none
        rows[:, 1:] = pixels.reshape(height, -1)

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))

    def write_particles(self, file):
        """Writes a particle file, by its extension: .ply, .vtu or .bgeo."""
        self._run.write_particles(os.fspath(file))

    def save_checkpoint(self, file):
        """Saves all that is needed to go on, see `Run.resume`. A push is no part of it."""
        self._run.save_checkpoint(os.fspath(file))

    def columns(self):
        """Copies of all columns, by name: they last."""
        return {name: numpy.array(getattr(self, name)) for name in _COLUMNS}

    def _guard_velocity(self, buffer):
        """Rigid bodies move as a whole: velocities that are written to their rows are refused, and so is what is not finite."""
        rigid = numpy.flatnonzero(numpy.array(self.phase) == RIGID)
        before = numpy.array(memoryview(buffer))

        def check():
            now = numpy.asarray(memoryview(buffer))
            if not numpy.isfinite(now).all():
                why = "velocities must be finite"
            elif not numpy.array_equal(now[rigid], before[rigid]):
                why = "the velocities of rigid bodies follow from the body and cannot be written"
            else:
                return
            now[...] = before
            raise ValueError(why + "; nothing was written")
        return check


def _column(name, text):
    def get(self):
        return Column(self._run.column(name), guard=self._guard_velocity if name == "velocity" else None)

    def write(self, values):
        column = get(self)
        if name != "velocity":
            raise AttributeError(f"the column {name} follows from the physics and cannot be written")
        if not (isinstance(values, Column) and values.is_of(column)):  # run.velocity += … has written it already
            column[...] = values
    return property(get, write, doc=text)


for _name, _text in _COLUMNS.items():
    setattr(Run, _name, _column(_name, _text))
