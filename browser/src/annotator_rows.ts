/** What annotators corrected in a sentence. */

import { makeRow, type CardData } from "./card_data";
import type { Direction } from "./direction";
import { element, isolated, joined, type Child } from "./element";
import { grouped } from "./grouped";
import { markText, type Mark } from "./marked";
import { splitTokens } from "./sentence";

/** Annotators who corrected the same share a row; the chosen are marked. */
export function makeAnnotatorRows({ sentence, view, summary }: CardData, direction: Direction): HTMLElement[] {
  const shown = view.shown ?? [...summary.systems.keys()];
  const tokens = splitTokens(sentence.s);
  if ((sentence.a ?? []).length === 0) return [showUnchanged("Annotators", direction, sentence.s)];
  return grouped(sentence.a ?? [], ([, edits]) => JSON.stringify(edits)).map((annotators) => {
    const labels = annotators.map(([label]) => label);
    const marks = (annotators[0]?.[1] ?? []).map(([start, end, type, texts]): Mark => ({ kind: "gold", start, end, texts, type, guessed: false, asked: false }));
    const who: Child[] = [`Annotator${labels.length > 1 ? "s" : ""} `, ...joined(labels.map(isolated), ", ")];
    const row = makeRow("annotator", who, direction, markText(tokens, marks, direction));
    const choosing = shown.filter((system) => labels.includes(sentence.y?.[system]?.c ?? ""));
    if (marks.length === 0) row.lastElementChild?.append(element("p", { class: "figures" }, "no edits"));
    if (choosing.length > 0) {
      const whom = choosing.length === shown.length ? ["all systems"] : joined(choosing.map((system) => isolated(summary.systems[system] ?? "")), ", ");
      row.classList.add("chosen");
      row.lastElementChild?.append(element("p", { class: "figures" }, element("span", {}, "✓ chosen for ", ...(shown.length === 1 ? ["this system"] : whom))));
    }
    return row;
  });
}

function showUnchanged(who: string, direction: string, text: string): HTMLElement {
  const row = makeRow("annotator", [who], direction, [text]);
  row.lastElementChild?.append(element("p", { class: "figures" }, "no edits"));
  return row;
}
