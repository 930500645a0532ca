// What tests in a browser share: the program, Chromium, and pages of the viewer.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "thixo-web-"));
export const scene = path.join(root, "tests/golden/scenes/run/hands.json");
/** What pages complained about. */
export const errors = [];

const [program, pictures] = process.argv.slice(2);
const { chromium } = createRequire(path.join(root, "web/package.json"))("playwright-core");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.THIXO_CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });

const children = [];
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** `thixo view` while it runs. */
export function view(...options) {
  const child = spawn(program, ["view", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let out = "";
  const address = new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      out += data;
      const found = out.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(out)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.on("exit", () => resolve(out));
      child.kill("SIGINT");
    });
  return { address, stop };
}

export async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const start = Date.now();
  await page.goto(address);
  await page.waitForFunction(() => globalThis.thixo?.frames > 0 && !thixo.stage.dirty, null, { timeout: 20000 });
  console.log(`first picture after ${Date.now() - start} ms`);
  return page;
}

export const save = async (page, name) => pictures && (await page.screenshot({ path: path.join(pictures, `${name}.png`) }));

/** Where a point of the world is on the page. */
export const project = (page, x) =>
  page.evaluate((at) => {
    const box = document.getElementById("view").getBoundingClientRect(), camera = thixo.stage.camera;
    camera.updateMatrixWorld();
    const p = camera.position.clone().set(...at).project(camera);
    return [box.left + (box.width * (p.x + 1)) / 2, box.top + (box.height * (1 - p.y)) / 2];
  }, x);

/** Presses the button that takes a step until so many are taken. */
export async function stepTo(page, step) {
  const now = await page.evaluate(() => thixo.frame.step);
  for (let k = 0; k < step - now; ++k) await page.evaluate(() => document.getElementById("step").click());
  await page.waitForFunction((wanted) => thixo.frame.step >= wanted && !thixo.stage.dirty, step, { timeout: 60000 });
}

/** Centre of what is held, and how many particles are liquid. */
export const survey = (page) =>
  page.evaluate(() => {
    const f = thixo.frame, sum = [0, 0, 0];
    let held = 0, liquid = 0;
    for (let i = 0; i < f.count; ++i) {
      if ((f.kinds[i] & 3) === 0) ++liquid;
      if ((f.kinds[i] & 4) === 0) continue;
      ++held;
      for (let a = 0; a < 3; ++a) sum[a] += f.low[a] + ((f.high[a] - f.low[a]) * f.places[3 * i + a]) / 65535;
    }
    return { held, liquid, count: f.count, centre: sum.map((s) => s / held), step: f.step };
  });

/** Runs a test and tidies up. */
export async function main(test) {
  try {
    await test(program);
    console.log("all good");
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
