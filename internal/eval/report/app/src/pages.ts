// The pages: of one run, of two runs, and of many.

import { bdi, card, make, nameOf, scroller, type Child } from "./dom";
import { chance, count, hundredths, interval, percent, points, shortChance, thousands } from "./format";
import { curves, dotName, forest, scatter, steps, verdictColour, type Dot } from "./charts";
import { pairCodes, runCodes } from "./codes";
import { exampleOf, faultOf, gallery, reasonOf } from "./gallery";
import { failing, heat, heatLegend, passes } from "./heat";
import { markText, waysToFail } from "./marks";
import { groupsCard, matrixCard, runFacts, said, scoresTable } from "./sections";
import { plainTable, records, sortedTable, tableSaves, type Column } from "./table";
import { saves, tools } from "./save";
import { rateOf, wholeTask, type Board, type BoardPage, type BoardWay, type Difference, type PairData, type RunData, type Standings } from "./data";
import { address, type TaskList } from "./tasks";

const notes = (texts: string[]): HTMLElement | null => (texts.length ? make("div", { class: "note" }, ...texts.map((text) => make("p", {}, bdi(text)))) : null);

const meanings: Record<string, string> = {
  official: "flake8 finds nothing in an answer's code",
  guarded: "flake8 finds nothing, and the code is proven or seen to do what the task's program does",
};

// verdictsSaid says what verdicts mean.
function verdictsSaid(verdicts: string[]): HTMLElement | null {
  const known = verdicts.filter((verdict) => Object.hasOwn(meanings, verdict));
  return known.length ? make("p", { class: "meaning" }, ...known.flatMap((verdict, i): Child[] => [i ? " " : "", make("b", {}, verdict), ": " + meanings[verdict] + "."])) : null;
}

// lead says in two or three sentences what a page comes to.
const lead = (...children: Child[]): HTMLElement => make("p", { class: "lead" }, ...children);

const strong = (text: string): HTMLElement => make("strong", {}, text);

// failsMost says which samples fail in the way that is most frequent, or as said; href leads to one.
const failsMost = (samples: Child[], mark: string, href: string | null, said = "What fails most"): Child[] =>
  [said + ": ", ...samples, " " + markText(mark) + ".", ...(href ? [" ", make("a", { href }, "Show one"), "."] : [])];

// runLead says how good a run is, how sure that is, and what fails most.
function runLead(run: RunData, list: TaskList): HTMLElement | null {
  if (!run.samples) return null;
  const scores = run.verdicts.flatMap((verdict, v): Child[] => {
    const score = verdict.scores[0];
    if (!score || score.value === null) return [];
    const sure = score.low !== null && score.high !== null ? " (" + (v ? "" : "95\u00a0% interval ") + interval(score.low, score.high) + ")" : "";
    return [v ? ", and by the " + verdict.name + " one " : "By the " + verdict.name + " verdict " + thousands(verdict.passed) + " of " + count(run.samples, "answer") + (verdict.passed === 1 ? " passes, and " : " pass, and ") + "pass@" + score.k + " is ", strong(percent(score.value)), sure];
  });
  const [way] = waysToFail(list.marks);
  const example = way && exampleOf(list.rows, way.mark, new Set());
  return lead(...scores, scores.length ? ". " : "", ...(way ? failsMost([strong(thousands(way.failing)), " of " + count(run.samples, "sample")], way.mark, example && address({ task: example.row.id, sample: String(example.at + 1) })) : []));
}

// runPage is the page of one run but for its tasks.
export function runPage(run: RunData, list: TaskList): Child[] {
  const lines = run.verdicts.map((verdict, v) => ({ name: run.verdicts.length > 1 ? verdict.name : "pass@k", colour: verdictColour(v), dash: v ? "7 4" : undefined, curve: verdict.curve }));
  return [
    make("header", {}, make("h1", {}, run.model ?? run.title), run.model && !run.title.endsWith(run.model) ? make("p", {}, run.title) : null,
      make("dl", { class: "about" }, ...run.about.filter(({ name }) => name !== "model" || !run.model).map(({ name, value }) => make("div", {}, make("dt", {}, name), make("dd", {}, bdi(value)))))),
    runLead(run, list),
    verdictsSaid(run.verdicts.map((verdict) => verdict.name)),
    make("section", { class: "hero card", "aria-label": "Scores" }, scoresTable(run), curves("pass at k", lines)),
    notes([...run.notes, ...unequal(list)]),
    run.samples > 0 && runFacts(run, list),
    run.samples > 0 && gallery(list, run.samples),
    run.codes.length > 0 && runCodes(run.codes, list),
    matrixCard(run.matrix),
    groupsCard(run, list),
  ];
}

