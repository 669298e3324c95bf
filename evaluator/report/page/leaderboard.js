"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const files = JSON.parse(document.getElementById("data").textContent);
  const types = { csv: "text/csv", json: "application/json", tex: "application/x-tex", svg: "image/svg+xml" };

  // saves is a button that saves a file of this name, which text makes.
  function saves(name, text) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Save " + name;
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text()], { type: types[name.split(".").pop()] + ";charset=utf-8" }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
    return button;
  }
  for (const place of all(".saves")) {
    for (const name of place.dataset.files.split(" ")) {
      place.append(saves(name, () => (typeof files[name] === "string" ? files[name] : JSON.stringify(files[name]) + "\n")));
    }
  }

  // A chart is saved as it is for a wide screen, in the colours of paper: those that stand
  // in its style as what a variable is replaced by.
  const chartStyle = all("style")[1].textContent.replace(/var\(--[a-z-]+, (#[0-9a-f]+)\)/g, "$1");
  for (const figure of all("figure[data-chart]")) {
    const chart = figure.querySelector("svg");
    const place = document.createElement("p");
    place.className = "saves";
    place.append(saves(figure.dataset.chart + ".svg", () => {
      const copy = chart.cloneNode(true);
      const [, , width, height] = copy.getAttribute("viewBox").split(" ");
      copy.setAttribute("width", width);
      copy.setAttribute("height", height);
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = chartStyle;
      copy.prepend(style);
      return new XMLSerializer().serializeToString(copy);
    }));
    figure.append(place);
  }

  // A click on a heading sorts its table by it, the next the other way round, and the
  // third as it was.
  for (const table of all("table:has([data-sort])")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const headings = all("[data-sort]", table);
    for (const heading of headings) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      const value = (row) => {
        const cell = row.cells[heading.cellIndex];
        return heading.dataset.sort === "number" ? Number(cell.dataset.value) : cell.querySelector("bdi").textContent;
      };
      button.addEventListener("click", () => {
        const first = heading.dataset.first ? "descending" : "ascending";
        const second = heading.dataset.first ? "ascending" : "descending";
        const now = heading.ariaSort;
        const next = now === first ? second : now === second ? null : first;
        for (const other of headings) other.ariaSort = null;
        heading.ariaSort = next;
        const sign = next === "descending" ? -1 : 1;
        const compare = (a, b) => {
          const [x, y] = [value(a), value(b)];
          if (typeof x === "string") return sign * x.localeCompare(y, undefined, { numeric: true });
          return sign * (x - y);
        };
        body.replaceChildren(...(next ? [...rows].sort(compare) : rows));
      });
    }
  }
})();
