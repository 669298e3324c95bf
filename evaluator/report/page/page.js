"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("tr.task")];
  const texts = new Map(); // a row's JSON, parsed when its task is opened
  const ids = new Map();
  const byID = new Map();
  for (const row of rows) {
    // The link has the id as it is; HTML's parser may have changed it elsewhere.
    const id = new URLSearchParams(row.querySelector("a").getAttribute("href").slice(1)).get("task");
    texts.set(row, row.nextElementSibling);
    ids.set(row, id);
    byID.set(id, row);
  }
  const headings = [...document.querySelectorAll("th[data-sort]")];
  const controls = { find: at("find"), passing: at("passing"), code: at("code") };

  // What is shown. All of it stands in the address, after "#".
  let state = {};
  let sorted = rows;
  let shown = rows; // those of sorted that no filter hides
  let order = "";
  const page = 1000; // rows that browsers lay out at once
  let limit = page;

  // make builds an element; texts become text nodes, and nothing is parsed.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  const count = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");

  const parts = ["find", "passing", "code", "sort", "task", "sample"];
  function address(of) {
    const query = new URLSearchParams();
    for (const part of parts) if (of[part]) query.set(part, of[part]);
    return "#" + query;
  }
  const go = (change) => { location.hash = address({ ...state, ...change }); };
  // stay shows a change without a step in the browser's history.
  function stay(change) {
    state = { ...state, ...change };
    try { history.replaceState(null, "", address(state)); } catch { /* some browsers allow only so many a minute */ }
  }

  // The table of tasks.

  function filter() {
    const words = (state.find || "").toLowerCase().split(/\s+/).filter(Boolean);
    if (order !== (state.sort || "")) {
      order = state.sort || "";
      const key = order.replace("-", "");
      const sign = order === key ? 1 : -1;
      sorted = key ? [...rows].sort((a, b) => sign * (Number(a.dataset[key]) - Number(b.dataset[key]))) : rows;
      if (rows.length) rows[0].parentNode.append(...sorted);
      for (const heading of headings) {
        if (heading.dataset.sort === key) heading.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
        else heading.removeAttribute("aria-sort");
      }
    }
    shown = sorted.filter((row) => {
      const data = row.dataset;
      const text = (ids.get(row) + " " + data.codes).toLowerCase();
      const visible = (!state.passing || data.passing.split(" ").includes(state.passing)) &&
        (!state.code || data.codes.split(" ").includes(state.code)) &&
        words.every((word) => text.includes(word));
      row.hidden = true;
      return visible;
    });
    limit = page;
    reveal();
    at("shown").textContent = shown.length === rows.length ? count(rows.length, "task") : shown.length + " of " + count(rows.length, "task");
    at("nothing").hidden = shown.length > 0 || rows.length === 0;
  }

  function reveal() {
    for (const row of shown.slice(0, limit)) row.hidden = false;
    const rest = shown.length - limit;
    at("more").hidden = rest <= 0;
    at("more").firstElementChild.textContent = "Show " + Math.min(rest, page) + " more of " + count(shown.length, "task");
  }
  at("more").firstElementChild.addEventListener("click", () => {
    const next = shown[limit];
    limit += page;
    reveal();
    next.querySelector("a").focus();
  });

  for (const [name, control] of Object.entries(controls)) {
    control.addEventListener("input", () => { stay({ [name]: control.value }); filter(); });
  }
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  at("reset").addEventListener("click", () => {
    for (const control of Object.values(controls)) control.value = "";
    stay({ find: "", passing: "", code: "" });
    filter();
    controls.find.focus();
  });
  for (const heading of headings) {
    // First what is most wanted, then the other way, then the file's order.
    const key = heading.dataset.sort;
    const cycle = heading.dataset.first === "-" ? ["-" + key, key, ""] : [key, "-" + key, ""];
    heading.querySelector("button").addEventListener("click", () => {
      stay({ sort: cycle[(cycle.indexOf(state.sort || "") + 1) % 3] });
      filter();
    });
  }
  for (const button of document.querySelectorAll("button.code")) {
    button.addEventListener("click", () => {
      const code = button.dataset.code;
      const given = [...controls.code.options].some((option) => option.value === code);
      controls.code.value = given ? code : "";
      controls.find.value = given ? "" : code;
      stay({ code: controls.code.value, find: controls.find.value });
      filter();
      at("tasks").scrollIntoView();
      controls.code.focus({ preventScroll: true });
    });
  }
  if (rows.length) {
    rows[0].parentNode.addEventListener("click", (event) => {
      const row = event.target.closest("tr.task");
      if (!row || event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection())) return;
      event.preventDefault();
      go({ task: ids.get(row), sample: "" });
    });
  }
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    at("tasks").focus();
    at("tasks").scrollIntoView();
  });

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
  const pieces = new RegExp("((?:" + unseen.source + ")+|\\t+|[ \\u00a0\\u2000-\\u200a\\u3000]+$)", "u");
  function visible(text, into) {
    text.split(pieces).forEach((piece, i) => {
      if (i % 2 === 0) into.append(piece);
      else if (unseen.test(piece)) into.append(make("span", { class: "control" }, [...piece].map(picture).join("")));
      else into.append(make("span", { class: "blanks" }, piece));
    });
  }
  function picture(character) {
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

  // lineCell is a line of code with marks at what findings are about.
  function lineCell(text, findings) {
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
      visible(text.slice(from, start), cell);
      const mark = make("mark", { title: about.map((finding) => finding.code + " " + finding.message).join("\n") });
      if (start < text.length) visible(text.slice(start, end), mark); else mark.append(" ");
      cell.append(mark);
      from = end;
    }
    visible(text.slice(from), cell);
    if (more > 0) cell.append(make("span", { class: "control" }, " … " + more + " characters more"));
    return cell;
  }

  const signs = { add: "+", remove: "−", same: "" };
  const names = { add: "added", remove: "removed", same: "" };
  function lineRow(line) {
    const cell = lineCell(line.text, line.findings.filter((finding) => finding.row === line.after));
    if (line.bare) cell.append(make("span", { class: "control" }, " no newline"));
    return make("tr", { class: line.kind }, make("td", { class: "no" }, String(line.before || "")), make("td", { class: "no" }, String(line.after || "")),
      make("td", { class: "sign" }, signs[line.kind], make("span", { class: "hidden" }, names[line.kind])), cell);
  }
  function findingRow(finding, place) {
    return make("tr", { class: "finding", "data-code": finding.code }, make("td", { colspan: "3" }),
      make("td", {}, make("div", { class: "say" }, make("b", {}, finding.code), " " + finding.message + " ", make("small", {}, place))));
  }

  // listing shows the program and the sample's code as one, the sample's
  // findings under their lines. Long stretches without any are folded.
  function listing(task, one, of) {
    const before = split(task.code || "");
    const after = split(one.code);
    const findings = new Map();
    for (const finding of one.findings || []) {
      if (!findings.has(finding.row)) findings.set(finding.row, []);
      findings.get(finding.row).push(finding);
    }
    const lines = [];
    let old = 0;
    let now = 0;
    const add = (kind) => {
      const line = { kind, text: "", before: 0, after: 0, findings: [], bare: false };
      if (kind !== "add") {
        line.text = before.lines[old];
        line.before = ++old;
        line.bare = !before.ended && old === before.lines.length;
      }
      if (kind !== "remove") {
        line.text = after.lines[now];
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
    const append = (to, line) => {
      to.append(lineRow(line));
      for (const finding of line.findings) to.append(findingRow(finding, "column " + finding.column));
    };
    const fold = (from, to) => {
      const same = lines.slice(from, to).every((line) => line.kind === "same");
      const row = make("tr", { class: "gap" });
      row.append(make("td", { colspan: "4" }, make("button", { type: "button", onclick: () => {
        const opened = document.createDocumentFragment();
        const until = Math.min(from + step, to);
        for (let i = from; i < until; i++) append(opened, lines[i]);
        if (until < to) opened.append(fold(until, to));
        row.replaceWith(opened);
      } }, "Show " + count(to - from, same ? "unchanged line" : "line"))));
      return row;
    };
    for (let i = 0; i < lines.length;) {
      let end = i;
      while (end < lines.length && !keep[end]) end++;
      if (end > i + 1) body.append(fold(i, end)); else if (end > i) append(body, lines[i]);
      if (end < lines.length) append(body, lines[end]);
      i = end + 1;
    }
    if (!after.lines.length) body.append(make("tr", { class: "gap" }, make("td", { colspan: "4" }, "The code is empty.")));
    for (const rest of findings.values()) {
      for (const finding of rest) body.append(findingRow(finding, "line " + finding.row + ", column " + finding.column));
    }
    return make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Changes and findings" + of }, make("table", {}, body));
  }

  // A task.

  function copy(text, what) {
    if (!navigator.clipboard) return null;
    const button = make("button", { type: "button", class: "copy", onclick: () => {
      navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed"; });
      setTimeout(() => { button.textContent = "Copy " + what; }, 1500);
    } }, "Copy " + what);
    return button;
  }

  const said = (verdict) => verdict.name + { pass: " passes", fail: " fails", unknown: " not known" }[verdict.outcome];

  function sampleView(task, run, one) {
    const view = document.createDocumentFragment();
    const of = run.name ? " of " + run.name : "";
    const chip = (n, text) => make("span", { class: "chip" }, make("b", {}, String(n)), " " + text);
    const where = { closed: "code in closed fences", open: "fence left open", whole: "no fence: the whole answer" }[one.source];
    view.append(make("p", { class: "verdict" },
      make("span", { class: "chip " + (one.pass ? "pass" : "fail") }, one.pass ? "✓ passes" : "✗ fails"),
      ...(one.verdicts || []).map((verdict) => make("span", { class: "chip " + verdict.outcome },
        marks[verdict.outcome] + " " + said(verdict) + (verdict.proof ? ", by " + verdict.proof : ""))),
      // Of an answer without code, all that was given is gone: nothing was fixed.
      one.empty ? make("span", { class: "chip" }, "has no code") : chip(one.fixed, "fixed"),
      chip(one.left, "left"), chip(one.introduced, "introduced"),
      make("span", { class: "chip" }, where),
      one.blocks && !one.python ? make("span", { class: "chip" }, "only other languages") : null,
      one.python > 1 ? chip(one.python, "blocks joined") : null,
      one.noqa ? make("span", { class: "chip" }, "a noqa silences findings") : null,
      one.encoding ? make("span", { class: "chip" }, "read as " + one.encoding) : null,
      one.saved ? make("span", { class: "chip" }, "would pass if forgiven: " + one.saved.join(", ")) : null));
    for (const verdict of one.verdicts || []) {
      for (const reason of verdict.reasons || []) {
        view.append(make("p", { class: "note" }, make("b", {}, verdict.name + ": "), reason.text, reason.line ? " (line " + reason.line + ")" : ""));
      }
    }
    if (run.bare) {
      view.append(make("p", { class: "note" }, "These results hold no texts: write them with --texts to see the code."));
      const table = make("tbody", {});
      for (const f of one.findings || []) {
        table.append(make("tr", { class: "finding", "data-code": f.code }, make("td", { class: "no" }, f.row + ":" + f.column), make("td", {}, make("b", {}, f.code), " " + f.message)));
      }
      if (table.childElementCount) view.append(make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Findings" + of }, make("table", {}, table)));
    } else {
      view.append(listing(task, one, of));
    }
    const marked = (one.findings || []).length;
    const cuts = [];
    if (one.found > marked) cuts.push(marked + " of " + count(one.found, "finding") + " are shown");
    if (one.cut) cuts.push("the code is cut: it is longer than its share of this page");
    if (cuts.length) view.append(make("p", { class: "aside" }, cuts.join("; ") + "."));
    if (!run.bare && one.code) view.append(copy(one.code, "the code") || "");
    if (one.output) {
      const details = make("details", {}, make("summary", {}, "The whole answer" + (one.outputCut ? ", cut" : "")));
      details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(block(one.output, { "aria-label": "The whole answer" + of })); });
      view.append(details);
    }
    return view;
  }

  // passing says how many samples of a run pass, by each verdict.
  function passing(run) {
    if (!run.n) return "No samples";
    const others = (run.others || []).map((other) => ", " + other.passed + " by the " + other.name + " verdict");
    return run.passed + " of " + count(run.n, "sample") + " " + (run.passed === 1 ? "passes" : "pass") + others.join("");
  }

  // outcomes are what is said of a sample, the official verdict first; of the others
  // only what differs.
  function outcomes(one) {
    const official = one.pass ? "pass" : "fail";
    return [official, ...(one.verdicts || []).map((verdict) => verdict.outcome).filter((outcome) => outcome !== official)];
  }
  const marks = { pass: "✓", fail: "✗", unknown: "?" };

  // picked are the samples shown, one of each run.
  let picked = [];
  function runView(task, run, which) {
    const name = run.name ? "Samples of " + run.name : "Samples";
    const panel = make("section", { class: "card" }, make("h2", {}, name),
      task.runs.length > 1 ? make("p", { class: "aside" }, passing(run)) : null);
    if (!run.samples.length) return panel;
    const tab = (n) => "sample-" + which + "-" + n;
    const picks = make("div", { class: "picks", role: "tablist", "aria-label": name });
    const view = make("div", { id: "sample-" + which, class: "sample", role: "tabpanel" });
    const pick = (n, focus) => {
      const old = picks.children[picked[which]];
      old.setAttribute("aria-selected", "false");
      old.tabIndex = -1;
      picked[which] = n;
      picks.children[n].setAttribute("aria-selected", "true");
      picks.children[n].tabIndex = 0;
      view.setAttribute("aria-labelledby", tab(n));
      view.replaceChildren(sampleView(task, run, run.samples[n]));
      if (focus) picks.children[n].focus();
    };
    const choose = (n, focus) => {
      pick(n, focus);
      stay({ sample: picked.some(Boolean) ? picked.map((n) => n + 1).join("-") : "" });
    };
    run.samples.forEach((one, i) => picks.append(make("button", {
      type: "button", role: "tab", id: tab(i), tabindex: "-1", "aria-selected": "false", class: outcomes(one).length > 1 ? "mixed" : one.pass ? "pass" : "fail", "aria-controls": "sample-" + which,
      "aria-label": "Sample " + (i + 1) + (one.pass ? ", passes" : ", fails") + (one.verdicts || []).map((verdict) => ", " + said(verdict)).join(""), onclick: () => choose(i, false),
    }, i + 1 + " " + outcomes(one).map((outcome) => marks[outcome]).join(""))));
    picks.addEventListener("keydown", (event) => {
      const last = run.samples.length - 1;
      const now = picked[which];
      const to = { ArrowRight: Math.min(now + 1, last), ArrowLeft: Math.max(now - 1, 0), Home: 0, End: last }[event.key];
      if (to !== undefined) { event.preventDefault(); choose(to, true); }
    });
    panel.append(picks);
    if (run.n > run.samples.length) {
      panel.append(make("p", { class: "aside" }, "The first " + run.samples.length + " of " + count(run.n, "sample") + ": there is no room for more in this page."));
    }
    panel.append(view);
    pick(picked[which], false);
    return panel;
  }

  function taskView(row) {
    let task;
    try { task = JSON.parse(texts.get(row).textContent); } catch { return; }
    const wanted = (state.sample || "").split("-").map(Number);
    picked = task.runs.map((run, i) => Math.min(Math.max((wanted[i] || 1) - 1, 0), Math.max(run.samples.length - 1, 0)));
    const place = shown.indexOf(row);
    const step = (by, text, key) => {
      const to = place < 0 ? null : shown[place + by];
      return make("button", { type: "button", disabled: !to, title: text + " task (" + key + ")", onclick: () => go({ task: ids.get(to), sample: "" }) }, text);
    };
    const sole = task.runs.length === 1 ? task.runs[0] : null;
    const view = at("task");
    view.replaceChildren(
      make("nav", { class: "bar-top", "aria-label": "Tasks" }, make("a", { href: address({ ...state, task: "", sample: "" }) }, "← All tasks"),
        make("span", { class: "space" }, place < 0 ? "" : place + 1 + " of " + shown.length), step(-1, "Previous", "p"), step(1, "Next", "n")),
      make("header", {}, make("h1", {}, "Task ", make("bdi", {}, task.id)),
        sole ? make("p", {}, passing(sole)) : null,
        task.options ? make("p", {}, "Checked by ", make("code", {}, "flake8 " + task.options)) : null));
    if (task.prompt) {
      view.append(make("section", { class: "card" }, make("h2", {}, "Prompt"),
        task.cut ? make("p", { class: "aside" }, "Cut: it is longer than its share of this page.") : null,
        block(task.prompt, { id: "prompt", "aria-label": "Prompt" }), copy(task.prompt, "the prompt")));
    }
    const runs = make("div", { class: "runs" });
    task.runs.forEach((run, i) => { if (!sole || run.samples.length) runs.append(runView(task, run, i)); });
    view.append(runs);
    document.title = "Task " + task.id + " · " + title;
  }

  const title = document.title;
  let from = null; // the row a task was opened from
  function route() {
    const query = new URLSearchParams(location.hash.slice(1));
    state = {};
    for (const part of parts) state[part] = query.get(part) || "";
    for (const [name, control] of Object.entries(controls)) {
      control.value = state[name];
      if (control.value !== state[name]) state[name] = control.value = "";
    }
    filter();
    const row = state.task ? byID.get(state.task) : null;
    at("run").hidden = Boolean(row);
    at("task").hidden = !row;
    document.querySelector(".skip").hidden = Boolean(row);
    if (row) {
      from = row;
      taskView(row);
      window.scrollTo(0, 0);
      at("task").focus({ preventScroll: true });
    } else {
      document.title = title;
      at("task").replaceChildren();
      if (from) {
        limit = Math.max(limit, shown.indexOf(from) + 1);
        reveal();
        from.querySelector("a").focus({ preventScroll: true });
        from.scrollIntoView({ block: "center" });
        from = null;
      }
    }
  }
  window.addEventListener("hashchange", route);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "/" && !at("run").hidden) { event.preventDefault(); controls.find.focus(); }
    if (at("task").hidden) return;
    const [previous, next] = at("task").querySelectorAll(".bar-top button");
    if (event.key === "p" && !previous.disabled) previous.click();
    if (event.key === "n" && !next.disabled) next.click();
    if (event.key === "Escape") go({ task: "", sample: "" });
    // The arrows are those of the first run's samples, wherever the focus is but in
    // a listing, which they scroll.
    const arrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const chosen = at("task").querySelector('.picks [aria-selected="true"]');
    if (arrow && chosen && !event.shiftKey && !event.defaultPrevented && !event.target.closest("[tabindex='0']")) {
      event.preventDefault();
      (event.key === "ArrowLeft" ? chosen.previousElementSibling : chosen.nextElementSibling)?.click();
    }
  });
  route();
  document.querySelector(".early").classList.remove("early");
})();
