
  // The table of tasks: its filters and its order. All of that stands in the address,
  // after "#", so that a link leads to what is shown.

  const taskTable = document.querySelector("table.tasks");
  const rows = all("tr.task");
  const texts = new Map(); // a row's JSON, parsed when its task is opened
  const byID = new Map();
  const marksOf = new Map(); // how many of a row's samples have which mark
  const keysOf = new Map(); // what a row is sorted by
  const pairs = (text) => new Map(text.split(" ").filter(Boolean).map((pair) => {
    const at = pair.lastIndexOf("=");
    return [pair.slice(0, at), Number(pair.slice(at + 1))];
  }));
  rows.forEach((row, place) => {
    // The link has the id as it is; HTML's parser may have changed it elsewhere.
    const id = new URLSearchParams(row.querySelector("a").getAttribute("href").slice(1)).get("task");
    texts.set(row, row.nextElementSibling);
    taskIDs.set(row, id);
    byID.set(id, row);
    marksOf.set(row, pairs(row.dataset.marks));
    keysOf.set(row, pairs(row.dataset.keys).set("place", place));
  });
  const valueOf = (row, key) => keysOf.get(row).get(key) ?? NaN;

  const controls = { find: at("find"), passing: at("passing"), code: at("code"), mark: at("mark") };
  let state = {};
  let ordered = rows;
  let shown = rows; // those of ordered that no filter hides
  let order = "";
  const page = 1000; // rows that browsers lay out at once
  let limit = page;

  const parts = ["find", "passing", "code", "mark", "at", "sort", "task", "sample"];
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

  // markText says what a mark is of, after "samples that".
  function markText(mark) {
    const texts = {
      "E999": "are not Python: E999", "no-block": "have no Python block", "open": "have a fence left open", "empty": "have no code",
      "noqa": "have a noqa", "encoded": "name another encoding", "unknown": "pass officially, but are not known to by another verdict",
    };
    const [kind, name] = [mark.slice(0, mark.indexOf(":")), mark.slice(mark.indexOf(":") + 1)];
    return texts[mark] || { new: "introduce " + name, left: "leave " + name }[kind] || "pass officially, but not " + kind + ": " + name;
  }
  // markSums are all marks, with the numbers of samples and of tasks.
  const markSums = new Map();
  for (const row of rows) {
    for (const [mark, n] of marksOf.get(row)) {
      const sum = markSums.get(mark) || { mark, samples: 0, tasks: 0 };
      markSums.set(mark, sum);
      sum.samples += n;
      sum.tasks++;
    }
  }
  {
    const groups = { "introduce findings": /^new:/, "leave findings": /^left:/, "another verdict": /:|^unknown$/, "the answer": /./ };
    const options = new Map(Object.keys(groups).map((name) => [name, []]));
    const most = 500; // other verdicts may have a reason for each sample
    for (const sum of [...markSums.values()].sort((a, b) => b.tasks - a.tasks).slice(0, most)) {
      const name = Object.keys(groups).find((name) => groups[name].test(sum.mark));
      options.get(name).push(make("option", { value: sum.mark }, markText(sum.mark) + " (" + sum.tasks + ")"));
    }
    for (const name of Object.keys(groups).reverse()) {
      if (options.get(name).length) controls.mark.append(make("optgroup", { label: name }, ...options.get(name)));
    }
    at("marks").hidden = !markSums.size;
  }

  const markOrder = sortable(taskTable, (chosen) => { stay({ sort: chosen }); filter(); });

  function filter() {
    const words = (state.find || "").toLowerCase().split(/\s+/).filter(Boolean);
    const orders = (state.sort ? state.sort + " " : "") + taskTable.dataset.order;
    if (order !== orders) {
      order = orders;
      ordered = sorted(rows, order, valueOf);
      if (rows.length) taskTable.tBodies[0].append(...ordered);
      markOrder(order);
    }
    shown = ordered.filter((row) => {
      const data = row.dataset;
      const text = (taskIDs.get(row) + " " + data.codes).toLowerCase();
      row.hidden = true;
      return (!state.passing || data.passing.split(" ").includes(state.passing)) &&
        (!state.code || data.codes.split(" ").includes(state.code)) &&
        (!state.mark || marksOf.get(row).has(state.mark)) &&
        (!state.at || state.at === dotOf(row)) &&
        words.every((word) => text.includes(word));
    });
    limit = page;
    reveal();
    at("shown").textContent = shown.length === rows.length ? count(rows.length, "task") : shown.length + " of " + count(rows.length, "task");
    at("nothing").hidden = shown.length > 0 || rows.length === 0;
    for (const dot of all(".scatter circle")) dot.classList.toggle("chosen", state.at === dotName(dot));
  }
  recordsOf.set(taskTable, () => tableRecords(taskTable, shown));

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
  const unfiltered = { find: "", passing: "", code: "", mark: "", at: "" };
  at("reset").addEventListener("click", () => {
    for (const control of Object.values(controls)) control.value = "";
    stay(unfiltered);
    filter();
    controls.find.focus();
  });
  // only leaves the tasks of one filter, and goes to them.
  function only(change, control) {
    stay({ ...unfiltered, ...change });
    for (const [name, each] of Object.entries(controls)) each.value = state[name];
    filter();
    at("tasks").scrollIntoView();
    control.focus({ preventScroll: true });
  }
  for (const button of all("button.code")) {
    const code = button.dataset.code;
    const given = [...controls.code.options].some((option) => option.value === code);
    button.addEventListener("click", () => (given ? only({ code }, controls.code) : only({ mark: "new:" + code }, controls.mark)));
  }
  for (const button of all("button[data-mark]")) {
    button.addEventListener("click", () => only({ mark: button.dataset.mark }, controls.mark));
  }

  // The dots of two runs' tasks, by what a row is sorted by.
  const dotName = (dot) => [dot.closest(".scatter").dataset.verdict, dot.dataset.a, dot.dataset.b].join(" ");
  const dotOf = (row) => {
    const verdict = (state.at || "").split(" ")[0];
    return [verdict, valueOf(row, "a" + verdict), valueOf(row, "b" + verdict)].join(" ");
  };
  for (const dot of all(".scatter circle")) {
    fill(dot, { tabindex: "0", role: "button", "aria-label": dot.textContent + ": show", onclick: () => only({ at: state.at === dotName(dot) ? "" : dotName(dot) }, at("tasks")),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); dot.dispatchEvent(new Event("click")); } } }, []);
  }

  if (rows.length) {
    taskTable.tBodies[0].addEventListener("click", (event) => {
      const row = event.target.closest("tr.task");
      if (!row || event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection())) return;
      event.preventDefault();
      // A square leads to its sample.
      let sample = "";
      const squares = event.target.closest(".samples svg");
      if (squares && squares.querySelector("path") && row.querySelectorAll(".samples").length === 1) {
        const box = squares.getBoundingClientRect();
        const columns = Math.min(10, Number(row.querySelector(".samples").dataset.value));
        const pitch = box.width / columns;
        const n = Math.min(columns - 1, Math.floor((event.clientX - box.left) / pitch)) + 10 * Math.floor((event.clientY - box.top) / pitch) + 1;
        if (n >= 1 && n <= Number(row.querySelector(".samples").dataset.value)) sample = String(n);
      }
      go({ task: taskIDs.get(row), sample });
    });
  }
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    at("tasks").focus();
    at("tasks").scrollIntoView();
  });
