import "./style.css";
import { Stage } from "./stage.js";
import { Hand, strengthText, tools } from "./hands.js";
import { Constants } from "./constants.js";
import { Ledger } from "./ledger.js";
import { Legend } from "./legend.js";
import { pick, place } from "./wire.js";

const $ = (id) => document.getElementById(id);
const canvas = $("view");
const stage = new Stage(canvas);
const ledger = new Ledger(), legend = new Legend($("legend"));
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const send = (message) => worker.postMessage(message);
const act = (action) => send({ act: action });
const constants = new Constants($("gravity"), $("materials"), act);

let setting = null, frame = null, fresh = null, hand = null, tool = "look", playing = false, frames = 0;
let rate = { wall: 0, time: 0, value: 1 };

// --- Messages

worker.onmessage = ({ data }) => {
  if (data.frame) fresh = data.frame;
  else if (data.mesh) stage.mesh(data.mesh);
  else if (data.message) receive(data.message);
  else say(data.connected ? "" : "The program does not answer. Trying again …");
};
send({ connect: location.href.replace(/^http/, "ws").replace(/[?#].*$/, "") + "live" });

function receive(message) {
  if (message.stage) describe(message.stage);
  else if (message.poses) stage.poses(message.poses);
  else if (message.ledger) {
    ledger.add(message.ledger);
    drawLedger();
  } else if (message.picked !== undefined) showPicked(message.picked);
  else if (message.constants) {
    Object.assign(setting, message.constants);
    constants.update(message.constants);
    describeHand();
  } else if (message.done) constants.taken();
  else if (message.refused) {
    say(`Refused: ${message.refused}`);
    constants.refused();
    hand?.refused();
  } else if (message.failed) say(message.failed);
  else if (message.says) say(message.says);
  else if (message.restarted) {
    ledger.clear();
    say("From the start");
  }
}

let hush = 0;
function say(text) {
  $("status").textContent = text;
  clearTimeout(hush);
  if (text && !text.startsWith("The program")) hush = setTimeout(() => ($("status").textContent = ""), 6000);
}

function fill(select, names, chosen) {
  select.replaceChildren(...names.map((name) => new Option(name, name, name === chosen, name === chosen)));
}

function describe(described) {
  setting = { ...described, ...described.constants };
  document.title = `${setting.name} – Thixo`;
  $("title").textContent = setting.name;
  stage.describe(setting);
  ledger.clear();
  hand = new Hand(setting, act, () => rate.value, () => frame?.time ?? 0);
  fill($("colour"), setting.attributes, $("colour").value || setting.attributes[0]);
  send({ colour: $("colour").value });
  $("hands").hidden = $("restart").hidden = !setting.live;
  $("scrub-label").hidden = setting.live;
  $("meshes-label").hidden = !setting.has_meshes;
  send({ meshes: setting.has_meshes && $("meshes").checked });
  $("scrub").max = setting.frames;
  $("smooth").disabled = !stage.canSmooth;
  fill($("pour"), setting.materials.map((m) => m.name), setting.materials[0].name);
  suggestWarmth();
  constants.describe(described);
  describeHand();
}

/** Liquid is poured 20 °C above its melting point, unless another temperature is given. */
function suggestWarmth() {
  const melting = setting.materials.find((m) => m.name === $("pour").value)?.melting_point;
  $("warmth").value = melting === undefined ? 20 : Math.max(20, melting + 20);
}

/** How large and how strong a hand is, in units. */
function describeHand() {
  if (!setting) return;
  $("size-text").textContent = `${Number(radius().toPrecision(2))} m`;
  $("strength-text").textContent = strengthText(tool, setting, radius(), strength());
}

// --- What is drawn

function showFrame(next) {
  const now = performance.now();
  if (frame && now - rate.wall > 500) rate = { wall: now, time: next.time, value: Math.max(0.001, (next.time - rate.time) / ((now - rate.wall) / 1000)) };
  frame = next;
  ++frames;
  stage.show(frame);
  drawLegend();
  playing = frame.playing;
  $("play").textContent = playing ? "Pause" : "Play";
  $("clock").textContent = `t = ${frame.time.toFixed(3)} s, ${setting?.live ? `step ${frame.step}, ` : ""}frame ${frame.frame}, ${frame.count.toLocaleString("en")} particles`;
  if (!setting?.live && document.activeElement !== $("scrub")) $("scrub").value = frame.frame;
}

// Where drawing is slow, the picture has half the resolution while a hand is on something: what it does is seen in half the time.
const slow = 50; // ms
let interval = 0, lastPicture = 0, drewLast = false, coarse = false;
const fit = () => stage.resize(canvas.clientWidth || 1, canvas.clientHeight || 1, Math.min(2, devicePixelRatio) * (coarse ? 0.5 : 1));
function keepUp(drew) {
  const now = performance.now();
  if (drew && drewLast) interval += 0.3 * (now - lastPicture - interval);
  if (drew) lastPicture = now;
  drewLast = drew;
  const wanted = Boolean(hand?.busy) && (coarse || interval > slow);
  if (wanted === coarse) return;
  coarse = wanted;
  fit();
}

function loop() {
  requestAnimationFrame(loop);
  if (fresh) {
    showFrame(fresh);
    fresh = null;
    lookAgain();
    send({ drawn: true });
  }
  keepUp(stage.render());
}

const drawLegend = () => legend.draw($("colour").value, frame, setting);

function drawLedger() {
  if ($("curve").options.length === 0 && ledger.names().length > 0) fill($("curve"), ledger.names(), "kinetic");
  ledger.draw($("curves"), $("curve").value, getComputedStyle(document.body).color);
}

function showPicked(picked) {
  $("picked").hidden = !picked;
  if (!picked) return;
  const n = (a) => Number(a.toPrecision(4)), lines = [
    `particle ${picked.id}: ${picked.phase} ${picked.material}`, `of ${picked.object}${picked.body ? `, body ${picked.body}` : ""}${picked.held ? ", held" : ""}`,
    `${n(picked.temperature)} °C, ${n(Math.hypot(...picked.velocity))} m/s, ${n(picked.density)} kg/m³`,
    ...picked.lineage.map((l) => `${n(l.time)} s: body ${l.body} ${l.what} ${l.parents.join(", ")}`)];
  $("picked").replaceChildren(...lines.map((text) => Object.assign(document.createElement("div"), { textContent: text })));
}

// --- Pointer

const toPicture = (event) => {
  const box = canvas.getBoundingClientRect();
  return [(2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height];
};
/** What is there in the picture? What is clipped away is not. */
const ask = (x, y) => send({ pick: { ...stage.ray(x, y), clip: { normal: stage.clip.toArray().slice(0, 3), offset: stage.clip.w } } });
const radius = () => Number($("size").value) * setting.spacing;
const strength = () => 10 ** Number($("strength").value);

function beginAt(x, y) {
  if (!frame || !hand) return false;
  const ray = stage.ray(x, y), hit = pick(frame, ray.origin, ray.direction, stage.clip.toArray());
  // At the depth of the particle, but below the cursor: a hand that began at the centre of the particle would be led by what lies between them.
  const through = stage.onPlane(ray, hit >= 0 ? place(frame, hit) : stage.controls.target.toArray());
  if (hit < 0 && (tool === "grab" || tool === "push")) {
    say("There is nothing under the cursor");
    return false;
  }
  say("");  // what was refused before
  hand.begin({ tool, at: through, liquid: hit >= 0 && (frame.kinds[hit] & 3) === 0, radius: radius(), strength: strength(),
    material: $("pour").value, temperature: Number($("warmth").value), view: stage.ray(0, 0).direction });
  return true;
}
const moveTo = (x, y) => hand?.busy && hand.move(stage.onPlane(stage.ray(x, y), hand.busy.from));

// What is under the cursor: named anew while it moves, and while matter moves below it.
let cursor = null, lastLook = 0, nextLook = 0;
function lookAt(event) {
  cursor = event.buttons === 0 && event.pointerType !== "touch" ? toPicture(event) : null;
  lookAgain();
}
/** At most every 150 ms, and once more for what came in between: the cursor may rest then, while time stands still. */
function lookAgain() {
  if (!cursor || tool !== "look" || nextLook) return;
  const wait = lastLook + 150 - performance.now();
  if (wait > 0) {
    nextLook = setTimeout(() => {
      nextLook = 0;
      lookAgain();
    }, wait);
    return;
  }
  lastLook = performance.now();
  ask(...cursor);
}
canvas.addEventListener("pointerleave", () => {
  cursor = null;
  showPicked(null);
});

let lastMove = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.focus({ preventScroll: true });
  if (event.button !== 0 || !event.isPrimary) return;
  if (tool === "look") {
    ask(...toPicture(event));
    return;
  }
  if (beginAt(...toPicture(event))) canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (tool === "look") lookAt(event);
  // Thirty times a second are enough for a hand to move smoothly.
  if (!hand?.busy || event.timeStamp - lastMove < 33) return;
  lastMove = event.timeStamp;
  moveTo(...toPicture(event));
});
for (const name of ["pointerup", "pointercancel"])
  canvas.addEventListener(name, (event) => {
    if (!hand?.busy || !event.isPrimary) return;
    if (name === "pointerup") moveTo(...toPicture(event));
    hand.end();
  });

function choose(name) {
  tool = name;
  if (name !== "look") showPicked(null);
  hand?.end();
  for (const button of $("tools").children) button.setAttribute("aria-checked", button.dataset.tool === name);
  // With a tool the left button and one finger belong to it.
  stage.controls.mouseButtons.LEFT = name === "look" ? 0 : null;
  stage.controls.mouseButtons.RIGHT = name === "look" ? 2 : 0;
  stage.controls.touches.ONE = name === "look" ? 0 : null;
  stage.controls.touches.TWO = 3;
  canvas.style.cursor = name === "look" ? "grab" : "crosshair";
  describeHand();
}
$("tools").append(...tools.map(({ name, label, key }) => {
  const button = Object.assign(document.createElement("button"), { textContent: label, title: `${label}: key ${key}`, type: "button" });
  Object.assign(button.dataset, { tool: name });
  button.setAttribute("role", "radio");
  button.onclick = () => choose(name);
  return button;
}));

// --- Keyboard: a hand begins at the middle of the picture, marked by a cross, and the arrow keys move it.

let aim = [0, 0];
function aimed(x, y) {
  aim = [Math.min(1, Math.max(-1, aim[0] + x)), Math.min(1, Math.max(-1, aim[1] + y))];
  $("cross").style.left = `${50 * (aim[0] + 1)}%`;
  $("cross").style.top = `${50 * (1 - aim[1])}%`;
  moveTo(...aim);
}
/** Moves the view, by so much of the distance to what is looked at. */
function pan(x, y) {
  const { camera, controls } = stage, away = camera.position.clone().sub(controls.target), size = away.length();
  const across = camera.up.clone().cross(away).normalize(), up = away.clone().cross(across).normalize();
  const by = across.multiplyScalar(x * size).addScaledVector(up, y * size);
  camera.position.add(by);
  controls.target.add(by);
  controls.update();
}
function turn(x, y) {
  if (setting?.dimensions === 2) return pan(x, y);
  const { camera, controls } = stage, away = camera.position.clone().sub(controls.target), up = camera.up.clone();
  away.applyAxisAngle(up, -x);
  const across = up.clone().cross(away).normalize(), raised = away.clone().applyAxisAngle(across, y);
  camera.position.copy(controls.target).add(Math.abs(raised.clone().normalize().dot(up)) < 0.98 ? raised : away);
  controls.update();
}
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(document.activeElement?.tagName)) return;
  const known = tools.find((t) => t.key === event.key), onButton = document.activeElement?.tagName === "BUTTON";
  if (known && setting?.live) choose(known.name);
  else if (event.key === " " && !onButton) togglePlay();
  else if (event.key === ".") send({ step: 1 });
  else if (event.key === "h") stage.home();
  else if (event.key === "p") savePicture();
  else if (event.key === "+" || event.key === "=") zoom(0.9);
  else if (event.key === "-") zoom(1 / 0.9);
  else if (event.key === "Enter" && !onButton && tool === "look") ask(...aim);
  else if (event.key === "Enter" && !onButton) {
    if (hand?.busy) hand.end();
    else if (!beginAt(...aim)) return;
    $("cross").hidden = false;
  } else if (event.key === "Escape") {
    hand?.end();
    $("cross").hidden = true;
    aim = [0, 0];
  } else if (arrows[event.key] && !onButton) {
    const [x, y] = arrows[event.key];
    if (event.shiftKey) pan(0.08 * x, 0.08 * y);
    else if (tool === "look") turn(0.08 * x, 0.08 * y);
    else {
      $("cross").hidden = false;
      aimed(0.04 * x, 0.04 * y);
    }
  } else return;
  event.preventDefault();
});
function zoom(by) {
  const { camera, controls } = stage;
  camera.position.sub(controls.target).multiplyScalar(by).add(controls.target);
  controls.update();
}

