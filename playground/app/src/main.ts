// The playground: an editor that lints as one types. The page asks the linter after each
// change of a text or an option, in place: a program of a few pages takes a millisecond.
// Its state, which an address can carry, is {code, options, program}.

import { make, type Child } from "../../../internal/eval/report/app/src/dom";
import { spansOf } from "../../../internal/eval/report/app/src/python";
import { themeSwitch } from "../../../internal/eval/report/app/src/theme";
import { examples } from "./examples";

// What wasm/main.go takes and gives.
interface Request { rule?: string; code?: string; program?: string; fix?: boolean; options?: Options }
type Options = Record<string, string | number | boolean | string[]>;
interface Reply {
  version?: string; releases?: string[]; targets?: string[]; title?: string; markdown?: string; linter?: string; error?: string;
  findings: Found[]; found: number; verdict?: Verdict; code?: string;
}
interface Found { code: string; row: number; column: number; start: number; end: number; message: string }
interface Verdict { official: boolean; fixed: number; left: number; introduced: number; reasons: string[]; sameTree: boolean; program?: string }
interface State { code: string; options?: Options; program?: string }

// Of the runtime that Go compiles for, and of main.go.
declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };
declare const codelinter: (request: string) => string;

// A Finding is one with its place in the text, in units of UTF-16.
interface Finding extends Found { from: number; to: number }

const at = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;
const code = at<HTMLTextAreaElement>("code");
const program = at<HTMLTextAreaElement>("program");
const paint = at("paint");
const numbers = at("numbers");
const share = at<HTMLButtonElement>("share");
const fix = at<HTMLButtonElement>("fix");

const slow = 50_000; // characters, beyond which a pause in typing is waited for
const mostPainted = 500_000;
let findings: Finding[] = [];
let current = -1;
let timer: ReturnType<typeof setTimeout> | undefined;

const ask = (request: Request): Reply => JSON.parse(codelinter(JSON.stringify(request))) as Reply;

// State.
type Field = HTMLInputElement | HTMLSelectElement;
const fields = [...document.querySelectorAll<Field>("[data-option]")];

function readOptions(): Options {
  const options: Options = {};
  for (const field of fields) {
    const name = field.dataset.option as string;
    const value = field.value.trim();
    field.removeAttribute("aria-invalid");
    if (field instanceof HTMLSelectElement) {
      if (field.selectedIndex !== field.length - 1) options[name] = value;
    } else if (field.type === "checkbox") {
      if (field.checked) options[name] = true;
    } else if (value !== "") {
      if (field.dataset.kind === "list") options[name] = value.split(/[\s,]+/).filter(Boolean);
      else if (/^-?\d{1,9}$/.test(value)) options[name] = Number(value);
      else field.setAttribute("aria-invalid", "true");
    }
  }
  return options;
}

function writeOptions(options: Options | undefined): void {
  for (const field of fields) {
    const value = options?.[field.dataset.option as string];
    if (field instanceof HTMLSelectElement) field.value = [...field.options].some((option) => option.value === value) ? String(value) : field.options[field.length - 1].value;
    else if (field.type === "checkbox") field.checked = value === true;
    else field.value = value === undefined ? "" : String(value);
  }
}

function state(): State {
  const now: State = { code: code.value };
  const options = readOptions();
  if (Object.keys(options).length) now.options = options;
  if (program.value) now.program = program.value;
  return now;
}

function restore(of: State): void {
  code.value = typeof of.code === "string" ? of.code : "";
  program.value = typeof of.program === "string" ? of.program : "";
  writeOptions(of.options);
  at<HTMLDetailsElement>("against").open = program.value !== "";
  at<HTMLSelectElement>("examples").value = "";
}

// An address carries the state after #, as deflated JSON in base64url.
const through = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>)).arrayBuffer());

async function pack(of: State): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(of)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const unbase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

async function unpack(text: string): Promise<State> {
  const bytes = unbase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  const of = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")))) as State | null;
  if (of === null || typeof of !== "object" || typeof of.code !== "string") throw new Error("no code");
  return of;
}

function problem(text: string): void {
  at("problem").textContent = text;
  at("problem").hidden = !text;
}

const damaged = "The address is damaged: what it carried cannot be read.";

