// The table of tasks: its filters and its order. All of that stands in the address,
// after "#", so that a link leads to what is shown.

import { all, bdi, make, type Child } from "./dom";
import { rateOf, type Row } from "./data";
import { dotName } from "./charts";
import { count, percent, points } from "./format";
import { legend, squares, across, most } from "./squares";
import { markText, sumMarks, type MarkSum } from "./marks";
import { byColumns, cells, heads, records, sorted, tableSaves, type Column } from "./table";
import { tools } from "./save";

const parts = ["find", "passing", "code", "mark", "at", "sort", "task", "sample"] as const;
export type State = Record<(typeof parts)[number], string>;

export function readState(hash: string): State {
  const query = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(parts.map((part) => [part, query.get(part) ?? ""])) as State;
}

export function address(state: Partial<State>): string {
  const query = new URLSearchParams();
  for (const part of parts) if (state[part]) query.set(part, state[part]);
  return "#" + query;
}

// passingClass says how many of a row's samples pass, or which of two runs does better.
function passingClass(row: Row, verdict: number): string {
  if (row.runs.length > 1) {
    const by = rateOf(row, 1, verdict) - rateOf(row, 0, verdict);
    return by > 0 ? "better" : by < 0 ? "worse" : "same";
  }
  const [{ n, passed }] = row.runs;
  if (!n) return "empty";
  return passed[verdict] === n ? "all" : passed[verdict] ? "some" : "none";
}

const classTexts = {
  all: "all samples", some: "some samples", none: "no sample", empty: "without samples",
  better: "better", worse: "worse", same: "as well",
};

const page = 1000; // rows that browsers lay out at once

// taskColumns are the columns of the table, and order the order that it has at first.
function taskColumns(verdicts: string[], pair: boolean): { columns: Column<Row>[]; order: string } {
  const name = (v: number): string => (verdicts.length > 1 ? verdicts[v] + " " : "");
  const id: Column<Row> = { name: "task", key: "place", value: (row) => row.id, cell: (row) => make("a", { href: address({ task: row.id }) }, bdi(row.id)) };
  const samples = (run: number, name: string): Column<Row> => ({
    name, class: "samples", value: (row) => row.runs[run].n, cell: (row) => squares(row.runs[run].states),
  });
  const passes = (v: number, run: number, name: string, key: string, kind: string): Column<Row> => ({
    name, key, class: kind, value: (row) => row.runs[run].passed[v], cell: (row) => row.runs[run].passed[v] + "/" + row.runs[run].n,
  });
  const given: Column<Row> = { name: "codes given", class: "codes", value: (row) => row.given.join(" ") };
  if (pair) {
    return {
      order: "size0 -by0 place",
      columns: [id, samples(0, "samples of A"), samples(1, "of B"), ...verdicts.flatMap((_, v): Column<Row>[] => [
        passes(v, 0, "A " + name(v) + "passes", "a" + v, "n more"), passes(v, 1, "B " + name(v) + "passes", "b" + v, "n more"),
        {
          name: name(v) + "B − A", head: () => [name(v) + "B\u00a0−\u00a0A, points"], key: "by" + v, first: "-", class: v ? "n more" : "n", value: (row) => rateOf(row, 1, v) - rateOf(row, 0, v),
          cell: (row) => make("span", { class: passingClass(row, v) }, points(rateOf(row, 1, v) - rateOf(row, 0, v))),
        },
      ]), given],
    };
  }
  return {
    order: [...verdicts.map((_, v) => "pass" + v), "place"].join(" "),
    columns: [id, samples(0, "samples"), ...verdicts.map((_, v) => passes(v, 0, name(v) + "passes", "pass" + v, "n")), given,
      ...["fixed", "left", "introduced"].map((what, i): Column<Row> => ({ name: what, key: what, first: "-", class: "n more", value: (row) => row.changes[i] }))],
  };
}

// A TaskList is the section with the tasks. It holds the state of the whole page.
export class TaskList {
  readonly section: HTMLElement;
  readonly marks: MarkSum[];
  state: State = readState("");
  shown: Row[] = []; // those that no filter hides, in order
  private limit = page;
  private readonly elements = new Map<Row, HTMLTableRowElement>();
  private readonly controls: Record<"find" | "passing" | "code" | "mark", HTMLInputElement | HTMLSelectElement>;
  private readonly body = make("tbody");
  private readonly head;
  private readonly columns: Column<Row>[];
  private readonly order: string;
  private readonly more = make("button", { type: "button", onclick: () => this.showMore() });
  private readonly nothing;
  private readonly output = make("output", { id: "shown" });
  // The chip says which dot of a chart is chosen, and clears it.
  private readonly chip = make("button", { type: "button", id: "chip", hidden: true, title: "Show all again (Escape)", onclick: () => this.clear() });

