// What of tables and charts can be saved as files.

import { all, draw, fill, make } from "./dom";

export interface Records { columns: string[]; rows: (string | number | null)[][] }

export function csv({ columns, rows }: Records): string {
  const field = (value: string | number | null): string => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return [columns, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
}

export const json = ({ columns, rows }: Records): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value]))), null, 1) + "\n";

const types: Record<string, string> = { csv: "text/csv", json: "application/json", svg: "image/svg+xml", tex: "application/x-tex" };

export function save(name: string, text: string): void {
  const type = types[name.slice(name.lastIndexOf(".") + 1)];
  const address = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// saves are buttons that save something in several formats.
export function saves(name: string, formats: Record<string, () => string>): HTMLElement {
  return make("span", { class: "saves" }, "Save ", ...Object.entries(formats).map(([format, text]) =>
    make("button", { type: "button", "aria-label": "Save " + name + " as " + format.toUpperCase(), onclick: () => save(name.replaceAll(" ", "-") + "." + format, text()) },
      format.toUpperCase())));
}

// choose is a group of buttons of which one is chosen.
export function choose<K extends string>(label: string, choices: Record<K, string>, chosen: NoInfer<K>, change: (value: K) => void): HTMLElement {
  const buttons = (Object.keys(choices) as K[]).map((value) => make("button", { type: "button", "aria-pressed": String(value === chosen), onclick: (event: Event) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
    change(value);
  } }, choices[value]));
  return make("span", { class: "choose", role: "group", "aria-label": label }, ...buttons);
}

export const tools = (...children: (Node | null | false)[]): HTMLElement => make("div", { class: "tools" }, ...children);

// A chart is saved in the colours of paper, whatever those of the screen, with all
// that the page's style says of it in attributes, which every program that reads SVG
// understands.
const drawnProperties = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linejoin", "font-size", "font-weight", "text-anchor"];
const textElements = new Set(["text", "g", "svg", "tspan"]);

function onPaper(chart: Element): SVGElement {
  const copy = chart.cloneNode(true) as SVGElement;
  const copies = [copy, ...all<SVGElement>("*", copy)];
  [chart, ...all("*", chart)].forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of [...copies[i].attributes].map((attribute) => attribute.name)) {
      if (name === "class" || name === "role" || name === "style" || name === "tabindex" || name.startsWith("data-") || name.startsWith("aria-")) copies[i].removeAttribute(name);
    }
    if (element.tagName === "title") return;
    for (const property of drawnProperties) {
      const text = property.startsWith("font") || property === "text-anchor";
      if (text ? textElements.has(element.tagName) : element.tagName !== "svg") copies[i].setAttribute(property, style.getPropertyValue(property));
    }
  });
  return copy;
}

function paper(made: () => SVGElement): string {
  const root = document.documentElement;
  root.classList.add("paper");
  try { return new XMLSerializer().serializeToString(made()); } finally { root.classList.remove("paper"); }
}

const fonts = "Helvetica, Arial, sans-serif";
const sheet = (width: number, height: number): SVGElement => draw("svg", { viewBox: "0 0 " + width + " " + height, width, height, "font-family": fonts });

// chartPicture is a chart as a file.
export const chartPicture = (chart: SVGElement): string => paper(() => {
  const copy = onPaper(chart);
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "0 0 100 100").split(" ");
  return fill(copy, { width, height, "font-family": fonts });
});

// tablePicture draws a table as it is on the screen: its texts, its charts, and the
// grounds of its cells. What its section says of colours stands above it.
export const tablePicture = (table: HTMLElement): string => paper(() => {
  const box = table.getBoundingClientRect();
  const keys = all(".legend .key", table.closest("section") ?? document);
  const frame = { left: box.left, top: box.top - (keys.length ? 28 : 0) };
  const place = (box: DOMRect): Record<string, string> => ({
    x: (box.left - frame.left).toFixed(1), y: (box.top - frame.top).toFixed(1), width: box.width.toFixed(1), height: box.height.toFixed(1),
  });
  const out = sheet(Math.ceil(box.width), Math.ceil(box.bottom - frame.top));
  keys.forEach((key, i) => out.append(
    draw("rect", { x: 8 + 110 * i, y: 5, width: 11, height: 11, fill: getComputedStyle(key).backgroundColor }),
    draw("text", { x: 25 + 110 * i, y: 15, fill: getComputedStyle(key.parentElement ?? key).color, "font-size": "13px" }, (key.nextSibling?.textContent ?? "").trim())));
  for (const cell of all("th, td", table)) {
    const box = cell.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const ground = getComputedStyle(cell).backgroundColor;
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(ground)) out.append(draw("rect", { ...place(box), fill: ground }));
    for (const chart of all("svg", cell)) out.append(fill(onPaper(chart), place(chart.getBoundingClientRect())));
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const right = /right|end/.test(getComputedStyle(cell).textAlign); // as in columns of numbers, whatever the font
    for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!parent || parent.closest("svg, .hidden")) continue;
      const style = getComputedStyle(parent);
      let line: { top: number; text: SVGTextElement } | null = null; // words of one line are one text
      for (const word of node.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const where = range.getBoundingClientRect();
        if (!where.width) continue;
        if (line && Math.abs(line.top - where.top) < 2) {
          line.text.append(" " + word[0]);
          if (right) line.text.setAttribute("x", (where.right - frame.left).toFixed(1));
        } else {
          line = { top: where.top, text: draw("text", {
            x: ((right ? where.right : where.left) - frame.left).toFixed(1), "text-anchor": right ? "end" : "start", y: (where.bottom - frame.top - 0.24 * where.height).toFixed(1),
            fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight,
          }, word[0]) };
          out.append(line.text);
        }
      }
    }
  }
  return out;
});
