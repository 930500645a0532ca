// Exports in programs of others: node exports_test.mjs PROGRAM
//
//     glTF   Khronos' validator finds no error and no warning
//     USD    every file opens in TinyUSDZ, a library in C++ that has no code in common with Pixar's or ours, with all prims, meshes and materials
//
// TinyUSDZ does not support value clips: what frames have is looked at file by file.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [program] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const require = createRequire(path.join(root, "web/package.json"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "thixo-exports-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

function thixo(...options) {
  const result = spawnSync(program, options, { encoding: "utf8" });
  assert.equal(result.status, 0, result.stdout + result.stderr);
}

/** The module in WebAssembly is made for browsers: it must not see that it is in Node. */
async function tinyusdz() {
  const home = path.dirname(require.resolve("tinyusdz/tinyusdz.js"));
  const wasmBinary = fs.readFileSync(path.join(home, "tinyusdz.wasm"));
  globalThis.window = globalThis;
  globalThis.location = { href: "file:///" };
  globalThis.document = { currentScript: { src: "file:///" } };
  const { default: start } = await import(path.join(home, "tinyusdz.js"));
  const node = globalThis.process;
  globalThis.process = undefined;
  try {
    return await start({ wasmBinary });
  } finally {
    globalThis.process = node;
  }
}

async function check_gltf(file) {
  const report = await require("gltf-validator").validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: file,
    maxIssues: 0,
    externalResourceFunction: (uri) =>
      Promise.resolve(new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))))),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  assert.deepEqual([numErrors, numWarnings], [0, 0], JSON.stringify(messages.slice(0, 5)));

  return report.info;
}

function opened(native, file) {
  const stage = new native.TinyUSDZLoaderNative();
  assert.equal(stage.loadFromBinary(new Uint8Array(fs.readFileSync(file)), file), true, `${file}: ${stage.error()}`);
  const prims = new Map();
  const walk = (prim, above) => {
    const at = `${above}/${prim.primName}`;
    prims.set(at, prim.nodeType);
    prim.children.forEach((child) => walk(child, at));
  };
  walk(stage.getDefaultRootNode(), "");
  return { stage, prims };
}

/** How many prims the text has: what was not understood would be missing from the library's copy of it. */
const count = (text) => text.match(/^ *(def|over) /gm).length;

const native = await tinyusdz();
const scenes = [
  ["mill", ["tests/golden/scenes/run/mill.json", "--frames", "4"], ["tank", "paddle"]],
  ["die", ["scenes/wicke2006/dice.json", "--set", "particles.spacing=0.06", "--frames", "1"], ["tray"]],
];
for (const [name, scene, obstacles] of scenes) {
  const out = path.join(folder, name);
  thixo("run", path.join(root, scene[0]), ...scene.slice(1), "--out", out, "--quiet");
  for (const kind of ["gltf", "usd"]) thixo("export", out, "--to", kind, "--quiet");

  const info = await check_gltf(path.join(out, "export/gltf/scene.gltf"));
  assert.ok(info.totalVertexCount > 0 && info.totalTriangleCount > 0 && info.animationCount <= 1);

  const usd = path.join(out, "export/usd");
  const { stage, prims } = opened(native, path.join(usd, "scene.usda"));
  const named = (end) => [...prims.keys()].filter((at) => at.endsWith(end));
  assert.equal(named("/Camera").length, 1);
  assert.equal([...prims.values()].filter((type) => type === "camera").length, 1);
  assert.equal([...prims.values()].filter((type) => type === "directionalLight").length, 1);
  assert.equal(stage.numMeshes(), obstacles.length);
  for (const obstacle of obstacles) assert.equal(prims.get(`/Scene/Obstacles/${obstacle}`) ?? prims.get(named(`/${obstacle}`)[0]), "mesh");
  const files = ["scene.usda", "manifest.usda", ...fs.readdirSync(path.join(usd, "frames")).map((f) => `frames/${f}`)];
  for (const file of files) {
    const bytes = fs.readFileSync(path.join(usd, file)), layer = new native.TinyUSDZLoaderNative();
    opened(native, path.join(usd, file));
    assert.equal(layer.loadAsLayerFromBinary(new Uint8Array(bytes), file), true, `${file}: ${layer.error()}`);
    const copy = layer.layerToString();
    assert.equal(count(copy), count(bytes.toString()), file);
    for (const word of ["timeSamples", "extent", "xformOp:transform"])
      assert.equal(copy.split(word).length, bytes.toString().split(word).length, `${file}: ${word}`);
  }
  console.log(`${name}: glTF with ${info.drawCallCount} draw calls, ${files.length} files of USD with ${prims.size} prims in the scene`);
}
