
  // Python's colours: what a line's characters are, as far as that can be told without
  // a parser. Text in a string is a string, fields of f-strings included, and code that
  // is not Python gets the colours of what it begins as.

  const keywords = new Set(("False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield").split(" "));
  const coloured = 200000; // characters: beyond, a text has no colours
  const tokens = new RegExp([
    /(?<comment>#[^\n]*)/,
    /(?<triple>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"""|'''))/,
    /(?<string>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?))/,
    /(?<decorator>(?<=^[ \t]*)@[ \t]*[\p{L}_][\p{L}\p{N}_.]*)/,
    /(?<name>[\p{L}_][\p{L}\p{N}_]*)/,
    /(?<number>\d(?:[\da-z_.]|(?<=e)[+-])*)/,
  ].map((token) => token.source).join("|"), "gimu");

  // colours returns, for each line, the [from, to, class] of what has a colour.
  function colours(lines) {
    const text = lines.join("\n");
    const spans = lines.map(() => []);
    if (text.length > coloured) return spans;
    let row = 0;
    let start = 0; // of the row
    const add = (from, to, name) => {
      for (;;) {
        const end = start + lines[row].length;
        if (from < end) spans[row].push([Math.max(from, start) - start, Math.min(to, end) - start, name]);
        if (to <= end || row + 1 === lines.length) return;
        row++;
        start = end + 1;
      }
    };
    const advance = (to) => {
      while (row + 1 < lines.length && start + lines[row].length < to) start += lines[row++].length + 1;
    };
    let before = "";
    tokens.lastIndex = 0;
    for (let match; (match = tokens.exec(text));) {
      const { comment, triple, string, decorator, name } = match.groups;
      let end = match.index + match[0].length;
      let kind = comment ? "comment" : string ? "string" : decorator ? "decorator" : name ? "" : "literal";
      if (triple) {
        kind = "string";
        const quotes = triple.slice(-3);
        for (;;) {
          const next = text.indexOf(quotes, end);
          if (next < 0) { end = text.length; break; }
          const slashes = /\\*$/.exec(text.slice(Math.max(end, next - 200), next))[0].length;
          end = next + (slashes % 2 ? 1 : 3);
          if (slashes % 2 === 0) break;
        }
        tokens.lastIndex = end;
      } else if (name) {
        if (keywords.has(name)) kind = "keyword";
        else if (before === "def" || before === "class") kind = "defined";
        before = name;
      }
      if (kind) { advance(match.index); add(match.index, end, kind); }
      if (end === match.index) tokens.lastIndex++;
    }
    return spans;
  }
