// Marks are what tasks are found by that have such a sample: "E999", "new:E501",
// "guarded:missing-definition".

import type { Row } from "./data";

// A MarkSum counts the samples that have a mark, those of them that do not pass by all verdicts, and
// their tasks.
export interface MarkSum { mark: string; samples: number; failing: number; tasks: number }

const texts = new Map(Object.entries({
  "E999": "are not Python: E999", "no-block": "have no Python block", "open": "have a fence left open", "empty": "have no code",
  "noqa": "have a noqa", "encoded": "name another encoding", "unknown": "pass officially, but are unknown to another verdict",
}));

// codeNames are what flake8 flags with codes, as far as a page knows.
const codeNames = new Map<string, string>();

export function nameCodes(codes: { code: string; name: string }[]): void {
  for (const { code, name } of codes) codeNames.set(code, name);
}

// markText says what a mark is of, after "samples that".
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

// sumMarks are all marks, with the numbers of samples and of tasks, the most tasks first.
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

// waysToFail are the marks to show an example of, those of the most failing samples first: of
// codes introduced and left only the most frequent.
export function waysToFail(sums: MarkSum[]): MarkSum[] {
  const most = new Map([["new", 3], ["left", 2]]);
  return sums.filter(({ failing }) => failing > 0).sort((a, b) => b.failing - a.failing).filter(({ mark }) => {
    // E999 is one already, what is unknown has its reason, and a fence left open is no failure by itself.
    if (mark === "new:E999" || mark === "unknown" || mark === "open") return false;
    const kind = mark.slice(0, mark.indexOf(":"));
    const room = most.get(kind);
    if (room !== undefined) most.set(kind, room - 1);
    return room === undefined || room > 0;
  }).slice(0, 9);
}
