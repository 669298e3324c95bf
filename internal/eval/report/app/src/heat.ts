// The colours of shares in tables. Neighbouring steps can be told apart, see TestColours.

import { make } from "./dom";

// A Heat has a style for each step: kind0 of no share at all, kind1 of shares up to ends[0], and so on.
export interface Heat { kind: string; ends: number[] }

// failing is for shares of samples that fail in one way, most of which are small.
export const failing: Heat = { kind: "heat", ends: [0.05, 0.1, 0.2, 0.4, 1] };

// passes is for shares of a task's samples that pass.
export const passes: Heat = { kind: "level", ends: [0.2, 0.4, 0.6, 0.8, 1] };

// heat is the style of a share.
export const heat = ({ kind, ends }: Heat, share: number): string => kind + (share > 0 ? 1 + Math.max(0, ends.findIndex((end) => share <= end + 1e-9)) : 0);

// heatLegend says which colour stands for which shares.
export const heatLegend = (of: Heat): HTMLElement => make("p", { class: "legend heats" }, "Colours: ",
  ...of.ends.map((end, i) => make("span", { class: "step " + heat(of, end) }, (i ? "to " : "over 0 to ") + (100 * end).toFixed(0) + "\u00a0%")));
