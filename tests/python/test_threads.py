#!/usr/bin/env python3
"""The Python package among threads, signals and processes."""
import multiprocessing
import signal
import sys
import threading
import time
import unittest
import warnings

from package import POOL, pool  # which finds the package
import numpy
import thixo


class Threads(unittest.TestCase):
    def test_other_threads_go_on_while_it_steps(self):
        run = thixo.Run(POOL, "particles.spacing=0.02")
        ticks, stop = [], threading.Event()

        def tick():
            while not stop.wait(0):
                ticks.append(run_is_stepping)
                time.sleep(0.0005)
        run_is_stepping = False
        thread = threading.Thread(target=tick)
        thread.start()
        run_is_stepping = True
        run.advance_frame()
        run_is_stepping = False
        stop.set()
        thread.join()
        # With the GIL held, the thread would get a turn at most once before the call and once after it.
        self.assertGreater(ticks.count(True), 5)

    def test_one_thread_at_a_time(self):
        """What another thread would see of a run that goes on is refused, and the run is as without it."""
        run, alone = (thixo.Run(POOL, "particles.spacing=0.025") for _ in range(2))
        uses = (lambda: run.position, lambda: run.hash, lambda: len(run), lambda: run.surface("density"), lambda: run.step(),
                lambda: run.statistics(), lambda: setattr(run, "push", None), lambda: run.save_checkpoint("/nowhere/at/all"))
        refused, times, heights = set(), [], []
        begin, stop = threading.Event(), threading.Event()

        def look():
            begin.wait()
            while not stop.is_set():
                times.append((run.time, run.steps, run.frame, run.done))
                for k, use in enumerate(uses):
                    with self.assertRaisesRegex(RuntimeError, "another thread"):
                        use()
                    refused.add(k)
        thread = threading.Thread(target=look)
        thread.start()

        def push(of):
            begin.set()
            # The thread that goes on has its columns. The other one ends before it does.
            heights.append(float(of.position[:, 1].max()))
            time.sleep(0.002)
            if len(heights) > 10 and thread.is_alive():
                stop.set()
                thread.join()
        run.push, alone.push = push, lambda of: None
        run.advance_frame()
        alone.advance_frame()
        self.assertGreater(len(heights), 11)
        self.assertEqual((refused, set(times)), (set(range(len(uses))), {(0, 0, 0, False)}))
        self.assertEqual(run.hash, alone.hash)

    def test_a_surface_is_of_one_moment(self):
        """It is made without the lock: the run does not go on below it."""
        run = thixo.Run(POOL, "particles.spacing=0.02")
        for _ in range(20):
            expected, made, begun, refused = run.surface(resolution=0.4)[0], [], threading.Event(), 0

            def make():
                begun.set()
                made.append(run.surface(resolution=0.4)[0])
            thread = threading.Thread(target=make)
            thread.start()
            begun.wait()
            time.sleep(0.005)
            try:
                run.step()
            except RuntimeError as error:
                self.assertIn("another thread", str(error))
                refused = 1
            thread.join()
            if refused:
                break
        self.assertTrue(refused, "no step met a surface")
        self.assertTrue(numpy.array_equal(made[0], expected))

    def test_runs_share_nothing(self):
        runs = [thixo.Run(POOL, threads=1) for _ in range(2)]
        threads = [threading.Thread(target=run.run) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({run.hash for run in runs}, {thixo.Run(POOL, threads=2).run().hash})


def outcome(threads):
    return thixo.Run(POOL, threads=threads).run().hash


class Processes(unittest.TestCase):
    def test_a_signal_ends_a_long_frame_between_two_steps(self):
        run, whole = (thixo.Run(pool(frame_rate=0.1, duration=10)) for _ in range(2))

        def stop(number, frame):
            raise TimeoutError
        before = signal.signal(signal.SIGALRM, stop)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(TimeoutError):
            run.advance_frame()
        self.assertEqual(run.frame, 0)
        self.assertLess(run.time, 10)
        for of in (run, whole):
            of.advance_frame()
        self.assertEqual((run.hash, run.statistics()), (whole.hash, whole.statistics()))

    def test_forked_processes_have_threads_of_their_own(self):
        expected = outcome(2)
        with multiprocessing.get_context("fork").Pool(2) as processes:
            self.assertEqual(processes.map_async(outcome, (1, 2, 3)).get(timeout=600), [expected] * 3)
        self.assertEqual(outcome(2), expected)

    def test_warnings(self):
        """Water whose sound is far too slow for its depth is compressed, which a program hears of, or makes an error."""
        slow = pool(materials={"water": {"density": 1000, "liquid": {"sound_speed": 3}}})
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            thixo.Run(slow).run()
        self.assertTrue(any("compressed" in str(w.message) and w.category is RuntimeWarning for w in heard), heard)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(RuntimeWarning, "^liquids are compressed"):
                thixo.Run(slow).run()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
