/** The three-way alignment of I-measure: source, system and reference, a token or a gap in each column. */

import { element, spoken } from "./element";
import { splitTokens } from "./sentence";

interface Column {
  source: string | undefined;
  system: string | undefined;
  reference: string | undefined;
}

const ROWS = [
  ["Source", "source"],
  ["System", "system"],
  ["Reference", "reference"],
] as const;

/** Each digit is a sum: 1 if the source has a token in this column, 2 if the system has, 4 if the reference has. */
export function showColumns(source: string, system: string, reference: string, digits: string): HTMLElement {
  const texts = [source, system, reference].map((text) => splitTokens(text)[Symbol.iterator]());
  const columns = [...digits].map((digit): Column => {
    const take = (text: number): string | undefined => (Number(digit) & (1 << text) ? texts[text]?.next().value : undefined);
    return { source: take(0), system: take(1), reference: take(2) };
  });
  const rows = ROWS.map(([label, key]) => {
    const cells = columns.map((column) => element("td", {}, column[key] ?? element("span", { class: "gap" }, "·", spoken("gap"))));
    return element("tr", {}, element("th", { scope: "row" }, label), ...cells);
  });
  const classes = columns.map((column) => {
    const name = classify(column);
    return element("td", { class: `class ${name.toLowerCase()}` }, name);
  });
  rows.push(element("tr", {}, element("th", { scope: "row" }, "Class"), ...classes));
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Aligned columns" });
  scroll.append(element("table", { class: "columns" }, element("tbody", {}, ...rows)));
  return element("details", {}, element("summary", {}, "Aligned columns"), scroll);
}

/** The class for correction: Table 6 of Felice and Briscoe (2015). */
function classify({ source, system, reference }: Column): "TP" | "TN" | "FP" | "FN" | "FPN" {
  if (source === system) return source === reference ? "TN" : "FN";
  if (source === reference) return "FP";
  return system === reference ? "TP" : "FPN";
}
