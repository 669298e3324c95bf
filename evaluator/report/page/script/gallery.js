
  // The gallery: of each way in which samples fail often, one that does.

  const mostWays = 9;
  const around = 3; // lines shown to both sides of what fails

  // waysToFail are the marks to show, those of the most samples first: of codes
  // introduced and left only the most frequent.
  function waysToFail() {
    const most = { new: 3, left: 2 };
    const ways = [...markSums.values()].sort((a, b) => b.samples - a.samples).filter(({ mark }) => {
      // E999 is one already, what is unknown has its reason, and a fence left open is no failure by itself.
      if (mark === "new:E999" || mark === "unknown" || mark === "open") return false;
      const kind = mark.slice(0, mark.indexOf(":"));
      return most[kind] === undefined || most[kind]-- > 0;
    });
    return ways.slice(0, mostWays);
  }

  // example finds the sample to show: of the tasks that are not shown yet the one with
  // the most such samples, and of its samples the one with the least else to say of it.
  function example(mark, used) {
    let best = null;
    for (const row of rows) {
      const n = (row) => (marksOf.get(row).get(mark) || 0) - (used.has(row) ? 1e9 : 0);
      if (marksOf.get(row).has(mark) && (!best || n(row) > n(best))) best = row;
    }
    used.add(best);
    const task = taskOf(best);
    const run = task.runs[0];
    const rest = (one) => one.marks.length + (one.pass && !mark.includes(":") ? 100 : 0); // one that fails, if any does
    let n = -1;
    run.samples.forEach((one, i) => {
      if (one.marks.includes(mark) && (n < 0 || rest(one) < rest(run.samples[n]))) n = i;
    });
    return n < 0 || run.bare ? null : { row: best, task, run, n, one: run.samples[n] };
  }

  // excerpt is a few lines of a sample around what a mark is about.
  function excerpt(task, one, mark) {
    const label = "Of samples that " + markText(mark);
    if (without(one)) {
      const text = answer(one).split("\n").slice(0, 2 * around + 2).join("\n");
      return text.trim() ? block(text.slice(0, 600), { "aria-label": label }) : make("p", { class: "nocode" }, without(one));
    }
    const { lines } = linesOf(task, one);
    const code = mark.slice(mark.indexOf(":") + 1);
    const reason = one.verdicts.flatMap((verdict) => verdict.reasons || []).find((reason) => reason.line);
    let place = lines.findIndex((line) => line.findings.some((finding) => finding.code === code));
    if (place < 0 && reason) place = lines.findIndex((line) => line.after === reason.line);
    if (place < 0) place = lines.findIndex((line) => (mark === "noqa" ? /#.*noqa/i.test(line.text) && line.after : line.findings.length));
    if (place < 0) place = lines.findIndex((line) => line.kind !== "same");
    const from = Math.max(0, place - around);
    const body = make("tbody", {});
    for (const line of lines.slice(from, Math.max(place, 0) + around + 1)) {
      body.append(lineRow(line));
      for (const finding of line.findings.slice(0, 2)) body.append(findingRow(finding, "column " + finding.column));
    }
    return make("div", { class: "source", tabindex: "0", role: "region", "aria-label": label }, make("table", {}, body));
  }

  function gallery(section) {
    const grid = section.querySelector(".gallery");
    const samples = rows.reduce((sum, row) => sum + Number(row.querySelector(".samples").dataset.value), 0);
    const used = new Set();
    for (const { mark, samples: n, tasks } of waysToFail()) {
      const found = example(mark, used);
      if (!found) continue;
      const { row, task, one } = found;
      const reason = mark.includes(":") && !/^(new|left):/.test(mark) ? one.verdicts.flatMap((verdict) => verdict.reasons || [])[0] : null;
      grid.append(make("article", {},
        make("h3", {}, "Samples that " + markText(mark)),
        make("p", { class: "soft" }, count(n, "sample") + ", " + (100 * n / samples).toFixed(1) + " %. ",
          make("a", { href: address({ task: taskIDs.get(row), sample: String(found.n + 1) }) }, "Task ", make("bdi", {}, taskIDs.get(row)), ", sample " + (found.n + 1)), " · ",
          make("button", { type: "button", class: "link", onclick: () => only({ mark }, controls.mark) }, tasks === 1 ? "its task" : "all " + tasks + " tasks")),
        reason ? make("p", { class: "note" }, reason.text) : null,
        excerpt(task, one, mark)));
    }
    section.hidden = !grid.childElementCount;
  }