  constructor(readonly rows: Row[], private readonly verdicts: string[], private readonly pair: boolean) {
    this.marks = sumMarks(rows);
    ({ columns: this.columns, order: this.order } = taskColumns(verdicts, pair));
    this.head = heads(this.columns, (key) => { this.stay({ sort: key }); this.filter(); });
    const option = (value: string, text: string, n: number): HTMLElement | null => (n ? make("option", { value }, text + " (" + n + ")") : null);
    const any = (): HTMLElement => make("option", { value: "" }, "any");
    const passing = verdicts.flatMap((verdict, v) => (pair ? ["better", "worse", "same"] as const : ["all", "some", "none", "empty"] as const).map((kind) =>
      option(kind + (v ? "-" + verdict : ""), classTexts[kind] + (verdicts.length > 1 ? ", " + verdict : ""), rows.filter((row) => passingClass(row, v) === kind).length)));
    const given = new Map<string, number>();
    for (const row of rows) for (const code of row.given) given.set(code, (given.get(code) ?? 0) + 1);
    this.controls = {
      find: make("input", { type: "search", id: "find", placeholder: "id or code", autocomplete: "off", spellcheck: "false" }),
      passing: make("select", { id: "passing" }, any(), ...passing),
      code: make("select", { id: "code" }, any(), ...[...given.keys()].sort().map((code) => option(code, code, given.get(code) ?? 0))),
      mark: make("select", { id: "mark" }, any(), ...this.markOptions()),
    };
    for (const [name, control] of Object.entries(this.controls)) {
      control.addEventListener("input", () => { this.stay({ [name]: control.value }); this.filter(); });
    }
    const { find, passing: passes, code, mark } = this.controls;
    const label = (text: string, control: HTMLElement, attributes = {}): HTMLElement => make("label", attributes, text + " ", control);
    const table = make("table", { class: "tasks" }, make("thead", {}, this.head.row), this.body);
    this.nothing = make("p", { id: "nothing", hidden: true }, "No task is left. ", make("button", { type: "button", id: "reset", onclick: () => this.reset() }, "Show all"));
    this.section = make("section", { id: "tasks", tabindex: "-1" }, make("h2", {}, "Tasks"),
      make("form", { class: "filters", role: "search", "aria-label": "Tasks", onsubmit: (event: Event) => event.preventDefault() },
        label("Find", find), label(pair ? "B against A" : "Passing", passes), label("Code given", code), label("Samples that", mark, { hidden: !this.marks.length }), this.chip, this.output),
      legend(verdicts.length),
      make("div", { class: "card sheet" }, tools(tableSaves("tasks", () => records(this.columns, this.shown))), table),
      make("p", { id: "more" }, this.more), this.nothing);
    this.body.addEventListener("click", (event) => this.open(event));
  }

  private markOptions(): HTMLElement[] {
    const groups: [string, RegExp, HTMLElement[]][] = [["introduce findings", /^new:/, []], ["leave findings", /^left:/, []], ["another verdict", /:|^unknown$/, []], ["the answer", /./, []]];
    const most = 500; // other verdicts may have a reason for each sample
    for (const sum of this.marks.slice(0, most)) {
      groups.find(([, kind]) => kind.test(sum.mark))?.[2].push(make("option", { value: sum.mark }, markText(sum.mark) + " (" + sum.tasks + ")"));
    }
    return groups.reverse().filter(([, , options]) => options.length).map(([label, , options]) => make("optgroup", { label }, ...options));
  }

  // stay shows a change without a step in the browser's history.
  stay(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    try { history.replaceState(null, "", address(this.state)); } catch { /* some browsers allow only so many a minute */ }
  }

  // read takes the state of the address.
  read(): void {
    this.state = readState(location.hash);
    for (const name of Object.keys(this.controls) as (keyof typeof this.controls)[]) {
      const control = this.controls[name];
      control.value = this.state[name];
      if (control.value !== this.state[name]) this.state[name] = control.value = "";
    }
    this.filter();
  }

  filter(): void {
    const { state } = this;
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    const order = (state.sort ? state.sort + " " : "") + this.order;
    const [passing, verdict] = [state.passing.split("-")[0], state.passing.includes("-") ? this.verdicts.indexOf(state.passing.slice(state.passing.indexOf("-") + 1)) : 0];
    const rows = this.rows.filter((row) => {
      const text = (row.id + " " + row.given.join(" ")).toLowerCase();
      return (!passing || passingClass(row, verdict) === passing) && (!state.code || row.given.includes(state.code)) &&
        (!state.mark || Object.hasOwn(row.marks, state.mark)) && (!state.at || state.at === this.dotOf(row)) && words.every((word) => text.includes(word));
    });
    this.shown = sorted(rows, order, this.valueOf);
    this.head.show(order);
    this.limit = page;
    this.reveal();
    this.output.textContent = this.shown.length === this.rows.length ? count(this.rows.length, "task") : this.shown.length + " of " + count(this.rows.length, "task");
    this.nothing.hidden = this.shown.length > 0 || this.rows.length === 0;
    const [, a, b] = state.at.split(" ").map(Number);
    this.chip.hidden = !state.at;
    this.chip.textContent = state.at ? "A " + percent(a) + ", B " + percent(b) + " \u00d7" : "";
    for (const dot of all<SVGElement>(".scatter circle")) dot.classList.toggle("chosen", state.at === dot.dataset.dot);
  }