// unequal is said of a run whose tasks have different numbers of samples.
function unequal(list: TaskList): string[] {
  const numbers = list.rows.map((row) => row.runs[0].n).filter(Boolean);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least < most ? ["Tasks have " + least + " to " + most + " samples. In pass@k each task counts the same. In counts and shares of samples each sample does."] : [];
}

// how says how a test came to its result.
const how = (exact: boolean): string => (exact ? "counted over all signs" : "estimated from random signs");

function difference(difference: Difference, place: number, pair: PairData, list: TaskList): HTMLElement {
  const name = pair.verdicts.length > 1 ? difference.name + " " : "";
  type Row = Difference["scores"][number];
  const known = (row: Row, value: number): number | null => (row.short ? null : value);
  const cell = (row: Row, text: string): Child => (row.short ? "–" : text);
  const columns: Column<Row>[] = [
    { name: "score", head: () => [name + "of " + count(pair.tasks, "task")], value: (row) => "pass@" + row.k },
    { name: "A", class: "n", value: (row) => known(row, row.a), cell: (row) => cell(row, percent(row.a)), head: () => [make("span", { class: "key run-a" }), "A"] },
    { name: "B", class: "n", value: (row) => known(row, row.b), cell: (row) => cell(row, percent(row.b)), head: () => [make("span", { class: "key run-b" }), "B"] },
    {
      name: "B − A", class: "by", head: () => ["B\u00a0−\u00a0A, in points"], value: (row) => known(row, row.b - row.a), bounds: (row) => [known(row, row.interval[0]), known(row, row.interval[1])],
      cell: (row) => (row.short ? "too few samples" : said(points(row.b - row.a), row.interval.map(points).join(" to "))),
    },
  ];
  const dots = new Map<string, Dot>();
  for (const row of list.rows) {
    const [a, b] = [rateOf(row, 0, place), rateOf(row, 1, place)];
    const dot = dots.get(dotName(place, a, b)) ?? { a, b, tasks: 0, text: "" };
    dot.tasks++;
    dot.text = count(dot.tasks, "task") + ": A " + percent(a) + ", B " + percent(b);
    dots.set(dotName(place, a, b), dot);
  }
  const better = count(difference.better, "task");
  return make("section", { class: "hero card", "aria-label": name + "scores" }, make("div", {},
    scroller(name + "scores of both runs", "", plainTable("scores-table", columns, difference.scores)), tools(tableSaves(name + "scores", () => records(columns, difference.scores))),
    make("p", { class: "explain" }, "Below a difference: its 95\u00a0% interval, by a bootstrap over tasks."),
    ...difference.scores.filter(({ short }) => short).map(({ k, short }) => make("p", { class: "explain" }, "pass@" + k + ": " + (short === 1 ? "1 task has" : short + " tasks have") + " fewer than " + count(k, "sample") + " in one of the runs.")),
    make("p", {}, "B does better on ", make("b", {}, better), ", worse on ", make("b", {}, String(difference.worse)), ", and as well on ", make("b", {}, String(difference.same)), "."),
    make("p", { class: "explain" }, "Were A and B equals, pass@1 would differ by so much with p\u00a0", make("b", {}, chance(difference.p)), " (paired permutation test, " + how(difference.exact) + ")."),
    curves(name + "pass at k", [{ name: "A", colour: "var(--run-a)", dash: "7 4", curve: difference.curves[0] }, { name: "B", colour: "var(--run-b)", curve: difference.curves[1] }])),
  dots.size ? scatter(name + "tasks of both", name + "share of samples that pass, of each task: better with B on " + better + ", worse on " + difference.worse + ", the same on " + difference.same,
    place, [...dots.values()].sort((x, y) => x.a - y.a || x.b - y.b), (at) => list.only({ at: list.state.at === at ? "" : at })) : null);
}

