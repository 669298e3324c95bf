// The view of a task: its prompt, and of each run its samples.

import { bdi, make, type Child } from "./dom";
import { taskOf, type Row, type Sample, type SampleVerdict, type Task, type TaskRun } from "./data";
import { bytes, count } from "./format";
import { answer, block, cuts, listing, without } from "./listing";
import { address, type TaskList } from "./tasks";

const marks = { pass: "✓", fail: "✗", unknown: "?" };

const said = (verdict: SampleVerdict): string => verdict.name + { pass: " passes", fail: " fails", unknown: " not known" }[verdict.outcome];

function copy(text: string, what: string): HTMLElement | null {
  if (!navigator.clipboard) return null;
  const button = make("button", { type: "button", class: "copy", onclick: () => {
    navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed"; });
    setTimeout(() => { button.textContent = "Copy " + what; }, 1500);
  } }, "Copy " + what);
  return button;
}

function sampleView(task: Task, run: TaskRun, one: Sample): DocumentFragment {
  const view = document.createDocumentFragment();
  const of = run.name ? " of " + run.name : "";
  const tag = (...children: Child[]): HTMLElement => make("span", { class: "chip" }, ...children);
  const chip = (n: number | undefined, text: string): HTMLElement => tag(make("b", {}, String(n ?? 0)), " " + text);
  const where = { closed: "code in closed fences", open: "fence left open", whole: "no fence: the whole answer" }[one.source];
  const none = run.bare ? "" : without(one);
  view.append(make("p", { class: "verdict" },
    make("span", { class: "chip " + (one.pass ? "pass" : "fail") }, one.pass ? "✓ " : "✗ ", one.verdicts.length ? "official " : "", one.pass ? "passes" : "fails"),
    ...one.verdicts.map((verdict) => make("span", { class: "chip " + verdict.outcome }, marks[verdict.outcome] + " " + said(verdict) + (verdict.proof ? ", by " + verdict.proof : ""))),
    // Of an answer without code that is Python, all that was given is lost: nothing was fixed.
    ...(none || one.empty ? [tag(none ? "no code" : "nothing in the code does anything")] : one.marks.includes("E999") ? [tag("not Python")]
      : [chip(one.fixed, "fixed"), chip(one.left, "left"), chip(one.introduced, "introduced")]),
    tag(where),
    one.blocks && !one.python ? tag("only other languages") : null,
    one.python && one.python > 1 ? chip(one.python, "blocks joined") : null,
    one.noqa ? tag("a noqa silences findings") : null,
    one.encoding ? tag("read as " + one.encoding) : null,
    one.saved ? tag("would pass if forgiven: " + one.saved.join(", ")) : null));
  for (const verdict of one.verdicts) {
    for (const reason of verdict.reasons ?? []) {
      // That it fails officially is said already.
      if (reason.name !== "official") view.append(make("p", { class: "note" }, make("b", {}, verdict.name + ": "), bdi(reason.text), reason.line ? " (line " + reason.line + ")" : ""));
    }
  }
  if (run.bare) {
    view.append(make("p", { class: "note" }, "These results hold no texts: write them with --texts to see the code."));
    const rows = one.findings.map((finding) => make("tr", { class: "finding", "data-code": finding.code },
      make("td", { class: "no" }, finding.row + ":" + finding.column), make("td", {}, make("b", {}, finding.code), " ", bdi(finding.message))));
    if (rows.length) view.append(make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Findings" + of }, make("table", {}, make("tbody", {}, ...rows))));
  } else {
    view.append(none ? make("p", { class: "nocode" }, none) : listing(task, one, of));
  }
  if (cuts(one)) view.append(make("p", { class: "aside" }, cuts(one)));
  if (!run.bare && one.code) view.append(copy(one.code, "the code") ?? "");
  if (answer(one) && (one.around || one.output !== undefined)) {
    const details = make("details", {}, make("summary", {}, "The whole answer" + (one.outputCut ? ", cut: " + bytes(one.outputCut) : "")));
    details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(block(answer(one), { "aria-label": "The whole answer" + of })); });
    details.open = Boolean(none);
    view.append(details);
  }
  return view;
}

// passing says how many samples of a run pass, by each verdict.
function passing(run: TaskRun): string {
  if (!run.n) return "No samples";
  const others = (run.others ?? []).map((other) => ", " + other.passed + " by the " + other.name + " verdict");
  return run.passed + " of " + count(run.n, "sample") + " " + (run.passed === 1 ? "passes" : "pass") + others.join("");
}

// outcomes are what is said of a sample, the official verdict first; of the others
// only what differs.
function outcomes(one: Sample): ("pass" | "fail" | "unknown")[] {
  const official = one.pass ? "pass" : "fail";
  return [official, ...one.verdicts.map((verdict) => verdict.outcome).filter((outcome) => outcome !== official)];
}

// interesting is the sample of a run to begin with: the first that fails, else the
// first that does not pass by all verdicts.
function interesting(run: TaskRun): number {
  const failing = run.samples.findIndex((one) => !one.pass);
  return failing >= 0 ? failing : Math.max(0, run.samples.findIndex((one) => outcomes(one).length > 1));
}

