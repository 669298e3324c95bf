// Numbers for people.

export const count = (n: number, noun: string): string => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");

export const thousands = (n: number): string => n.toLocaleString("en");

// percent never rounds to 0 or 100 what is neither. No line breaks before its unit.
export function percent(share: number): string {
  const text = (100 * share).toFixed(1) + "\u00a0%";
  if (text === "100.0\u00a0%" && share < 1) return ">99.9\u00a0%";
  if (text === "0.0\u00a0%" && share > 0) return "<0.1\u00a0%";
  return text;
}

export const shareOf = (part: number, whole: number): string => (whole ? percent(part / whole) : "-");

// hundredths is a share in percent, or a difference in points. A zero has no sign.
export const hundredths = (share: number, digits = 1): string => (100 * share).toFixed(digits).replace(/^-(?=[0.]+$)/, "");

// points is a difference of shares in points, with its sign.
export const points = (by: number): string => (Number(hundredths(by)) > 0 ? "+" : "") + hundredths(by);

export const interval = (low: number, high: number): string => hundredths(low) + " to " + hundredths(high);

// chance is a probability as it stands after "p": not rounded to 0, and without an exponent.
export const chance = (p: number): string => (p < 0.0001 ? "<\u00a00.0001" : "=\u00a0" + p.toFixed(4));

// shortChance is a probability for a cell.
export function shortChance(p: number): string {
  if (p < 0.001) return "<.001";
  return p >= 0.9995 ? "1" : p.toFixed(3).slice(1);
}

export function bytes(n: number): string {
  if (n < 1000) return count(n, "byte");
  return n < 1e6 ? (n / 1e3).toFixed(1) + " kB" : (n / 1e6).toFixed(1) + " MB";
}

// sentence begins with a capital.
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
