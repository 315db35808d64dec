/** Two systems: how many errors of each type one corrects and the other does not, with links to the sentences. */

import { element, isolated, type Child } from "./element";
import { formatCount } from "./numbers";
import type { Summary } from "./summary";
import { makeSortable } from "./tables";
import { wholeView, writeView } from "./view";

export function showPair(summary: Summary): void {
  const place = document.getElementById("pair");
  const { systems, exclusive } = summary;
  if (place === null || systems.length < 2 || Object.keys(exclusive).length === 0) return;
  const [best = 0, next = 1] = listBest();
  const choices = [best, next].map((chosen) => {
    const field = element("select", {}, ...systems.map((name, value) => element("option", { value }, name)));
    field.selectedIndex = chosen;
    return field;
  });
  const form = element("p", { class: "choice" });
  choices.forEach((field, number) => form.append(element("label", {}, element("span", {}, number === 0 ? "One system " : "Another system "), field), " "));
  const table = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "What one of two systems corrects and the other does not" });
  const show = (): void => {
    const [one = 0, other = 0] = choices.map((field) => field.selectedIndex);
    table.replaceChildren(one === other ? element("p", {}, "Choose two different systems.") : makeTable(summary, one, other));
  };
  form.addEventListener("change", show);
  show();
  place.append(element("h3", {}, "What one corrects and the other does not"), form, table);
}

/** The best two systems stand first in the scores. */
function listBest(): number[] {
  const names = document.querySelectorAll<HTMLElement>("#leaderboard th.system[data-system]");
  return [...new Set([...names].map((name) => Number(name.dataset["system"])))].slice(0, 2);
}

function makeTable(summary: Summary, one: number, other: number): HTMLTableElement {
  const names = [one, other].map((system) => isolated(summary.systems[system] ?? ""));
  const count = (type: string, system: number, rival: number): number => summary.exclusive[type]?.[system]?.[rival] ?? 0;
  const types = Object.keys(summary.exclusive).filter((type) => count(type, one, other) + count(type, other, one) > 0);
  types.sort((first, second) => count(second, one, other) + count(second, other, one) - count(first, one, other) - count(first, other, one));
  const sum = (system: number, rival: number): number => types.reduce((total, type) => total + count(type, system, rival), 0);
  const cell = (number: number, system: number, rival: number, type: string | undefined): HTMLElement => {
    const address = writeView({ ...wholeView(), system, outcomes: ["right"], types: type === undefined ? [] : [type], without: rival }, summary);
    const shown: Child = number === 0 ? "0" : element("a", { href: `#sentences?${address}` }, formatCount(number));
    return element("td", { class: "number", "data-value": number }, shown);
  };
  const row = (label: string, type: string | undefined, counts: number[]): HTMLElement => {
    const [ours = 0, theirs = 0] = counts;
    return element("tr", {}, element("th", { scope: "row" }, isolated(label)), cell(ours, one, other, type), cell(theirs, other, one, type));
  };
  const heads = names.map((name) => element("th", { scope: "col", "data-sort": "number" }, "only ", name));
  const table = element(
    "table",
    { class: "sortable" },
    element("caption", {}, "Right edits that the other system does not have. A number links to the sentences."),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", "data-sort": "text" }, "Type"), ...heads)),
    element("tbody", {}, ...types.map((type) => row(type || "no type", type, [count(type, one, other), count(type, other, one)]))),
    element("tfoot", {}, row("All types", undefined, [sum(one, other), sum(other, one)])),
  );
  makeSortable(table);
  return table;
}
