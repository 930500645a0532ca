"""A page in a few lines: HTTP and WebSockets by hand, so that they can be wrong on purpose."""

import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile

import harness

FRAME_HEAD = struct.Struct("<4sIIf3d6f2f8x")


class Program:
    """`thixo view` while it runs."""

    def __init__(self, *arguments, errors=None, **options):
        # Into a file, which takes all lines; a pipe that is not read is full after two thousand.
        self.errors = errors or tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(harness.command("view", *arguments), stdout=subprocess.PIPE, stderr=self.errors,
                                        env=harness.environment(), text=True, **options)
        line = self.process.stdout.readline()
        found = re.search(r"at (http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)$", line.strip())
        if not found:
            raise AssertionError(line + self.said())
        self.address, self.port, self.token = found[1], int(found[2]), found[3]

    def said(self):
        """All that it wrote to stderr."""
        self.errors.seek(0)
        return self.errors.read()

    def stop(self):
        """Returns what it said: (exit code, stdout, stderr)."""
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=harness.PATIENCE)
        self.process.wait()
        return self.process.returncode, out, self.said()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def memory(self):
        """Bytes of main memory."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self):
        """How many files and sockets it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return connection

    def request(self, path, headers=None, method="GET"):
        """The answer's status and body."""
        lines = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        with self.connect() as connection:
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
            connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode())
            answer = b""
            while block := connection.recv(65536):
                answer += block
        status = int(answer.split()[1])
        return status, answer.partition(b"\r\n\r\n")[2]


class Page:
    def __init__(self, program, **headers):
        self.connection = program.connect()
        lines = {"Host": f"127.0.0.1:{program.port}", "Origin": f"http://127.0.0.1:{program.port}", "Upgrade": "websocket",
                 "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
        self.connection.sendall(f"GET /{program.token}/live HTTP/1.1\r\n{head}\r\n".encode())
        self.buffer = b""
        self.hashes = []  #: of each frame, by the ledger
        while b"\r\n\r\n" not in self.buffer:
            block = self.connection.recv(65536)
            if not block:
                break
            self.buffer += block
        answer, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(answer.split()[1])

    def close(self):
        self.connection.close()

    __del__ = close

    def send_frame(self, opcode, payload, last=True, masked=True, length=None):
        length = len(payload) if length is None else length
        head = bytes([(0x80 if last else 0) | opcode])
        mask_bit = 0x80 if masked else 0
        if length < 126:
            head += bytes([mask_bit | length])
        elif length < 65536:
            head += bytes([mask_bit | 126]) + struct.pack(">H", length)
        else:
            head += bytes([mask_bit | 127]) + struct.pack(">Q", length)
        self.connection.sendall(head + (b"\0\0\0\0" if masked else b"") + payload)

    def send(self, message):
        self.send_frame(1, json.dumps(message).encode())

    def _take(self, count):
        while len(self.buffer) < count:
            block = self.connection.recv(1 << 20)
            if not block:
                raise ConnectionError("closed")
            self.buffer += block
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def receive(self):
        """(opcode, payload) of the next frame."""
        head = self._take(2)
        length = head[1] & 0x7F
        if length >= 126:
            length = int.from_bytes(self._take(2 if length == 126 else 8), "big")
        opcode, payload = head[0] & 0x0F, self._take(length)
        if opcode == 1 and payload.startswith(b'{"ledger"'):
            ledger = json.loads(payload)["ledger"]
            if "hash" in ledger["columns"]:
                self.hashes += [row[ledger["columns"].index("hash")] for row in ledger["rows"]]
        return opcode, payload

    def received(self, key):
        """The next text that says something under this key."""
        while True:
            opcode, payload = self.receive()
            if opcode == 8:
                raise ConnectionError(f"closed with {int.from_bytes(payload[:2], 'big')}")
            if opcode == 1 and key in (message := json.loads(payload)):
                return message[key]

    def frame(self):
        """Requests the next frame of particles: the head as a dict."""
        self.send({"next": 1})
        while True:
            opcode, payload = self.receive()
            if opcode == 8:
                raise ConnectionError("closed")
            if opcode == 2 and payload[:4] == b"TXF1":
                values = FRAME_HEAD.unpack_from(payload)
                return {"count": values[1], "flags": values[2], "time": values[4], "step": int(values[5]), "frame": int(values[6]),
                        "payload": payload}

    def close_code(self):
        """Why the program ended the connection, or None if it just did."""
        try:
            while True:
                opcode, payload = self.receive()
                if opcode == 8:
                    return int.from_bytes(payload[:2], "big")
        except OSError:
            return None

    def act(self, **action):
        """"done", or why not."""
        self.send({"act": action})
        while True:
            opcode, payload = self.receive()
            if opcode == 1:
                message = json.loads(payload)
                if "done" in message:
                    return "done"
                if "refused" in message:
                    return message["refused"]
