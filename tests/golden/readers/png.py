"""PNG (ISO/IEC 15948), 8 bits a channel, not interlaced, read from the specification."""

import struct
import zlib

import numpy as np


def _chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG file")
    position = 8
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8:position + 8 + length]
        (crc,) = struct.unpack_from(">I", data, position + 8 + length)
        if crc != zlib.crc32(kind + body):
            raise ValueError(f"chunk {kind}: wrong checksum")
        yield kind, body
        position += 12 + length


def _paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def _unfilter(kind, line, above, step):
    """One row in place; sums are taken modulo 256."""
    if kind == 2:
        line += above
    elif kind == 1:
        for k in range(step):
            line[k::step] = np.cumsum(line[k::step], dtype=np.uint8)
    elif kind in (3, 4):
        values, up = line.tolist(), above.tolist()
        for i in range(len(values)):
            a, b, c = (values[i - step], up[i], up[i - step]) if i >= step else (0, up[i], 0)
            values[i] = (values[i] + ((a + b) // 2 if kind == 3 else _paeth(a, b, c))) & 255
        line[:] = values
    elif kind != 0:
        raise ValueError(f"filter {kind}")


def read(path):
    """The picture as an array: height, width, channels."""
    with open(path, "rb") as file:
        chunks = list(_chunks(file.read()))
    if chunks[0][0] != b"IHDR" or chunks[-1] != (b"IEND", b""):
        raise ValueError("no header or no end")
    width, height, depth, colour, compression, filtering, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if (depth, compression, filtering, interlace) != (8, 0, 0, 0) or colour not in (0, 2, 4, 6):
        raise ValueError("another kind of PNG")
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    data = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    rows = np.frombuffer(data, np.uint8).reshape(height, 1 + width * channels).copy()
    above = np.zeros(width * channels, np.uint8)
    for row in rows:
        _unfilter(row[0], row[1:], above, channels)
        above = row[1:]
    return rows[:, 1:].reshape(height, width, channels)


def notes(path):
    """Keyword -> text of the tEXt and iTXt chunks, which stand in front of the pixels."""
    result = {}
    with open(path, "rb") as file:
        for kind, body in _chunks(file.read()):
            if kind == b"IDAT":
                break
            keyword, _, rest = body.partition(b"\0")
            if kind == b"tEXt":
                result[keyword.decode("latin-1")] = rest.decode("latin-1")
            elif kind == b"iTXt":
                if rest[:2] != b"\0\0":
                    raise ValueError("compressed text")
                result[keyword.decode("latin-1")] = rest[2:].split(b"\0", 2)[2].decode("utf-8")
    return result
