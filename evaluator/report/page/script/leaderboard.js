  // The page of several runs.

  // Its tables are saved with the bytes that the command line writes, and with all tasks.
  const files = JSON.parse(at("data").textContent);
  const types = { csv: "text/csv", json: "application/json", tex: "application/x-tex" };
  for (const place of all(".files")) {
    for (const name of place.dataset.files.split(" ")) {
      const text = typeof files[name] === "string" ? files[name] : JSON.stringify(files[name]) + "\n";
      place.append(make("button", { type: "button", onclick: () => save(name, types[name.split(".").pop()], text) }, "Save " + name));
    }
  }
  for (const figure of all("figure[data-save]")) tools(figure);

  // A table is sorted by the numbers or names of a column.
  for (const table of all("table:has([data-sort])")) {
    const body = table.tBodies[0];
    const names = all("tbody bdi", table).map((name) => name.textContent);
    const numbers = names.every((name) => name !== "" && !Number.isNaN(Number(name)));
    const valueOf = (row, key) => {
      if (key !== "0") return Number(row.cells[Number(key)].dataset.value);
      const name = row.querySelector("bdi").textContent;
      return numbers ? Number(name) : name;
    };
    const mark = sortable(table, (order) => {
      body.replaceChildren(...sorted(body.rows, order, valueOf));
      mark(order);
    });
  }
