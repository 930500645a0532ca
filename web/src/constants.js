// Gravity and the constants of materials: shows what applies, and requests changes from the program.

const words = { young_modulus: ["Stiffness", "Pa"], viscosity: ["Viscosity", "Pa s"], melting_point: ["Melting point", "°C"] };
const along = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0);
/** At most so many digits, without those that single precision adds. */
const shown = (value) => String(Number(value.toPrecision(6)));

export class Constants {
  /** `gravity` is an input, `materials` gets an input for each constant; `act` sends an action. */
  constructor(gravity, materials, act) {
    Object.assign(this, { materials, act, entered: null, inputs: [], down: [0, -1, 0] });
    this.gravity = this.input(gravity, ({ gravity: now }) => along(now, this.down),
      (value) => ({ gravity: { acceleration: this.down.map((a) => a * value) } }));
  }

  /** `value` finds what an input shows; `action` changes it. */
  input(input, value, action) {
    input.onchange = () => {
      // Nothing was entered, or what is no number.
      if (input.value === "" || !Number.isFinite(input.valueAsNumber)) return this.show();
      this.entered = input;
      this.act(action(input.valueAsNumber));
    };
    const entry = { input, value };
    this.inputs.push(entry);
    return entry;
  }

  /** A scene: the first message to a page. */
  describe({ down, constants }) {
    Object.assign(this, { down, entered: null, inputs: [this.gravity] });
    this.materials.replaceChildren(...constants.materials.map((material, k) => {
      const box = document.createElement("fieldset");
      box.append(Object.assign(document.createElement("legend"), { textContent: material.name }));
      for (const [key, [word, unit]] of Object.entries(words)) {
        if (material[key] === undefined) continue;
        const label = document.createElement("label"), input = Object.assign(document.createElement("input"), { type: "number", step: "any" });
        this.input(input, (now) => now.materials[k][key], (value) => ({ material: { name: material.name, [key]: value } }));
        label.append(`${word} `, input, ` ${unit}`);
        box.append(label);
      }
      return box;
    }));
    this.update(constants);
  }

  /** What applies now. A number that is being typed stays. */
  update(constants) {
    this.now = constants;
    this.show();
  }

  show() {
    for (const { input, value } of this.inputs) {
      if (input === document.activeElement && input !== this.entered && input.value !== "") continue;
      input.value = shown(value(this.now));
    }
  }

  taken() {
    this.entered = null;
  }

  /** What was entered was refused: the number before comes back. */
  refused() {
    if (!this.entered) return;
    this.show();
    this.entered = null;
  }
}
