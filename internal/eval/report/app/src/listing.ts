// A listing of code: a program and an answer as one, with what is found in the answer.

import { bdi, make } from "./dom";
import { bytes, count } from "./format";
import { colours, type Span } from "./python";
import type { Finding, Sample, Task } from "./data";

// split returns a text's lines, and whether the last has a newline. Texts have no other
// line ends than "\n".
export function split(text: string): { lines: string[]; ended: boolean } {
  const lines = text.split("\n");
  const ended = lines[lines.length - 1] === "";
  if (ended) lines.pop();
  return { lines, ended };
}

// Characters that do not show, or that turn what is around them.
const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
const pieces = new RegExp("((?:" + unseen.source + ")+|\\t+)", "u");
const blanks = /[ \u00a0\u2000-\u200a\u3000]+$/;

// visible appends a stretch of a line; last reports whether the line ends with it.
function visible(text: string, into: Element, last = true): void {
  const trailing = last ? blanks.exec(text) : null;
  if (trailing) text = text.slice(0, trailing.index);
  text.split(pieces).forEach((piece, i) => {
    if (i % 2 === 0) into.append(piece);
    else if (unseen.test(piece)) into.append(make("span", { class: "control" }, [...piece].map(symbol).join("")));
    else into.append(make("span", { class: "blanks" }, piece));
  });
  if (trailing) into.append(make("span", { class: "blanks" }, trailing[0]));
}

// symbol stands for a character that does not show.
export function symbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "U+" + code.toString(16).toUpperCase().padStart(4, "0");
}

const largest = 200000; // characters of a block

// block is a text that is not code.
export function block(text: string, attributes: Record<string, string>): HTMLElement {
  const pre = make("pre", { tabindex: "0", role: "region", ...attributes });
  text.slice(0, largest).replaceAll("\r\n", "\n").split("\n").forEach((line, i) => {
    if (i) pre.append("\n");
    if (unseen.test(line)) visible(line, pre); else pre.append(line);
  });
  if (text.length > largest) pre.append(make("span", { class: "control" }, " … " + (text.length - largest) + " characters more"));
  return pre;
}

const longest = 2000; // characters of a line
const clusters = new Intl.Segmenter("en");

// painted appends a stretch of a line in Python's colours.
function painted(text: string, from: number, to: number, spans: Span[], into: Element): void {
  for (const [start, end, name] of spans) {
    if (end <= from || start >= to) continue;
    visible(text.slice(from, Math.max(start, from)), into, false);
    const span = make("span", { class: name });
    from = Math.max(start, from);
    visible(text.slice(from, Math.min(end, to)), span, end >= text.length);
    from = Math.min(end, to);
    into.append(span);
  }
  visible(text.slice(from, to), into, to >= text.length);
}

// lineCell is a line of code with marks at what findings are about.
function lineCell(text: string, findings: Finding[], spans: Span[]): HTMLElement {
  const cell = make("td");
  const more = text.length - longest;
  if (more > 0) text = text.slice(0, longest);
  let from = 0;
  for (const place of [...new Set(findings.map((finding) => finding.at))].sort((a, b) => a - b)) {
    if (place < from || more > 0 && place >= longest) continue;
    const about = findings.filter((finding) => finding.at === place);
    const found = place < text.length ? clusters.segment(text).containing(place) : undefined;
    const start = found ? Math.max(found.index, from) : place;
    const end = found ? found.index + found.segment.length : place + 1;
    painted(text, from, Math.min(start, text.length), spans, cell);
    const mark = make("mark", { title: about.map((finding) => finding.code + " " + finding.message).join("\n") });
    if (start < text.length) painted(text, start, Math.min(end, text.length), spans, mark); else mark.append(" ");
    cell.append(mark);
    from = Math.min(end, text.length);
  }
  painted(text, from, text.length, spans, cell);
  if (more > 0) cell.append(make("span", { class: "control" }, " … " + more + " characters more"));
  return cell;
}

// A Line is of the program, of the answer's code, or of both.
export interface Line {
  kind: "same" | "add" | "remove";
  text: string;
  before: number; // its row in the program; 0: it is not there
  after: number;
  findings: Finding[];
  bare: boolean; // there is no newline at its end
  spans: Span[];
}

const signs = { add: "+", remove: "−", same: "" };
const names = { add: "added", remove: "removed", same: "" };

export function lineRow(line: Line): HTMLElement {
  const cell = lineCell(line.text, line.findings.filter((finding) => finding.row === line.after), line.spans);
  if (line.bare) cell.append(make("span", { class: "control" }, " no newline"));
  return make("tr", { class: line.kind }, make("td", { class: "no" }, String(line.before || "")), make("td", { class: "no" }, String(line.after || "")),
    make("td", { class: "sign" }, signs[line.kind], make("span", { class: "hidden" }, names[line.kind])), cell);
}

export function findingRow(finding: Finding, place: string): HTMLElement {
  return make("tr", { class: "finding", "data-code": finding.code }, make("td", { colspan: "3" }),
    make("td", {}, make("div", { class: "say" }, make("b", {}, finding.code), " ", bdi(finding.message), " ", make("small", { class: place.includes(",") ? "list" : null }, place))));
}