// agreed are sentences for verdicts. Those on which all verdicts agree are said once.
function agreed(verdicts: { by: string; said: HTMLElement }[], head: (by: string[]) => string): Child[] {
  if (verdicts.every(({ said }) => said.textContent === verdicts[0].said.textContent)) return verdicts.length ? [head(verdicts.map(({ by }) => by)), verdicts[0].said] : [];
  return verdicts.flatMap(({ by, said }, v): Child[] => [v ? " " : "", head([by]), said]);
}

// pairLead says which run is better, by how much, how sure that is, and what separates them.
function pairLead(pair: PairData): HTMLElement | null {
  const parts = agreed(pair.verdicts.filter(({ scores: [score] }) => score && !score.short).map((verdict) => {
    const [score] = verdict.scores;
    const [low, high] = score.interval;
    const [first, second, by, ...ends]: [string, string, number, number, number] = score.b >= score.a ? ["B", "A", score.b - score.a, low, high] : ["A", "B", score.a - score.b, -high, -low];
    return { by: verdict.name, said: make("span", {}, ...(verdict.p < 0.05 ? [first + ", ", strong(pair.names["AB".indexOf(first)]), ", is better than " + second] : ["it is not known which is better"]),
      ": pass@1 is " + percent(score.a) + " for A and " + percent(score.b) + " for B. " + first + " is higher by ", strong(hundredths(by)), " points (95\u00a0% interval " + interval(...ends) + "), p\u00a0" + chance(verdict.p) + ".") };
  }), (by) => "By the " + by.join(" and ") + (by.length > 1 ? " verdicts " : " verdict "));
  const [way] = mostApart(pair.ways);
  if (way) {
    parts.push(" ", ...failsMost([strong(percent(way.shares[0])), " of A's samples and ", strong(percent(way.shares[1])), " of B's"], way.mark, pairExample(way),
      apart(way) ? "What separates them most" : undefined));
  }
  return parts.length ? lead(...parts) : null;
}

// pairExample is the address of a way's example.
const pairExample = ({ example }: BoardWay): string | null =>
  example ? address({ task: example.task.id, sample: example.run ? "0-" + (example.sample + 1) : String(example.sample + 1) }) : null;

// pairPage is the page of two runs but for their tasks.
export function pairPage(pair: PairData, list: TaskList): Child[] {
  return [
    make("header", {}, make("h1", {}, "CodeLinterEval, two runs"),
      scroller("The runs", "", make("table", { class: "about" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "fact")),
          ...(["A", "B"] as const).map((run, i) => make("th", { scope: "col", title: pair.files[i] }, make("span", { class: "key run-" + run.toLowerCase() }), run + ": ", nameOf(pair.names[i]))))),
        make("tbody", {}, ...pair.about.filter(({ a, b }) => a !== pair.names[0] || b !== pair.names[1]).map(({ name, a, b }) => make("tr", {}, make("th", { scope: "row" }, name),
          ...(a === b ? [make("td", { colspan: 2 }, bdi(a))] : [make("td", {}, bdi(a || "not given")), make("td", {}, bdi(b || "not given"))]))))))),
    pairLead(pair),
    verdictsSaid(pair.verdicts.map((verdict) => verdict.name)),
    ...pair.verdicts.map((verdict, v) => difference(verdict, v, pair, list)),
    notes(pair.notes),
    waysCard(pair.ways, pair.names.map((name, run) => ({ run, name, samples: pair.samples[run], head: () => [make("span", { class: "key run-" + "ab"[run] }), "AB"[run]] })), true,
      (way, example, task) => ["AB"[example.run] + ", ", make("a", { href: pairExample(way) }, "task ", bdi(task), ", sample " + (example.sample + 1))]),
    pair.codes.length > 0 && pairCodes(pair.codes, list),
  ];
}

// A BoardRun is a run with the number that it has in every table.
interface BoardRun { number: number; run: number; name: string; file: string; step?: number }

// numbered are the runs in the order of the official verdict, or of their steps.
function numbered(board: Board, byStep: boolean): BoardRun[] {
  const order = byStep ? board.runs.map((_, i) => i) : board.verdicts[0].ranking.map((standing) => standing.run);
  return order.map((run, i) => ({ number: i + 1, run, name: board.runs[run].name, file: board.runs[run].file, step: board.runs[run].step }));
}

const scoreOf = (standings: Standings, run: number, k: number) => (standings.ranking.find((standing) => standing.run === run) as Standings["ranking"][number])[`pass@${k}`];
const placesOf = (standings: Standings, run: number): [number, number] => (standings.ranking.find((standing) => standing.run === run) as Standings["ranking"][number]).places;

