// What people do in the viewer's page, control by control: node controls_test.mjs PROGRAM [FOLDER FOR PICTURES]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { errors, folder, main, open, project, save, scene, stepTo, survey, view } from "./browser.mjs";

const status = (page, words) => page.waitForFunction((text) => document.getElementById("status").textContent.includes(text), words);
const picked = (page, words) => page.waitForFunction((text) => document.getElementById("picked").textContent.includes(text), words);
/** Fraction of the picture that is not background. */
const covered = (page) =>
  page.evaluate(() => {
    thixo.stage.dirty = true;
    thixo.stage.render();
    const view = document.getElementById("view"), small = Object.assign(document.createElement("canvas"), { width: 90, height: 90 }), g = small.getContext("2d");
    g.drawImage(view, 0, 0, 90, 90);
    const data = g.getImageData(0, 0, 90, 90).data;
    let other = 0;
    for (let k = 0; k < data.length; k += 4) other += Math.abs(data[k] - data[0]) + Math.abs(data[k + 1] - data[1]) + Math.abs(data[k + 2] - data[2]) > 30;
    return other / 8100;
  });
async function drag(page, from, to) {
  await page.mouse.move(...(await project(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await project(page, to)), { steps: 5 });
}
const number = (page, label) => page.locator("#materials label", { hasText: label }).locator("input");

await main(async () => {
  const live = view(scene, "--paused", "--threads", "2", "--out", path.join(folder, "view"));
  const address = await live.address, page = await open(address, { colorScheme: "light", acceptDownloads: true });
  const events = () => fs.readFileSync(path.join(folder, "view/events.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const last = () => events().at(-1);

  // A picture is saved as it is shown.
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  assert.equal(download.suggestedFilename(), "hands.png");
  const png = fs.readFileSync(await download.path());
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], await page.evaluate(() => thixo.stage.pixels));

  // The clip plane hides matter and obstacles, and what is hidden is not under the cursor.
  const whole = await covered(page), [cx, cy] = await project(page, [-0.3, 0.78, 0]);
  await page.mouse.move(cx, cy);
  await picked(page, "wood");
  await page.selectOption("#clip-axis", "x");
  await page.fill("#clip", "0.05");
  await page.mouse.move(cx + 1, cy);
  await page.waitForFunction(() => document.getElementById("picked").hidden);
  assert.ok((await covered(page)) < 0.35 * whole, `clipped: ${await covered(page)} of ${whole}`);
  await save(page, "clipped");
  await page.click('[data-tool="grab"]');
  await page.mouse.move(cx, cy);
  await page.mouse.down();
  await status(page, "nothing under the cursor");
  await page.mouse.up();
  await page.selectOption("#clip-axis", "");
  assert.ok(Math.abs((await covered(page)) - whole) < 0.01);

  // Push: as the drag goes in the picture, and neither towards the viewer nor away.
  await page.click('[data-tool="push"]');
  await page.fill("#strength", "-2"); // gently: the other bodies stay where they are
  const way = [[-0.3, 0.69, 0.12], [-0.1, 0.69, 0.12]];
  await drag(page, ...way);
  await page.mouse.up();
  await stepTo(page, 2);
  const { at, impulse } = last().push, strength = Math.hypot(...impulse), there = at.map((x, k) => x + (0.1 * impulse[k]) / strength);
  const [dragged, pushed] = await Promise.all([way, [at, there]].map(async ([from, to]) => {
    const [p, q] = [await project(page, from), await project(page, to)];
    return Math.atan2(q[1] - p[1], q[0] - p[0]);
  }));
  assert.ok(Math.abs(dragged - pushed) < 0.02, `dragged by ${dragged} rad, pushed by ${pushed}`);
  const eye = await page.evaluate(() => thixo.stage.ray(0, 0).direction);
  assert.ok(Math.abs(impulse.reduce((sum, x, k) => sum + x * eye[k], 0)) < 0.01 * strength);
  await page.fill("#strength", "0");

  // Pour: more particles, of the chosen material, as long as the button is down.
  const before = await survey(page);
  await page.click('[data-tool="pour"]');
  await page.selectOption("#pour", "wax");
  assert.equal(await page.inputValue("#warmth"), "80", "20 °C above the melting point");
  await page.mouse.move(...(await project(page, [0, 1.4, 0])));
  await page.mouse.down();
  await stepTo(page, 90);
  await page.mouse.up();
  const poured = await survey(page);
  assert.ok(poured.count > before.count + 5, `${before.count} to ${poured.count} particles`);
  assert.equal(events().find((e) => e.pour).pour.speed, 1);
  await save(page, "poured");

  // Cut: what is rigid is refused, jelly comes apart.
  await page.click('[data-tool="cut"]');
  const block = await page.evaluate(() => {
    const f = thixo.frame, sum = [0, 0, 0];
    let n = 0;
    for (let i = 0; i < f.count; ++i) {
      if ((f.kinds[i] & 3) !== 2) continue;
      ++n;
      for (let a = 0; a < 3; ++a) sum[a] += f.low[a] + ((f.high[a] - f.low[a]) * f.places[3 * i + a]) / 65535;
    }
    return sum.map((s) => s / n);
  });
  const [bx, by, bz] = block;
  await drag(page, [bx - 0.05, by, bz + 0.12], [bx + 0.05, by, bz + 0.12]);
  await page.mouse.up();
  await status(page, "Refused");
  const bodies = () => page.evaluate(() => thixo.ledger.curve("bodies").at(-1)[1]);
  const apart = await bodies();
  await drag(page, [0.06, 1.1, 0.12], [0.06, 0.1, 0.12]);
  await page.mouse.up();
  for (let k = 0; k < 100 && !last().cut; ++k) await page.waitForTimeout(100);
  assert.ok(last().cut, `the cut is an event, not ${JSON.stringify(last())}; ${await page.textContent("#status")}`);

  // Gravity and constants: taken, shown on every page, back with a restart. A field that is left empty changes nothing.
  const other = await open(address, { colorScheme: "dark" });
  await page.click("summary");
  const viscosity = number(page, "Viscosity").first(), gravity = page.locator("#gravity");
  assert.equal(await gravity.inputValue(), "9.81");
  await viscosity.fill("25");
  await viscosity.press("Enter");
  await gravity.fill("-2.5");
  await gravity.press("Enter");
  await other.waitForFunction(() => document.getElementById("gravity").value === "-2.5");
  assert.equal(await number(other, "Viscosity").first().inputValue(), "25");
  assert.deepEqual(last().gravity.acceleration.map((a) => a + 0), [0, 2.5, 0]);
  await viscosity.fill("");
  await viscosity.press("Enter");
  await page.waitForFunction(() => document.querySelector("#materials input").value !== "");
  assert.equal(await viscosity.inputValue(), "25");
  const count = events().length;
  await gravity.fill("1e300");
  await gravity.press("Enter");
  await page.waitForFunction(() => document.getElementById("gravity").value === "-2.5");
  await status(page, "Refused");
  assert.deepEqual([await gravity.inputValue(), events().length], ["-2.5", count]);
  const late = await open(address);
  assert.equal(await late.inputValue("#gravity"), "-2.5", "a page that comes later sees what applies");
  await late.context().close();
  await stepTo(page, 220);
  assert.ok((await bodies()) > apart, "the cut made more bodies");
  await save(page, "cut");

  // By keyboard alone: a grab at the cross, moved by arrow keys. A page that is killed lets go of what it holds.
  await other.bringToFront();
  await other.fill("#size", "2"); // the block alone
  await other.focus("#view");
  await other.keyboard.press("2");
  assert.equal(await other.getAttribute('[data-tool="grab"]', "aria-checked"), "true");
  const [jx, jy] = await other.evaluate(() => {
    const f = thixo.frame, k = f.kinds.findIndex((kind) => (kind & 3) === 2), camera = thixo.stage.camera;
    const at = [0, 1, 2].map((a) => f.low[a] + ((f.high[a] - f.low[a]) * f.places[3 * k + a]) / 65535);
    const p = camera.position.clone().set(...at).project(camera);
    return [p.x, p.y];
  });
  for (let x = 0.02; x < Math.abs(jx); x += 0.04) await other.keyboard.press(jx < 0 ? "ArrowLeft" : "ArrowRight");
  for (let y = 0.02; y < Math.abs(jy); y += 0.04) await other.keyboard.press(jy < 0 ? "ArrowDown" : "ArrowUp");
  await other.keyboard.press("Enter");
  await other.waitForFunction(() => thixo.frame.kinds.some((kind) => kind & 4));
  const held = await survey(other);
  for (let k = 0; k < 3; ++k) await other.keyboard.press("ArrowUp");
  await stepTo(other, 260);
  assert.ok((await survey(other)).centre[1] > held.centre[1] + 0.05, "arrow keys lead what is held");
  await save(other, "by keyboard");
  await other.context().close();
  await page.bringToFront(); // pages behind others draw nothing
  await stepTo(page, 261);
  await page.waitForFunction(() => !thixo.frame.kinds.some((kind) => kind & 4));
  assert.ok(last().release, "what a page held is let go of");

  // Light and dark by the button; what time does.
  const sky = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await sky();
  await page.click("#theme");
  assert.notEqual(await sky(), light);
  await save(page, "dark");
  await page.click("#restart");
  await page.waitForFunction(() => thixo.frame.step === 0 && document.getElementById("gravity").value === "9.81");
  assert.equal(await viscosity.inputValue(), "1");
  await page.selectOption("#speed", "0.1");
  await page.click("#play");
  const [start, begin] = [await page.evaluate(() => thixo.frame.time), Date.now()];
  await page.waitForTimeout(1500);
  const passed = (await page.evaluate(() => thixo.frame.time)) - start, wall = (Date.now() - begin) / 1000;
  assert.ok(passed > 0.02 * wall && passed < 0.13 * wall, `${passed} s of simulated time in ${wall} s at a tenth of the speed`);
  await page.click("#play");
  await page.waitForFunction(() => !thixo.frame.playing);
  const frozen = await page.evaluate(() => thixo.frame.step);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => thixo.frame.step), frozen, "time stands still");
  await live.stop();
  assert.deepEqual(errors.filter((e) => !/WebSocket|ERR_CONNECTION/.test(e)), []);
});
