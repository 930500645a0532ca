// The viewer in a real browser: node browser_test.mjs PROGRAM [FOLDER FOR PICTURES]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { errors, folder, main, open, project, root, save, scene, stepTo, survey, view } from "./browser.mjs";

/** The picture, 48 × 32 values of grey. */
const thumbnail = (page) =>
  page.evaluate(() => {
    thixo.stage.dirty = true;
    thixo.stage.render();
    const small = Object.assign(document.createElement("canvas"), { width: 48, height: 32 }), g = small.getContext("2d");
    g.drawImage(document.getElementById("view"), 0, 0, 48, 32);
    const data = g.getImageData(0, 0, 48, 32).data;
    return Array.from({ length: 48 * 32 }, (_, k) => Math.round((data[4 * k] + data[4 * k + 1] + data[4 * k + 2]) / 3));
  });
const references = JSON.parse(fs.readFileSync(path.join(root, "tests/web/pictures.json"), "utf8"));
const seen = {};
/** Pictures may differ by the edges of balls: 3 of 255 levels in the mean. */
async function compare(page, name) {
  seen[name] = await thumbnail(page);
  await save(page, name);
  if (process.env.THIXO_UPDATE_PICTURES) return;
  const difference = seen[name].reduce((sum, v, k) => sum + Math.abs(v - references[name][k]), 0) / seen[name].length;
  assert.ok(difference < 3, `picture ${name} differs by ${difference.toFixed(2)} levels`);
  const spread = new Set(seen[name]).size;
  assert.ok(spread > 20, "a picture of nothing proves nothing");
}

