import { categoryColours, category, legendTexts, measured } from "./colours.js";

const element = (kind, settings = {}) => Object.assign(document.createElement(kind), settings);
const css = (rgb) => `rgb(${rgb.join(",")})`;

/** What the colours of a frame mean: names beside swatches, or a bar with numbers. */
export class Legend {
  #at;
  #shown = "";

  constructor(at) { this.#at = at; }

  draw(attribute, frame, setting) {
    const key = JSON.stringify([attribute, frame.categories, frame.valueLow, frame.valueHigh]);
    if (key === this.#shown) return;
    this.#shown = key;
    const title = element("b", { textContent: [attribute, setting?.units[attribute]].filter(Boolean).join(", ") });
    const below = frame.categories ? this.#swatches(attribute, frame, setting) : this.#bar(frame);
    this.#at.replaceChildren(title, ...below);
  }

  #swatches(attribute, frame, setting) {
    const names = { phase: ["liquid", "elastic", "rigid"], material: setting?.materials.map((m) => m.name), object: setting?.objects }[attribute];
    const shown = names ?? Array.from({ length: Math.min(8, frame.valueHigh + 1) }, (_, k) => String(k));
    return shown.slice(0, 12).map((name, k) => {
      const row = element("div"), swatch = element("i");
      swatch.style.background = css(category(k % categoryColours.length));
      row.append(swatch, name);
      return row;
    });
  }

  #bar(frame) {
    const bar = element("div", { className: "bar" }), texts = element("div", { className: "texts" });
    bar.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((s) => css(measured(s))).join(",")})`;
    texts.append(...legendTexts(frame.valueLow, frame.valueHigh).map((t) => element("span", { textContent: t })));
    return [bar, texts];
  }
}
