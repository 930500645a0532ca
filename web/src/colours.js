// Colours of measurements (a map from dark blue over green to yellow, after viridis) and of categories (Okabe and Ito 2008, which can be distinguished
// apart by people with any colour vision).

const stops = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];
export const categoryColours = [
  [86, 180, 233], [230, 159, 0], [0, 158, 115], [213, 94, 0], [204, 121, 167], [240, 228, 66], [0, 114, 178], [150, 150, 150],
];

/** @param {number} share 0 to 1 */
export function measured(share) {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2), f = at - k;
  return stops[k].map((a, c) => Math.round(a + f * (stops[k + 1][c] - a)));
}

export const category = (number) => categoryColours[number % categoryColours.length];

const table = new Uint8Array(3 * 256);
for (let k = 0; k < 256; ++k) table.set(measured(k / 255), 3 * k);

/** RGB of every particle of a frame, or vertex of a mesh. */
export function colours({ count, categories, values }) {
  const out = new Uint8Array(3 * count), n = categoryColours.length;
  for (let i = 0; i < count; ++i) {
    if (categories) {
      const rgb = categoryColours[values[i] % n];
      out[3 * i] = rgb[0];
      out[3 * i + 1] = rgb[1];
      out[3 * i + 2] = rgb[2];
    } else {
      const k = 3 * (values[i] >> 8);
      out[3 * i] = table[k];
      out[3 * i + 1] = table[k + 1];
      out[3 * i + 2] = table[k + 2];
    }
  }
  return out;
}

/** Bounds and middle of a legend, with as many digits as distinguish them. */
export function legendTexts(low, high) {
  const span = Math.max(Math.abs(low), Math.abs(high));
  const digits = high > low ? Math.min(6, Math.max(2, 2 + Math.ceil(Math.log10(span / (high - low))))) : 3;
  return [low, (low + high) / 2, high].map((a) => String(Number(a.toPrecision(digits))));
}
