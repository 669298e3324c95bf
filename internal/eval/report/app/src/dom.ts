// Elements. What models and tasks' authors wrote becomes text nodes and attributes;
// nothing is parsed as HTML.

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;

// fill sets attributes, listens to events (onclick), and appends children.
export function fill<E extends Element>(element: E, attributes: Attributes, ...children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

export const make = <K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] =>
  fill(document.createElement(tag), attributes, ...children);

export const draw = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, ...children);

export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E[] => [...within.querySelectorAll<E>(selector)];

// card is a section with a heading.
export const card = (heading: Child, attributes: Attributes, ...children: Child[]): HTMLElement =>
  make("section", { class: "card", ...attributes }, make("h2", {}, heading), ...children);

// scroller is a box that scrolls by itself, also by the keyboard.
export const scroller = (label: string, kind: string, ...children: Child[]): HTMLElement =>
  make("div", { class: "scroll " + kind, tabindex: "0", role: "region", "aria-label": label }, ...children);

export const bdi = (text: string): HTMLElement => make("bdi", {}, text);

// nameOf is a run's name, which breaks after "/" and not within an option such as "--fix".
export const nameOf = (text: string): HTMLElement => make("bdi", {}, ...text.split(/(?<=\/)|(?=\s)/).flatMap((part, i): Child[] => (
  /^\s-/.test(part) && part.length < 24 ? [part[0], make("span", { class: "whole" }, part.slice(1))] : [i ? make("wbr") : null, part])));
