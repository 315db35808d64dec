/** One sentence: the source once, below it what each system made of it, then what the annotators corrected. */

import { makeAnnotatorRows } from "./annotator_rows";
import { makeRow, type CardData } from "./card_data";
import { joinCharacters } from "./characters";
import { directionOf } from "./direction";
import { element, isolated } from "./element";
import { formatCount, pluralise } from "./numbers";
import { groupSystems, makeSystemRow } from "./system_row";
import { writeView } from "./view";

export function makeCard(data: CardData): HTMLElement {
  const { sentence, position, view, summary, index } = data;
  const title = `sentence-${sentence.n}`;
  const address = `#sentences?${writeView({ ...view, at: sentence.n }, summary)}`;
  const facts = [pluralise(index.lengths[position] ?? 0, "token")];
  const outputs = index.outputs[position] ?? 0;
  if (summary.systems.length > 1) facts.push(outputs === 1 ? "all outputs are equal" : pluralise(outputs, "different output"));
  const heading = element("header", {}, element("h3", { id: title }, element("a", { href: address }, `Sentence ${formatCount(sentence.n)}`)));
  if (sentence.d !== undefined) heading.append(element("span", { class: "document" }, isolated(sentence.d)));
  heading.append(element("span", { class: "facts" }, facts.join(" · ")));
  const direction = directionOf(sentence.s);
  const rows = [makeRow("source", ["Source"], direction, [sentence.s === "" ? element("em", {}, "empty") : sentence.s])];
  rows.push(...groupSystems(data).map((group) => makeSystemRow(data, group, direction)));
  rows.push(...makeAnnotatorRows(data, direction));
  const card = element("article", { class: "card", tabindex: -1, "data-number": sentence.n, "aria-labelledby": title }, heading, ...rows);
  if (summary.characters === true) joinCharacters(card);
  return card;
}
