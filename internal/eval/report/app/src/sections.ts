// The other sections of one run: scores, facts, groups and the matrix of codes.

import { card, draw, make, nameOf, scroller, type Child } from "./dom";
import { count, interval, percent, shareOf, thousands } from "./format";
import { failing, heat, heatLegend } from "./heat";
import { choose, tools } from "./save";
import { plainTable, records, tableSaves, type Column } from "./table";
import type { Group, RunData, Score } from "./data";
import type { TaskList } from "./tasks";

// said is a number with what is said of it in small.
export const said = (text: string, sure: string): Child[] => [make("span", { class: "value" }, text), sure ? " " : null, sure ? make("span", { class: "sure" }, sure) : null];

// A ScoreRow is a line of the scores: a number for each verdict.
interface ScoreRow { name: string; kind: "score" | "soft"; cells: { value: number | null; low: number | null; high: number | null; text: string; sure: string; kind?: string }[] }

function scoreCell(score: Score, tasks: number): ScoreRow["cells"][number] {
  const { value, low, high, stderr } = score;
  if (value === null) {
    return {
      value, low, high, text: "not known", kind: "unknown",
      sure: score.short + " of " + count(tasks, "task") + " had fewer than " + count(score.k, "sample") + "; the official formula says " + percent(score.formula ?? 0),
    };
  }
  return { value, low, high, text: percent(value), sure: low !== null && high !== null && stderr !== null ? interval(low, high) + ", ±\u00a0" + (100 * stderr).toFixed(1) : "" };
}

// scoresTable is a column for each verdict, and below its scores what passes by it that
// no one would call fixed.
export function scoresTable(run: RunData): HTMLElement {
  const rows: ScoreRow[] = run.verdicts[0].scores.map((score, i) => ({ name: "pass@" + score.k, kind: "score", cells: run.verdicts.map((verdict) => scoreCell(verdict.scores[i], run.tasks)) }));
  const samples = (name: string, of: (verdict: RunData["verdicts"][number]) => [number, number]): void => {
    rows.push({ name, kind: "soft", cells: run.verdicts.map((verdict) => {
      const [n, all] = of(verdict);
      return { value: n, low: null, high: null, text: thousands(n), sure: n ? shareOf(n, all) : "" };
    }) });
  };
  if (run.samples) {
    samples("samples that pass", (verdict) => [verdict.passed, run.samples]);
    samples("of these, with a noqa", (verdict) => [verdict.noqa, verdict.passed]);
    samples("of these, without code", (verdict) => [verdict.empty, verdict.passed]);
    if (run.verdicts.length > 1) samples("unknown, so not a pass", (verdict) => [verdict.unknown, run.samples]);
  }
  const columns: Column<ScoreRow>[] = [
    { name: "score", value: (row) => row.name, head: () => [make("span", { class: "hidden" }, "score")] },
    ...run.verdicts.map((verdict, v): Column<ScoreRow> => ({
      name: verdict.name, value: (row) => row.cells[v].value, bounds: (row) => [row.cells[v].low, row.cells[v].high],
      cell: (row) => said(row.cells[v].text, row.cells[v].sure), attributes: (row) => ({ class: row.cells[v].kind ?? (run.verdicts.length > 1 ? "v" + v : null) }),
      head: () => (run.verdicts.length > 1 ? [make("span", { class: "key v" + v }), verdict.name] : [verdict.name]),
    })),
  ];
  const explained = rows.some((row) => row.cells.some((cell) => cell.low !== null));
  return make("div", {}, scroller("Scores by verdict", "", plainTable("scores", columns, rows, (row) => row.kind)), tools(tableSaves("scores", () => records(columns, rows))),
    explained ? make("p", { class: "explain" }, "Below a score: its 95\u00a0% interval, by a bootstrap over tasks, and ± its standard error.") : null);
}