// What was typed last, for the next visit; a page that is a file may not keep anything.
const kept = {
  get(): State | null { try { return JSON.parse(localStorage.getItem("codelinter") ?? "null") as State | null; } catch { return null; } },
  set(of: State): void { try { localStorage.setItem("codelinter", JSON.stringify(of)); } catch { /* not kept */ } },
};

// offsets returns the places in a text of ascending offsets in bytes of its UTF-8, as
// findings have them.
function offsets(text: string, bytes: number[]): number[] {
  const units: number[] = [];
  let [unit, byte] = [0, 0];
  for (const wanted of bytes) {
    while (byte < wanted && unit < text.length) {
      const point = text.codePointAt(unit) as number;
      byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      unit += point < 0x10000 ? 1 : 2;
    }
    units.push(unit);
  }
  return units;
}

function locate(text: string, found: Found[]): Finding[] {
  const wanted = [...new Set(found.flatMap((finding) => [finding.start, finding.end]))].sort((a, b) => a - b);
  const units = new Map(offsets(text, wanted).map((unit, i) => [wanted[i], unit]));
  return found.map((finding) => ({ ...finding, from: units.get(finding.start) ?? 0, to: units.get(finding.end) ?? 0 }));
}

// The text that is seen lies under the one that is typed: in Python's colours, with marks
// at what is found.
function showPaint(text: string): void {
  if (text.length > mostPainted) {
    paint.replaceChildren(text + "\n");
    return;
  }
  const colours = spansOf(text);
  let next = 0; // of colours
  // painted appends a stretch of the text, which begins where the last one ended.
  const painted = (from: number, to: number, into: ParentNode): void => {
    for (; next < colours.length && colours[next][0] < to; next++) {
      const [start, end, name] = colours[next];
      const [first, last] = [Math.max(start, from), Math.min(end, to)];
      if (first < last) into.append(text.slice(from, first), make("span", { class: name }, text.slice(first, last)));
      from = Math.max(from, last);
      if (end > to) break; // it goes on after this stretch
    }
    into.append(text.slice(from, to));
  };
  const pieces = document.createDocumentFragment();
  let done = 0;
  const spans = findings.map(({ from, to }, i) => ({ from, to, i })).sort((a, b) => a.from - b.from || b.to - a.to);
  for (const { from, to, i } of spans) {
    if (from < done) continue; // within another mark
    const line = text.indexOf("\n", from);
    const end = line >= 0 && line < to ? line : to;
    painted(done, from, pieces);
    const mark = make("mark", { class: (end > from ? "" : "empty ") + (i === current ? "here" : "") });
    painted(from, end, mark);
    pieces.append(mark);
    done = Math.max(end, from);
  }
  painted(done, text.length, pieces);
  pieces.append("\n");
  paint.replaceChildren(pieces);
}

function showNumbers(text: string): void {
  const wrong = new Set(findings.map((finding) => finding.row));
  const pieces: (Node | string)[] = [];
  let plain = "";
  let lines = 1;
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) lines++;
  for (let line = 1; line <= lines; line++) {
    if (wrong.has(line)) {
      pieces.push(plain, make("b", {}, String(line)));
      plain = "\n";
    } else plain += line + "\n";
  }
  numbers.replaceChildren(...pieces, plain);
}

function showFindings(found: number): void {
  at("findings").replaceChildren(...findings.map((finding, i) => make("li", {},
    make("button", { type: "button", title: "Go there", onclick: () => go(i) }, finding.row + ":" + finding.column),
    make("button", { type: "button", class: "rule", title: "What is this?", onclick: () => explain(finding.code) }, finding.code),
    make("span", {}, finding.message))));
  at("count").textContent = found === 0 ? "No findings" : found === 1 ? "1 finding" : found.toLocaleString("en") + " findings";
  at("more").hidden = found === findings.length;
  at("more").textContent = "and " + (found - findings.length).toLocaleString("en") + " more";
}

