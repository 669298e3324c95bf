// What a page is given: JSON in two scripts of the page. The same types stand in Go, in
// page.go, page_run.go, page_pair.go, page_board.go and page_task.go.

export interface PageData {
  title: string;
  version: string;
  reference: string; // what the runs were scored by
  run?: RunData;
  pair?: PairData;
  board?: BoardPage;
}

export interface Score {
  k: number;
  value: number | null;
  low: number | null;
  high: number | null;
  stderr: number | null;
  short?: number; // tasks with samples, but fewer than k
  formula: number | null;
}

export type Outcome = "pass" | "fail" | "unknown";

export interface Verdict {
  name: string;
  passed: number; // samples
  unknown: number;
  errors: number;
  noqa: number; // samples that pass with a noqa
  empty: number; // and without code
  scores: Score[];
  curve: Curve;
  causes?: { outcome: Outcome; text: string; mark?: string; samples: number }[];
}

// A Curve is pass@k and its standard error for each k from 1.
export type Curve = [number, number | null][];

// CodeCounts are a code's findings. Of answers without code that is Python they are lost, not fixed.
export interface CodeCounts { code: string; name: string; given: number; fixed: number; left: number; introduced: number; lost: number }

export interface Group { name: string; tasks: number; scores: Score[][] }

export interface Extraction {
  closed: number; open: number; whole: number; no_python: number; several: number;
  saved_if_forgiving: number; saved_by: Record<string, number>;
  empty: number; empty_passed: number; noqa: number; noqa_passed: number; encoded: number; encoded_passed: number;
}

export interface RunData {
  model?: string;
  title: string;
  about: { name: string; value: string }[];
  tasks: number;
  samples: number;
  notes: string[];
  verdicts: Verdict[];
  codes: CodeCounts[];
  matrix: { answers: Record<string, number>; cells: [string, string, number][] };
  invalid: number;
  left: number;
  introduced: number;
  both: number;
  extraction: Extraction;
  groups: { by: string; groups: Group[] }[];
}

export interface Difference {
  name: string;
  scores: { k: number; a: number; b: number; short: number; interval: [low: number, high: number] }[]; // of b - a
  better: number; // tasks
  worse: number;
  same: number;
  p: number;
  exact: boolean;
  curves: [Curve, Curve];
}

export interface PairData {
  names: [string, string];
  files: [string, string];
  about: { name: string; a: string; b: string }[];
  tasks: number;
  notes: string[];
  verdicts: Difference[];
  codes: { code: string; name: string; a: number; b: number }[];
  samples: [number, number]; // of the tasks of both
  ways: BoardWay[]; // the marks of the most samples
}

export interface BoardPage {
  size: string;
  steps: boolean;
  board: Board;
  ways: BoardWay[]; // the marks of the most samples
  codes: { code: string; name: string }[]; // that the marks are of
  files: Record<string, string>;
}

// A BoardWay is a mark in all runs, with an example of the one that has the most.
export interface BoardWay {
  mark: string;
  samples: number[]; // of each run
  shares: number[]; // of each run: of a task's samples those that fail so, as a mean over tasks
  example?: { run: number; sample: number; task: Task };
}

// A Board is what `codelinter report --json` prints of several runs.
export interface Board {
  tasks: number;
  notes: string[];
  runs: { name: string; file: string; step?: number; samples: number; run?: { model?: string } }[];
  verdicts: Standings[];
}

export interface BoardScore { value: number; stderr: number | null; interval: [number, number] }

export interface Standings {
  verdict: string;
  k: number[];
  ranking: ({ run: number; places: [number, number] } & { [pass: `pass@${number}`]: BoardScore })[];
  pairs: { a: number; b: number; difference: number; p: number; p_holm: number; exact: boolean }[];
  solved: number;
  unsolved: number;
  tasks: { id: string | number; share: number; rates: [number, number][] }[];
}

// A Row is a task in the table of tasks.
export interface Row {
  id: string;
  given: string[];
  runs: { n: number; passed: number[]; states: string }[];
  changes: [number, number, number]; // fixed but not lost, left and introduced, of one run
  marks: Record<string, number>; // samples that have a mark
  fine: Record<string, number>; // of these, those that do not fail by it
  place: number; // in the order of the results
  line: string; // the JSON of its view, parsed when it is opened
}

// A Task is the view of a task.
export interface Task {
  id: string;
  prompt?: string;
  code?: string;
  cut?: number; // the prompt's bytes, if not all of it or of the code is here
  options?: string;
  runs: TaskRun[];
}

export interface TaskRun {
  name?: string;
  bare?: boolean; // there are no texts
  n: number;
  passed: number;
  others?: { name: string; passed: number }[];
  samples: Sample[];
}

export interface Reason { name: string; text: string; line?: number }

export interface SampleVerdict { name: string; outcome: Outcome; proof?: string; reasons?: Reason[] }

export interface Finding { row: number; column: number; at: number; code: string; message: string }

export interface Sample {
  pass?: boolean;
  marks: string[];
  empty?: boolean;
  encoding?: string;
  verdicts: SampleVerdict[];
  source: "closed" | "open" | "whole";
  blocks?: number;
  python?: number;
  fixed?: number;
  left?: number;
  introduced?: number;
  saved?: string[];
  noqa?: boolean;
  row: number; // of the code's first line
  code: string;
  cut?: number; // the code's bytes, if not all are here
  diff?: number[]; // lines that are the same, removed and added, again and again
  around?: [string, string]; // what stands in the answer before the code and after it
  output?: string; // or else the answer
  outputCut?: number;
  found: number;
  findings: Finding[];
}

// readRows reads the lines of tasks, two each: a row and a view.
export function readRows(text: string): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < text.length;) {
    const middle = text.indexOf("\n", at);
    const end = text.indexOf("\n", middle + 1);
    if (middle < 0 || end < 0) break;
    const row = JSON.parse(text.slice(at, middle)) as Partial<Row>;
    rows.push({
      id: row.id ?? "", given: row.given ?? [], changes: row.changes ?? [0, 0, 0], marks: row.marks ?? {}, fine: row.fine ?? {},
      runs: (row.runs ?? []).map((run) => ({ n: run.n, passed: run.passed, states: run.states ?? "" })),
      place: rows.length, line: text.slice(middle + 1, end),
    });
    at = end + 1;
  }
  return rows;
}

export const taskOf = (row: Row): Task => wholeTask(JSON.parse(row.line) as Task);

// wholeTask adds to a view what is left out of its JSON as it is 0, false or empty. There
// a finding is [row, column, place to mark, code, message].
export function wholeTask(task: Task): Task {
  for (const run of task.runs) {
    for (const one of run.samples) {
      one.row ??= 1;
      one.code ??= "";
      one.marks ??= [];
      one.verdicts ??= [];
      one.found ??= 0;
      const findings = (one.findings ?? []) as unknown as [number, number, number, string, string][];
      one.findings = findings.map(([row, column, at, code, message]) => ({ row, column, at, code, message }));
    }
  }
  return task;
}

// rateOf is the share of a row's samples that pass; no answer is a failure.
export const rateOf = (row: Row, run: number, verdict: number): number =>
  (row.runs[run].n ? row.runs[run].passed[verdict] / row.runs[run].n : 0);
