// Findings by code, in families that open or one by one, each bar as long as its counts
// or as all others.

import { card, draw, make, type Child } from "./dom";
import { count, points, thousands } from "./format";
import { choose, tools } from "./save";
import { byColumns, cells, heads, records, sorted, tableSaves, type Column } from "./table";
import type { CodeCounts, PairData, Row } from "./data";
import type { TaskList } from "./tasks";

// families are what the first two characters of codes stand for.
const families: Record<string, string> = {
  C9: "complexity", E1: "indentation", E2: "whitespace", E3: "blank lines", E4: "imports, by layout", E5: "line length",
  E7: "statements", E9: "not Python", F4: "imports, by use", F5: "formatting of strings", F6: "tests and literals",
  F7: "control flow", F8: "names", F9: "raise", W1: "tabs", W2: "trailing whitespace", W3: "blank lines at the end",
  W5: "line breaks at operators", W6: "deprecated syntax",
};

// A CodeRow is a code, or a family of codes.
interface CodeRow {
  family: string;
  code: string; // "" of a family
  name: string;
  parts: number[]; // what its bar shows, or its bars
  values: (number | null)[];
}

type By = "family" | "code";
type Scale = "counts" | "shares";

interface Chart {
  heading: string;
  legend: [string, string][]; // classes and texts of the parts
  label(row: CodeRow): string;
  stacked: boolean; // parts are stretches of one bar
  columns: Column<CodeRow>[]; // after the bar
  aside: Child[];
}

function codesCard(chart: Chart, list: TaskList, codes: CodeRow[], all: CodeRow[]): HTMLElement {
  const sum = (row: CodeRow): number => row.parts.reduce((a, b) => a + b, 0);
  const open = new Set<CodeRow>();
  let [by, scale, order]: [By, Scale, string] = ["family", "counts", "-sum"];
  const bars = (row: CodeRow): Child[] => {
    const largest = Math.max(...(by === "code" ? codes : all).map((row) => (chart.stacked ? sum(row) : Math.max(...row.parts))), 1e-9);
    const whole = (chart.stacked && scale === "shares" ? sum(row) : largest) / 100;
    const rect = (i: number, x: number): SVGElement => draw("rect", { class: chart.legend[i][0], x: x.toFixed(2) + "%", width: (row.parts[i] / whole).toFixed(2) + "%", height: "100%" });
    const label = { role: "img", "aria-label": chart.label(row) };
    if (!chart.stacked) return row.parts.map((_, i) => draw("svg", { class: "bar", ...(i ? { "aria-hidden": "true" } : label) }, rect(i, 0)));
    let x = 0;
    return [draw("svg", { class: "bar", ...label }, ...row.parts.map((part, i) => {
      x += part / whole;
      return rect(i, x - part / whole);
    }))];
  };
  const columns: Column<CodeRow>[] = [
    {
      name: "code", key: "code", value: (row) => row.code || row.family,
      cell: (row) => {
        if (row.code) return list.codeButton(row.code, row.name);
        const members = codes.filter((code) => code.family === row.family);
        return make("button", { type: "button", class: "fold", "aria-expanded": String(open.has(row)), title: count(members.length, "code"), onclick: () => {
          if (!open.delete(row)) open.add(row);
          show();
          body.querySelector<HTMLElement>("[data-family='" + row.family + "'] .fold")?.focus();
        } }, row.family);
      },
    },
    { name: "flake8 flags", class: "name", value: (row) => row.name },
    { name: "all", key: "sum", first: "-", class: "chart", chart: true, value: sum, cell: (row) => [make("span", { class: "said" }, row.name), ...bars(row)] },
    ...chart.columns,
  ];
  const valueOf = byColumns(columns);
  const body = make("tbody");
  const head = heads(columns, (key) => { order = key; show(); });
  const show = (): void => {
    const rows = by === "code" ? sorted(codes, order, valueOf)
      : sorted(all, order, valueOf).flatMap((row) => [row, ...(open.has(row) ? sorted(codes.filter((code) => code.family === row.family), order, valueOf) : [])]);
    body.replaceChildren(...rows.map((row) => make("tr", { class: row.code ? "code" : "family", "data-family": row.family }, ...cells(columns, row))));
    head.show(order);
  };
  const table = make("table", { class: "codes" }, make("thead", {}, head.row), body);
  show();
  return card(chart.heading, { id: "codes" },
    make("p", { class: "legend" }, ...chart.legend.flatMap(([kind, text]) => [make("span", { class: "key " + kind }), text + " "])),
    make("div", { class: "sheet" }, tools(
      choose<By>("Rows", { family: "Families", code: "Codes" }, by, (value) => { by = value; show(); }),
      chart.stacked && choose<Scale>("Bars", { counts: "Counts", shares: "100\u00a0%" }, scale, (value) => { scale = value; show(); }),
      tableSaves("codes", () => records(columns, sorted(codes, order, valueOf)), table)), table),
    chart.aside.length ? make("p", { class: "aside" }, ...chart.aside) : null);
}