function showVerdict(verdict: Verdict | undefined): void {
  at("verdict").hidden = !verdict;
  if (!verdict) return;
  const row = (name: string, text: string, kind = ""): HTMLElement[] => [make("dt", {}, name), make("dd", { class: kind }, text)];
  const rows = [
    ...row("Official", verdict.official ? "pass" : "fail", verdict.official ? "pass" : "fail"),
    ...row("Findings", verdict.fixed + " fixed, " + verdict.left + " left, " + verdict.introduced + " introduced"),
  ];
  if (verdict.program) rows.push(...row("Program", verdict.program, "unknown"));
  else if (verdict.reasons.length) rows.push(...row("Guards", verdict.reasons.join("; "), "fail"));
  else rows.push(...row("Guards", "none refuses it", "pass"), ...(verdict.sameTree ? row("Logic", "the same tree", "pass") : row("Logic", "not the same tree: both have to be run", "unknown")));
  at("verdict").replaceChildren(...rows);
}

function lint(): void {
  clearTimeout(timer);
  const now = state();
  const reply = ask({ ...now });
  if (reply.error) return problem(reply.error);
  problem("");
  current = -1;
  findings = locate(now.code, reply.findings);
  showFindings(reply.found);
  showPaint(now.code);
  showNumbers(now.code);
  showVerdict(reply.verdict);
  const n = Object.keys(now.options ?? {}).length;
  at("changed").textContent = n ? "(" + n + " changed)" : "";
  kept.set(now);
}

function changed(): void {
  // The text that is being typed shows at once; what is found in it, when it is known.
  if (code.value.length + program.value.length <= slow) return lint();
  clearTimeout(timer);
  paint.textContent = code.value + "\n";
  timer = setTimeout(lint, 200);
}

// go shows a finding at its place.
function go(i: number): void {
  const finding = findings[i];
  if (!finding) return;
  current = i;
  showPaint(code.value);
  [...at("findings").children].forEach((item, k) => {
    if (k === i) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
  });
  at("findings").children[i].scrollIntoView({ block: "nearest" });
  code.focus({ preventScroll: true });
  code.setSelectionRange(finding.from, Math.max(finding.to, finding.from));
  (paint.querySelector("mark.here") ?? paint).scrollIntoView({ block: "center", inline: "nearest" });
}

function next(step: number): void {
  if (!findings.length) return;
  const order = findings.map((_, i) => i).sort((a, b) => findings[a].from - findings[b].from || a - b);
  let k = order.indexOf(current);
  if (k < 0) {
    k = order.findIndex((i) => findings[i].from >= code.selectionStart);
    k = step > 0 ? Math.max(k, 0) : (k < 0 ? order.length : k) - 1;
  } else k += step;
  go(order[(k + order.length) % order.length]);
}

// insert puts text in place of what is selected, as if it were typed: it can be undone.
function insert(text: string): void {
  if (!document.execCommand("insertText", false, text)) {
    code.setRangeText(text, code.selectionStart, code.selectionEnd, "end");
    changed();
  }
}

// say shows on a button, for two seconds, what it did.
function say(button: HTMLButtonElement, text: string): void {
  const label = (button.dataset.label ??= button.textContent ?? "");
  button.textContent = text;
  setTimeout(() => { button.textContent = label; }, 2000);
}

// fixAll makes the edits that are proven. Only the lines from the first that differs to the last
// are replaced, so that the view stays where it is.
function fixAll(): void {
  const before = code.value;
  const reply = ask({ code: before, options: readOptions(), fix: true });
  const after = reply.code;
  if (after === undefined) return problem(reply.error ?? "");
  if (after === before) return say(fix, "Nothing to fix");
  const shorter = Math.min(before.length, after.length);
  let [start, tail] = [0, 0];
  while (start < shorter && before[start] === after[start]) start++;
  start = before.lastIndexOf("\n", start - 1) + 1;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const end = before.indexOf("\n", before.length - tail);
  tail = end < 0 ? 0 : before.length - end;
  code.focus({ preventScroll: true });
  code.setSelectionRange(start, before.length - tail);
  insert(after.slice(start, after.length - tail));
  say(fix, "Fixed");
}

