// Tests of the app's logic, which TestApp runs in a browser.

import { apart, lines as broken, scale, ticksOf } from "../src/charts";
import { passAt1 } from "../src/codes";
import { readRows, taskOf, type Row, type Sample, type Task } from "../src/data";
import { make, nameOf } from "../src/dom";
import { bytes, chance, count, hundredths, percent, points, shortChance } from "../src/format";
import { exampleOf, faultOf } from "../src/gallery";
import { findingRows, linesOf, listing, split, symbol, without } from "../src/listing";
import { failing, heat, passes } from "../src/heat";
import { failsBy, markText, sumMarks, waysToFail } from "../src/marks";
import { colours, spansOf } from "../src/python";
import { csv, json } from "../src/save";
import { squares } from "../src/squares";
import { records, sorted } from "../src/table";
import { address, readState } from "../src/tasks";

const failures: string[] = [];
function expect(what: string, got: unknown, want: unknown): void {
  const [is, should] = [JSON.stringify(got), JSON.stringify(want)];
  if (is !== should) failures.push(what + " is " + is + ", want " + should);
}

const row = (of: Partial<Row>): Row => ({ id: "", given: [], runs: [], changes: [0, 0, 0], marks: {}, fine: {}, place: 0, line: "", ...of });
const sample = (of: Partial<Sample>): Sample => ({ marks: [], verdicts: [], source: "whole", row: 1, code: "", found: 0, findings: [], ...of });

// Numbers for people.
for (const [share, want] of [[0, "0.0\u00a0%"], [1, "100.0\u00a0%"], [0.5, "50.0\u00a0%"], [1e-9, "<0.1\u00a0%"], [1 - 1e-9, ">99.9\u00a0%"], [0.1234, "12.3\u00a0%"]] as const) expect("percent of " + share, percent(share), want);
for (const [by, want] of [[0, "0.0"], [1e-17, "0.0"], [0.056, "+5.6"], [-0.056, "-5.6"], [0.0001, "0.0"], [-0.0001, "0.0"]] as const) expect("points of " + by, points(by), want);
expect("chances", [0.5, 0.0001, 5e-8, 0].map(chance), ["=\u00a00.5000", "=\u00a00.0001", "<\u00a00.0001", "<\u00a00.0001"]);
expect("short chances", [0.5, 0.0001, 1, 0.05].map(shortChance), [".500", "<.001", "1", ".050"]);
expect("small shares", [hundredths(-0.00001, 2), hundredths(-0.0001, 2), hundredths(0.5), hundredths(-0.0004)], ["0.00", "-0.01", "50.0", "0.0"]);
expect("counts", [count(1, "task"), count(1500, "task")], ["1 task", "1,500 tasks"]);
expect("bytes", [bytes(1), bytes(1500), bytes(2.5e6)], ["1 byte", "1.5 kB", "2.5 MB"]);

for (const name of ["org/model-1", "tool --fix -a", " -", "", "a//b -</bdi>"]) expect("the name " + name, nameOf(name).textContent, name);
expect("a name's options", [...nameOf("ruff check --fix --unsafe-fixes, then ruff format").querySelectorAll(".whole")].map((part) => part.textContent), ["--fix", "--unsafe-fixes,"]);

// A scale holds its shares, has some width, and no share that there is not.
for (const [low, high, ...want] of [
  [0.187, 0.572, 0.1, 0.6, 0.1], [0, 1, 0, 1, 0.2], [0.42, 0.43, 0.42, 0.43, 0.01], [1, 1, 0.99, 1, 0.01], [0, 0, 0, 0.01, 0.01], [0.5, 0.5, 0.49, 0.51, 0.01],
]) {
  const { from, to, step } = scale(low, high);
  expect("scale of " + low + " to " + high, [from, to, step].map((value) => value.toFixed(6)), want.map((value) => value.toFixed(6)));
}
expect("ticks", ticksOf(scale(0.187, 0.572)), [10, 20, 30, 40, 50, 60]);
expect("names apart", apart([50, 52, 10], 5), [47, 52, 10]);
const inLines = (text: string, room: number): string[] => broken(text, room, (part) => [...part].length);
expect("lines", [inLines("abcdef", 6), inLines("org/name-7b (a, b)", 8), inLines("a😀b😀c", 3), inLines("", 3), inLines("abc def", 3), inLines("ab", 1), inLines("a", 0)],
  [["abcdef"], ["org/", "name-7b", "(a, b)"], ["a😀b", "😀c"], [""], ["abc", "def"], ["a", "b"], ["a"]]);
for (const text of ["org/model-instruct-v0.3, seed 7", "日本語のモデル", "a".repeat(99)]) expect("the text of lines", inLines(text, 7).join("").replaceAll(" ", ""), text.replaceAll(" ", ""));

