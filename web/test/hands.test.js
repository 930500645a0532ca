import { describe, expect, it, test } from "vitest";
import { Hand, strengthText } from "../src/hands.js";

const stage = { dimensions: 3, spacing: 0.02, min: [0, 0, 0], max: [1, 1, 1], materials: [{ density: 1000, young_modulus: 4000 }, { density: 900, young_modulus: 1e9 }] };

/** A hand at the origin, what it sent, and the time that it sees. */
function grabbing(tool = "grab") {
  const sent = [], clock = { time: 3, rate: 1e-3 };
  const hand = new Hand(stage, (action) => sent.push(action), () => clock.rate, () => clock.time);
  hand.begin({ tool, at: [0, 0, 0], liquid: false, radius: 0.1, strength: 1, view: [0, 0, -1] });
  return { hand, sent, clock };
}

test("drags that replace each other within a step are no faster than one", () => {
  const { hand, sent } = grabbing();
  for (const x of [0.1, 0.2, 0.3]) hand.move([x, 0, 0]);
  // Half of √(4000/1000) m/s.
  expect(sent.slice(1).map((action) => Number((action.drag.to[0] / action.drag.seconds).toFixed(6)))).toEqual([1, 1, 1]);
});

test("a drag goes on from where the last one has led the hand", () => {
  const { hand, sent, clock } = grabbing();
  hand.move([0.4, 0, 0]);
  clock.time += 0.1; // a quarter of the way
  hand.move([0.6, 0, 0]);
  expect(sent.at(-1).drag.seconds).toBeCloseTo(0.5);
  clock.time += 10;
  hand.move([0.5, 0, 0]);
  expect(sent.at(-1).drag.seconds).toBeCloseTo(0.1);
});

test("in real time a drag takes a twentieth of a second", () => {
  const { hand, sent, clock } = grabbing();
  clock.rate = 1;
  hand.move([0.01, 0, 0]);
  expect(sent.at(-1).drag.seconds).toBeCloseTo(0.05);
});

test("a refusal ends what the hand began with, but no cut or push that is still drawn", () => {
  for (const [tool, kept] of [["grab", false], ["pour", false], ["cut", true], ["push", true]]) {
    const { hand } = grabbing(tool);
    hand.refused();
    expect(Boolean(hand.busy)).toBe(kept);
  }
});

describe("actions of hands", () => {
  const stage = { dimensions: 3, spacing: 0.1, min: [0, 0, 0], max: [1, 1, 1], materials: [{ name: "a", density: 1000 }] };
  const how = { at: [0, 1, 2], radius: 0.2, strength: 1, material: "a", view: [0, 0, -1], liquid: false };
  const done = (dimensions, tool, ...moves) => {
    const sent = [], hand = new Hand({ ...stage, dimensions }, (a) => sent.push(a), () => 1, () => 0);
    hand.begin({ ...how, tool });
    moves.forEach((m) => hand.move(m));
    hand.end();
    return sent;
  };
  it("grab, drag and release", () => {
    const sent = done(3, "grab", [0, 2, 2]);
    expect(sent.map((a) => Object.keys(a)[0])).toEqual(["grab", "drag", "release"]);
    expect(sent[1].drag.to).toEqual([0, 2, 2]);
    expect(sent[1].drag.seconds).toBeGreaterThan(0);
  });
  it("stay in the plane in 2D", () => expect(done(2, "grab")[0].grab.at).toEqual([0, 1, 0]));
  it("push along the way, or along the view", () => {
    expect(done(3, "push", [1, 1, 2])[0].push.impulse[0]).toBeGreaterThan(0);
    expect(done(3, "push")[0].push.impulse[2]).toBeLessThan(0);
  });
  it("pour as fast as they say", () => {
    expect(done(3, "pour")[0].pour.speed).toBe(1);
    expect(strengthText("pour", stage, 0.2, 0.01)).toBe("0.01 m/s");
    // 33.5 kg, 2000 J/(kg K), 150 K/s
    expect(strengthText("heat", stage, 0.2, 1)).toBe("10 MW");
    expect(strengthText("grab", stage, 0.2, 1)).toBe("");
  });
  it("cool with a negative power", () => expect(done(3, "cool")[0].heat.power).toBeLessThan(0));
  it("cut only along a way", () => {
    expect(done(3, "cut")).toEqual([]);
    expect(done(3, "cut", [1, 1, 2])[0].cut.to[0] - done(3, "cut", [1, 1, 2])[0].cut.from[0]).toBe(1);
  });
});