const numberOf = (run: BoardRun): HTMLElement => make("span", { class: "number" }, String(run.number));
const named = (run: BoardRun): Child[] => [numberOf(run), nameOf(run.name)];

// boardSaves are buttons that save files with the bytes that the command line writes.
const boardSaves = (page: BoardPage, name: string, ...formats: string[]): HTMLElement => tools(saves(name, Object.fromEntries(formats.map((format) =>
  [format, () => (format === "json" ? JSON.stringify(page.board) + "\n" : page.files[name + "." + format])]))));

function boardScores(page: BoardPage, runs: BoardRun[]): HTMLElement {
  const { board } = page;
  const columns: Column<BoardRun>[] = [
    { name: "run", key: "run", class: "stuck", value: (run) => run.name, cell: named, attributes: (run) => ({ title: run.file }) },
    ...(page.steps ? [{ name: "step", key: "step", class: "n", value: (run: BoardRun) => run.step ?? null }] : []),
    ...board.verdicts.flatMap((standings, v): Column<BoardRun>[] => [
      ...standings.k.map((k, i): Column<BoardRun> => ({
        name: "pass@" + k, key: "v" + v + "pass" + k, first: "-", class: i ? "n" : "n begins", value: (run) => scoreOf(standings, run.run, k).value,
        cell: (run) => { const { value, interval: [low, high] } = scoreOf(standings, run.run, k); return said((100 * value).toFixed(1), interval(low, high)); },
      })),
      { name: "place", key: "v" + v + "place", class: "n", value: (run) => placesOf(standings, run.run)[0], cell: (run) => { const [first, last] = placesOf(standings, run.run); return first === last ? String(first) : first + "-" + last; } },
    ]),
  ];
  const table = sortedTable("runs-table", columns, runs);
  if (board.verdicts.length > 1) {
    table.tHead?.prepend(make("tr", {}, make("td", { class: "stuck" }), page.steps ? make("td") : null,
      ...board.verdicts.map((standings, v) => make("th", { scope: "colgroup", class: "over begins", colspan: standings.k.length + 1 }, make("span", { class: "key v" + v }), standings.verdict))));
  }
  return card("Scores", { id: "scores", tabindex: "-1" }, boardSaves(page, "scores", "csv", "tex", "json"), scroller("Scores of the runs", "", table),
    make("p", { class: "aside" }, "In %, with 95\u00a0% intervals by a bootstrap over tasks. Place: the first and the last that the run may have, as only runs that differ with a corrected p below 0.05 are told apart."));
}

// keys say which numbers the runs have, above a table whose columns are named by them.
const keys = (runs: BoardRun[]): HTMLElement => make("ol", { class: "run-keys" }, ...runs.map((run) => make("li", {}, nameOf(run.name))));

function boardPairs(page: BoardPage, runs: BoardRun[]): HTMLElement | null {
  const { board } = page;
  const pairs = board.verdicts[0].pairs.length;
  if (!pairs) return null;
  const exact = board.verdicts.flatMap((standings) => standings.pairs.map((pair) => pair.exact));
  const tested = exact.every(Boolean) ? how(true) : exact.some(Boolean) ? "counted over all signs or estimated from random ones" : how(false);
  return card("Differences between runs", {}, boardSaves(page, "pairs", "csv"), ...board.verdicts.map((standings, v) => {
    const between = new Map(standings.pairs.flatMap((pair) => [[pair.a + " " + pair.b, { ...pair, by: pair.difference }], [pair.b + " " + pair.a, { ...pair, by: -pair.difference }]] as const));
    const cell = (row: BoardRun, column: BoardRun): HTMLElement => {
      const pair = between.get(row.run + " " + column.run);
      if (!pair) return make("td", { class: "same" }, "–");
      const kind = pair.p_holm >= 0.05 ? null : pair.by > 0 ? "better" : "worse";
      return make("td", { class: kind, title: row.name + " against " + column.name + ": " + points(pair.by) + " points, p " + chance(pair.p_holm) + " corrected, " + chance(pair.p) + " alone" },
        points(pair.by), make("small", {}, "p " + shortChance(pair.p_holm)));
    };
    return make("div", { class: "split" }, board.verdicts.length > 1 ? make("h3", {}, make("span", { class: "key v" + v }), standings.verdict) : null,
      scroller("Differences between runs, " + standings.verdict, "", make("table", { class: "pairs" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "stuck" }, "row − column"), ...runs.map((run) => make("th", { scope: "col", title: run.name }, numberOf(run))))),
        make("tbody", {}, ...runs.map((row) => make("tr", {}, make("th", { scope: "row", class: "stuck", title: row.name }, numberOf(row), nameOf(row.name)), ...runs.map((column) => cell(row, column))))))));
  }),
  make("p", { class: "aside" }, "Difference in pass@1, in points. p: were the two equals, the chance of such a difference by a paired permutation test (" + tested + "), corrected for " + pairs + " pairs by Holm's method. Colour: p below 0.05."));
}