// taskView fills a view with the task of a row.
export function taskView(view: HTMLElement, row: Row, list: TaskList, title: string, runNames: string[]): void {
  const task = taskOf(row);
  const wanted = list.state.sample.split("-").map(Number);
  // picked are the samples shown, one of each run.
  const picked = task.runs.map((run, i) => (Number.isInteger(wanted[i]) && wanted[i] > 0 ? Math.min(wanted[i] - 1, Math.max(run.samples.length - 1, 0)) : interesting(run)));

  const runView = (run: TaskRun, which: number): HTMLElement => {
    const name = run.name ? "Samples of " + run.name : "Samples";
    const panel = make("section", { class: "card" }, make("h2", {}, run.name ? make("span", { class: "key run-" + run.name.toLowerCase() }) : null, name, runNames[which] ? ": " : "", runNames[which] ? bdi(runNames[which]) : null),
      task.runs.length > 1 ? make("p", { class: "aside" }, passing(run)) : null);
    if (!run.samples.length) return panel;
    const tab = (n: number): string => "sample-" + which + "-" + n;
    const picks = make("div", { class: "picks", role: "tablist", "aria-label": name });
    const view = make("div", { id: "sample-" + which, class: "sample", role: "tabpanel" });
    const pick = (n: number, focus: boolean): void => {
      const [old, now] = [picks.children[picked[which]] as HTMLElement, picks.children[n] as HTMLElement];
      old.setAttribute("aria-selected", "false");
      old.tabIndex = -1;
      picked[which] = n;
      now.setAttribute("aria-selected", "true");
      now.tabIndex = 0;
      view.setAttribute("aria-labelledby", tab(n));
      view.replaceChildren(sampleView(task, run, run.samples[n]));
      if (focus) now.focus();
    };
    const choose = (n: number, focus: boolean): void => {
      pick(n, focus);
      list.stay({ sample: picked.map((n) => n + 1).join("-") });
    };
    run.samples.forEach((one, i) => picks.append(make("button", {
      type: "button", role: "tab", id: tab(i), tabindex: "-1", "aria-selected": "false", "aria-controls": "sample-" + which,
      class: outcomes(one).length > 1 ? "mixed" : one.pass ? "pass" : "fail",
      "aria-label": "Sample " + (i + 1) + (one.pass ? ", passes" : ", fails") + one.verdicts.map((verdict) => ", " + said(verdict)).join(""), onclick: () => choose(i, false),
    }, i + 1 + " " + outcomes(one).map((outcome) => marks[outcome]).join(""))));
    picks.addEventListener("keydown", (event) => {
      const [last, now] = [run.samples.length - 1, picked[which]];
      const to = new Map([["ArrowRight", Math.min(now + 1, last)], ["ArrowLeft", Math.max(now - 1, 0)], ["Home", 0], ["End", last]]).get(event.key);
      if (to !== undefined) { event.preventDefault(); choose(to, true); }
    });
    panel.append(picks);
    if (run.n > run.samples.length) {
      panel.append(make("p", { class: "aside" }, "The first " + run.samples.length + " of " + count(run.n, "sample") + ": there is no room for more in this page."));
    }
    panel.append(view);
    pick(picked[which], false);
    return panel;
  };

  const place = list.shown.indexOf(row);
  const step = (by: number, text: string, key: string): HTMLElement => {
    const to = place < 0 ? undefined : list.shown[place + by];
    return make("button", { type: "button", disabled: !to, title: text + " task (" + key + ")", onclick: () => { if (to) location.hash = address({ ...list.state, task: to.id, sample: "" }); } }, text);
  };
  const sole = task.runs.length === 1 ? task.runs[0] : null;
  view.replaceChildren(
    make("nav", { class: "bar-top", "aria-label": "Tasks" }, make("a", { href: address({ ...list.state, task: "", sample: "" }) }, "← All tasks"),
      make("span", { class: "space" }, place < 0 ? "" : place + 1 + " of " + list.shown.length), step(-1, "Previous", "p"), step(1, "Next", "n")),
    make("header", {}, make("h1", {}, "Task ", bdi(task.id)),
      sole ? make("p", {}, passing(sole)) : null,
      row.given.length ? make("p", {}, "Given: ", make("code", {}, row.given.join(" "))) : null,
      task.options ? make("p", {}, "Checked by ", make("code", {}, "flake8 " + task.options)) : null));
  if (task.prompt) {
    view.append(make("details", { class: "card prompt" }, make("summary", {}, make("h2", {}, "Prompt"), make("span", { class: "soft" }, " " + count(task.prompt.split("\n").length, "line"))),
      task.cut ? make("p", { class: "aside" }, "Cut: not all of its " + bytes(task.cut) + " fit into this page.") : null,
      block(task.prompt, { id: "prompt", "aria-label": "Prompt" }), copy(task.prompt, "the prompt")));
  }
  view.append(make("div", { class: "runs" }, ...task.runs.map((run, i) => (!sole || run.samples.length ? runView(run, i) : null))));
  document.title = "Task " + task.id + " · " + title;
}
