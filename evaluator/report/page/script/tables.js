
  // Tables and charts: their order, and what of them can be saved as files.

  // orders are the keys by which a table is sorted, one after the other; "-" before a
  // key puts the largest first. What has no value comes last.
  function sorted(rows, orders, valueOf) {
    const keys = orders.split(" ").filter(Boolean).map((key) => [key.replace("-", ""), key.startsWith("-") ? -1 : 1]);
    return [...rows].sort((a, b) => {
      for (const [key, sign] of keys) {
        const [x, y] = [valueOf(a, key), valueOf(b, key)];
        if (x === y || Number.isNaN(x) && Number.isNaN(y)) continue;
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
        return (x < y ? -1 : 1) * sign;
      }
      return 0;
    });
  }

  // sortable makes buttons of a table's headings, which call sort with the key that is
  // then the first. The function that it returns shows which that is.
  function sortable(table, sort) {
    const headings = all("th[data-sort]", table);
    const key = (heading) => heading.dataset.sort;
    let now = "";
    for (const heading of headings) {
      const text = heading.querySelector(".sort");
      text.replaceWith(make("button", { type: "button", class: "sort", onclick: () => {
        const first = (heading.dataset.first || "") + key(heading);
        sort(now.replace("-", "") !== key(heading) ? first : now.startsWith("-") ? key(heading) : "-" + key(heading));
      } }, text.textContent));
    }
    return (order) => {
      now = order.split(" ")[0];
      for (const heading of headings) {
        if (key(heading) === now.replace("-", "")) heading.setAttribute("aria-sort", now.startsWith("-") ? "descending" : "ascending");
        else heading.removeAttribute("aria-sort");
      }
    };
  }

  // A table is saved with the exact numbers, in the order shown. Those whose rows are
  // not just those of their body say here what their records are.
  const recordsOf = new Map();
  const taskIDs = new Map(); // by the tasks' rows

  function tableRecords(table, rows = [...table.tBodies[0].rows]) {
    const columns = [];
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      if (head.classList.contains("chart")) return;
      const name = head.dataset.key || head.textContent.trim();
      const cells = rows.map((row) => row.cells[i]);
      columns.push([name, cells.map((cell, at) => {
        if (!cell) return null;
        if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
        if (i === 0 && taskIDs.has(rows[at])) return taskIDs.get(rows[at]);
        const text = cell.textContent.trim();
        if (!cell.classList.contains("n")) return text;
        return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
      })]);
      for (const bound of ["low", "high"]) {
        if (cells.some((cell) => cell && cell.dataset[bound] !== undefined)) {
          columns.push([name + " " + bound, cells.map((cell) => (cell && cell.dataset[bound] !== undefined ? Number(cell.dataset[bound]) : null))]);
        }
      }
    });
    return { columns: columns.map(([name]) => name), rows: rows.map((_, at) => columns.map(([, values]) => values[at])) };
  }

  const formats = {
    csv: { type: "text/csv", write: ({ columns, rows }) => {
      const field = (value) => {
        const text = value === null ? "" : String(value);
        return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
      };
      return [columns, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
    } },
    json: { type: "application/json", write: ({ columns, rows }) =>
      JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value]))), null, 1) + "\n" },
  };

  // A chart is saved in the colours of paper, whatever those of the screen, with all
  // that the page's style says of it in attributes, which every program that reads SVG
  // understands.
  const drawnProperties = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "font-size", "font-weight", "text-anchor"];
  const textElements = new Set(["text", "g", "svg"]);
  function onPaper(chart) {
    const copy = chart.cloneNode(true);
    const copies = [copy, ...all("*", copy)];
    [chart, ...all("*", chart)].forEach((element, i) => {
      const style = getComputedStyle(element);
      for (const name of [...copies[i].attributes].map((attribute) => attribute.name)) {
        if (name === "class" || name === "role" || name.startsWith("data-") || name.startsWith("aria-")) copies[i].removeAttribute(name);
      }
      if (element.tagName === "title") return;
      for (const property of drawnProperties) {
        const text = property.startsWith("font") || property === "text-anchor";
        if (text ? textElements.has(element.tagName) : element.tagName !== "svg") copies[i].setAttribute(property, style.getPropertyValue(property));
      }
    });
    return copy;
  }
  function paper(made) {
    const root = document.documentElement;
    root.classList.add("paper");
    try { return new XMLSerializer().serializeToString(made()); } finally { root.classList.remove("paper"); }
  }
  const fonts = "Helvetica, Arial, sans-serif";
  const sheet = (width, height) => draw("svg", { viewBox: "0 0 " + width + " " + height, width, height, "font-family": fonts });

  function figurePicture(figure) {
    const chart = onPaper(figure.querySelector("svg"));
    const [, , width, height] = chart.getAttribute("viewBox").split(" ");
    fill(chart, { width, height, "font-family": fonts }, []);
    return chart;
  }

  // tablePicture draws a table as it is on the screen: its texts, its charts, and the
  // grounds of its cells. What its section says of colours stands above it.
  function tablePicture(table) {
    const box = table.getBoundingClientRect();
    const keys = all(".legend .key", table.closest("section"));
    const frame = { left: box.left, top: box.top - (keys.length ? 28 : 0) };
    const place = (box) => ({ x: (box.left - frame.left).toFixed(1), y: (box.top - frame.top).toFixed(1), width: box.width.toFixed(1), height: box.height.toFixed(1) });
    const out = sheet(Math.ceil(box.width), Math.ceil(box.bottom - frame.top));
    keys.forEach((key, i) => out.append(
      draw("rect", { x: 8 + 110 * i, y: 5, width: 11, height: 11, fill: getComputedStyle(key).backgroundColor }),
      draw("text", { x: 25 + 110 * i, y: 15, fill: getComputedStyle(key.parentElement).color, "font-size": "13px" }, key.nextSibling.textContent.trim())));
    for (const cell of all("th, td", table)) {
      const box = cell.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      const ground = getComputedStyle(cell).backgroundColor;
      if (!/^rgba\(.*, 0\)$|^transparent$/.test(ground)) out.append(draw("rect", { ...place(box), fill: ground }));
      for (const chart of all("svg", cell)) out.append(fill(onPaper(chart), place(chart.getBoundingClientRect()), []));
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const right = /right|end/.test(getComputedStyle(cell).textAlign); // as in columns of numbers, whatever the font
      for (let node; (node = texts.nextNode());) {
        const parent = node.parentElement;
        if (parent.closest("svg, .hidden")) continue;
        const style = getComputedStyle(parent);
        let line = null; // words of one line are one text
        for (const word of node.data.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const where = range.getBoundingClientRect();
          if (!where.width) continue;
          if (line && Math.abs(line.top - where.top) < 2) {
            line.text.append(" " + word[0]);
            if (right) line.text.setAttribute("x", (where.right - frame.left).toFixed(1));
          } else {
            line = { top: where.top, text: draw("text", {
              x: ((right ? where.right : where.left) - frame.left).toFixed(1), "text-anchor": right ? "end" : "start", y: (where.bottom - frame.top - 0.24 * where.height).toFixed(1),
              fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight,
            }, word[0]) };
            out.append(line.text);
          }
        }
      }
    }
    return out;
  }

  function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
    const link = make("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  function saves(element) {
    const name = element.dataset.name;
    const buttons = element.dataset.save.split(" ").map((format) => make("button", { type: "button", "aria-label": "Save " + name + " as " + format.toUpperCase(), onclick: () => {
      const text = format !== "svg" ? formats[format].write((recordsOf.get(element) || (() => tableRecords(element)))())
        : paper(() => (element.tagName === "TABLE" ? tablePicture(element) : figurePicture(element)));
      save(name.replaceAll(" ", "-") + "." + format, format === "svg" ? "image/svg+xml" : formats[format].type, text);
    } }, format.toUpperCase()));
    return make("span", { class: "saves" }, "Save ", ...buttons);
  }
  // tools stand above a table; those of a chart and of the scores are below it.
  function tools(element, ...others) {
    const bar = make("div", { class: "tools" }, ...others, element.dataset.save ? saves(element) : null);
    const holder = element.closest(".scroll, .sheet");
    if (!holder) element.append(bar);
    else if (element.closest(".hero")) holder.after(bar);
    else holder.before(bar);
  }

  // choose is a group of buttons of which one is chosen.
  function choose(label, choices, chosen, change) {
    const buttons = Object.entries(choices).map(([value, text]) => make("button", { type: "button", "aria-pressed": String(value === chosen), onclick: (event) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      change(value);
    } }, text));
    return make("span", { class: "choose", role: "group", "aria-label": label }, ...buttons);
  }

  // The findings by code, in families that open or one by one, each bar as long as its
  // counts or as all others.
  function codesTable(table) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const families = rows.filter((row) => row.classList.contains("family"));
    const codes = rows.filter((row) => row.classList.contains("code"));
    const parts = new Map(rows.map((row) => [row, row.dataset.parts.split(" ").map(Number)]));
    const sum = (row) => parts.get(row).reduce((a, b) => a + b, 0);
    const keys = all("th", table).map((head) => head.dataset.sort);
    const valueOf = (row, key) => {
      if (key === "code") return row.dataset.family + row.cells[0].textContent;
      if (key === "sum") return sum(row);
      const value = row.cells[keys.indexOf(key)].dataset.value;
      return value === undefined ? NaN : Number(value);
    };
    const stacked = !rows.some((row) => row.querySelectorAll("svg").length > 1);
    const open = new Set();
    let [by, scale, order] = ["family", "counts", "-sum"];
    const mark = sortable(table, (chosen) => { order = chosen; show(); });
    const folds = new Map(families.map((row) => {
      const members = codes.filter((code) => code.dataset.family === row.dataset.family);
      const button = make("button", { type: "button", class: "fold", "aria-expanded": "false", title: count(members.length, "code"), onclick: () => {
        if (!open.delete(row)) open.add(row);
        button.setAttribute("aria-expanded", String(open.has(row)));
        show();
      } }, row.dataset.family);
      row.querySelector(".fold").replaceWith(button);
      return [row, members];
    }));
    function show() {
      const list = by === "code" ? sorted(codes, order, valueOf)
        : sorted(families, order, valueOf).flatMap((row) => [row, ...(open.has(row) ? sorted(folds.get(row), order, valueOf) : [])]);
      body.replaceChildren(...list);
      const largest = Math.max(...(by === "code" ? codes : families).map((row) => (stacked ? sum(row) : Math.max(...parts.get(row)))), 1e-9);
      for (const row of list) {
        const whole = (stacked && scale === "shares" ? sum(row) : largest) / 100;
        let x = 0;
        all("rect", row).forEach((bar, i) => {
          const width = parts.get(row)[i] / whole;
          fill(bar, { x: x.toFixed(2) + "%", width: width.toFixed(2) + "%" }, []);
          if (stacked) x += width;
        });
      }
      mark(order);
    }
    recordsOf.set(table, () => tableRecords(table, sorted(codes, order, valueOf)));
    tools(table, choose("Rows", { family: "Families", code: "Codes" }, by, (value) => { by = value; show(); }),
      stacked ? choose("Bars", { counts: "Counts", shares: "100 %" }, scale, (value) => { scale = value; show(); }) : null);
    show();
  }

  // The matrix of codes given by codes introduced: those with the most answers, or all.
  function matrixTable(section) {
    const { answers, cells } = JSON.parse(section.querySelector("script").textContent);
    section.hidden = !cells.length;
    if (!cells.length) return;
    const found = new Map(cells.map(([given, introduced, n]) => [given + " " + introduced, n]));
    const ranked = (of) => {
      const sums = new Map();
      for (const cell of cells) sums.set(cell[of], (sums.get(cell[of]) || 0) + cell[2]);
      return [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a) || (a < b ? -1 : 1));
    };
    const [given, introduced] = [ranked(0), ranked(1)];
    const table = make("table", { class: "matrix", "data-name": "introduced by given", "data-save": "csv json svg" });
    const holder = make("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Codes introduced, by codes given" }, table);
    section.append(holder);
    const [most, wide] = [16, Math.max(3, Math.min(12, Math.floor((window.innerWidth - 200) / 46)))];
    function show(whole) {
      const [rows, columns] = whole ? [given, introduced] : [given.slice(0, most), introduced.slice(0, wide)];
      table.replaceChildren(
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "given"), make("th", { scope: "col", class: "n" }, "answers"),
          ...columns.map((code) => make("th", { scope: "col", class: "n" }, code)))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row), make("td", { class: "n soft" }, String(answers[row])),
          ...columns.map((column) => {
            const n = found.get(row + " " + column) || 0;
            const share = n / answers[row];
            return make("td", { class: "n heat" + (n ? Math.min(6, Math.ceil(share * 12)) : 0), title: n ? n + " of " + count(answers[row], "answer") + " to programs with " + row + " introduce " + column : null },
              n ? (100 * share < 0.95 ? "<1" : (100 * share).toFixed(0)) : "·");
          })))));
    }
    recordsOf.set(table, () => ({
      columns: ["given", "introduced", "answers", "of"],
      rows: cells.map(([row, column, n]) => [row, column, n, answers[row]]),
    }));
    tools(table, given.length > most || introduced.length > wide ? choose("Codes", { most: "Most", all: given.length + " × " + introduced.length }, "most", (value) => show(value === "all")) : null);
    show(false);
  }