// facts are a table of numbers of samples. A fact with a mark leads to its tasks.
function facts(heading: string, of: number, list: TaskList, rows: [n: number, text: string, mark?: string, part?: boolean][], asides: Child[][] = []): HTMLElement {
  return card(heading, {}, make("table", { class: "facts" },
    make("thead", { class: "hidden" }, make("tr", {}, ...["what", "samples", "share"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows.map(([n, text, mark, part]) => make("tr", { class: part ? "part" : null },
      make("th", { scope: "row" }, mark && n ? list.markButton(mark, text) : text), make("td", { class: "n" }, thousands(n)), make("td", { class: "n soft" }, shareOf(n, of)))))),
  ...asides.map((aside) => make("p", { class: "aside" }, ...aside)));
}

const verbed = (n: number, one: string, many: string): string => thousands(n) + " " + (n === 1 ? one : many);

// runFacts say how samples pass and fail.
export function runFacts(run: RunData, list: TaskList): HTMLElement {
  const several = run.verdicts.length > 1;
  const samples: [number, string, string?, boolean?][] = [];
  run.verdicts.forEach((verdict, v) => {
    const by = several ? ", " + verdict.name : "";
    samples.push([verdict.passed, "pass" + by], [run.samples - verdict.passed - verdict.unknown, "fail" + by]);
    if (!v) {
      samples.push([run.invalid, "are not valid Python (E999)", "E999", true], [run.left, "leave findings", undefined, true],
        [run.introduced, "introduce findings", undefined, true], [run.both, "do both", undefined, true]);
    }
    if (verdict.unknown) samples.push([verdict.unknown, "not known" + by, "unknown"]);
    if (verdict.errors) samples.push([verdict.errors, "for an error of ours", undefined, true]);
  });
  const e = run.extraction;
  const asides: Child[][] = [];
  for (const [all, passed, ...what] of [[e.empty, e.empty_passed, "no code"], [e.noqa, e.noqa_passed, "a ", make("code", {}, "# noqa")], [e.encoded, e.encoded_passed, "a coding cookie other than UTF-8's"]] as [number, number, ...Child[]][]) {
    if (all) asides.push([verbed(all, "answer has ", "answers have "), ...what, "; " + verbed(passed, "of these passes", "of these pass") + "."]);
  }
  const forgiven = Object.entries(e.saved_by).map(([name, n]) => name + " " + n).join(", ");
  const saved = e.saved_if_forgiving;
  const placed: Child[][] = []; // said of answers in the rows of the table, which add up to all
  const some = (n: number): string => verbed(n, "of these answers has", "of these answers have");
  if (e.several) placed.push([some(e.several) + " several Python blocks, which are joined."]);
  if (e.no_python) placed.push([some(e.no_python) + " blocks in other languages only, and so no code."]);
  if (saved) placed.push([verbed(saved, "sample fails", "samples fail") + " and would pass if fences were read more forgivingly (" + forgiven + "). No score counts " + (saved === 1 ? "it" : "them") + "."]);
  return make("div", { class: "columns" },
    facts("How the samples did", run.samples, list, samples, asides),
    ...run.verdicts.filter((verdict) => verdict.causes).map((verdict) => {
      const causes = verdict.causes ?? [];
      const rows = (["pass", "fail", "unknown"] as const).flatMap((outcome): [number, string, string?, boolean?][] => {
        const those = causes.filter((cause) => cause.outcome === outcome);
        if (!those.length) return [];
        return [[those.reduce((sum, cause) => sum + cause.samples, 0), outcome === "unknown" ? "not known" : outcome],
          ...those.map((cause): [number, string, string?, boolean?] => [cause.samples, cause.text, cause.mark, true])];
      });
      return facts("Of the official passes, by the " + verdict.name + " verdict", run.verdicts[0].passed, list, rows);
    }),
    facts("Where the answers have their code", run.samples, list,
      [[e.closed, "in closed fences"], [e.open, "in a fence left open: cut off", "open"], [e.whole, "in no fence: the whole answer"]], placed));
}

// smallGroup is how many tasks a group needs for its interval to say something: of
// fewer, a bootstrap draws from too little to be any wider than they are alike.
const smallGroup = 10;

// place is where a share stands in a small chart, with some room at both its ends.
const place = (share: number): string => (3 + 94 * share).toFixed(2) + "%";
const grid = (): SVGElement[] => [0, 0.5, 1].map((share) => draw("line", { class: "grid", x1: place(share), x2: place(share), y1: 0, y2: "100%" }));

function smallForest(group: Group): SVGElement {
  return draw("svg", { class: "forest", role: "img", "aria-label": "chart of the intervals" }, ...grid(), ...group.scores.flatMap(([score], v) => {
    if (!score || score.value === null) return [];
    const y = Math.round((100 * (v + 1)) / (group.scores.length + 1)) + "%";
    return [group.tasks > 1 && score.low !== null && score.high !== null ? draw("line", { class: "interval v" + v, x1: place(score.low), x2: place(score.high), y1: y, y2: y }) : null,
      draw("circle", { class: "v" + v, cx: place(score.value), cy: y, r: 3 })].filter((mark) => mark !== null);
  }));
}

// scaleHead is the scale of the small charts below it.
const scaleHead = (): SVGElement => draw("svg", { class: "forest scale", role: "img", "aria-label": "scale from 0 to 100\u00a0%" },
  ...[0, 0.5, 1].map((share) => draw("text", { x: place(share), y: "85%", "text-anchor": "middle" }, String(100 * share))));

// groupsCard is pass@k of groups of tasks.
export function groupsCard(run: RunData, list: TaskList): HTMLElement | null {
  if (!run.groups.length) return null;
  const several = run.verdicts.length > 1;
  return card("pass@k of groups of tasks, in %", { id: "groups" },
    several ? make("p", { class: "legend" }, ...run.verdicts.flatMap((verdict, v) => [make("span", { class: "key v" + v }), verdict.name + " "])) : null,
    make("p", { class: "aside" }, "With pass@1 stands its 95\u00a0% interval", make("span", { class: "late" }, ", which the chart draws"), ".",
      run.groups.some(({ groups }) => groups.some(({ scores }) => scores.flat().some(({ value }) => value === null))) ? " A score is not known (-) where tasks of the group have fewer samples than k." : null),
    ...run.groups.filter(({ groups }) => groups.length).flatMap(({ by, groups }) => {
      const ks = groups[0].scores[0];
      const columns: Column<Group>[] = [
        { name: by, value: (group) => group.name, head: () => ["by " + by], cell: (group) => (by === "code" ? list.codeButton(group.name) : nameOf(group.name)) },
        {
          name: "tasks", class: "n", value: (group) => group.tasks,
          cell: (group) => [thousands(group.tasks), group.tasks < smallGroup ? make("abbr", { title: "too few tasks for an interval to say much" }, "†") : null],
        },
        { name: "chart", class: "chart", chart: true, value: () => null, head: () => [make("span", { class: "hidden" }, "chart"), scaleHead()], cell: smallForest },
        ...run.verdicts.flatMap((verdict, v) => ks.map(({ k }, i): Column<Group> => ({
          name: (several ? verdict.name + " " : "") + "pass@" + k, class: i ? "n more" : v ? "n next" : "n", value: (group) => group.scores[v][i].value,
          // The interval of one task is none.
          bounds: (group) => (group.tasks > 1 ? [group.scores[v][i].low, group.scores[v][i].high] : [null, null]),
          cell: (group) => {
            const { value, low, high } = group.scores[v][i];
            if (value === null) return "-";
            return said((100 * value).toFixed(1), !i && group.tasks > 1 && low !== null && high !== null ? (100 * low).toFixed(0) + "–" + (100 * high).toFixed(0) : "");
          },
        }))),
      ];
      const many = groups.length > 20;
      const table = plainTable("groups", columns, groups, (group) => (group.tasks < smallGroup ? "small" : ""));
      const parts: Child[] = [tools(tableSaves("by " + by, () => records(columns, groups), table)), scroller("Scores by " + by, "", table),
        groups.some((group) => group.tasks < smallGroup) ? make("p", { class: "aside" }, "† fewer than 10 tasks: too few for an interval to say much.") : null];
      return many ? [make("details", {}, make("summary", {}, "by " + by + ": " + groups.length + " groups"), ...parts)] : parts;
    }));
}

// matrixCard is what was introduced into the answers to programs with each code: those
// with the most answers, or all.
export function matrixCard({ answers, cells }: RunData["matrix"]): HTMLElement | null {
  if (!cells.length) return null;
  const found = new Map(cells.map(([given, introduced, n]) => [given + " " + introduced, n]));
  const ranked = (of: 0 | 1): string[] => {
    const sums = new Map<string, number>();
    for (const cell of cells) sums.set(cell[of], (sums.get(cell[of]) ?? 0) + cell[2]);
    return [...sums.keys()].sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || (a < b ? -1 : 1));
  };
  const [given, introduced] = [ranked(0), ranked(1)];
  const [most, wide] = [16, Math.max(3, Math.min(16, Math.floor((Math.min(window.innerWidth, 1280) - 200) / 50)))];
  const table = make("table", { class: "matrix" });
  const show = (whole: boolean): void => {
    const [rows, columns] = whole ? [given, introduced] : [given.slice(0, most), introduced.slice(0, wide)];
    table.replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "given"), make("th", { scope: "col", class: "n" }, "answers"), ...columns.map((code) => make("th", { scope: "col", class: "n" }, code)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row), make("td", { class: "n soft" }, thousands(answers[row])),
        ...columns.map((column) => {
          const n = found.get(row + " " + column) ?? 0;
          const share = n / answers[row];
          return make("td", { class: "n " + heat(failing, share), title: n ? n + " of " + count(answers[row], "answer") + " to programs with " + row + " introduce " + column : null },
            n ? (100 * share < 0.95 ? "<1" : (100 * share).toFixed(0)) : "·");
        })))));
  };
  show(false);
  const all = (): ReturnType<typeof records> => ({ columns: ["given", "introduced", "answers", "of"], rows: cells.map(([row, column, n]) => [row, column, n, answers[row]]) });
  return card("Which codes are introduced into which programs", { id: "matrix" },
    make("p", { class: "aside" }, "A row is a code that programs have, a column a code that answers introduce. A cell is the share, in %, of the answers to the row's programs that have more findings of the column's code than was given; · is none."),
    heatLegend(failing),
    tools((given.length > most || introduced.length > wide) && choose<"most" | "all">("Codes", { most: "Most", all: "All " + given.length + " × " + introduced.length }, "most", (value) => show(value === "all")),
      tableSaves("introduced by given", all, table)),
    scroller("Codes introduced, by codes given", "tall", table));
}
