
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

  // taskOf parses a row's task. What is left out of its JSON is 0, false or empty, and
  // a finding is [row, column, place to mark, code, message].
  function taskOf(row) {
    const task = JSON.parse(texts.get(row).textContent);
    for (const run of task.runs) {
      for (const one of run.samples) {
        one.row ??= 1;
        one.code ??= "";
        one.marks ??= [];
        one.verdicts ??= [];
        one.found ??= 0;
        one.findings = (one.findings || []).map(([row, column, at, code, message]) => ({ row, column, at, code, message }));
      }
    }
    return task;
  }

  // answer is the whole answer: what stands before its code, the code and what comes
  // after it; or its text; or else it is the code.
  const answer = (one) => (one.around ? one.around[0] + one.code + one.around[1] : one.output ?? one.code);

  // without says why a sample has no code; "" if it has some.
  function without(one) {
    if (one.code.trim() || one.cut) return "";
    if (one.blocks && !one.python) return "No code: the answer's " + (one.blocks === 1 ? "block is" : "blocks are") + " not Python.";
    return answer(one).trim() ? "No code: the answer's Python block is empty." : "No code: the answer is empty.";
  }

  function sampleView(task, run, one) {
    const view = document.createDocumentFragment();
    const of = run.name ? " of " + run.name : "";
    const chip = (n, text) => make("span", { class: "chip" }, make("b", {}, String(n || 0)), " " + text);
    const where = { closed: "code in closed fences", open: "fence left open", whole: "no fence: the whole answer" }[one.source];
    const none = run.bare ? "" : without(one);
    view.append(make("p", { class: "verdict" },
      make("span", { class: "chip " + (one.pass ? "pass" : "fail") }, one.pass ? "✓ passes" : "✗ fails"),
      ...one.verdicts.map((verdict) => make("span", { class: "chip " + verdict.outcome },
        marks[verdict.outcome] + " " + said(verdict) + (verdict.proof ? ", by " + verdict.proof : ""))),
      // Of an answer without code, all that was given is gone: nothing was fixed.
      ...(none || one.empty ? [make("span", { class: "chip" }, none ? "no code" : "nothing in the code does anything")]
        : [chip(one.fixed, "fixed"), chip(one.left, "left"), chip(one.introduced, "introduced")]),
      make("span", { class: "chip" }, where),
      one.blocks && !one.python ? make("span", { class: "chip" }, "only other languages") : null,
      one.python > 1 ? chip(one.python, "blocks joined") : null,
      one.noqa ? make("span", { class: "chip" }, "a noqa silences findings") : null,
      one.encoding ? make("span", { class: "chip" }, "read as " + one.encoding) : null,
      one.saved ? make("span", { class: "chip" }, "would pass if forgiven: " + one.saved.join(", ")) : null));
    for (const verdict of one.verdicts) {
      for (const reason of verdict.reasons || []) {
        // That it fails officially is said already.
        if (reason.name !== "official") view.append(make("p", { class: "note" }, make("b", {}, verdict.name + ": "), reason.text, reason.line ? " (line " + reason.line + ")" : ""));
      }
    }
    if (run.bare) {
      view.append(make("p", { class: "note" }, "These results hold no texts: write them with --texts to see the code."));
      const table = make("tbody", {});
      for (const f of one.findings) {
        table.append(make("tr", { class: "finding", "data-code": f.code }, make("td", { class: "no" }, f.row + ":" + f.column), make("td", {}, make("b", {}, f.code), " " + f.message)));
      }
      if (table.childElementCount) view.append(make("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Findings" + of }, make("table", {}, table)));
    } else if (none) {
      view.append(make("p", { class: "nocode" }, none));
    } else {
      view.append(listing(task, one, of));
    }
    const cuts = [];
    if (one.found > one.findings.length) cuts.push(one.findings.length + " of " + count(one.found, "finding") + " are shown");
    if (one.cut) cuts.push("the code is cut: of its " + size(one.cut) + ", " + size(new Blob([one.code]).size) + " have room in this page");
    if (cuts.length) view.append(make("p", { class: "aside" }, cuts.join("; ") + "."));
    if (!run.bare && one.code) view.append(copy(one.code, "the code") || "");
    if (answer(one) && (one.around || one.output !== undefined)) {
      const text = answer(one);
      const details = make("details", {}, make("summary", {}, "The whole answer" + (one.outputCut ? ", cut: " + size(one.outputCut) : "")));
      details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(block(text, { "aria-label": "The whole answer" + of })); });
      details.open = Boolean(none);
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
    return [official, ...one.verdicts.map((verdict) => verdict.outcome).filter((outcome) => outcome !== official)];
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
      stay({ sample: picked.map((n) => n + 1).join("-") });
    };
    run.samples.forEach((one, i) => picks.append(make("button", {
      type: "button", role: "tab", id: tab(i), tabindex: "-1", "aria-selected": "false", class: outcomes(one).length > 1 ? "mixed" : one.pass ? "pass" : "fail", "aria-controls": "sample-" + which,
      "aria-label": "Sample " + (i + 1) + (one.pass ? ", passes" : ", fails") + one.verdicts.map((verdict) => ", " + said(verdict)).join(""), onclick: () => choose(i, false),
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

  // interesting is the sample of a run to begin with: the first that fails, else the
  // first that does not pass by all verdicts.
  function interesting(run) {
    const failing = run.samples.findIndex((one) => !one.pass);
    return failing >= 0 ? failing : Math.max(0, run.samples.findIndex((one) => outcomes(one).length > 1));
  }

  function taskView(row) {
    let task;
    try { task = taskOf(row); } catch { return; }
    const wanted = (state.sample || "").split("-").map(Number);
    picked = task.runs.map((run, i) => (wanted[i] ? Math.min(wanted[i] - 1, Math.max(run.samples.length - 1, 0)) : interesting(run)));
    const place = shown.indexOf(row);
    const step = (by, text, key) => {
      const to = place < 0 ? null : shown[place + by];
      return make("button", { type: "button", disabled: !to, title: text + " task (" + key + ")", onclick: () => go({ task: taskIDs.get(to), sample: "" }) }, text);
    };
    const sole = task.runs.length === 1 ? task.runs[0] : null;
    const view = at("task");
    view.replaceChildren(
      make("nav", { class: "bar-top", "aria-label": "Tasks" }, make("a", { href: address({ ...state, task: "", sample: "" }) }, "← All tasks"),
        make("span", { class: "space" }, place < 0 ? "" : place + 1 + " of " + shown.length), step(-1, "Previous", "p"), step(1, "Next", "n")),
      make("header", {}, make("h1", {}, "Task ", make("bdi", {}, task.id)),
        sole ? make("p", {}, passing(sole)) : null,
        row.dataset.codes ? make("p", {}, "Given: ", make("code", {}, row.dataset.codes)) : null,
        task.options ? make("p", {}, "Checked by ", make("code", {}, "flake8 " + task.options)) : null));
    if (task.prompt) {
      view.append(make("details", { class: "card prompt" }, make("summary", {}, make("h2", {}, "Prompt"), make("span", { class: "soft" }, " " + count(task.prompt.split("\n").length, "line"))),
        task.cut ? make("p", { class: "aside" }, "Cut: of its " + size(task.cut) + " not all has room in this page.") : null,
        block(task.prompt, { id: "prompt", "aria-label": "Prompt" }), copy(task.prompt, "the prompt")));
    }
    const runs = make("div", { class: "runs" });
    task.runs.forEach((run, i) => { if (!sole || run.samples.length) runs.append(runView(task, run, i)); });
    view.append(runs);
    document.title = "Task " + task.id + " · " + title;
  }

