
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
  // step goes to the next task or the one before it: in the list to its row, in the view
  // of a task to its view.
  function step(by) {
    if (!at("task").hidden) {
      const button = at("task").querySelectorAll(".bar-top button")[by > 0 ? 1 : 0];
      if (!button.disabled) button.click();
      return;
    }
    const now = shown.indexOf(document.activeElement.closest("tr.task"));
    const next = shown[now < 0 ? (by > 0 ? 0 : shown.length - 1) : now + by];
    if (!next) return;
    limit = Math.max(limit, shown.indexOf(next) + 1);
    reveal();
    next.querySelector("a").focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "/" && !at("run").hidden) { event.preventDefault(); controls.find.focus(); }
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
    if (at("task").hidden) return;
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
  for (const table of all("table.codes")) codesTable(table);
  if (at("matrix")) matrixTable(at("matrix"));
  for (const element of all("[data-save]:not(.codes, .matrix)")) tools(element);
  route();
  if (at("gallery")) gallery(at("gallery"));
  taskTable.classList.remove("early");
