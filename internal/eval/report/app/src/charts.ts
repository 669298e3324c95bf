// Charts, by Observable Plot. A chart is drawn for the width that it has, and again when
// that changes. Colours are those of the page's style: a verdict has the same on every
// page, and so have the runs A and B.

import * as Plot from "@observablehq/plot";
import { make, type Child } from "./dom";
import { chartPicture, saves, tools } from "./save";
import { interval, percent } from "./format";
import type { Curve } from "./data";

// verdictColour is that of the verdict in a place, the official first.
export const verdictColour = (place: number): string => "var(--verdict-" + Math.min(place, 3) + ")";
const dashes = [undefined, "8 4", "2 4", "10 4 2 4"];

type Chart = (SVGSVGElement | HTMLElement) & { querySelectorAll: ParentNode["querySelectorAll"] };

// figure holds a chart that drawn makes for a width, and saves it as SVG. group is of a
// chart with buttons in it.
export function figure(name: string, label: string, drawn: (width: number) => Chart, options: { kind?: string; caption?: Child[]; group?: boolean } = {}): HTMLElement {
  const place = make("div", { class: "chart" });
  let last = 0;
  const show = (): void => {
    const width = Math.floor(place.clientWidth);
    if (!width || width === last) return; // it is hidden, or as it was
    last = width;
    const chart = drawn(width);
    // The policy lets no style but the page's own apply, which says the same.
    for (const style of chart.querySelectorAll("style")) style.remove();
    // Parts of a chart have no role, and so no label that is read aloud.
    for (const part of chart.querySelectorAll<SVGElement>("[aria-label]")) {
      if (part.getAttribute("role")) continue;
      part.dataset.part = part.getAttribute("aria-label") ?? "";
      part.removeAttribute("aria-label");
    }
    chart.setAttribute("role", options.group ? "group" : "img");
    chart.setAttribute("aria-label", label);
    place.replaceChildren(chart);
  };
  new ResizeObserver(show).observe(place);
  return make("figure", { class: options.kind ?? null, "data-name": name }, place,
    options.caption ? make("figcaption", {}, ...options.caption) : null,
    tools(saves(name, { svg: () => chartPicture(place.querySelector("svg") as SVGElement) })));
}

const base = { className: "plot", style: { fontSize: "12px", overflow: "visible" } };

let canvas: CanvasRenderingContext2D | null | undefined;
// measure is the width of a text in a chart.
function measure(text: string, font = "12px system-ui, sans-serif"): number {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return 7 * text.length;
  canvas.font = font;
  return canvas.measureText(text).width;
}

// lines breaks a text into lines of at most so many pixels: after "/", "-", "_", "," and blanks, or
// within a word that has no room on a line. Nothing of the text is left out but blanks at breaks.
export function lines(text: string, room: number, width: (text: string) => number = measure): string[] {
  const all: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=[/\-_,\s])/)) {
    if (!line || width((line + word).trimEnd()) <= room) line += word;
    else { all.push(line); line = word; }
    while (width(line.trimEnd()) > room) {
      const points = [...line];
      let fits = 1;
      while (fits + 1 < points.length && width(points.slice(0, fits + 1).join("")) <= room) fits++;
      if (fits >= points.length) break;
      all.push(points.slice(0, fits).join(""));
      line = points.slice(fits).join("");
    }
  }
  return [...all, line].map((line) => line.trim()).filter((line, i) => line || !i);
}

// apart moves values, the largest first, so that each is at least a distance below the
// one before it.
export function apart(values: number[], distance: number): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[b] - values[a]);
  const moved = [...values];
  order.forEach((at, i) => {
    if (i) moved[at] = Math.min(values[at], moved[order[i - 1]] - distance);
  });
  return moved;
}