// linesOf returns the lines of a program and of a sample's code as one list, and the
// findings that are on none of them.
export function linesOf(task: Task, one: Sample): { lines: Line[]; rest: Finding[] } {
  const before = split(task.code ?? "");
  const after = split(one.code);
  const colour = [colours(before.lines), colours(after.lines)];
  const findings = new Map<number, Finding[]>();
  for (const finding of one.findings) {
    const those = findings.get(finding.row) ?? [];
    those.push(finding);
    findings.set(finding.row, those);
  }
  const lines: Line[] = [];
  let old = 0;
  let now = 0;
  const add = (kind: Line["kind"]): void => {
    const line: Line = { kind, text: "", before: 0, after: 0, findings: [], bare: false, spans: [] };
    if (kind !== "add") {
      line.text = before.lines[old];
      line.spans = colour[0][old];
      line.before = ++old;
      line.bare = !before.ended && old === before.lines.length;
    }
    if (kind !== "remove") {
      line.text = after.lines[now];
      line.spans = colour[1][now];
      line.after = now++ + one.row;
      line.findings = findings.get(line.after) ?? [];
      findings.delete(line.after);
      line.bare = !after.ended && !one.cut && now === after.lines.length;
    }
    lines.push(line);
  };
  const runs = one.diff ?? [0, 0, after.lines.length];
  for (let i = 0; i < runs.length; i += 3) {
    for (let n = 0; n < runs[i]; n++) add("same");
    for (let n = 0; n < runs[i + 1]; n++) add("remove");
    for (let n = 0; n < runs[i + 2]; n++) add("add");
  }
  return { lines, rest: [...findings.values()].flat() };
}

const source = (label: string, body: HTMLElement): HTMLElement =>
  make("div", { class: "source", tabindex: "0", role: "region", "aria-label": label }, make("table", {}, body));

// findingRows are what is found on a line, each message once, with its columns.
export function findingRows(findings: Finding[], most = Infinity): HTMLElement[] {
  const same = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = finding.code + " " + finding.message;
    same.set(name, [...(same.get(name) ?? []), finding]);
  }
  return [...same.values()].slice(0, most).map((those) => {
    const columns = those.slice(0, shownColumns).map((finding) => finding.column).join(", ");
    const more = those.length - shownColumns;
    return findingRow(those[0], (those.length > 1 ? "columns " : "column ") + columns + (more > 0 ? " and " + more + " more" : ""));
  });
}

const shownColumns = 8; // of findings with the same message

function appendLine(to: ParentNode, line: Line): void {
  to.append(lineRow(line), ...findingRows(line.findings));
}

// listing shows the program and the sample's code as one, the sample's findings under
// their lines. Long stretches without any are folded.
export function listing(task: Task, one: Sample, of: string): HTMLElement {
  const { lines, rest } = linesOf(task, one);
  const [small, context, changes, step] = [80, 3, 600, 400];
  const keep = new Array<boolean>(lines.length).fill(lines.length <= small);
  const around = (i: number): unknown => keep.fill(true, Math.max(0, i - context), i + context + 1);
  let changed = 0;
  if (lines.length > small) {
    lines.forEach((line, i) => {
      if (line.findings.length || line.kind !== "same" && changed++ < changes) around(i);
    });
  }
  const body = make("tbody");
  const fold = (from: number, to: number): HTMLElement => {
    const same = lines.slice(from, to).every((line) => line.kind === "same");
    const row = make("tr", { class: "gap" });
    row.append(make("td", { colspan: "4" }, make("button", { type: "button", onclick: () => {
      const opened = document.createDocumentFragment();
      const until = Math.min(from + step, to);
      for (let i = from; i < until; i++) appendLine(opened, lines[i]);
      if (until < to) opened.append(fold(until, to));
      row.replaceWith(opened);
    } }, "Show " + count(to - from, same ? "unchanged line" : "line"))));
    return row;
  };
  for (let i = 0; i < lines.length;) {
    let end = i;
    while (end < lines.length && !keep[end]) end++;
    if (end > i + 1) body.append(fold(i, end)); else if (end > i) appendLine(body, lines[i]);
    if (end < lines.length) appendLine(body, lines[end]);
    i = end + 1;
  }
  for (const finding of rest) body.append(findingRow(finding, "line " + finding.row + ", column " + finding.column));
  const label = "Rows are numbered as in the task's program, then as in the answer's code. − was removed, + was added.";
  return make("div", {}, one.diff ? make("p", { class: "aside rows" }, label) : null, source("Changes and findings" + of, body));
}

// excerpt is a few lines around a place, and the findings to show of each.
export function excerpt(label: string, lines: Line[], from: number, to: number, rest: Finding[], most: number): HTMLElement {
  const body = make("tbody");
  for (const line of lines.slice(Math.max(0, from), to)) {
    body.append(lineRow(line), ...findingRows(line.findings, most));
  }
  for (const finding of rest) body.append(findingRow(finding, "line " + finding.row + ", column " + finding.column));
  return source(label, body);
}

// answer is the whole answer: what stands before its code, the code and what comes
// after it; or its text; or else it is the code.
export const answer = (one: Sample): string => (one.around ? one.around[0] + one.code + one.around[1] : one.output ?? one.code);

// without says why a sample has no code; "" if it has some.
export function without(one: Sample): string {
  if (one.code.trim() || one.cut) return "";
  if (one.blocks && !one.python) return "No code: the answer's " + (one.blocks === 1 ? "block is" : "blocks are") + " not Python.";
  return answer(one).trim() ? "No code: the answer's Python block is empty." : "No code: the answer is empty.";
}

// cuts says what of a sample is not here; "" if all is.
export function cuts(one: Sample): string {
  const said: string[] = [];
  if (one.found > one.findings.length) said.push(one.findings.length + " of " + count(one.found, "finding") + " are shown");
  if (one.cut) said.push("the code is cut: " + bytes(new TextEncoder().encode(one.code).length) + " of its " + bytes(one.cut) + " fit into this page");
  return said.length ? said.join("; ") + "." : "";
}
