import { describe, expect, it } from "vitest";
import { decode, pick, place } from "../src/wire.js";
import { colours, legendTexts, measured } from "../src/colours.js";
import { Ledger } from "../src/ledger.js";

/** Two particles in the corners of a box, as the program writes them. */
function particles({ categories = false } = {}) {
  const buffer = new ArrayBuffer(80 + 20), view = new DataView(buffer);
  [..."TXF1"].forEach((c, k) => view.setUint8(k, c.charCodeAt(0)));
  view.setUint32(4, 2, true);
  view.setUint32(8, (categories ? 1 : 0) | 2, true);
  view.setFloat32(12, 0.5, true);
  view.setFloat64(16, 1.25, true);
  view.setFloat64(24, 7, true);
  view.setFloat64(32, 3, true);
  [-1, -2, -3, 1, 2, 3].forEach((v, k) => view.setFloat32(40 + 4 * k, v, true));
  view.setFloat32(64, 10, true);
  view.setFloat32(68, 20, true);
  for (let k = 0; k < 3; ++k) view.setUint16(86 + 2 * k, 65535, true);
  view.setUint16(92, 0, true);
  view.setUint16(94, categories ? 1 : 65535, true);
  view.setUint8(96, 0);
  view.setUint8(97, 6);
  view.setUint8(98, 255);
  view.setUint8(99, 255);
  return buffer;
}

describe("wire", () => {
  it("reads what the program writes", () => {
    const frame = decode(particles());
    expect(frame).toMatchObject({ kind: "particles", count: 2, playing: true, ended: false, categories: false, time: 1.25, step: 7, frame: 3 });
    expect(place(frame, 0)).toEqual([-1, -2, -3]);
    expect(place(frame, 1)).toEqual([1, 2, 3]);
    expect([...frame.kinds]).toEqual([0, 6]);
  });
  it("refuses what is cut short or unknown", () => {
    expect(() => decode(particles().slice(0, 90))).toThrow();
    expect(() => decode(new ArrayBuffer(4))).toThrow();
    expect(() => decode(new ArrayBuffer(100))).toThrow();
  });
  it("finds what is under the cursor", () => {
    const frame = decode(particles());
    expect(pick(frame, [1, 2, 10], [0, 0, -1])).toBe(1);
    expect(pick(frame, [1, 2, -10], [0, 0, -1])).toBe(-1);
    expect(pick(frame, [0, 0, 10], [0, 0, -1])).toBe(-1);
    // What is clipped away is not there: from the corner of one particle to that of the other.
    const along = [1, 2, 3].map((a) => -a / Math.hypot(1, 2, 3));
    expect(pick(frame, [2, 4, 6], along)).toBe(1);
    expect(pick(frame, [2, 4, 6], along, [1, 0, 0, 0.9])).toBe(0);
    expect(pick(frame, [2, 4, 6], along, [0, 1, 0, 2.1])).toBe(1);
    expect(pick(frame, [2, 4, 6], along, [0, 0, 1, -3.1])).toBe(-1);
  });
});

describe("colours", () => {
  it("go from one end of the map to the other", () => {
    const rgb = colours(decode(particles()));
    expect([...rgb.slice(0, 3)]).toEqual(measured(0));
    expect([...rgb.slice(3)]).toEqual(measured(1));
  });
  it("tell categories apart", () => {
    const rgb = colours(decode(particles({ categories: true })));
    expect([...rgb.slice(0, 3)]).not.toEqual([...rgb.slice(3)]);
  });
  it("have legends whose ends differ", () => {
    expect(legendTexts(1000, 1001)).toEqual(["1000", "1000.5", "1001"]);
    expect(legendTexts(0, 0)).toEqual(["0", "0", "0"]);
  });
});


describe("ledger", () => {
  it("adds rows and names its curves", () => {
    const ledger = new Ledger();
    ledger.add({ columns: ["time", "kinetic"], rows: [[0, 1]] });
    ledger.add({ columns: ["time", "kinetic"], rows: [[1, 4]] });
    expect(ledger.names()).toEqual(["kinetic"]);
    expect(ledger.curve("kinetic")).toEqual([[0, 1], [1, 4]]);
  });
});

describe("meshes", () => {
  const mesh = (valued) => {
    const buffer = new ArrayBuffer(48 + 3 * 12 + 12 + 8), view = new DataView(buffer);
    [..."TXM1"].forEach((c, k) => view.setUint8(k, c.charCodeAt(0)));
    [3, 1, 1].forEach((n, k) => view.setUint32(4 + 4 * k, n, true));
    [0, 0, 0, 2, 2, 2].forEach((v, k) => view.setFloat32(16 + 4 * k, v, true));
    view.setUint32(40, valued ? 2 : 0, true);
    view.setUint16(48 + 8, 65535, true);
    view.setUint16(48 + 14, 65535, true);
    view.setInt8(48 + 24, 127);
    [0, 1, 2, 0, 1].forEach((n, k) => view.setUint32(84 + 4 * k, n, true));
    return buffer;
  };
  it("have places, values, triangles and edges", () => {
    const read = decode(mesh(true));
    expect(read).toMatchObject({ kind: "mesh", count: 3, valued: true, categories: false });
    expect([...read.positions.slice(3, 6)]).toEqual([2, 0, 0]);
    expect(read.normals[0]).toBe(1);
    expect([[...read.triangles], [...read.edges]]).toEqual([[0, 1, 2], [0, 1]]);
    expect([...colours(read).slice(3, 6)]).toEqual(measured(1));
    expect(decode(mesh(false)).valued).toBe(false);
  });
  it("are refused where they are cut short", () => expect(() => decode(mesh(true).slice(0, 90))).toThrow());
});
