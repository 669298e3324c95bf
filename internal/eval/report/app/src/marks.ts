// A mark says one thing about a sample: "E999", "new:E501", "guarded:missing-definition". A page
// filters its tasks by the marks of their samples.

import type { Row, Sample } from "./data";

// A MarkSum counts the samples with a mark, those of them that fail by it, and the tasks that have such
// samples.
export interface MarkSum { mark: string; samples: number; failing: number; tasks: number }

const texts = new Map(Object.entries({
  "E999": "are not valid Python (E999)", "no-block": "have no Python block", "open": "have a fence left open", "empty": "have no code",
  "noqa": "have a noqa", "encoded": "name another encoding", "unknown": "pass officially, but are unknown to another verdict",
}));

// codeNames are what flake8 flags with codes, as far as a page knows.
const codeNames = new Map<string, string>();

export function nameCodes(codes: { code: string; name: string }[]): void {
  for (const { code, name } of codes) codeNames.set(code, name);
}

// markText describes the samples with a mark, in words that follow "samples that".
export function markText(mark: string): string {
  const text = texts.get(mark);
  if (text) return text;
  const [kind, name] = [mark.slice(0, mark.indexOf(":")), mark.slice(mark.indexOf(":") + 1)];
  if (kind === "new" || kind === "left") {
    const flagged = codeNames.get(name);
    return (kind === "new" ? "introduce " : "leave ") + name + (flagged ? " (" + flagged + ")" : "");
  }
  return "pass officially, but not " + kind + ": " + name;
}

// failsBy reports whether a sample fails by some verdict, and for what a mark of it says. It is Go's
// function of this name.
export function failsBy(one: Sample, mark: string): boolean {
  if (one.pass && one.verdicts.every(({ outcome }) => outcome === "pass")) return false;
  if (mark === "no-block") return one.marks.includes("E999");
  if (mark === "noqa") return Boolean(one.pass);
  return !isCode(mark) || !one.marks.includes("empty");
}

// isCode reports whether a mark is of findings of a code.
export const isCode = (mark: string): boolean => /^(new|left):/.test(mark);

// sumMarks counts the samples and tasks of each mark. The mark with the most tasks comes first.
export function sumMarks(rows: Row[]): MarkSum[] {
  const sums = new Map<string, MarkSum>();
  for (const row of rows) {
    for (const [mark, n] of Object.entries(row.marks)) {
      const sum = sums.get(mark) ?? { mark, samples: 0, failing: 0, tasks: 0 };
      sums.set(mark, sum);
      sum.samples += n;
      sum.failing += n - (Object.hasOwn(row.fine, mark) ? row.fine[mark] : 0);
      sum.tasks++;
    }
  }
  return [...sums.values()].sort((a, b) => b.tasks - a.tasks);
}

// waysToFail chooses the marks that a page shows an example of. The mark that weighs most comes
// first; without a weight, that with the most failing samples. Of the codes that are introduced or
// left, only the first are chosen.
export function waysToFail(sums: MarkSum[], weight = ({ failing }: MarkSum): number => failing): MarkSum[] {
  const most = new Map([["new", 3], ["left", 3]]);
  return sums.filter(({ failing }) => failing > 0).sort((a, b) => weight(b) - weight(a) || b.failing - a.failing).filter(({ mark }) => {
    // E999 has a mark of its own, an unknown sample has a reason, and an open fence alone is no failure.
    if (mark === "new:E999" || mark === "unknown" || mark === "open") return false;
    const kind = mark.slice(0, mark.indexOf(":"));
    const room = most.get(kind);
    if (room !== undefined) most.set(kind, room - 1);
    return room === undefined || room > 0;
  }).slice(0, 9);
}