const shownSpreads = 15;

function boardSpreads(page: BoardPage, runs: BoardRun[]): HTMLElement | null {
  const { board } = page;
  if (runs.length < 2) return null;
  type Task = Standings["tasks"][number];
  const explained = "A task's share is its part of the variance of pass@1 between runs; all tasks add up to 100\u00a0%. Below 0 the weaker runs do better on it. Then come the samples of each run that pass.";
  // A run's column has its number: names would make it wider than its cells, or stand on end.
  const numbered = (run: BoardRun): Child[] => [numberOf(run), make("span", { class: "hidden" }, run.name)];
  return card("Tasks that separate the runs", {}, make("p", { class: "aside" }, explained), keys(runs), heatLegend(passes), boardSaves(page, "tasks", "csv"), ...board.verdicts.map((standings, v) => {
    const several = board.verdicts.length > 1;
    const nothing = "All samples of all runs pass on " + count(standings.solved, "task") + ", none on " + standings.unsolved + ": these separate nothing.";
    const title = (): HTMLElement | null => (several ? make("h3", {}, make("span", { class: "key v" + v }), standings.verdict) : null);
    if (!standings.tasks.length) return make("div", { class: "split" }, title(), make("p", {}, "All runs have the same pass@1."), make("p", { class: "aside" }, nothing));
    const share = ([c, n]: [number, number]): number => (n ? c / n : 0);
    const numbers = standings.tasks.every((task) => typeof task.id === "number");
    const columns: Column<Task>[] = [
      { name: "task", key: "task", class: "stuck", value: (task) => (numbers ? task.id : String(task.id)), cell: (task) => bdi(String(task.id)) },
      { name: "share, %", key: "share", first: "-", class: "n", value: (task) => task.share, cell: (task) => hundredths(task.share, 2) },
      ...runs.map((run): Column<Task> => ({
        name: run.name, key: "run" + run.run, first: "-", class: "rate", title: run.name, head: () => numbered(run),
        value: (task) => share(task.rates[run.run]), cell: (task) => task.rates[run.run].join("/"),
        attributes: (task) => ({ class: "rate " + heat(passes, share(task.rates[run.run])) }),
      })),
    ];
    const box = make("div", { class: "split" });
    const show = (n: number): void => {
      const all = standings.tasks.length;
      box.replaceChildren(...[title(), scroller("Tasks that separate the runs, " + standings.verdict, "", sortedTable("spreads", columns, standings.tasks, n)),
        n < all ? make("p", {}, "These are " + n + " of " + count(all, "task") + ". ", make("button", { type: "button", class: "rest", onclick: () => show(all) }, "Show all " + thousands(all))) : null,
        make("p", { class: "aside" }, nothing)].filter((child) => child !== null));
    };
    show(Math.min(shownSpreads, standings.tasks.length));
    return box;
  }));
}

// boardLead says which run is best, by what, and how sure that is.
function boardLead(page: BoardPage, runs: BoardRun[]): HTMLElement | null {
  const { board } = page;
  if (runs.length < 2) return null;
  const [way] = mostFrequent(page.ways);
  const best = board.verdicts.map((standings): { by: string; said: HTMLElement } => {
    const first = standings.ranking[0];
    const score = first["pass@1"];
    // Those that the tests do not tell from the best.
    const others = standings.ranking.slice(1).filter((other) => other.places[0] === 1).map((other) => board.runs[other.run].name);
    const list = others.slice(0, 3).flatMap((name, i): Child[] => [i ? ", " : "", "“", nameOf(name), "”"]); // a name may have commas
    if (others.length > 3) list.push(" and " + (others.length - 3) + " more");
    return { by: standings.verdict, said: make("span", {}, make("strong", {}, nameOf(board.runs[first.run].name)), " with " + percent(score.value) + " (95\u00a0% interval " + interval(...score.interval) + ")",
      others.length ? ". The tests do not tell it apart from " : ", better than all others with p below 0.05", ...list, ".") };
  });
  return lead(...agreed(best, (by) => "Best by pass@1, " + by.join(" and ") + ": "), ...(way ? [" ", ...failsMost(["on the mean of the runs ", strong(percent(mean(way.shares))), " of samples"], way.mark, way.example ? "#example" : "#ways")] : []));
}