// Steps of colours. Only nothing at all has the first.
expect("heat", [0, 1e-9, 0.05, 0.1, 0.11, 0.4, 0.41, 1].map((share) => heat(failing, share)), ["heat0", "heat1", "heat1", "heat2", "heat3", "heat4", "heat5", "heat5"]);
expect("levels", [0, 0.01, 0.2, 0.6, 3 / 5, 0.9, 1].map((share) => heat(passes, share)), ["level0", "level1", "level1", "level3", "level3", "level5", "level5"]);

// Tables.
const orders = [{ a: 1, b: 2 }, { a: null, b: 1 }, { a: 1, b: 1 }, { a: 3, b: 0 }];
const valueOf = (one: (typeof orders)[number], key: string): number | null => (key === "a" ? one.a : one.b);
const order = (text: string): number[] => sorted(orders, text, valueOf).map((one) => orders.indexOf(one));
expect("orders", [order("a b"), order("-a b"), order("b a"), order("")], [[2, 0, 3, 1], [3, 2, 0, 1], [3, 2, 1, 0], [0, 1, 2, 3]]);
const table = records([
  { name: "x", value: (one: number) => one, bounds: (one: number): [number, number] => [one - 1, one + 1] }, { name: "chart", chart: true, value: () => null }, { name: "t", value: () => 'a "b",\n' },
], [1, 2]);
expect("CSV", csv(table), 'x,x low,x high,t\r\n1,0,2,"a ""b"",\n"\r\n2,1,3,"a ""b"",\n"\r\n');
expect("JSON", JSON.parse(json(table))[1], { "x": 2, "x low": 1, "x high": 3, "t": 'a "b",\n' });

// Addresses carry whatever an id has in it.
const state = { ...readState(""), task: "a&b=#?%\r\0\u202e</script>", sample: "2" };
expect("an address", readState(address(state)), state);
expect("addresses of nothing", [address({}), readState("#x=1&find=%")], ["#", readState("#find=%25")]);

// Tasks, which stand on two lines each.
const rows = readRows('{"id":"a","given":["E1"],"runs":[{"n":2,"passed":[1],"states":"pf"}]}\n{"id":"a","runs":[{"n":1,"passed":0,"samples":[{"source":"whole","findings":[[1,2,1,"E225","x"]]}]}]}\n');
expect("rows", [rows.length, rows[0].id, rows[0].runs[0].states, rows[0].changes], [1, "a", "pf", [0, 0, 0]]);
expect("a finding", taskOf(rows[0]).runs[0].samples[0].findings, [{ row: 1, column: 2, at: 1, code: "E225", message: "x" }]);
expect("no rows", readRows(""), []);
expect("pass@1", [passAt1(rows, () => true), passAt1(rows, () => false), passAt1([...rows, row({ runs: [{ n: 0, passed: [0], states: "" }] })], () => true)], [0.5, null, 0.25]);

// Marks.
const marked = [row({ marks: { "new:E1": 2, "noqa": 1, "no-block": 7 }, fine: { "new:E1": 1, "no-block": 7 } }), row({ marks: { "new:E1": 1, "new:E2": 5, "new:E3": 4, "new:E4": 3, "open": 9, "x:a": 1, "constructor": 1 } })];
expect("marks", sumMarks(marked)[0], { mark: "new:E1", samples: 3, failing: 2, tasks: 2 });
expect("ways to fail", waysToFail(sumMarks(marked)).map((sum) => sum.mark), ["new:E2", "new:E3", "new:E4", "noqa", "x:a", "constructor"]);
expect("texts of marks", ["E999", "new:E1", "left:E1", "guarded:result"].map(markText), ["are not valid Python (E999)", "introduce E1", "leave E1", "pass officially, but not guarded: result"]);

// Squares, or a bar.
const few = squares("pssuffxx");
expect("eight squares", [few.getAttribute("aria-label"), few.childElementCount, few.getAttribute("width"), few.querySelector(".suspect")?.getAttribute("d")],
  ["1 passing, 2 suspect, 1 unsure, 2 failing, 2 invalid", 5, "96", "M13 1v10h10zM25 1v10h10z"]);
const many = squares("pssuffxx".repeat(5));
expect("forty in a bar", [many.querySelectorAll("rect").length, many.querySelector(".suspect")?.getAttribute("x"), many.querySelector(".suspect")?.getAttribute("width")], [5, "12.50%", "25.00%"]);
expect("no squares", squares("").getAttribute("aria-label"), "no samples");

// Colours.
const named = (text: string): string[] => spansOf(text).map(([from, to, name]) => name + " " + text.slice(from, to));
expect("colours", named("@a.b\ndef f(x):\n    return 'é' + rb'''\n''' if 1e-5 else None # c"),
  ["decorator @a.b", "keyword def", "defined f", "keyword return", "string 'é'", "string rb'''\n'''", "keyword if", "literal 1e-5", "keyword else", "keyword None", "comment # c"]);
