// Hands: turns what a pointer or a key does into actions of the program.

export const tools = [
  { key: "1", name: "look", label: "Look" },
  { key: "2", name: "grab", label: "Grab" },
  { key: "3", name: "heat", label: "Heat" },
  { key: "4", name: "cool", label: "Cool" },
  { key: "5", name: "push", label: "Push" },
  { key: "6", name: "pour", label: "Pour" },
  { key: "7", name: "cut", label: "Cut" },
];

/** Tools that act as long as the hand is down. */
const sentAtOnce = ["grab", "heat", "cool", "pour"];

const minus = (a, b) => a.map((v, k) => v - b[k]);
const norm = (a) => Math.hypot(...a);
const scaled = (a, s) => a.map((v) => v * s);

/** Mass of a ball of matter, kg; in 2D of a disc, kg a metre. */
function massOf(stage, radius) {
  const density = Math.max(...stage.materials.map((m) => m.density));
  return density * (stage.dimensions === 2 ? Math.PI * radius ** 2 : (4 / 3) * Math.PI * radius ** 3);
}

/** W, of the heat gun. */
function heatOf(stage, radius, strength) {
  return massOf(stage, radius) * (stage.materials[0].specific_heat ?? 2000) * 150 * strength;
}
/** N s, of a push. */
function impulseOf(stage, radius, strength) {
  return 2 * strength * massOf(stage, radius);
}

/** What a tool's strength is, with its unit; empty for tools without. */
export function strengthText(tool, stage, radius, strength) {
  const [value, unit] = {
    heat: [heatOf(stage, radius, strength), "W"], cool: [-heatOf(stage, radius, strength), "W"],
    push: [impulseOf(stage, radius, strength), "N s"], pour: [strength, "m/s"],
  }[tool] ?? [0, ""];
  if (!unit) return "";
  const k = Math.abs(value) >= 1e6 ? [1e6, "M"] : Math.abs(value) >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((value / k[0]).toPrecision(2))} ${k[1]}${unit}`;
}

/** Half the speed of the slowest elastic wave, m/s: what a hand grabs and moves at the speed v is strained by about v/c. */
function gentleSpeed(stage) {
  return 0.5 * Math.min(...stage.materials.map((m) => Math.sqrt((m.young_modulus ?? Infinity) / m.density)));
}

/**
 * One hand that is on something. `send` gets actions; `rate()` is how many simulated seconds pass in a second, `time()` what time it is there.
 * Drags take a twentieth of a second, or longer where the hand would be too fast for what it holds: it stays behind the pointer then.
 */
export class Hand {
  constructor(stage, send, rate, time) {
    Object.assign(this, { stage, send, rate, time, number: 1, busy: null });
  }

  flat(x) {
    return this.stage.dimensions === 2 ? [x[0], x[1], 0] : x;
  }

  /** @param {{tool, at, liquid, radius, strength, material, view}} how `view`: direction of the camera */
  begin(how) {
    this.end();
    const { tool, radius, strength, stage = this.stage } = how, at = this.flat(how.at), hand = this.number;
    this.busy = { ...how, at, from: at, last: at };
    const heat = heatOf(stage, radius, strength);
    if (tool === "grab") this.send({ grab: { hand, at, radius, liquids: how.liquid } });
    else if (tool === "heat") this.send({ heat: { hand, at, radius, power: heat } });
    else if (tool === "cool") this.send({ heat: { hand, at, radius, power: -heat } });
    else if (tool === "pour")
      this.send({ pour: { hand, at, radius, material: how.material, speed: strength, temperature: how.temperature ?? 20 } });
  }

  move(to) {
    if (!this.busy) return;
    to = this.flat(to);
    const { tool, last } = this.busy, way = norm(minus(to, last));
    if (way < 0.1 * this.stage.spacing) return;
    if (tool === "grab" || tool === "heat" || tool === "cool") {
      // From where the last drag has led it by now: a drag takes the place of the one before.
      const now = this.time(), { led } = this.busy;
      const done = led ? Math.min(1, Math.max(0, (now - led.begin) / led.seconds)) : 1;
      const from = led ? led.from.map((x, k) => x + done * (led.to[k] - x)) : this.busy.at;
      const size = norm(minus(this.stage.max, this.stage.min)), fastest = Math.min(5 * size, tool === "grab" ? gentleSpeed(this.stage) : Infinity);
      const seconds = Math.max(0.05 * Math.min(1, this.rate()), norm(minus(to, from)) / fastest, 1e-4);
      this.send({ drag: { hand: this.number, to, seconds } });
      this.busy.led = { from, to, begin: now, seconds };
    }
    this.busy.last = to;
  }

  /** What was sent last is refused: a hand that began with it is on nothing. Pushes and cuts are sent when they end, so that it was another one. */
  refused() {
    if (this.busy && sentAtOnce.includes(this.busy.tool)) this.busy = null;
  }

  /** Ends it; pushes and cuts happen now. */
  end() {
    if (!this.busy) return;
    const { tool, from, last, radius, strength, view } = this.busy, way = minus(last, from);
    this.busy = null;
    if (sentAtOnce.includes(tool)) {
      this.send({ release: { hand: this.number } });
      this.number = 1 + (this.number % 90);
    } else if (tool === "push") {
      const along = this.flat(norm(way) > 0 ? scaled(way, 1 / norm(way)) : view);
      this.send({ push: { at: from, radius, impulse: scaled(along, impulseOf(this.stage, radius, strength)) } });
    } else if (tool === "cut" && norm(way) > 0) {
      const size = norm(minus(this.stage.max, this.stage.min)), depth = scaled(view, 2 * size);
      const front = this.stage.dimensions === 2 ? from : minus(from, scaled(view, size));
      this.send({ cut: { from: front, to: front.map((v, k) => v + way[k]), depth: this.stage.dimensions === 2 ? [0, 0, 1] : depth } });
    }
  }
}
