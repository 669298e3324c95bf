// Python's colours: what a line's characters are, as far as that can be told without
// a parser. Text in a string is a string, fields of f-strings included, and code that
// is not Python gets the colours of what it begins as.

export type Span = [from: number, to: number, name: string];

const keywords = new Set(("False None True and as assert async await break class continue def del elif else except finally for from " +
  "global if import in is lambda nonlocal not or pass raise return try while with yield").split(" "));
const coloured = 200000; // characters: beyond, a text has no colours
const tokens = new RegExp([
  /(?<comment>#[^\n]*)/,
  /(?<triple>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"""|'''))/u,
  /(?<string>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?))/u,
  /(?<decorator>(?<=^[ \t]*)@[ \t]*[\p{L}_][\p{L}\p{N}_.]*)/u,
  /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
  /(?<number>\d(?:[\da-z_.]|(?<=e)[+-])*)/,
].map((token) => token.source).join("|"), "gimu");

// spansOf returns, in order, what of a text has a colour.
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  if (text.length > coloured) return spans;
  let before = "";
  tokens.lastIndex = 0;
  for (let match: RegExpExecArray | null; (match = tokens.exec(text));) {
    const { comment, triple, string, decorator, name } = match.groups ?? {};
    let end = match.index + match[0].length;
    let kind = comment ? "comment" : string ? "string" : decorator ? "decorator" : name ? "" : "literal";
    if (triple) {
      kind = "string";
      const quotes = triple.slice(-3);
      for (;;) {
        const next = text.indexOf(quotes, end);
        if (next < 0) { end = text.length; break; }
        const slashes = (/\\*$/.exec(text.slice(Math.max(end, next - 200), next)) as RegExpExecArray)[0].length;
        end = next + (slashes % 2 ? 1 : 3);
        if (slashes % 2 === 0) break;
      }
      tokens.lastIndex = end;
    } else if (name) {
      if (keywords.has(name)) kind = "keyword";
      else if (before === "def" || before === "class") kind = "defined";
      before = name;
    }
    if (kind) spans.push([match.index, end, kind]);
    if (end === match.index) tokens.lastIndex++;
  }
  return spans;
}

// colours returns the spans of each line.
export function colours(lines: string[]): Span[][] {
  const spans: Span[][] = lines.map(() => []);
  let row = 0;
  let start = 0; // of the row
  for (const [from, to, name] of spansOf(lines.join("\n"))) {
    while (row + 1 < lines.length && start + lines[row].length < from) start += lines[row++].length + 1;
    for (;;) {
      const end = start + lines[row].length;
      const [first, last] = [Math.max(from, start), Math.min(to, end)];
      if (first < last) spans[row].push([first - start, last - start, name]);
      if (to <= end || row + 1 === lines.length) break;
      row++;
      start = end + 1;
    }
  }
  return spans;
}
