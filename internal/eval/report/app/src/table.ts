// Tables of data: their columns, their order, and what of them is saved.

import { all, make, type Child } from "./dom";
import { tablePicture, csv, json, saves, type Records } from "./save";

// A Column shows one thing of each row.
export interface Column<R> {
  name: string; // the heading, and the name in files
  key?: string; // what the address calls the order by this column; "" of one that does not sort
  first?: "-"; // the largest come first
  class?: string;
  title?: string;
  // value is what is saved, exact, and sorted by; null where there is none.
  value(row: R): string | number | null;
  // bounds are the ends of the value's interval, saved beside it.
  bounds?(row: R): [number | null, number | null];
  cell?(row: R): Child | Child[]; // what is shown; else the value
  chart?: boolean; // nothing to save
  head?(): Child[]; // what the heading shows; else the name
  attributes?(row: R): Record<string, string | null>; // of the cell
}

// records are a table's exact numbers. Columns of charts have none.
export function records<R>(columns: Column<R>[], rows: R[]): Records {
  const saved: { name: string; value(row: R): string | number | null }[] = [];
  for (const column of columns) {
    if (column.chart) continue;
    saved.push({ name: column.name, value: (row) => column.value(row) });
    const bounds = column.bounds?.bind(column);
    if (bounds && rows.some((row) => bounds(row)[0] !== null)) {
      saved.push({ name: column.name + " low", value: (row) => bounds(row)[0] }, { name: column.name + " high", value: (row) => bounds(row)[1] });
    }
  }
  return { columns: saved.map((column) => column.name), rows: rows.map((row) => saved.map((column) => column.value(row))) };
}

// sorted orders rows by keys, one after the other; "-" before a key puts the largest
// first. What has no value comes last.
export function sorted<R>(rows: readonly R[], order: string, valueOf: (row: R, key: string) => string | number | null): R[] {
  const keys = order.split(" ").filter(Boolean).map((key): [string, number] => [key.replace(/^-/, ""), key.startsWith("-") ? -1 : 1]);
  return [...rows].sort((a, b) => {
    for (const [key, sign] of keys) {
      const [x, y] = [valueOf(a, key), valueOf(b, key)];
      if (x === y) continue;
      if (x === null || y === null) return x === null ? 1 : -1;
      return (x < y ? -1 : 1) * sign;
    }
    return 0;
  });
}

// byColumns sorts by the values of columns that have a key.
export const byColumns = <R>(columns: Column<R>[], others: Record<string, (row: R) => string | number | null> = {}) =>
  (row: R, key: string): string | number | null => {
    const column = columns.find((column) => column.key === key);
    return column ? column.value(row) : others[key]?.(row) ?? null;
  };

// A Heads is a table's head, whose buttons order it.
export interface Heads { row: HTMLTableRowElement; show(order: string): void }

// heads makes the headings. sort is called with the key that is then the first.
export function heads<R>(columns: Column<R>[], sort?: (key: string) => void): Heads {
  let now = "";
  const row = make("tr", {}, ...columns.map((column) => {
    const content = column.head ? column.head() : [column.name];
    const { key } = column;
    const shown: Child[] = sort && key ? [make("button", { type: "button", class: "sort", onclick: () => {
      const first = (column.first ?? "") + key;
      sort(now.replace(/^-/, "") !== key ? first : now.startsWith("-") ? key : "-" + key);
    } }, ...content)] : content;
    return make("th", { scope: "col", class: column.class ?? null, "data-sort": sort && key ? key : null, title: column.title ?? null }, ...shown);
  }));
  return {
    row,
    show(order) {
      now = order.split(" ")[0];
      for (const head of all("th[data-sort]", row)) {
        if (head.dataset.sort === now.replace(/^-/, "")) head.setAttribute("aria-sort", now.startsWith("-") ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
    },
  };
}

// cells are a row's cells, the first of which is its heading.
export const cells = <R>(columns: Column<R>[], row: R): HTMLTableCellElement[] => columns.map((column, i) => {
  const shown = column.cell ? column.cell(row) : String(column.value(row) ?? "");
  return make(i ? "td" : "th", { scope: i ? null : "row", class: column.class ?? null, ...column.attributes?.(row) }, ...(Array.isArray(shown) ? shown : [shown]));
});

// plainTable is a table that does not change.
export const plainTable = <R>(kind: string, columns: Column<R>[], rows: R[], rowClass?: (row: R) => string): HTMLTableElement =>
  make("table", { class: kind }, make("thead", {}, heads(columns).row),
    make("tbody", {}, ...rows.map((row) => make("tr", { class: rowClass?.(row) || null }, ...cells(columns, row)))));

// sortedTable is a table whose headings order it; at first its rows are in their order. Of all rows it
// shows the first in that order, as many as most.
export function sortedTable<R>(kind: string, columns: Column<R>[], rows: R[], most = rows.length): HTMLTableElement {
  const body = make("tbody");
  const elements = new Map<R, HTMLTableRowElement>();
  const show = (ordered: R[]): void => body.replaceChildren(...ordered.slice(0, most).map((row) => {
    const element = elements.get(row) ?? make("tr", {}, ...cells(columns, row));
    elements.set(row, element);
    return element;
  }));
  const head = heads(columns, (key) => {
    show(sorted(rows, key, byColumns(columns)));
    head.show(key);
  });
  show(rows);
  return make("table", { class: kind }, make("thead", {}, head.row), body);
}

// tableSaves are the buttons that save a table.
export function tableSaves(name: string, of: () => Records, table?: HTMLElement): HTMLElement {
  const formats: Record<string, () => string> = { csv: () => csv(of()), json: () => json(of()) };
  if (table) formats.svg = () => tablePicture(table);
  return saves(name, formats);
}