// inFamilies adds up codes of a family.
function inFamilies(codes: CodeRow[], valuesOf: (family: string, members: CodeRow[]) => (number | null)[]): CodeRow[] {
  const members = new Map<string, CodeRow[]>();
  for (const code of codes) members.set(code.family, [...(members.get(code.family) ?? []), code]);
  return [...members].map(([family, those]) => ({
    family, code: "", name: families[family] ?? "", parts: those[0].parts.map((_, i) => those.reduce((sum, code) => sum + code.parts[i], 0)), values: valuesOf(family, those),
  }));
}

const valueColumn = (name: string, at: number, kind: string, first: "-" | undefined, text: (value: number) => string): Column<CodeRow> => ({
  name, key: name, first, class: kind, value: (row) => row.values[at], cell: (row) => { const value = row.values[at]; return value === null ? "-" : text(value); },
});

// passAt1 is pass@1 over the tasks that are wanted, by the official verdict; null if
// there are none.
export function passAt1(rows: Row[], wanted: (row: Row) => boolean): number | null {
  let [sum, n] = [0, 0];
  for (const row of rows) {
    if (!wanted(row)) continue;
    n++;
    if (row.runs[0].n) sum += row.runs[0].passed[0] / row.runs[0].n;
  }
  return n ? sum / n : null;
}

// runCodes are what became of each code's findings.
export function runCodes(codes: CodeCounts[], list: TaskList): HTMLElement {
  const rows = codes.map((code): CodeRow => ({
    family: code.code.slice(0, 2), code: code.code, name: code.name, parts: [code.fixed, code.lost, code.left, code.introduced],
    values: [code.given, code.fixed, code.lost, code.left, code.introduced, passAt1(list.rows, (row) => row.given.includes(code.code))],
  }));
  const all = inFamilies(rows, (family, members) => [
    ...[0, 1, 2, 3, 4].map((at) => members.reduce((sum, code) => sum + (code.values[at] ?? 0), 0)),
    passAt1(list.rows, (row) => row.given.some((code) => code.startsWith(family))),
  ]);
  return codesCard({
    heading: "Findings by code", legend: [["fixed", "fixed"], ["lost", "lost"], ["left", "left"], ["introduced", "introduced"]], stacked: true,
    label: (row) => row.parts[0] + " fixed, " + row.parts[1] + " lost, " + row.parts[2] + " left, " + row.parts[3] + " introduced",
    columns: [valueColumn("given", 0, "n more", "-", thousands), valueColumn("fixed", 1, "n", "-", thousands), valueColumn("lost", 2, "n more", "-", thousands), valueColumn("left", 3, "n", "-", thousands), valueColumn("introduced", 4, "n long", "-", thousands),
      valueColumn("pass@1", 5, "n late", undefined, (share) => (100 * share).toFixed(1))],
    aside: [make("span", { class: "more" }, "given = fixed + lost + left. "), "Lost are the findings of programs whose answers have no code or are not Python, so flake8 sees nothing of the program. ", make("span", { class: "late" }, "pass@1, in %, is of the tasks whose program has the code, or one of the family, by the official verdict; - if no program has.")],
  }, list, rows, all);
}

// pairCodes are what is found in 100 answers of each of two runs.
export function pairCodes(codes: PairData["codes"], list: TaskList): HTMLElement {
  const rows = codes.map((code): CodeRow => ({ family: code.code.slice(0, 2), code: code.code, name: code.name, parts: [code.a, code.b], values: [code.a, code.b, code.b - code.a] }));
  const all = inFamilies(rows, (_, members) => [0, 1, 2].map((at) => members.reduce((sum, code) => sum + (code.values[at] ?? 0), 0)));
  const short = (value: number): string => value.toFixed(1);
  return codesCard({
    heading: "Findings in 100 answers, by code", legend: [["run-a", "A"], ["run-b", "B"]], stacked: false,
    label: (row) => "A " + row.parts[0].toFixed(1) + ", B " + row.parts[1].toFixed(1),
    columns: [valueColumn("A", 0, "n", "-", short), valueColumn("B", 1, "n", "-", short), valueColumn("B − A", 2, "n", "-", (value) => points(value / 100))],
    aside: ["The mean over the tasks of both runs, each of which counts the same, however many samples it has."],
  }, list, rows, all);
}