// curves draws pass@k for each k, with 1.96 standard errors around it.
export function curves(name: string, lines: { name: string; colour: string; dash?: string; curve: Curve }[]): HTMLElement | null {
  const last = Math.min(...lines.map((line) => line.curve.length));
  if (last < 2) return null;
  const of = (line: (typeof lines)[number]) => line.curve.slice(0, last).map(([value, stderr], i) => {
    const by = 196 * (stderr ?? 0);
    return { k: i + 1, value: 100 * value, low: Math.max(0, 100 * value - by), high: Math.min(100, 100 * value + by), text: line.name + " pass@" + (i + 1) + ": " + percent(value) };
  });
  const label = lines.map((line) => line.name + " rises from " + percent(line.curve[0][0]) + " at k = 1 to " + percent(line.curve[last - 1][0]) + " at k = " + last).join("; ");
  const step = Math.ceil(last / 10);
  return figure(name, label, (width) => {
    const height = Math.round(Math.min(280, Math.max(200, width * 0.5)));
    const [top, bottom] = [26, 36];
    const ends = lines.map((line) => 100 * line.curve[last - 1][0]);
    const names = apart(ends, 1500 / (height - top - bottom));
    return Plot.plot({
      ...base, width, height, marginLeft: 40, marginTop: top, marginBottom: bottom, marginRight: 14 + Math.max(...lines.map((line) => measure(line.name, "600 12px system-ui, sans-serif"))),
      x: { label: "k", labelAnchor: "center", labelArrow: "none", ticks: Array.from({ length: Math.ceil(last / step) }, (_, i) => 1 + i * step), tickFormat: (k: number) => String(k), tickSize: 0 },
      y: { domain: [0, 100], label: "pass@k, in %", labelArrow: "none", ticks: [0, 25, 50, 75, 100], grid: true, tickSize: 0 },
      marks: lines.flatMap((line, i) => [
        Plot.areaY(of(line), { x: "k", y1: "low", y2: "high", fill: line.colour, fillOpacity: 0.13 }),
        Plot.lineY(of(line), { x: "k", y: "value", stroke: line.colour, strokeWidth: 2.5, strokeDasharray: line.dash }),
        ...(last <= 20 ? [Plot.dot(of(line), { x: "k", y: "value", r: 3, fill: "var(--card)", stroke: line.colour, strokeWidth: 2, title: "text" })] : []),
        Plot.text([{ k: last, y: names[i] }], { x: "k", y: "y", text: [line.name], dx: 8, textAnchor: "start", fill: line.colour, fontWeight: 600 }),
      ]),
    }) as Chart;
  }, { kind: "curve", caption: ["pass@k in % by k, ± 1.96 standard errors"] });
}

// A Dot is the tasks with the same shares in two runs.
export interface Dot { a: number; b: number; tasks: number; text: string }

export const dotName = (verdict: number, a: number, b: number): string => verdict + " " + a + " " + b;

// scatter draws B's shares by A's. A click on a dot chooses its tasks.
export function scatter(name: string, label: string, verdict: number, dots: Dot[], choose: (name: string) => void): HTMLElement {
  const most = Math.max(...dots.map((dot) => dot.tasks));
  return figure(name, label, (width) => {
    const size = Math.min(width, 440);
    const chart = Plot.plot({
      ...base, width: size, height: size, marginLeft: 50, marginBottom: 46, marginTop: 34, marginRight: 16,
      x: { domain: [0, 100], ticks: 4, label: "A passes, in % of a task's samples", labelAnchor: "center", labelArrow: "none", labelOffset: 38, grid: true, tickSize: 0, tickPadding: 15 },
      y: { domain: [0, 100], ticks: 4, label: "B passes, in %", labelArrow: "none", grid: true, tickSize: 0, tickPadding: 15 },
      r: { type: "identity" },
      marks: [
        Plot.link([0], { x1: [0], y1: [0], x2: [100], y2: [100], stroke: "var(--edge)", strokeDasharray: "4 4" }),
        Plot.dot(dots, {
          x: (dot: Dot) => 100 * dot.a, y: (dot: Dot) => 100 * dot.b, r: (dot: Dot) => 3.5 + 9 * Math.sqrt((dot.tasks - 1) / most), title: "text", sort: null, clip: false,
          fill: (dot: Dot) => (dot.b > dot.a ? "var(--fixed)" : dot.b < dot.a ? "var(--introduced)" : "var(--soft)"), stroke: "var(--card)",
        }),
      ],
      color: { type: "identity" },
    }) as Chart;
    for (const circle of chart.querySelectorAll<SVGCircleElement & { __data__?: number }>("circle")) {
      const dot = dots[circle.__data__ ?? 0];
      const name = dotName(verdict, dot.a, dot.b);
      circle.dataset.dot = name;
      circle.classList.add(dot.b > dot.a ? "better" : dot.b < dot.a ? "worse" : "same");
      circle.setAttribute("tabindex", "0");
      circle.setAttribute("role", "button");
      circle.setAttribute("aria-label", dot.text + ": show");
      circle.addEventListener("click", () => choose(name));
      circle.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(name); }
      });
    }
    return chart;
  }, {
    kind: "scatter", group: true,
    caption: ["A dot stands for all tasks with these two shares, and is the larger the more they are. ", make("span", { class: "better" }, "Above"), " the line B is better, ", make("span", { class: "worse" }, "below"), " it A. A click shows the tasks."],
  });
}

