/** Two systems: how many errors of each type one corrects and the other does not, and what only one gets wrong, with links to the sentences. */

import { element, isolated, type Child } from "./element";
import { formatCount } from "./numbers";
import type { PairCounts, Summary } from "./summary";
import { makeSortable } from "./tables";
import { wholeView, writeView } from "./view";

export function showPair(summary: Summary): void {
  const place = document.getElementById("pair");
  const { systems, exclusive } = summary;
  if (place === null || systems.length < 2 || Object.values(exclusive).every((counts: PairCounts) => Object.keys(counts).length === 0)) return;
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

/** A column: the edits with an outcome that a system has and its rival does not. */
interface PairColumn {
  outcome: "right" | "wrong";
  system: number;
  rival: number;
}

function makeTable(summary: Summary, one: number, other: number): HTMLTableElement {
  const outcomes = ["right", "wrong"] as const;
  const columns = outcomes.flatMap((outcome): PairColumn[] => [
    { outcome, system: one, rival: other },
    { outcome, system: other, rival: one },
  ]);
  const count = (type: string, { outcome, system, rival }: PairColumn): number => summary.exclusive[outcome]?.[type]?.[system]?.[rival] ?? 0;
  const all = (type: string): number => columns.reduce((total, column) => total + count(type, column), 0);
  const types = [...new Set(outcomes.flatMap((outcome) => Object.keys(summary.exclusive[outcome] ?? {})))].filter((type) => all(type) > 0);
  types.sort((first, second) => all(second) - all(first));
  const cell = (number: number, { outcome, system, rival }: PairColumn, asked: string[]): HTMLElement => {
    const address = writeView({ ...wholeView(), system, outcomes: [outcome], types: asked, without: rival, shown: [system, rival] }, summary);
    const shown: Child = number === 0 ? "0" : element("a", { href: `#sentences?${address}` }, formatCount(number));
    return element("td", { class: "number", "data-value": number }, shown);
  };
  const row = (label: string, asked: string[]): HTMLElement => {
    const cells = columns.map((column) => cell((asked.length === 0 ? types : asked).reduce((sum, type) => sum + count(type, column), 0), column, asked));
    return element("tr", {}, element("th", { scope: "row" }, isolated(label)), ...cells);
  };
  const heads = columns.map(({ outcome, system }) =>
    element("th", { scope: "col", "data-sort": "number" }, outcome === "right" ? "Right, only " : "Wrong, only ", isolated(summary.systems[system] ?? "")),
  );
  const table = element(
    "table",
    { class: "sortable" },
    element("caption", {}, `${outcomes.length > 1 ? "Edits" : "Right edits"} that the other system does not have. A number links to the sentences.`),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", "data-sort": "text" }, "Type"), ...heads)),
    element("tbody", {}, ...types.map((type) => row(type || "no type", [type]))),
    element("tfoot", {}, row("All types", [])),
  );
  makeSortable(table);
  return table;
}
