// Takes binary messages apart: src/view/wire.h says what is in them.

const text = (view, n) => String.fromCharCode(...new Uint8Array(view.buffer, 0, n));

function vec3(view, at) {
  return [0, 4, 8].map((k) => view.getFloat32(at + k, true));
}

/** @returns {{kind: "particles"|"mesh", ...}} Columns are copies, so that they can be handed over to another thread. */
export function decode(buffer) {
  if (buffer.byteLength < 40) throw new Error("a message that is too short");
  const view = new DataView(buffer);
  const magic = text(view, 4);
  if (magic === "TXF1") return decodeParticles(view);
  if (magic === "TXM1") return decodeMesh(view);
  throw new Error(`unknown message ${magic}`);
}

function decodeParticles(view) {
  const count = view.getUint32(4, true);
  if (view.byteLength !== 80 + 10 * count) throw new Error("particles are missing");
  const flags = view.getUint32(8, true);
  let at = 80;
  const column = (Type, n) => {
    const out = new Type(view.buffer.slice(at, at + n * Type.BYTES_PER_ELEMENT));
    at += n * Type.BYTES_PER_ELEMENT;
    return out;
  };
  return {
    kind: "particles",
    count,
    categories: (flags & 1) !== 0,
    playing: (flags & 2) !== 0,
    ended: (flags & 4) !== 0,
    radius: view.getFloat32(12, true),
    time: view.getFloat64(16, true),
    step: view.getFloat64(24, true),
    frame: view.getFloat64(32, true),
    low: vec3(view, 40),
    high: vec3(view, 52),
    valueLow: view.getFloat32(64, true),
    valueHigh: view.getFloat32(68, true),
    places: column(Uint16Array, 3 * count),
    values: column(Uint16Array, count),
    kinds: column(Uint8Array, count),
    sizes: column(Uint8Array, count),
  };
}

function decodeMesh(view) {
  if (view.byteLength < 48) throw new Error("a message that is too short");
  const vertices = view.getUint32(4, true), triangles = view.getUint32(8, true), edges = view.getUint32(12, true);
  if (view.byteLength !== 48 + 12 * vertices + 12 * triangles + 8 * edges) throw new Error("triangles are missing");
  const low = vec3(view, 16), high = vec3(view, 28), flags = view.getUint32(40, true);
  const places = new Uint16Array(view.buffer, 48, 4 * vertices);
  const bytes = new Int8Array(view.buffer, 48 + 8 * vertices, 4 * vertices);
  const positions = new Float32Array(3 * vertices), normals = new Float32Array(3 * vertices), values = new Uint16Array(vertices);
  for (let k = 0; k < vertices; ++k) {
    for (let a = 0; a < 3; ++a) {
      positions[3 * k + a] = low[a] + ((high[a] - low[a]) * places[4 * k + a]) / 65535;
      normals[3 * k + a] = bytes[4 * k + a] / 127;
    }
    values[k] = places[4 * k + 3];
  }
  const corners = 48 + 12 * vertices, ends = corners + 12 * triangles;
  return {
    kind: "mesh",
    count: vertices,
    categories: (flags & 1) !== 0,
    valued: (flags & 2) !== 0,
    positions,
    normals,
    values,
    triangles: new Uint32Array(view.buffer.slice(corners, ends)),
    edges: new Uint32Array(view.buffer.slice(ends)),
  };
}

/** Where a particle is, in metres. */
export function place(frame, i) {
  return [0, 1, 2].map((a) => frame.low[a] + ((frame.high[a] - frame.low[a]) * frame.places[3 * i + a]) / 65535);
}

/** The particle whose ball a ray meets first, or -1. Those beyond the clip plane, normal and offset, are not there. */
export function pick(frame, origin, direction, clip = [0, 0, 0, 1]) {
  const [nx, ny, nz, offset] = clip, limit = offset - nx * origin[0] - ny * origin[1] - nz * origin[2];
  const scale = [0, 1, 2].map((a) => (frame.high[a] - frame.low[a]) / 65535);
  let best = -1, nearest = Infinity;
  for (let i = 0; i < frame.count; ++i) {
    const x = frame.low[0] + scale[0] * frame.places[3 * i] - origin[0];
    const y = frame.low[1] + scale[1] * frame.places[3 * i + 1] - origin[1];
    const z = frame.low[2] + scale[2] * frame.places[3 * i + 2] - origin[2];
    const along = x * direction[0] + y * direction[1] + z * direction[2];
    const r = (frame.radius * frame.sizes[i]) / 255;
    const inside = r * r - (x * x + y * y + z * z - along * along);
    if (along <= 0 || inside <= 0 || nx * x + ny * y + nz * z > limit) continue;
    const distance = along - Math.sqrt(inside);
    if (distance < nearest) [nearest, best] = [distance, i];
  }
  return best;
}
