// Curves of the ledger.

export class Ledger {
  constructor() {
    this.columns = [];
    this.rows = [];
  }

  add({ columns, rows }) {
    this.columns = columns;
    this.rows.push(...rows);
  }

  clear() {
    this.rows = [];
  }

  names() {
    return this.columns.filter((name) => !["time", "frame", "hash", "wall_seconds"].includes(name));
  }

  /** [time, value] of a column. */
  curve(name) {
    const t = this.columns.indexOf("time"), k = this.columns.indexOf(name);
    return this.rows.map((row) => [row[t], row[k]]);
  }

  draw(canvas, name, colour) {
    // As many pixels as the screen shows: stretched ones are blurred.
    const w = canvas.clientWidth, h = canvas.clientHeight, scale = globalThis.devicePixelRatio ?? 1;
    [canvas.width, canvas.height] = [Math.round(scale * w), Math.round(scale * h)];
    const g = canvas.getContext("2d"), points = this.curve(name);
    if (points.length < 2 || w === 0) return;
    g.scale(scale, scale);
    const values = points.map((p) => p[1]), low = Math.min(...values), high = Math.max(...values);
    const end = points[points.length - 1][0] || 1;
    const x = (t) => 4 + ((w - 8) * t) / end, y = (v) => h - 16 - ((h - 32) * (v - low)) / (high - low || 1);
    g.strokeStyle = g.fillStyle = colour;
    g.lineWidth = 1.5;
    g.beginPath();
    points.forEach(([t, v], k) => (k ? g.lineTo(x(t), y(v)) : g.moveTo(x(t), y(v))));
    g.stroke();
    g.font = "11px system-ui";
    g.fillText(Number(high.toPrecision(4)), 4, 11);
    g.fillText(Number(low.toPrecision(4)), 4, h - 3);
    const last = `${Number(end.toPrecision(4))} s`;
    g.fillText(last, w - 4 - g.measureText(last).width, h - 3);
  }
}
