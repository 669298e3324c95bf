
  // A listing of code.

  // Lines of a text, and whether the last has a newline. Texts have no other
  // line ends than "\n".
  function split(text) {
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
  function visible(text, into, last = true) {
    const trailing = last ? blanks.exec(text) : null;
    if (trailing) text = text.slice(0, trailing.index);
    text.split(pieces).forEach((piece, i) => {
      if (i % 2 === 0) into.append(piece);
      else if (unseen.test(piece)) into.append(make("span", { class: "control" }, [...piece].map(symbol).join("")));
      else into.append(make("span", { class: "blanks" }, piece));
    });
    if (trailing) into.append(make("span", { class: "blanks" }, trailing[0]));
  }
  function symbol(character) {
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : "U+" + code.toString(16).toUpperCase().padStart(4, "0");
  }
  const largest = 200000; // characters of a block
  function block(text, attributes) {
    const pre = make("pre", { tabindex: "0", role: "region", ...attributes });
    const lines = text.slice(0, largest).replaceAll("\r\n", "\n").split("\n");
    lines.forEach((line, i) => {
      if (i) pre.append("\n");
      if (unseen.test(line)) visible(line, pre); else pre.append(line);
    });
    if (text.length > largest) pre.append(make("span", { class: "control" }, " … " + (text.length - largest) + " characters more"));
    return pre;
  }

  const longest = 2000; // characters of a line
  const clusters = window.Intl && Intl.Segmenter ? new Intl.Segmenter("en") : null;

  // painted appends a stretch of a line in Python's colours.
  function painted(text, from, to, spans, into) {
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
  function lineCell(text, findings, spans) {
    const cell = make("td", {});
    const more = text.length - longest;
    if (more > 0) text = text.slice(0, longest);
    let from = 0;
    for (const place of [...new Set(findings.map((finding) => finding.at))].sort((a, b) => a - b)) {
      if (place < from || more > 0 && place >= longest) continue;
      const about = findings.filter((finding) => finding.at === place);
      const found = place < text.length && clusters ? clusters.segment(text).containing(place) : null;
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

  const signs = { add: "+", remove: "−", same: "" };
  const names = { add: "added", remove: "removed", same: "" };
  function lineRow(line) {
    const cell = lineCell(line.text, line.findings.filter((finding) => finding.row === line.after), line.spans);
    if (line.bare) cell.append(make("span", { class: "control" }, " no newline"));
    return make("tr", { class: line.kind }, make("td", { class: "no" }, String(line.before || "")), make("td", { class: "no" }, String(line.after || "")),
      make("td", { class: "sign" }, signs[line.kind], make("span", { class: "hidden" }, names[line.kind])), cell);
  }
  function findingRow(finding, place) {
    return make("tr", { class: "finding", "data-code": finding.code }, make("td", { colspan: "3" }),
      make("td", {}, make("div", { class: "say" }, make("b", {}, finding.code), " " + finding.message + " ", make("small", {}, place))));
  }

  // linesOf returns the lines of a program and of a sample's code as one list, and the
  // findings that are on none of them.
  function linesOf(task, one) {
    const before = split(task.code || "");
    const after = split(one.code);
    const colour = [colours(before.lines), colours(after.lines)];
    const findings = new Map();
    for (const finding of one.findings) {
      if (!findings.has(finding.row)) findings.set(finding.row, []);
      findings.get(finding.row).push(finding);
    }
    const lines = [];
    let old = 0;
    let now = 0;
    const add = (kind) => {
      const line = { kind, text: "", before: 0, after: 0, findings: [], bare: false, spans: [] };
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
        line.findings = findings.get(line.after) || [];
        findings.delete(line.after);
        line.bare = !after.ended && !one.cut && now === after.lines.length;
      }
      lines.push(line);
    };
    const runs = one.diff || [0, 0, after.lines.length];
    for (let i = 0; i < runs.length; i += 3) {
      for (let n = 0; n < runs[i]; n++) add("same");
      for (let n = 0; n < runs[i + 1]; n++) add("remove");
      for (let n = 0; n < runs[i + 2]; n++) add("add");
    }
    return { lines, rest: [...findings.values()].flat() };
  }

  function appendLine(to, line) {
    to.append(lineRow(line));
    for (const finding of line.findings) to.append(findingRow(finding, "column " + finding.column));
  }

  // listing shows the program and the sample's code as one, the sample's
  // findings under their lines. Long stretches without any are folded.
  function listing(task, one, of) {
    const { lines, rest } = linesOf(task, one);
    const [small, context, changes, step] = [80, 3, 600, 400];
    const keep = new Array(lines.length).fill(lines.length <= small);
    const around = (i) => keep.fill(true, Math.max(0, i - context), i + context + 1);
    let changed = 0;
    if (lines.length > small) {
      lines.forEach((line, i) => {
        if (line.findings.length || line.kind !== "same" && changed++ < changes) around(i);
      });
    }
    const body = make("tbody", {});
    const fold = (from, to) => {
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
    return make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Changes and findings" + of }, make("table", {}, body));
  }