await main(async (program) => {
  // --- Live: pictures, a grab, a heat gun, replay
  const live = view(scene, "--paused", "--threads", "2", "--out", path.join(folder, "view"));
  const page = await open(await live.address, { colorScheme: "light" });
  await compare(page, "start");
  await stepTo(page, 40);
  await compare(page, "forty steps");
  await page.check("#smooth");
  await compare(page, "smooth liquid");
  await page.uncheck("#smooth");

  // What is under the cursor, with its history.
  await page.mouse.move(...(await project(page, [0, 0.69, 0.12])));
  await page.waitForFunction(() => /jelly/.test(document.getElementById("picked").textContent));
  assert.match(await page.textContent("#picked"), /existed at the start/);

  await page.click('[data-tool="grab"]');
  const [x, y] = await project(page, [-0.3, 0.69, 0.12]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForFunction(() => thixo.frame.kinds.some((kind) => kind & 4));
  const before = await survey(page);
  assert.equal(before.held, 48, "the wooden block is held as a whole");
  const [, top] = await project(page, [-0.3, 1.0, 0.12]);
  await page.mouse.move(x, top, { steps: 4 });
  await stepTo(page, 140);
  const after = await survey(page);
  assert.ok(after.centre[1] > before.centre[1] + 0.1, `a grab moves a body: ${before.centre[1]} to ${after.centre[1]}`);
  await page.mouse.up();
  await save(page, "grabbed");

  await page.click('[data-tool="heat"]');
  await page.fill("#strength", "2");
  await page.selectOption("#colour", "temperature");
  const [hx, hy] = await project(page, [0.39, 0.7, 0.12]);
  await page.mouse.move(hx, hy);
  await page.mouse.down();
  await stepTo(page, 200);
  await page.mouse.up();
  const melted = await survey(page);
  assert.ok(melted.liquid > before.liquid + 5, `the heat gun melts wax: ${before.liquid} to ${melted.liquid} liquid particles`);
  await save(page, "melted");

  // A value that is refused goes back to the one before.
  await page.click("summary");
  const stiffness = page.locator("#materials input").first(), stiff = await stiffness.inputValue();
  await stiffness.fill("-1");
  await stiffness.press("Enter");
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("Refused"));
  assert.equal(await stiffness.inputValue(), stiff);

  // A page that is dropped connects again, and keeps its view.
  await page.evaluate(() => {
    thixo.stage.camera.position.x += 0.1;
    for (let k = 0; k < 1500; ++k) thixo.send({ pick: { origin: [0, 0, 9], direction: [0, 0, 1] } });
  });
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("does not answer"));
  const eye = await page.evaluate(() => thixo.stage.camera.position.x), told = (await survey(page)).step;
  await page.waitForFunction(() => document.getElementById("status").textContent === "");
  await stepTo(page, told + 1);
  assert.equal(await page.evaluate(() => thixo.stage.camera.position.x), eye);

  // By keyboard alone.
  await page.keyboard.press("1");
  await page.focus("#view");
  const turned = await page.evaluate(() => thixo.stage.camera.position.x);
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.evaluate(() => thixo.stage.camera.position.x), turned);
  await page.keyboard.press("h");
  await page.keyboard.press(" ");
  const playing = (await survey(page)).step;
  await page.waitForFunction((step) => thixo.frame.step > step + 3 && thixo.frame.frame >= 6, playing, { timeout: 60000 });
  await page.keyboard.press(" ");
  const hashes = await page.evaluate(() => thixo.ledger.rows.map((row) => row[thixo.ledger.columns.indexOf("hash")]));
  const said = await live.stop();
  const events = path.join(folder, "view/events.jsonl");
  assert.ok(said.includes(events));
  const kinds = fs.readFileSync(events, "utf8").trim().split("\n").map((line) => Object.keys(JSON.parse(line))[1]);
  assert.ok(["grab", "drag", "release", "heat"].every((kind) => kinds.includes(kind)), kinds.join());

  const frames = Math.min(6, hashes.length - 1), out = path.join(folder, "run");
  const run = spawnSync(program, ["run", scene, "--events", events, "--out", out, "--frames", frames, "--threads", "1", "--quiet"]);
  assert.equal(run.status, 0, String(run.stderr));
  const rows = fs.readFileSync(path.join(out, "stats.csv"), "utf8").trim().split("\n");
  const replayed = rows.slice(1).map((row) => row.split(",").pop());
  assert.deepEqual(replayed, hashes.slice(0, frames + 1), "a replay gives the same bits");
  console.log(`replayed ${frames} frames, ${kinds.length} events: the same hashes`);

  // The program is gone: the page says so.
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("does not answer"));

  // --- Saved surfaces, in the colours of the particles
  const meshed = path.join(folder, "meshed");
  const made = spawnSync(program, ["run", scene, "--out", meshed, "--frames", "2", "--threads", "1", "--quiet", "--set", 'output.surface={"method": "density"}']);
  assert.equal(made.status, 0, String(made.stderr));
  const surfaces = view(meshed), solid = await open(await surfaces.address, { colorScheme: "light" });
  await solid.waitForFunction(() => thixo.stage.skin?.geometry.index.count > 1000);
  const hues = await solid.evaluate(() => new Set(Array.from({ length: thixo.stage.skin.geometry.attributes.color.count }, (_, k) =>
    thixo.stage.skin.geometry.attributes.color.array.slice(3 * k, 3 * k + 3).join())).size);
  assert.ok(hues >= 4, `four materials have ${hues} colours`);
  await save(solid, "surfaces");
  await surfaces.stop();

  // --- Saved, at the size of a phone, dark
  const saved = view(out);
  const phone = await open(await saved.address, { colorScheme: "dark", viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing sticks out at the side");
  await phone.tap("#fold");
  await phone.waitForFunction(() => document.getElementById("play").getBoundingClientRect().bottom < innerHeight, null, { timeout: 10000 });
  await save(phone, "phone controls");
  await phone.evaluate(() => {
    const scrub = document.getElementById("scrub");
    scrub.value = 3;
    scrub.dispatchEvent(new Event("input"));
  });
  await phone.waitForFunction(() => thixo.frame.frame === 3);
  await save(phone, "phone");
  await saved.stop();

  assert.deepEqual(errors.filter((e) => !/WebSocket|ERR_CONNECTION/.test(e)), []);
  if (process.env.THIXO_UPDATE_PICTURES) fs.writeFileSync(path.join(root, "tests/web/pictures.json"), JSON.stringify(seen) + "\n");
});
