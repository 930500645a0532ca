// The viewer's wire, measured by a client in Node:  node bench/viewer.mjs PROGRAM [TURNS [loss|latency]]
//
// Prints frames and bytes a second, what an attached page costs the engine, and the time from a drag to a frame with the particle that it moved. The
// engine steps as fast as it can. A turn is a stretch with a page between two without; losses are means over the turns with their standard errors. On a
// machine with other work trust the processor times, of the engine's process alone; on a quiet one the steps a second too, which include what the
// client takes from the engine. "30/s" requests a frame every 33 ms, "every step" the next as soon as one has come.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [program, turns = "8", only] = process.argv.slice(2);
const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), "..");
const { WebSocket } = createRequire(path.join(root, "web/package.json"))("ws");
const { decode } = await import(path.join(root, "web/src/wire.js"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "thixo-bench-"));
const seconds = Number(process.env.THIXO_BENCH_SECONDS ?? 2); // of a stretch
const sleep = (s) => new Promise((resolve) => setTimeout(resolve, 1000 * s));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const shown = (x, digits = 3) => Number(x.toPrecision(digits));
/** Mean and standard error. */
function estimate(list) {
  const mean = list.reduce((sum, x) => sum + x, 0) / list.length;
  const error = Math.sqrt(list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (list.length - 1) / list.length);
  return `${mean.toFixed(1)} ± ${error.toFixed(1)}`;
}

class Client {
  constructor(address) {
    this.socket = new WebSocket(address.replace(/^http/, "ws") + "live", { origin: new URL(address).origin, perMessageDeflate: false });
    this.socket.binaryType = "arraybuffer";
    this.waiting = [];
    this.socket.on("message", (data, binary) => {
      if (binary) this.waiting.shift()?.({ bytes: data.byteLength, ...decode(data) });
      else if (JSON.parse(data).refused) throw new Error(String(data));
    });
    this.ready = new Promise((resolve) => this.socket.on("open", resolve));
  }
  send(message) {
    this.socket.send(JSON.stringify(message));
  }
  next() {
    this.send({ next: 1 });
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** Time on processors, s, to the nanosecond: of the thread that takes the steps, and of all threads of a process. */
function processor(pid) {
  const time = (task) => Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e9;
  return { stepping: time(pid), all: fs.readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + time(task), 0) };
}

async function open(scene, threads) {
  const file = path.join(folder, "scene.json");
  fs.writeFileSync(file, JSON.stringify(scene));
  const child = spawn(program, ["view", file, "--speed", "0", "--threads", String(threads), "--out", folder], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill("SIGKILL"));
  let out = "";
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      out += data;
      const found = out.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(out)));
  });
  const client = new Client(address);
  await client.ready;
  return { child, client };
}

const water = (edge, spacing) => ({
  duration: 1000, particles: { spacing }, materials: { water: { density: 1000, liquid: { sound_speed: 20, viscosity: 1 } } },
  objects: [{ material: "water", shape: { box: { min: [0, 0, 0], max: [edge, edge, edge] } } }],
  obstacles: [{ inside: true, shape: { box: { min: [0, 0, 0], max: [edge, 2 * edge, edge] } } }],
});

/** Steps a second, and seconds of the processor a step, while `page` does something. */
async function stretch({ child, client }, page) {
  const first = await client.next(), begin = performance.now(), used = processor(child.pid), own = process.cpuUsage();
  const result = await page(begin + 1000 * seconds);
  const last = await client.next(), wall = (performance.now() - begin) / 1000, steps = last.step - first.step, mine = process.cpuUsage(own);
  const now = processor(child.pid);
  return { ...result, steps: steps / wall, stepping: (now.stepping - used.stepping) / steps, all: (now.all - used.all) / steps, client: (mine.user + mine.system) / 1e6 / wall, wall, particles: last.count };
}
const alone = async () => (await sleep(seconds), {});
const attached = (period) => (client) => async (until) => {
  let frames = 0, bytes = 0, due = performance.now();
  while (performance.now() < until) {
    bytes += (await client.next()).bytes;
    ++frames;
    due = Math.max(due + period, performance.now() - period);
    if (due > performance.now()) await sleep((due - performance.now()) / 1000);
  }
  return { frames: frames / seconds, bytes: bytes / seconds };
};

async function loss(threads) {
  const viewer = await open(water(1, 1 / 46.5), threads);
  for (const [name, page] of [["30/s", attached(1000 / 30)], ["every step", attached(0)]]) {
    const without = [await stretch(viewer, alone)], with_ = [];
    for (let k = 0; k < Number(turns); ++k) {
      with_.push(await stretch(viewer, page(viewer.client)));
      without.push(await stretch(viewer, alone));
    }
    const of = (list, value) => shown(median(list.map(value)));
    // Against the mean of the stretches before and after, so that drift has no effect.
    const loss = (time) => estimate(with_.map((b, k) => 100 * (1 - (time(without[k]) + time(without[k + 1])) / 2 / time(b))));
    console.log(`${with_[0].particles} particles, ${threads} thread(s), page ${name}: ${of(with_, (b) => b.frames)} frames/s, ` +
      `${of(with_, (b) => b.bytes / 1e6)} MB/s, ${of(without, (a) => a.steps)} steps/s alone, ${of(with_, (b) => b.steps)} with the page; ` +
      `loss ${loss((a) => 1 / a.steps)} % by the clock, ${loss((a) => a.stepping)} % of the processor time of the thread that steps, ${loss((a) => a.all)} % of all threads; ` +
      `client ${of(with_, (b) => 100 * b.client)} % of a core`);
  }
  viewer.child.kill("SIGINT");
}

/** The time from a drag to a frame in which what is held has moved, ms. */
async function latency() {
  const scene = water(0.8, 0.03);
  scene.objects.push({ name: "block", material: "water", phase: "rigid", shape: { box: { min: [0.3, 1.0, 0.3], max: [0.5, 1.2, 0.5] } } });
  const { child, client } = await open(scene, os.cpus().length);
  let frame = await client.next(), x = 0.4;
  client.send({ act: { grab: { hand: 1, at: [0.4, 1.1, 0.4], radius: 0.1 } } });
  const place = (f) => {
    let sum = 0, held = 0;
    for (let i = 0; i < f.count; ++i)
      if (f.kinds[i] & 4) [sum, held] = [sum + f.low[0] + ((f.high[0] - f.low[0]) * f.places[3 * i]) / 65535, held + 1];
    return held ? sum / held : NaN;
  };
  while (Number.isNaN(place(frame))) frame = await client.next();
  const times = [];
  for (let k = 0; k < 40; ++k) {
    // What is held stands still before it is moved again.
    let still = place(frame);
    for (let same = 0; same < 3; ) {
      frame = await client.next();
      same = Math.abs(place(frame) - still) < 2e-5 ? same + 1 : 0;
      still = place(frame);
    }
    x = x < 0.4 ? 0.42 : 0.38;
    const begin = performance.now();
    client.send({ act: { drag: { hand: 1, to: [x, 1.1, 0.4], seconds: 0.005 } } });
    while (Math.abs(place(frame) - still) < 1e-4) frame = await client.next();
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  console.log(`${frame.count} particles: from a drag to a frame with the moved particle ${shown(median(times))} ms in the median, ${shown(times[Math.floor(0.95 * times.length)])} ms for 95 %`);
  child.kill("SIGINT");
}

if (only !== "latency") for (const threads of [1, os.cpus().length]) await loss(threads);
if (only !== "loss") await latency();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(0);