// --- Controls

const togglePlay = () => send({ play: !playing });
$("play").onclick = togglePlay;
$("step").onclick = () => send({ step: 1 });
$("restart").onclick = () => send({ restart: true });
$("speed").onchange = (e) => send({ speed: Number(e.target.value) });
$("scrub").oninput = (e) => send({ frame: Number(e.target.value) });
$("colour").onchange = (e) => send({ colour: e.target.value });
$("smooth").onchange = (e) => {
  stage.smooth = e.target.checked;
  stage.dirty = true;
};
$("meshes").onchange = (e) => {
  if (!e.target.checked) stage.mesh(null);
  send({ meshes: e.target.checked });
};
$("obstacles").onchange = (e) => {
  stage.scenery.visible = e.target.checked;
  stage.dirty = true;
};
$("clip").oninput = $("clip-axis").onchange = () => {
  const k = ["x", "y", "z"].indexOf($("clip-axis").value), fraction = Number($("clip").value);
  stage.clipAt(k, k < 0 ? 0 : setting.min[k] + fraction * (setting.max[k] - setting.min[k]));
};
$("pour").onchange = suggestWarmth;
$("size").oninput = $("strength").oninput = describeHand;
$("curve").onchange = drawLedger;
$("home").onclick = () => stage.home();
$("fold").onclick = () => {
  const open = $("panel").hidden;
  $("panel").hidden = !open;
  $("fold").setAttribute("aria-expanded", open);
};
const savePicture = () => {
  stage.dirty = true;
  stage.render();
  canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${setting?.name ?? "thixo"}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
};
$("picture").onclick = savePicture;

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => {
  stage.background(getComputedStyle(document.body).getPropertyValue("--sky").trim());
  drawLedger();
};
dark.onchange = paint;
$("theme").onclick = () => {
  const root = document.documentElement, isDark = root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  root.dataset.theme = isDark ? "light" : "dark";
  paint();
};

new ResizeObserver(fit).observe(canvas);
new ResizeObserver(drawLedger).observe($("curves"));
fit();
if (matchMedia("(max-width: 700px)").matches) $("fold").click();
choose("look");
paint();
loop();

// For tests, and for curious people at the console.
globalThis.thixo = { stage, choose, send, get frame() { return frame; }, get frames() { return frames; }, get setting() { return setting; }, get rate() { return rate.value; }, ledger };
