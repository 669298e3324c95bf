// The page of a report: of one run, of two runs with their tasks, or of many.

import { make, type Child } from "./dom";
import { readRows, type PageData, type Row } from "./data";
import { nameCodes } from "./marks";
import { boardPage, pairPage, runPage } from "./pages";
import { taskView } from "./task";
import { address, TaskList } from "./tasks";
import { themeSwitch } from "./theme";

const text = (id: string): string => document.getElementById(id)?.textContent ?? "";

function footer(data: PageData, keys: boolean): HTMLElement {
  const key = (name: string): HTMLElement => make("kbd", {}, name);
  return make("footer", {}, make("p", {}, "Made by codelinter " + data.version + ". The official verdict is that of " + data.reference + " with its defaults, or with a task's own options."),
    keys ? make("p", { class: "keys" }, "Keys: ", key("/"), " finds, ", key("n"), " and ", key("p"), " go to the next and previous task, ", key("Enter"), " opens it, arrows show other samples, ", key("Esc"), " goes back.") : null);
}

const skipTo = (name: string, target: () => HTMLElement | null): HTMLElement => make("a", { class: "skip", href: "#" + name, onclick: (event: Event) => {
  event.preventDefault();
  target()?.focus();
  target()?.scrollIntoView();
} }, "Skip to the " + name);

const shown = (children: Child[]): (Node | string)[] => children.filter((child): child is Node | string => Boolean(child));

// tasksPage is a page with tasks: the sections above them, the list, and the view of one.
function tasksPage(data: PageData, list: TaskList, above: Child[], runNames: string[]): void {
  const main = make("main", { id: "run" }, ...above, list.section, footer(data, true));
  const view = make("main", { id: "task", hidden: true, tabindex: "-1" });
  const skip = skipTo("tasks", () => list.section);
  document.body.append(skip, themeSwitch(), main, view);
  const byID = new Map(list.rows.map((row) => [row.id, row]));
  let from: Row | undefined; // the row a task was opened from
  const route = (): void => {
    list.read();
    const row = list.state.task ? byID.get(list.state.task) : undefined;
    main.hidden = Boolean(row);
    view.hidden = !row;
    skip.hidden = Boolean(row);
    if (row) {
      from = row;
      taskView(view, row, list, data.title, runNames);
      window.scrollTo(0, 0);
      view.focus({ preventScroll: true });
      return;
    }
    document.title = data.title;
    view.replaceChildren();
    list.goTo(from);
    from = undefined;
  };
  window.addEventListener("hashchange", route);
  document.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (event.key === "/" && !main.hidden) { event.preventDefault(); list.focusFind(); }
    if (event.key === "n" || event.key === "p") {
      if (view.hidden) list.step(event.key === "n" ? 1 : -1);
      else view.querySelectorAll<HTMLButtonElement>(".bar-top button")[event.key === "n" ? 1 : 0].click();
    }
    if (view.hidden && event.key === "Escape" && list.clear()) event.preventDefault();
    if (view.hidden) return;
    if (event.key === "Escape") location.hash = address({ ...list.state, task: "", sample: "" });
    // The arrows are those of the first run's samples, wherever the focus is but in
    // a listing, which they scroll.
    const arrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const chosen = view.querySelector('.picks [aria-selected="true"]');
    if (arrow && chosen && !event.shiftKey && !event.defaultPrevented && !target.closest("[tabindex='0']")) {
      event.preventDefault();
      ((event.key === "ArrowLeft" ? chosen.previousElementSibling : chosen.nextElementSibling) as HTMLElement | null)?.click();
    }
  });
  route();
}

function start(): void {
  const data = JSON.parse(text("data")) as PageData;
  const { run, pair, board } = data;
  nameCodes(run?.codes ?? pair?.codes ?? board?.codes ?? []);
  if (board) {
    document.body.className = "board";
    const main = make("main", {}, ...shown(boardPage(board)), footer(data, false));
    document.body.append(skipTo("scores", () => document.getElementById("scores")), themeSwitch(), main);
    return;
  }
  const rows = readRows(text("lines"));
  if (pair) {
    document.body.className = "pair";
    const list = new TaskList(rows, pair.verdicts.map((verdict) => verdict.name), true);
    tasksPage(data, list, shown(pairPage(pair, list)), pair.names);
  } else if (run) {
    const list = new TaskList(rows, run.verdicts.map((verdict) => verdict.name), false);
    tasksPage(data, list, shown(runPage(run, list)), []);
  }
}

start();