// inline is a paragraph's text, with code in it.
const inline = (text: string): Child[] => text.split(/(`[^`]+`)/).map((piece) =>
  (piece.length > 2 && piece.startsWith("`") ? make("code", {}, piece.slice(1, -1)) : piece.replaceAll("**", "")));

// explain shows the page of a rule, whose Markdown is headings, paragraphs, lists, fences
// and code.
function explain(name: string): void {
  const reply = ask({ rule: name });
  at("rule-title").textContent = reply.title || name;
  const blocks: HTMLElement[] = [];
  const lines = (reply.markdown || reply.error || "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line.startsWith("```")) {
      let end = i + 1;
      while (end < lines.length && !lines[end].startsWith("```")) end++;
      const text = lines.slice(i + 1, end).join("\n");
      const block = make("pre", { tabindex: 0 });
      let from = 0;
      for (const [start, to, kind] of spansOf(text)) {
        block.append(text.slice(from, start), make("span", { class: kind }, text.slice(start, to)));
        from = to;
      }
      block.append(text.slice(from));
      blocks.push(block);
      i = end;
    } else if (line.startsWith("## ")) blocks.push(make("h3", {}, line.slice(3)));
    else if (line.startsWith("# ") || line.trim() === "") continue;
    else {
      let end = i + 1;
      const item = /^[-*] /.test(line);
      while (end < lines.length && lines[end].trim() !== "" && !/^([-*] |#|```)/.test(lines[end])) end++;
      const text = lines.slice(i, end).map((one) => one.trim()).join(" ");
      if (item) {
        if (blocks.at(-1)?.tagName !== "UL") blocks.push(make("ul"));
        blocks.at(-1)?.append(make("li", { class: "item" }, ...inline(text.slice(2))));
      } else blocks.push(make("p", {}, ...inline(text)));
      i = end - 1;
    }
  }
  if (reply.linter) blocks.push(make("p", { class: "aside" }, "A rule of " + reply.linter + "."));
  at("rule-text").replaceChildren(...blocks);
  at<HTMLDialogElement>("rule").showModal();
}

async function start(): Promise<void> {
  const runtime = new Go();
  const bytes = await through(unbase64((at("wasm").textContent ?? "").trim()), new DecompressionStream("gzip"));
  at("wasm").remove();
  const { instance } = await WebAssembly.instantiate(bytes, runtime.importObject);
  void runtime.run(instance).then(() => problem("The linter has ended. Load the page again."));

  const { version = "", releases = [], targets = [] } = ask({});
  at("version").textContent = version;
  const choices = (texts: string[]): HTMLElement[] => texts.map((text) => make("option", { value: text }, text));
  at("release").replaceChildren(...choices(releases));
  at("target").replaceChildren(...choices(targets));
  let first: State = kept.get() ?? examples[0].state;
  if (location.hash.length > 1) {
    try {
      first = await unpack(location.hash.slice(1));
    } catch {
      first = { code: "" };
      queueMicrotask(() => problem(damaged));
    }
  }
  restore(first);
  lint();
  share.disabled = fix.disabled = false;
  code.addEventListener("input", changed);
  program.addEventListener("input", changed);
  at("options").addEventListener("input", changed);
  at("reset").addEventListener("click", () => { writeOptions({}); lint(); });
  const choose = at<HTMLSelectElement>("examples");
  choose.append(...examples.map(({ name }, i) => make("option", { value: i }, name)));
  choose.addEventListener("change", () => {
    const { value } = choose;
    const example = value === "" ? undefined : examples[Number(value)];
    if (!example) return;
    history.replaceState(null, "", location.href.split("#")[0]);
    restore(example.state);
    lint();
    choose.value = value;
    code.setSelectionRange(0, 0);
    at("editor").scrollTo(0, 0);
  });
  addEventListener("hashchange", () => {
    unpack(location.hash.slice(1)).then((of) => { restore(of); lint(); }, () => problem(damaged));
  });
}

let leaving = false; // Esc was pressed: Tab goes on to the next control
code.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaving = true;
  else if (event.key !== "Tab") leaving = false;
  else if (!leaving && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    insert("    ");
  }
});
code.addEventListener("blur", () => { leaving = false; });
addEventListener("keydown", (event) => {
  if (event.key === "F8" && !at<HTMLDialogElement>("rule").open) {
    event.preventDefault();
    next(event.shiftKey ? -1 : 1);
  }
});
share.addEventListener("click", async () => {
  history.replaceState(null, "", "#" + await pack(state()));
  try {
    await navigator.clipboard.writeText(location.href);
    say(share, "Copied");
  } catch {
    say(share, "In the address bar");
  }
});
fix.addEventListener("click", fixAll);
document.querySelector("header")?.append(themeSwitch());
start().catch((error: Error) => {
  at("count").textContent = "";
  problem("The linter did not start: " + error.message + ". It needs a browser with WebAssembly and DecompressionStream, as all have since 2023.");
});
