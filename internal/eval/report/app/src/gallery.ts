// The gallery: of each way in which samples fail often, one that does.

import { bdi, card, make } from "./dom";
import { taskOf, type Reason, type Row, type Sample, type Task } from "./data";
import { count } from "./format";
import { answer, block, excerpt, linesOf, without } from "./listing";
import { failsBy, isCode, markText, waysToFail } from "./marks";
import { address, type TaskList } from "./tasks";

const around = 3; // lines shown to both sides of what fails

const tried = 20; // tasks that an example is looked for in

// An Example is a sample with a mark.
export interface Example { row: Row; task: Task; at: number; one: Sample }

// exampleOf finds the sample to show: of the tasks that are not shown yet the one with the most samples
// that fail by the mark, and of these the one with the least else to say of it.
export function exampleOf(rows: Row[], mark: string, used: Set<Row>): Example | null {
  const n = (row: Row): number => (row.marks[mark] ?? 0) - (row.fine[mark] ?? 0);
  const order = (row: Row): number => n(row) - (used.has(row) ? 1e9 : 0);
  const rest = (one: Sample): number => one.marks.length + (one.pass && !mark.includes(":") ? 100 : 0); // one that fails officially, if any does
  for (const row of rows.filter((row) => n(row) > 0).sort((a, b) => order(b) - order(a)).slice(0, tried)) {
    const task = taskOf(row);
    const [run] = task.runs;
    let at = -1;
    run.samples.forEach((one, i) => {
      if (one.marks.includes(mark) && failsBy(one, mark) && (at < 0 || rest(one) < rest(run.samples[at]))) at = i;
    });
    if (at < 0 || run.bare) continue;
    used.add(row);
    return { row, task, at, one: run.samples[at] };
  }
  return null;
}

// faultOf is a few lines of a sample around what a mark is about, and what is found on
// none of its lines.
export function faultOf(task: Task, one: Sample, mark: string): HTMLElement {
  const label = "Of samples that " + markText(mark);
  if (without(one)) {
    const text = answer(one).split("\n").slice(0, 2 * around + 2).join("\n");
    return make("div", {}, make("p", { class: text.trim() ? "soft" : "nocode" }, without(one)), text.trim() ? block(text.slice(0, 600), { "aria-label": label }) : null);
  }
  const { lines, rest } = linesOf(task, one);
  const code = mark.slice(mark.indexOf(":") + 1);
  const reason = one.verdicts.flatMap((verdict) => verdict.reasons ?? []).find((reason) => reason.line);
  let place = lines.findIndex((line) => line.findings.some((finding) => finding.code === code));
  const beyond = rest.filter((finding) => finding.code === code);
  if (place < 0 && beyond.length) place = lines.length - 1; // it is on a line after the last, or on one that is cut
  if (place < 0 && reason) place = lines.findIndex((line) => line.after === reason.line);
  if (place < 0) place = lines.findIndex((line) => (mark === "noqa" ? /#.*noqa/i.test(line.text) && line.after : line.findings.length));
  if (place < 0) place = lines.findIndex((line) => line.kind !== "same");
  place = Math.max(0, place);
  lines[place]?.findings.sort((a, b) => Number(b.code === code) - Number(a.code === code)); // what is shown of many
  const shown = excerpt(label, lines, place - around, place + around + 1, beyond.slice(0, 1), 2);
  return mark === "no-block" ? make("div", {}, make("p", { class: "soft" }, "The answer has no Python block, so all of it is read as code."), shown) : shown;
}

// reasonOf is the reason that a mark is named for; none of marks that say what is found.
export const reasonOf = (one: Sample, mark: string): Reason | undefined =>
  (mark.includes(":") && !isCode(mark) ? one.verdicts.flatMap((verdict) => verdict.reasons ?? [])[0] : undefined);

export function gallery(list: TaskList, samples: number): HTMLElement | null {
  const used = new Set<Row>();
  const articles = waysToFail(list.marks).flatMap(({ mark, failing: n, tasks }) => {
    const found = exampleOf(list.rows, mark, used);
    if (!found) return [];
    const { row, task, at, one } = found;
    const reason = reasonOf(one, mark);
    return [make("article", {},
      make("h3", {}, "Samples that " + markText(mark)),
      make("p", { class: "soft" }, count(n, "sample") + ", " + ((100 * n) / samples).toFixed(1) + " %. ",
        make("a", { href: address({ task: row.id, sample: String(at + 1) }) }, "Task ", bdi(row.id), ", sample " + (at + 1)), " · ", list.markButton(mark, tasks === 1 ? "its task" : "its tasks")),
      reason ? make("p", { class: "note" }, bdi(reason.text)) : null,
      faultOf(task, one, mark))];
  });
  return articles.length ? card("Typical failures", { id: "gallery" }, make("div", { class: "gallery" }, ...articles)) : null;
}