// scale returns ends that are round and hold low and high, shares both, and the distance
// of marks between them.
export function scale(low: number, high: number): { from: number; to: number; step: number } {
  let [from, to, step] = [0, 1, 0.2];
  for (step of [0.01, 0.02, 0.05, 0.1, 0.2]) {
    [from, to] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
    if (to - from <= 7.5 * step) break;
  }
  if (to <= from) [from, to] = [Math.max(from - step, 0), Math.min(to + step, 1)];
  return { from, to, step };
}

export function ticksOf({ from, to, step }: { from: number; to: number; step: number }): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Math.round((from + i * step) * 100));
}

// A ForestRow is a run, with its score by each verdict.
export interface ForestRow { number: number; name: string; scores: { value: number; low: number; high: number }[] }

// isolated is a text that may be written from right to left, in a chart.
const isolated = (text: string): string => "\u2068" + text + "\u2069";

// forest draws the interval of each run by each verdict. Names are whole: they stand beside their
// intervals, or above them where there is no room beside them, on as many lines as they need.
export function forest(name: string, verdicts: string[], rows: ForestRow[]): HTMLElement {
  const label = "pass@1 with its interval of each run: " + rows.map((row) => row.name + " " + percent(row.scores[0].value)).join(", ");
  const all = rows.flatMap((row) => row.scores);
  const ends = scale(Math.min(...all.map((score) => score.low)), Math.max(...all.map((score) => score.high)));
  const several = verdicts.length;
  return figure(name, label, (width) => {
    const indent = measure(rows.length + "  ");
    const longest = Math.max(...rows.map((row) => measure(row.name))) + indent + 16;
    const narrow = width < 620;
    const numbers = 50 * several; // of the values on the right
    const left = narrow ? 4 : Math.min(longest, Math.floor(width * 0.45));
    const right = narrow ? 6 : numbers + 10;
    const [line, each] = [15, 15 * several]; // heights of a name's line, and of a row's intervals
    let end = 0;
    const placed = rows.map((row) => {
      const name = lines(row.name, (narrow ? width - numbers : left) - indent - 12);
      const [top, text] = [end, line * name.length];
      end += narrow ? text + each + 5 : Math.max(text, each) + 12;
      const middle = narrow ? top + text + each / 2 : (top + end) / 2; // of the intervals
      return { ...row, text: name.map(isolated).join("\n"), top, first: narrow ? top + line / 2 : (top + end - text + line) / 2, middle };
    });
    type Placed = (typeof placed)[number];
    const marks = placed.flatMap((row) => row.scores.map((score, v) => ({
      y: row.middle + 15 * (v - (several - 1) / 2), x: 100 * score.value, low: 100 * score.low, high: 100 * score.high, verdict: v, beside: narrow ? row.first : row.middle,
      text: (100 * score.value).toFixed(1), title: row.name + ": " + (several > 1 ? verdicts[v] + " " : "") + "pass@1 " + percent(score.value) + ", " + interval(score.low, score.high),
    })));
    type Mark = (typeof marks)[number];
    return Plot.plot({
      ...base, width, height: end + 40, marginLeft: left, marginRight: right, marginTop: 8, marginBottom: 32,
      x: { domain: [100 * ends.from, 100 * ends.to], ticks: ticksOf(ends), grid: true, label: null, tickSize: 0, tickFormat: (at: number) => String(at) },
      y: { type: "linear", domain: [0, end], reverse: true, axis: null },
      color: { type: "identity" }, symbol: { type: "identity" },
      marks: [
        Plot.ruleY(marks, { y: "y", x1: "low", x2: "high", stroke: (mark: Mark) => verdictColour(mark.verdict), strokeWidth: 2.5 }),
        Plot.dot(marks, {
          x: "x", y: "y", r: 4.5, symbol: (mark: Mark) => (mark.verdict ? "square" : "circle"), fill: (mark: Mark) => verdictColour(mark.verdict), stroke: "none", title: "title",
        }),
        ...[{ dx: -left, text: (row: Placed) => String(row.number), fill: "var(--soft)" }, { dx: indent - left, text: (row: Placed) => row.text, fill: "var(--text)" }].map((part) => Plot.text(placed, {
          ...part, frameAnchor: "left", textAnchor: "start", lineAnchor: "top", dy: -line / 2 + 1, lineHeight: line / 12, y: "first", title: "name",
        })),
        ...verdicts.map((_, v) => Plot.text(marks.filter((mark) => mark.verdict === v), {
          frameAnchor: "right", textAnchor: "end", dx: narrow ? -50 * (several - 1 - v) : 10 + 50 * (v + 1), y: "beside", text: "text", fontWeight: 600, fill: verdictColour(v),
        })),
      ],
    }) as Chart;
  }, { kind: "forest-chart" });
}

