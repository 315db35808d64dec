/** What a card is made of. */

import { element, type Child } from "./element";
import type { IndexArrays } from "./index_arrays";
import type { Sentence } from "./sentence";
import type { Summary } from "./summary";
import type { View } from "./view";

export interface CardData {
  sentence: Sentence;
  position: number;
  view: View;
  summary: Summary;
  index: IndexArrays;
}

/** A line of a card: who, and what they wrote. */
export function makeRow(kind: string, who: Child[], direction: string, text: Child[]): HTMLElement {
  const what = element("div", { class: "what" }, element("p", { class: "text", dir: direction }, ...text));
  return element("div", { class: `row ${kind}` }, element("div", { class: "who" }, ...who), what);
}
