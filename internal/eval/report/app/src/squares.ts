// A task's samples as squares, ten a row and each of its state's own shape, or of many
// samples as a bar with a stretch for each state.

import { draw, make } from "./dom";

export const states = [
  { letter: "p", name: "passing", shape: "h10v10h-10z" }, // full
  { letter: "s", name: "suspect", shape: "v10h10z" }, // its lower left half
  { letter: "u", name: "unsure", shape: "m5 0l5 5-5 5-5-5z" }, // a diamond
  { letter: "f", name: "failing", shape: "m1 1h8v8h-8z" }, // an outline
  { letter: "x", name: "invalid", shape: "m1 1l8 8m-8 0l8-8" }, // a cross
];

export const most = 30; // squares
export const across = 10; // squares in a row
const pitch = 12;

export function squares(letters: string): SVGElement {
  const n = states.map((state) => letters.split(state.letter).length - 1);
  const label = states.flatMap((state, i) => (n[i] ? [n[i] + " " + state.name] : [])).join(", ") || "no samples";
  const attributes = { class: "squares", role: "img", "aria-label": label };
  if (letters.length > most) {
    let x = 0;
    return draw("svg", { ...attributes, width: 120, height: 10 }, ...states.flatMap((state, i) => {
      if (!n[i]) return [];
      const width = (100 * n[i]) / letters.length;
      x += width;
      return [draw("rect", { class: state.name, x: (x - width).toFixed(2) + "%", width: width.toFixed(2) + "%", height: "100%" })];
    }));
  }
  const width = pitch * Math.min(Math.max(letters.length, 1), across);
  const height = pitch * Math.ceil(Math.max(letters.length, 1) / across);
  return draw("svg", { ...attributes, viewBox: "0 0 " + width + " " + height, width, height }, ...states.flatMap((state, i) => {
    if (!n[i]) return [];
    let path = "";
    [...letters].forEach((letter, at) => {
      if (letter === state.letter) path += "M" + (1 + (at % across) * pitch) + " " + (1 + Math.floor(at / across) * pitch) + state.shape;
    });
    return [draw("path", { class: state.name, d: path })];
  }));
}

// legend says what the squares mean in a run of so many verdicts.
export function legend(verdicts: number): HTMLElement {
  const several = verdicts > 1;
  const texts = ["passes", several ? "passes officially, but with a noqa, without code, or not by another verdict" : "passes, but with a noqa or without code",
    several ? "passes officially, and is unknown to another verdict" : "", "fails", "fails: not Python"];
  return make("p", { class: "legend squares-legend" }, ...states.flatMap((state, i) => (texts[i] ? [make("span", {},
    draw("svg", { class: "squares", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, draw("path", { class: state.name, d: "M1 1" + state.shape })), " " + texts[i])] : [])));
}
