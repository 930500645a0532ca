"""Readers of particle files, written from the formats' specifications and independent of Thixo's code.

Each module has read(path), which returns a dict from name to numpy array, and refuses with ValueError whatever
the specification does not allow.
"""
