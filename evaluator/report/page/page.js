"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("tr.task")];
  const texts = new Map(); // a row's JSON, parsed when its task is opened
  const byID = new Map();
  for (const row of rows) {
    texts.set(row, row.nextElementSibling);
    byID.set(row.dataset.id, row);
  }
  const body = rows.length ? rows[0].parentNode : null;
  const controls = { find: at("find"), passing: at("passing"), code: at("code"), order: at("order") };
  let shown = rows;
  let sample = 0;

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

  function filter() {
    const words = controls.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const passing = controls.passing.value;
    const code = controls.code.value;
    let order = controls.order.value;
    shown = rows.filter((row) => {
      const data = row.dataset;
      const text = (data.id + " " + data.codes).toLowerCase();
      return (!passing || data.pass === passing) &&
        (!code || data.codes.split(" ").includes(code)) &&
        words.every((word) => text.includes(word));
    });
    if (order) {
      const sign = order[0] === "-" ? -1 : 1;
      order = order.replace("-", "");
      shown = [...shown].sort((a, b) => sign * (Number(a.dataset[order]) - Number(b.dataset[order])));
    }
    const visible = new Set(shown);
    for (const row of rows) row.hidden = !visible.has(row);
    if (body) body.append(...shown);
    at("shown").textContent = shown.length === rows.length ? count(rows.length, "task") : shown.length + " of " + count(rows.length, "task");
    at("nothing").hidden = shown.length > 0 || rows.length === 0;
  }

  for (const control of Object.values(controls)) control.addEventListener("input", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  at("reset").addEventListener("click", () => {
    for (const control of Object.values(controls)) control.value = "";
    filter();
    controls.find.focus();
  });
  for (const button of document.querySelectorAll("button.code")) {
    button.addEventListener("click", () => {
      const code = button.dataset.code;
      const given = [...controls.code.options].some((option) => option.value === code);
      controls.code.value = given ? code : "";
      controls.find.value = given ? "" : code;
      filter();
      at("tasks").scrollIntoView();
      controls.code.focus({ preventScroll: true });
    });
  }
  if (body) {
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr.task");
      if (row && !event.target.closest("a")) location.hash = row.querySelector("a").getAttribute("href");
    });
  }

  // The lines of a text; the last needs no newline.
  function split(text) {
    const lines = text.split("\n");
    if (lines[lines.length - 1] === "") lines.pop();
    return lines;
  }

  function lineRow(kind, before, after, text, column) {
    const cell = make("td", {});
    if (column) {
      const characters = [...text];
      const start = characters.slice(0, column - 1).join("");
      cell.append(start, make("mark", {}, characters[column - 1] || " "), characters.slice(column).join(""));
    } else if (kind === "same") {
      cell.textContent = text;
    } else {
      // What is often the whole difference: tabs and blanks at the end.
      for (const part of text.split(/(\t+|\s+$)/)) {
        cell.append(/^\s+$/.test(part) && part ? make("span", { class: "blanks" }, part) : part);
      }
    }
    const sign = { add: "+", remove: "−", same: " " }[kind];
    return make("tr", { class: kind }, make("td", { class: "no" }, before), make("td", { class: "no" }, after),
      make("td", { class: "sign", "aria-label": { add: "added", remove: "removed", same: null }[kind] }, sign), cell);
  }

  function findingRow(finding, width) {
    const column = Math.max(1, Math.min(finding.column, width + 1));
    return make("tr", { class: "finding", "data-code": finding.code },
      make("td", {}), make("td", {}), make("td", {}),
      make("td", {}, " ".repeat(column - 1) + "↑ ", make("b", {}, finding.code), " " + finding.message));
  }

  // The program and the sample's code as one listing, the sample's findings
  // under their lines.
  function listing(task, one) {
    const before = split(task.code);
    const after = split(one.code);
    const findings = new Map();
    for (const finding of one.findings || []) {
      const row = Math.max(one.row, Math.min(finding.row, one.row + Math.max(after.length, 1) - 1));
      if (!findings.has(row)) findings.set(row, []);
      findings.get(row).push(finding);
    }
    const table = make("tbody", {});
    let old = 0;
    let now = 0;
    const add = (kind) => {
      const row = now + one.row;
      const here = findings.get(row) || [];
      findings.delete(row);
      const exact = here.find((finding) => finding.row === row);
      table.append(lineRow(kind, kind === "same" ? old + 1 : "", row, after[now], exact ? exact.column : 0));
      for (const finding of here) table.append(findingRow(finding, [...after[now]].length));
      now++;
    };
    const runs = one.diff || [];
    for (let i = 0; i < runs.length; i += 3) {
      for (let n = 0; n < runs[i]; n++) { add("same"); old++; }
      for (let n = 0; n < runs[i + 1]; n++) { table.append(lineRow("remove", old + 1, "", before[old], 0)); old++; }
      for (let n = 0; n < runs[i + 2]; n++) add("add");
    }
    while (now < after.length) { add("same"); old++; }
    for (const rest of findings.values()) for (const finding of rest) table.append(findingRow(finding, 0));
    if (!table.childElementCount) table.append(make("tr", { class: "gap" }, make("td", {}, "The code is empty.")));
    return make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Changes and findings" }, make("table", {}, table));
  }

  function sampleView(task, one) {
    const view = make("div", { id: "sample", role: "tabpanel" });
    const chip = (n, text) => make("span", { class: "chip" }, make("b", {}, String(n)), " " + text);
    const where = { closed: "code in closed fences", open: "fence left open", whole: "no fence: the whole answer" }[one.source];
    view.append(make("p", { class: "verdict" },
      make("span", { class: "chip " + (one.pass ? "pass" : "fail") }, one.pass ? "passes" : "fails"),
      chip(one.fixed, "fixed"), chip(one.left, "left"), chip(one.introduced, "introduced"),
      make("span", { class: "chip" }, where),
      one.blocks && !one.python ? make("span", { class: "chip" }, "only other languages") : null,
      one.python > 1 ? chip(one.python, "blocks joined") : null,
      one.saved ? make("span", { class: "chip" }, "would pass if forgiven: " + one.saved.join(", ")) : null));
    if (task.bare) {
      view.append(make("p", { class: "note" }, "These results hold no texts: write them with --texts to see the code."));
      const table = make("tbody", {});
      for (const f of one.findings || []) {
        table.append(make("tr", { class: "finding", "data-code": f.code }, make("td", { class: "no" }, f.row + ":" + f.column), make("td", {}, make("b", {}, f.code), " " + f.message)));
      }
      if (table.childElementCount) view.append(make("div", { class: "source" }, make("table", {}, table)));
    } else {
      view.append(listing(task, one));
    }
    const marked = (one.findings || []).length;
    const cuts = [];
    if (one.found > marked) cuts.push(marked + " of " + count(one.found, "finding") + " are marked");
    if (one.cut) cuts.push("the code is cut: it is longer than its share of this page");
    if (cuts.length) view.append(make("p", { class: "aside" }, cuts.join("; ") + "."));
    if (one.output) {
      view.append(make("details", {}, make("summary", {}, "The whole answer" + (one.outputCut ? ", cut" : "")), make("pre", { tabindex: "0" }, one.output)));
    }
    return view;
  }

  function taskView(row) {
    let task;
    try { task = JSON.parse(texts.get(row).textContent); } catch { return; }
    sample = Math.min(sample, Math.max(task.samples.length - 1, 0));
    const place = shown.indexOf(row);
    const go = (step, text, key) => {
      const to = place < 0 ? null : shown[place + step];
      return make("button", { type: "button", disabled: !to, title: text + " task (" + key + ")", onclick: () => { sample = 0; location.hash = to.querySelector("a").getAttribute("href"); } }, text);
    };
    const view = at("task");
    view.replaceChildren(
      make("nav", { class: "bar-top", "aria-label": "Tasks" }, make("a", { href: "#tasks" }, "← All tasks"), make("span", { class: "space" }), go(-1, "Previous", "p"), go(1, "Next", "n")),
      make("header", {}, make("h1", {}, "Task " + task.id),
        make("p", {}, task.n ? task.passed + " of " + count(task.n, "sample") + " " + (task.passed === 1 ? "passes" : "pass") : "No samples")));
    if (!task.bare) {
      const parts = new Map([["{code}", task.code || ""], ["{feedback}", task.feedback || ""]]);
      const prompt = (task.instruction || "").replace(/\{code\}|\{feedback\}/g, (name) => parts.get(name));
      view.append(make("section", { class: "card" }, make("h2", {}, "Prompt"),
        task.cut ? make("p", { class: "aside" }, "Cut: it is longer than its share of this page.") : null,
        make("pre", { tabindex: "0", id: "prompt" }, prompt)));
    }
    if (task.samples.length) {
      const panel = make("section", { class: "card" }, make("h2", {}, "Samples"));
      const picks = make("div", { class: "picks", role: "tablist", "aria-label": "Samples" });
      const pick = (n, focus) => {
        sample = n;
        [...picks.children].forEach((button, i) => {
          button.setAttribute("aria-selected", String(i === n));
          button.tabIndex = i === n ? 0 : -1;
        });
        const old = panel.querySelector("#sample");
        const next = sampleView(task, task.samples[n]);
        if (old) old.replaceWith(next); else panel.append(next);
        if (focus) picks.children[n].focus();
      };
      task.samples.forEach((one, i) => picks.append(make("button", {
        type: "button", role: "tab", class: one.pass ? "pass" : "fail", "aria-controls": "sample",
        "aria-label": "Sample " + (i + 1) + (one.pass ? ", passes" : ", fails"), onclick: () => pick(i, false),
      }, String(i + 1))));
      picks.addEventListener("keydown", (event) => {
        const last = task.samples.length - 1;
        const to = { ArrowRight: Math.min(sample + 1, last), ArrowLeft: Math.max(sample - 1, 0), Home: 0, End: last }[event.key];
        if (to !== undefined) { event.preventDefault(); pick(to, true); }
      });
      panel.append(picks);
      if (task.n > task.samples.length) {
        panel.append(make("p", { class: "aside" }, "The first " + task.samples.length + " of " + count(task.n, "sample") + ": there is no room for more in this page."));
      }
      pick(sample, false);
      view.append(panel);
    }
    document.title = "Task " + task.id;
  }

  const title = document.title;
  let from = null; // the row a task was opened from
  function route() {
    const match = /^#task\/(.*)$/s.exec(location.hash);
    let row = null;
    if (match) {
      try { row = byID.get(decodeURIComponent(match[1])); } catch { row = null; }
    }
    at("run").hidden = Boolean(row);
    at("task").hidden = !row;
    if (row) {
      from = row;
      taskView(row);
      window.scrollTo(0, 0);
      at("task").focus({ preventScroll: true });
    } else {
      document.title = title;
      at("task").replaceChildren();
      if (from) {
        from.querySelector("a").focus({ preventScroll: true });
        from.scrollIntoView({ block: "center", behavior: "instant" });
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
    if (event.key === "Escape") location.hash = "#tasks";
  });
  filter();
  route();
})();