// stepsLead says how far a model came from its first checkpoint to its last.
function stepsLead(page: BoardPage, runs: BoardRun[]): HTMLElement | null {
  if (runs.length < 2) return null;
  const [first, last] = [runs[0], runs[runs.length - 1]];
  return lead("From step " + first.step + " to step " + last.step + " pass@1 goes ", ...page.board.verdicts.flatMap((standings, v): Child[] => {
    const [from, to] = [scoreOf(standings, first.run, 1), scoreOf(standings, last.run, 1)];
    return [(v ? ", and by the " : "by the ") + standings.verdict + " verdict from ", strong(percent(from.value)), " (" + interval(...from.interval) + ") to ", strong(percent(to.value)), " (" + interval(...to.interval) + ")"];
  }), ".");
}

const total = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

// mean is that of runs, each of which counts the same.
const mean = (shares: number[]): number => shares.reduce((a, b) => a + b, 0) / (shares.length || 1);

// chosenWays are the ways to fail that weigh most, of several runs.
function chosenWays(ways: BoardWay[], weight: (way: BoardWay) => number): BoardWay[] {
  const of = new Map(ways.map((way) => [way.mark, way]));
  const whole = ({ mark }: { mark: string }): BoardWay => of.get(mark) as BoardWay;
  return waysToFail(ways.map((way) => ({ mark: way.mark, samples: total(way.samples), failing: mean(way.shares), tasks: 0 })), (sum) => weight(whole(sum))).map(whole);
}

// mostFrequent are the ways in which samples of several runs fail most.
const mostFrequent = (ways: BoardWay[]): BoardWay[] => chosenWays(ways, (way) => mean(way.shares));

// apart is by how much the shares of two runs differ, B - A; mostApart are the ways in which these
// differ most.
const apart = ({ shares: [a, b] }: BoardWay): number => b - a;
const mostApart = (ways: BoardWay[]): BoardWay[] => chosenWays(ways, (way) => Math.abs(apart(way)));

// A FailingRun is a run in the table of the ways in which runs fail. The last is the mean of all, which
// has no number.
interface FailingRun { run: number | null; name: string; samples: number; head: () => Child[] }