  // valueOf is what a row is sorted by.
  private readonly valueOf = (row: Row, key: string): string | number | null => {
    const at = Number(key.slice(-1));
    if (key === "place") return row.place;
    // Without samples no task is hard: it comes last.
    if (key.startsWith("pass")) return row.runs[0].n ? rateOf(row, 0, at) : null;
    if (key.startsWith("size")) return -Math.abs(rateOf(row, 1, at) - rateOf(row, 0, at));
    if (/^[ab]\d$/.test(key)) return rateOf(row, key[0] === "a" ? 0 : 1, at);
    return byColumns(this.columns)(row, key);
  };

  private dotOf(row: Row): string {
    const verdict = Number(this.state.at.split(" ")[0]);
    return this.pair && verdict < this.verdicts.length ? dotName(verdict, rateOf(row, 0, verdict), rateOf(row, 1, verdict)) : "";
  }

  private element(row: Row): HTMLTableRowElement {
    let element = this.elements.get(row);
    if (!element) {
      element = make("tr", { class: "task", "data-id": row.id }, ...cells(this.columns, row));
      this.elements.set(row, element);
    }
    return element;
  }

  private reveal(): void {
    this.body.replaceChildren(...this.shown.slice(0, this.limit).map((row) => this.element(row)));
    const rest = this.shown.length - this.limit;
    (this.more.parentElement as HTMLElement).hidden = rest <= 0;
    this.more.textContent = "Show " + Math.min(rest, page) + " more of " + count(this.shown.length, "task");
  }

  private showMore(): void {
    const next = this.shown[this.limit];
    this.limit += page;
    this.reveal();
    this.element(next).querySelector("a")?.focus();
  }

  // clear ends the choice of a dot, and reports whether there was one.
  clear(): boolean {
    const chosen = Boolean(this.state.at);
    if (chosen) {
      this.stay({ at: "" });
      this.filter();
    }
    return chosen;
  }

  reset(): void {
    for (const control of Object.values(this.controls)) control.value = "";
    this.stay({ find: "", passing: "", code: "", mark: "", at: "" });
    this.filter();
    this.controls.find.focus();
  }

  // only leaves the tasks of one filter, and goes to them.
  only(change: Partial<Pick<State, "code" | "mark" | "at">>): void {
    this.stay({ find: "", passing: "", code: "", mark: "", at: "", ...change });
    for (const name of Object.keys(this.controls) as (keyof typeof this.controls)[]) this.controls[name].value = this.state[name];
    this.filter();
    this.section.scrollIntoView();
    (change.code ? this.controls.code : change.mark ? this.controls.mark : this.section).focus({ preventScroll: true });
  }

  // onlyCode leaves the tasks whose program has a code, or else those into which it was
  // introduced.
  onlyCode(code: string): void {
    this.only(this.rows.some((row) => row.given.includes(code)) ? { code } : { mark: "new:" + code });
  }

  // codeButton is a code that leads to its tasks.
  codeButton(code: string, name = ""): HTMLElement {
    return make("button", { type: "button", class: "code", "data-code": code, title: "Show the tasks with " + code + (name && ": " + name), onclick: () => this.onlyCode(code) }, code);
  }

  // markButton is a text that leads to the tasks with a mark.
  markButton(mark: string, ...text: Child[]): HTMLElement {
    return make("button", { type: "button", class: "link", "data-mark": mark, title: "Show the tasks with such a sample", onclick: () => this.only({ mark }) }, ...text);
  }

  focusFind(): void { this.controls.find.focus(); }

  // goTo shows a row and its link.
  goTo(row: Row | undefined): void {
    const at = row ? this.shown.indexOf(row) : -1;
    if (!row || at < 0) return;
    this.limit = Math.max(this.limit, at + 1);
    this.reveal();
    const link = this.element(row).querySelector("a");
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "center" });
  }

  // step goes to the next row or the one before it.
  step(by: number): void {
    const element = document.activeElement?.closest("tr.task");
    const now = this.shown.findIndex((row) => this.elements.get(row) === element);
    this.goTo(this.shown[now < 0 ? (by > 0 ? 0 : this.shown.length - 1) : now + by]);
  }

  private open(event: MouseEvent): void {
    const target = event.target as Element;
    const element = target.closest("tr.task");
    const row = this.rows.find((row) => this.elements.get(row) === element);
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection())) return;
    event.preventDefault();
    // A square leads to its sample.
    let sample = "";
    const drawn = target.closest(".samples svg");
    const { n } = row.runs[0];
    if (drawn && row.runs.length === 1 && n <= most) {
      const box = drawn.getBoundingClientRect();
      const columns = Math.min(across, n);
      const pitch = box.width / columns;
      const at = Math.min(columns - 1, Math.floor((event.clientX - box.left) / pitch)) + across * Math.floor((event.clientY - box.top) / pitch) + 1;
      if (at >= 1 && at <= n) sample = String(at);
    }
    location.hash = address({ ...this.state, task: row.id, sample });
  }
}
