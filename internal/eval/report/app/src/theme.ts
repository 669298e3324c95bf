// The theme: that of the system, or the one chosen here. Colours in the style follow
// color-scheme, which follows the root's data-theme.

import { make } from "./dom";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "codelinter-theme";

function kept(): Theme {
  try {
    const theme = localStorage.getItem(key);
    return themes.find((one) => one === theme) ?? "auto";
  } catch {
    return "auto"; // a page from a disk may not keep anything
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// themeSwitch is a button that goes through the themes.
export function themeSwitch(): HTMLElement {
  let theme = kept();
  apply(theme);
  const signs = { auto: "◐", light: "☀", dark: "☾" };
  const button = make("button", { type: "button", class: "theme" });
  const show = (): void => {
    button.textContent = signs[theme] + " " + theme;
    button.setAttribute("aria-label", "Theme: " + theme);
    button.title = "Colours: " + (theme === "auto" ? "those of the system" : theme);
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem(key, theme); } catch { /* not kept */ }
    apply(theme);
    show();
  });
  show();
  return button;
}
