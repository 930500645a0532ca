// Frames and bytes a second that a client gets: node throughput.mjs ADDRESS [SECONDS] [again]
// "again" requests the same state over and over, to measure the way to the client alone.
import { createRequire } from "node:module";
import path from "node:path";

const [address, seconds = "5", again] = process.argv.slice(2);
const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), "../..");
const { WebSocket } = createRequire(path.join(root, "web/package.json"))("ws");
const { decode } = await import(path.join(root, "web/src/wire.js"));

const socket = new WebSocket(address.replace(/^http/, "ws") + "live", { origin: new URL(address).origin, perMessageDeflate: false });
socket.binaryType = "arraybuffer";
let frames = 0, bytes = 0, particles = 0, first = null, last = null, start = 0;
const ask = () => {
  // Another colour is another frame.
  if (again) socket.send('{"colour": "speed"}');
  socket.send('{"next": 1}');
};
socket.on("open", ask);
socket.on("message", (data, binary) => {
  if (!binary) return;
  const frame = decode(data);
  if (!first) {
    [first, start] = [frame, performance.now()];
    setTimeout(() => {
      const s = (performance.now() - start) / 1000;
      console.log(JSON.stringify({ particles, frames_per_second: +(frames / s).toFixed(1), megabytes_per_second: +(bytes / s / 1e6).toFixed(2),
        steps_per_second: +((last.step - first.step) / s).toFixed(1) }));
      process.exit(0);
    }, 1000 * Number(seconds));
  }
  ++frames;
  bytes += data.byteLength;
  particles = frame.count;
  last = frame;
  ask();
});