// waysCard is how samples fail most, in each run, and an example of each way; whose says which
// sample it is. Names of many runs are rows: above columns they would not fit. The ways of a pair
// stand in the order of what separates A and B.
function waysCard(all: BoardWay[], runs: FailingRun[], pair: boolean, whose: (way: BoardWay, example: NonNullable<BoardWay["example"]>, task: string) => Child[]): HTMLElement | null {
  const ways = pair ? mostApart(all) : mostFrequent(all);
  if (!ways.length) return null;
  const rows: FailingRun[] = pair ? runs : [...runs, { run: null, name: "mean", samples: 0, head: () => [runs.length > 2 ? "mean of the runs" : "mean"] }];
  const share = (way: BoardWay, { run }: FailingRun): number => (run === null ? mean(way.shares) : way.shares[run]);
  const cell = (way: BoardWay, run: FailingRun): string => (share(way, run) ? percent(share(way, run)).replace(/\s%/, "") : "·");
  const attributes = (way: BoardWay, run: FailingRun): Record<string, string | null> => ({
    class: "rate " + heat(failing, share(way, run)),
    title: run.run === null ? null : count(way.samples[run.run], "sample") + " of the " + thousands(run.samples) + " of " + run.name + " " + markText(way.mark),
  });
  const columns: Column<FailingRun>[] = [
    { name: "run", class: "stuck", value: (run) => run.name, head: () => ["samples of a run that"], cell: (run) => run.head() },
    ...ways.map((way): Column<FailingRun> => ({ name: markText(way.mark), class: "rate way", value: (run) => share(way, run), cell: (run) => cell(way, run), attributes: (run) => attributes(way, run) })),
  ];
  const few: Column<BoardWay>[] = [
    { name: "samples that", value: (way) => markText(way.mark) },
    ...rows.map((run): Column<BoardWay> => ({ name: run.name, class: "rate", head: run.head, value: (way) => share(way, run), cell: (way) => cell(way, run), attributes: (way) => attributes(way, run) })),
    ...(pair ? [{ name: "B − A", class: "n", value: apart, cell: (way: BoardWay) => points(apart(way)) }] : []),
  ];
  const table = runs.length > 2 ? plainTable("spreads ways", columns, rows) : plainTable("spreads ways", few, ways);
  const examples = ways.flatMap((way) => {
    const { example, mark } = way;
    if (!example) return [];
    const task = wholeTask(example.task);
    const one = task.runs[0].samples[0];
    const reason = reasonOf(one, mark);
    return [make("article", { id: way === ways[0] ? "example" : null }, make("h3", {}, "Samples that " + markText(mark)),
      make("p", { class: "soft" }, ...whose(way, example, task.id)), reason ? make("p", { class: "note" }, bdi(reason.text)) : null, faultOf(task, one, mark))];
  });
  return card("What fails most", { id: "ways" },
    make("p", { class: "aside" }, "A cell is the share, in %, of a task's samples that fail in this way, as a mean over the tasks that the run has samples of. So a task counts the same, however many samples a run has of it; · is none. " +
      "A sample may fail in several ways. " + (pair ? "The nine that separate the runs most are here; B − A is in points." : "The nine most frequent are here.") + " At most three are codes that samples introduce, and three codes that they leave."),
    heatLegend(failing), tools(tableSaves("failures", () => records(columns, runs))),
    scroller("What fails most, by run", "", table),
    examples.length ? make("div", { class: "gallery" }, ...examples) : make("p", { class: "aside" }, "Results with texts (eval --texts) have an example of each."));
}

// boardPage is the page of many runs.
export function boardPage(page: BoardPage): Child[] {
  const { board } = page;
  const runs = numbered(board, page.steps);
  const verdicts = board.verdicts.map((standings) => standings.verdict);
  return [
    make("header", {}, make("h1", {}, "CodeLinterEval, " + runs.length + (page.steps ? " checkpoints" : " runs")), make("p", {}, page.size)),
    page.steps ? stepsLead(page, runs) : boardLead(page, runs),
    verdictsSaid(verdicts),
    notes(board.notes),
    page.steps && card("pass@k by step, in %", {}, make("div", { class: "steps" }, ...board.verdicts.map((standings, v) => {
      const lines = standings.k.map((k) => ({ k, points: runs.map((run) => {
        const { value, interval: [low, high] } = scoreOf(standings, run.run, k);
        return { step: run.step ?? 0, value, low, high };
      }) }));
      const label = standings.verdict + ": " + lines.map(({ k, points }) => {
        const last = points[points.length - 1];
        return "pass@" + k + " from " + percent(points[0].value) + " at step " + points[0].step + " to " + percent(last.value) + " at step " + last.step;
      }).join("; ");
      return make("div", {}, make("h3", {}, make("span", { class: "key v" + v }), standings.verdict), steps("steps " + standings.verdict, label, v, lines));
    })), make("p", { class: "aside" }, "Bands: 95\u00a0% intervals, by a bootstrap over tasks.")),
    card("pass@1 with 95\u00a0% intervals, in %", {},
      verdicts.length > 1 ? make("p", { class: "legend" }, ...verdicts.flatMap((verdict, v) => [make("span", { class: "key v" + v + (v ? " square" : " round") }), verdict + " "])) : null,
      forest("intervals", verdicts, runs.map((run) => ({
        number: run.number, name: run.name,
        scores: board.verdicts.map((standings) => { const { value, interval: [low, high] } = scoreOf(standings, run.run, 1); return { value, low, high }; }),
      }))),
      make("p", { class: "aside" }, "Intervals may overlap where the paired test below finds a difference: all runs were asked the same tasks.")),
    boardScores(page, runs),
    boardPairs(page, runs),
    waysCard(page.ways, runs.map((run) => ({ run: run.run, name: run.name, samples: board.runs[run.run].samples, head: () => named(run) })), false,
      (_, example, task) => [bdi(board.runs[example.run].name), ", task ", bdi(task), ", sample " + (example.sample + 1)]),
    boardSpreads(page, runs),
  ];
}
