// From the command to the first picture in a browser that is open already:  node bench/first_picture.mjs PROGRAM SCENE [TIMES]
// Prints the seconds to the printed address and to the first picture, and the program's processor time up to then. Chromium draws by the processor.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [program, scene, times = "3"] = process.argv.slice(2);
const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), "..");
const { chromium } = createRequire(path.join(root, "web/package.json"))("playwright-core");
const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.THIXO_CHROMIUM ?? "/usr/bin/chromium", headless: true, args: flags });
for (let k = 0; k < Number(times); ++k) {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  const begin = performance.now(), since = () => ((performance.now() - begin) / 1000).toFixed(2);
  const child = spawn(program, ["view", scene], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve) => {
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
      const found = out.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
  });
  const used = () => fs.readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13).reduce((sum, t) => sum + Number(t) / 100, 0);
  const [printed, processor] = [since(), used()];
  await page.goto(address);
  await page.waitForFunction(() => globalThis.thixo?.frames > 0 && !thixo.stage.dirty, null, { timeout: 60000 });
  console.log(`address after ${printed} s (${processor.toFixed(2)} s of the processor), first picture after ${since()} s`);
  child.kill("SIGINT");
  await page.close();
}
await browser.close();
