// In a browser, from the mouse to the picture:  node bench/page_latency.mjs PROGRAM [TIMES]
// A block is grabbed in a scene of 20,026 particles and led to and fro. Prints the time from the event of the mouse to the end of the drawing of the
// first picture in which the block has moved, what a client without drawing would have waited, and the pictures a second meanwhile. Chromium
// draws by the processor here, which takes most of it.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [program, times = "40"] = process.argv.slice(2);
const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), "..");
const { chromium } = createRequire(path.join(root, "web/package.json"))("playwright-core");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "thixo-bench-")), scene = path.join(folder, "scene.json");
const box = (min, max) => ({ box: { min, max } });
fs.writeFileSync(scene, JSON.stringify({
  duration: 1000, particles: { spacing: 0.03 }, materials: { water: { density: 1000, liquid: { sound_speed: 20, viscosity: 1 } } },
  objects: [{ material: "water", shape: box([0, 0, 0], [0.8, 0.8, 0.8]) },
    { name: "block", material: "water", phase: "rigid", shape: box([0.3, 1, 0.3], [0.5, 1.2, 0.5]) }],
  obstacles: [{ inside: true, shape: box([0, 0, 0], [0.8, 1.6, 0.8]) }],
}));
const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.THIXO_CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });
const child = spawn(program, ["view", scene, "--paused", "--threads", "1", "--out", folder], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => child.kill("SIGKILL"));
const address = await new Promise((resolve) => {
  let out = "";
  child.stdout.on("data", (data) => {
    out += data;
    const found = out.match(/http:\S+/);
    if (found) resolve(found[0]);
  });
});
const page = await (await browser.newContext({ viewport: { width: 900, height: 600 } })).newPage();
await page.goto(address);
await page.waitForFunction(() => globalThis.thixo?.frames > 0 && !thixo.stage.dirty);
await page.click('[data-tool="grab"]');
await page.evaluate(() => {
  const place = (f) => {
    let sum = 0, n = 0;
    for (let i = 0; i < f.count; ++i)
      if (f.kinds[i] & 4) [sum, n] = [sum + f.low[0] + ((f.high[0] - f.low[0]) * f.places[3 * i]) / 65535, n + 1];
    return n ? sum / n : NaN;
  };
  const state = (globalThis.bench = { now: NaN, still: 0, from: NaN, came: 0, drawn: 0, pictures: 0, moved: 0 });
  const show = thixo.stage.show.bind(thixo.stage), render = thixo.stage.render.bind(thixo.stage), gl = thixo.stage.renderer.getContext();
  thixo.stage.show = (frame) => {
    const x = place(frame);
    state.still = Math.abs(x - state.now) < 2e-5 ? state.still + 1 : 0;
    state.now = x;
    if (state.moved && !state.came && Math.abs(x - state.from) > 1e-4) state.came = performance.now();
    show(frame);
  };
  thixo.stage.render = () => {
    const drew = render();
    if (drew) {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // the frame has been drawn
      ++state.pictures;
      if (state.came && !state.drawn) state.drawn = performance.now();
    }
    return drew;
  };
  document.getElementById("view").addEventListener("pointermove", (event) => {
    if (state.armed) Object.assign(state, { moved: event.timeStamp, from: state.now, came: 0, drawn: 0, armed: false });
  }, true);
});
const at = await page.evaluate(() => {
  const view = document.getElementById("view").getBoundingClientRect(), camera = thixo.stage.camera;
  const p = camera.position.clone().set(0.4, 1.1, 0.5).project(camera);
  return [view.left + (view.width * (p.x + 1)) / 2, view.top + (view.height * (1 - p.y)) / 2];
});
await page.mouse.move(...at);
await page.mouse.down();
await page.evaluate(() => thixo.send({ play: true }));
await page.evaluate(() => thixo.send({ speed: 0 }));
const came = [], drawn = [], begin = Date.now(), first = await page.evaluate(() => bench.pictures);
for (let k = 0; k < Number(times); ++k) {
  await page.waitForFunction(() => bench.still >= 3);
  await page.evaluate(() => (bench.armed = true));
  await page.mouse.move(at[0] + (k % 2 ? 0 : 12), at[1]);
  await page.waitForFunction(() => bench.drawn);
  const { moved, came: a, drawn: b } = await page.evaluate(() => ({ ...bench }));
  await page.evaluate(() => Object.assign(bench, { moved: 0, came: 0, drawn: 0, still: 0 }));
  came.push(a - moved);
  drawn.push(b - moved);
}
const rate = ((await page.evaluate(() => bench.pictures)) - first) / ((Date.now() - begin) / 1000);
const of = (list, fraction) => [...list].sort((a, b) => a - b)[Math.floor(fraction * (list.length - 1))].toFixed(0);
console.log(`${await page.evaluate(() => thixo.frame.count)} particles: from the mouse to the frame that came ${of(came, 0.5)} ms in the median, ${of(came, 0.95)} ms for 95 %; ` +
  `to the end of its drawing ${of(drawn, 0.5)} and ${of(drawn, 0.95)} ms; ${rate.toFixed(1)} pictures a second`);
await page.mouse.up();
await browser.close();
child.kill("SIGINT");
fs.rmSync(folder, { recursive: true, force: true });
process.exit(0);
