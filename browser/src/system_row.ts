/** What systems made of a sentence: text with marked edits, values, counts. */

import { makeRow, type CardData } from "./card_data";
import { showColumns } from "./columns";
import type { Direction } from "./direction";
import { element, isolated, joined, type Child } from "./element";
import { asksForEdits, makeEditTest } from "./filter";
import { grouped } from "./grouped";
import { markText, type Mark } from "./marked";
import { formatCount, formatDifference, formatPercent } from "./numbers";
import { outcomeOf, outputOf, splitTokens, type SystemPart } from "./sentence";
import { labelOf } from "./summary";

/** Systems with the same text, edits and values share a row; the system that is asked for comes first. */
export function groupSystems({ sentence, position, view, summary, index }: CardData): number[][] {
  const shown = [...(view.shown ?? summary.systems.keys())];
  shown.sort((one, other) => Number(other === view.system) - Number(one === view.system));
  return grouped(shown, (system) => JSON.stringify([sentence.y?.[system], index.values.map((systems) => systems[system]?.[position])]));
}

export function makeSystemRow(data: CardData, group: number[], direction: Direction): HTMLElement {
  const { sentence, view, summary } = data;
  const system = group[0] ?? 0;
  const part = sentence.y?.[system] ?? {};
  const tokens = splitTokens(sentence.s);
  const isAsked = asksForEdits(view) && (view.system === undefined || group.includes(view.system));
  const isAskedEdit = makeEditTest(view, sentence);
  const marks = (part.e ?? []).map((edit): Mark => {
    const [, start, end, text, type] = edit;
    const texts = text.split("\n");
    return { kind: outcomeOf(edit), start, end, texts, type, asked: isAsked && isAskedEdit(edit) };
  });
  const names = joined(group.map((member) => isolated(summary.systems[member] ?? "")), ", ");
  const row = makeRow("system", names, direction, markText(tokens, marks, direction));
  row.dataset["systems"] = group.join(" ");
  if (view.system !== undefined && group.includes(view.system)) row.classList.add("asked");
  const body = row.lastElementChild;
  if (part.h !== undefined) body?.append(element("p", { class: "output", dir: direction }, element("span", { class: "label" }, "Output "), part.h));
  body?.append(makeFigures(data, group, part));
  if (part.x !== undefined) body?.append(showColumns(sentence.s, outputOf(sentence, part), ...part.x));
  if (part.g !== undefined) body?.append(showPicture(part.g, summary.systems[system] ?? "", sentence.n));
  return row;
}

/** Value with each metric, counts, and the reference that was chosen. */
function makeFigures({ position, view, summary, index }: CardData, group: number[], part: SystemPart): HTMLElement {
  const { baseline } = view;
  const system = group[0] ?? 0;
  const figures: Child[] = summary.metrics.map((metric, number) => {
    const values = index.values[number] ?? [];
    const value = values[system]?.[position] ?? NaN;
    const percent = (shown: number): string => formatPercent(shown, metric.digits);
    const difference = baseline === undefined || group.includes(baseline) ? NaN : value - (values[baseline]?.[position] ?? NaN);
    const change = Number.isNaN(difference) ? "" : ` (${formatDifference(difference, percent)})`;
    return element("span", { class: "figure", "data-metric": metric.name, "data-value": value }, isolated(labelOf(metric, summary)), ` ${percent(value)}${change}`);
  });
  if (part.k !== undefined && part.k.length > 0) {
    const counts = part.k.map((count, column) => `${summary.view.columns[column] ?? ""} ${formatCount(count)}`);
    figures.push(element("span", { class: "figure counts" }, counts.join(", ")));
  }
  if (part.c === "mixture" && summary.view.mixed) figures.push(element("span", { class: "figure" }, "against a mixture of annotators"));
  else if (part.c !== undefined && part.c !== null) figures.push(element("span", { class: "figure" }, "against annotator ", isolated(part.c)));
  return element("p", { class: "figures" }, ...joined(figures, " "));
}

function showPicture(svg: string, system: string, number: number): HTMLElement {
  const bytes = Array.from(new TextEncoder().encode(svg), (byte) => String.fromCharCode(byte));
  const source = `data:image/svg+xml;base64,${btoa(bytes.join(""))}`;
  const picture = element("img", { src: source, alt: `Picture of sentence ${number} of ${system}`, loading: "lazy" });
  return element("details", {}, element("summary", {}, "Picture"), element("div", { class: "picture scroll", tabindex: 0, role: "group", "aria-label": "Picture" }, picture));
}