expect("colours of lines", colours(["x = '''a", "", "b''' # c"]), [[[4, 8, "string"]], [], [[0, 4, "string"], [5, 8, "comment"]]]);
expect("an open string", named("'''\\'''"), ["string '''\\'''"]);

// Listings.
expect("symbols", ["\0", "\x7f", "\u202e", "\u{e0001}"].map(symbol), ["␀", "␡", "U+202E", "U+E0001"]);
expect("lines", [split("a\nb\n"), split("a"), split("")], [{ lines: ["a", "b"], ended: true }, { lines: ["a"], ended: false }, { lines: [], ended: true }]);
const task: Task = { id: "t", code: "a\nb\nc\n", runs: [] };
const finding = (row: number, code: string): Sample["findings"][number] => ({ row, column: 1, at: 0, code, message: "m" });
const one = sample({ code: "a\nx\nc", row: 2, diff: [1, 1, 1, 1, 0, 0], findings: [finding(3, "E1"), finding(9, "W391")] });
const { lines, rest } = linesOf(task, one);
expect("a diff", lines.map((line) => [line.kind, line.text, line.before, line.after, line.findings.length, line.bare]),
  [["same", "a", 1, 2, 0, false], ["remove", "b", 2, 0, 0, false], ["add", "x", 0, 3, 1, false], ["same", "c", 3, 4, 0, true]]);
expect("beyond the lines", rest.map((finding) => finding.code), ["W391"]);
expect("a listing", listing(task, one, "").querySelectorAll("tr.finding").length, 2);
expect("hostile text", [listing({ id: "", runs: [] }, sample({ code: "</script><img src=x onerror=hacked=1>\n" }), "").querySelectorAll("img").length, make("p", { title: '"><img>' }, "<img>").childElementCount], [0, 0]);
expect("no code", [without(sample({})), without(sample({ blocks: 1 })), without(sample({ cut: 9 })), without(sample({ code: "x" }))],
  ["No code: the answer is empty.", "No code: the answer's block is not Python.", "", ""]);

const columns = Array.from({ length: 10 }, (_, i) => ({ ...finding(1, "E231"), column: i + 1 }));
expect("a message is said once", findingRows([...columns, finding(1, "E501")]).map((tr) => tr.textContent), ["E231 m columns 1, 2, 3, 4, 5, 6, 7, 8 and 2 more", "E501 m column 1"]);

// What an example shows is the fault.
const long = sample({ code: "a\n".repeat(40) + "\n\n", findings: [finding(41, "W391")], diff: [0, 0, 42] });
expect("the fault is at the end", faultOf({ id: "", runs: [] }, long, "new:W391").querySelector("tr.finding")?.previousElementSibling?.children[1].textContent, "41");
const beyond = sample({ code: "a\n".repeat(40), findings: [finding(99, "W391")], diff: [0, 0, 40] });
expect("the fault is beyond the end", [...faultOf({ id: "", runs: [] }, beyond, "new:W391").querySelectorAll("tr")].map((tr) => tr.textContent).slice(-2), ["40+addeda", "W391 m line 99, column 1"]);

// It is one that fails by the mark: findings of no code are no example.
const introducing = (id: string, n: number, code: string): Row => row({
  id, marks: { "new:W391": n, "empty": n }, fine: code ? { empty: n } : { "new:W391": n },
  line: JSON.stringify({ id, runs: [{ n: 1, passed: 0, samples: [{ source: "whole", code, marks: code ? ["new:W391"] : ["new:W391", "empty"] }] }] }),
});
expect("an example has code", exampleOf([introducing("a", 3, ""), introducing("b", 1, "x\n")], "new:W391", new Set())?.row.id, "b");
expect("an example without code", exampleOf([introducing("a", 3, "")], "new:W391", new Set()), null);
expect("an example of no code", exampleOf([introducing("a", 1, "x\n"), introducing("b", 2, "")], "empty", new Set())?.row.id, "b");
const judged = (pass: boolean, guarded: "pass" | "fail" | "unknown", ...marks: string[]): Sample => sample({ pass, marks, verdicts: [{ name: "guarded", outcome: guarded }] });
expect("failing by a mark", [
  failsBy(judged(true, "pass", "noqa"), "noqa"), failsBy(judged(true, "fail", "noqa"), "noqa"), failsBy(judged(false, "fail", "noqa"), "noqa"), failsBy(sample({ pass: true }), "empty"),
  failsBy(judged(false, "fail", "no-block"), "no-block"), failsBy(judged(false, "fail", "no-block", "E999"), "no-block"), failsBy(judged(false, "fail", "empty"), "new:W391"), failsBy(judged(false, "fail"), "new:W391"),
], [false, true, false, false, false, true, false, true]);

(window as unknown as { failures: string[] }).failures = failures;