// steps draws pass@k of checkpoints against their step, by one verdict and in its colour.
export function steps(name: string, label: string, verdict: number, lines: { k: number; points: { step: number; value: number; low: number; high: number }[] }[]): HTMLElement {
  const all = lines.flatMap((line) => line.points);
  const ends = scale(Math.min(...all.map((point) => point.low)), Math.max(...all.map((point) => point.high)));
  return figure(name, label, (width) => {
    const height = Math.round(Math.min(320, Math.max(220, width * 0.6)));
    const [top, bottom, left, right] = [26, 44, 40, 60];
    const last = lines.map((line) => 100 * line.points[line.points.length - 1].value);
    const names = apart(last, (1600 * (ends.to - ends.from)) / (height - top - bottom));
    // Steps get a number from the last on, where there is room.
    const known = lines[0].points.map((point) => point.step);
    const across = (step: number): number => ((step - known[0]) / (known[known.length - 1] - known[0] || 1)) * (width - left - right);
    const ticks: number[] = [];
    for (const step of [...known].reverse()) {
      const room = (measure(String(step)) + (ticks.length ? measure(String(ticks[0])) : 0)) / 2 + 8;
      if (!ticks.length || across(ticks[0]) - across(step) > room) ticks.unshift(step);
    }
    const shown = (line: (typeof lines)[number]) => line.points.map((point) => ({
      step: point.step, value: 100 * point.value, low: 100 * point.low, high: 100 * point.high,
      text: "step " + point.step + ": pass@" + line.k + " " + percent(point.value) + ", " + interval(point.low, point.high),
    }));
    return Plot.plot({
      ...base, width, height, marginLeft: left, marginTop: top, marginBottom: bottom, marginRight: right,
      x: { ticks, tickFormat: (step: number) => String(step), label: "step", labelAnchor: "center", labelArrow: "none", tickSize: 0 },
      y: { domain: [100 * ends.from, 100 * ends.to], ticks: ticksOf(ends), grid: true, label: "in %", labelArrow: "none", tickSize: 0 },
      marks: lines.flatMap((line, i) => {
        const colour = verdictColour(verdict);
        return [
          Plot.areaY(shown(line), { x: "step", y1: "low", y2: "high", fill: colour, fillOpacity: 0.13 }),
          Plot.lineY(shown(line), { x: "step", y: "value", stroke: colour, strokeWidth: 2.5, strokeDasharray: dashes[i % dashes.length] }),
          Plot.dot(shown(line), { x: "step", y: "value", r: 3.5, fill: colour, title: "text" }),
          Plot.text([{ step: known[known.length - 1], y: names[i] }], { x: "step", y: "y", text: ["pass@" + line.k], dx: 9, textAnchor: "start", fill: colour, fontWeight: 600 }),
        ];
      }),
    }) as Chart;
  });
}
