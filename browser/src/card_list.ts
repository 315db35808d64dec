/** The cards of one page: the first are in the document at once, the others soon after. */

import type { Blocks } from "./blocks";
import { makeCard } from "./card";
import { element } from "./element";
import { highlight } from "./highlight";
import type { IndexArrays } from "./index_arrays";
import type { Sentence } from "./sentence";
import type { Summary } from "./summary";
import { painted } from "./turn";
import type { View } from "./view";

/** About as many as a screen has. */
const FIRST = 3;

export class CardList {
  readonly list = element("div", { class: "cards" });
  /** The sentences of this page, by position: while a search goes on, most of them stay. */
  private kept = new Map<number, Sentence>();
  private shown = "";
  /** Counts displays, so that an older one notices that it is late. */
  private displays = 0;

  constructor(
    private readonly summary: Summary,
    private readonly index: IndexArrays,
    private readonly blocks: Blocks,
  ) {}

  /** Shows the sentences at some positions; done when the first cards and the current one are there. */
  async show(positions: number[], view: View, focus: boolean): Promise<void> {
    const shown = JSON.stringify([{ ...view, at: null }, positions]);
    if (shown !== this.shown) {
      const display = ++this.displays;
      const sentences = await Promise.all(positions.map((position) => this.kept.get(position) ?? this.blocks.sentence(position)));
      if (display !== this.displays) return;
      this.shown = shown;
      this.kept = new Map(sentences.map((sentence, place) => [positions[place] ?? 0, sentence]));
      const current = sentences.findIndex((sentence) => sentence.n === view.at);
      const first = Math.max(FIRST, current + 2);
      this.list.replaceChildren(...this.makeCards(view, 0, first));
      highlight(this.list, view.search);
      void this.complete(view, first, display);
    }
    this.markCurrent(view.at, focus);
  }

  private async complete(view: View, first: number, display: number): Promise<void> {
    this.list.setAttribute("aria-busy", "true");
    for (let next = first; next < this.kept.size; next += FIRST) {
      await painted();
      if (display !== this.displays) return;
      this.list.append(...this.makeCards(view, next, next + FIRST));
    }
    if (first < this.kept.size) highlight(this.list, view.search);
    this.list.removeAttribute("aria-busy");
  }

  private makeCards(view: View, from: number, to: number): HTMLElement[] {
    const { summary, index } = this;
    return [...this.kept].slice(from, to).map(([position, sentence]) => makeCard({ sentence, position, view, summary, index }));
  }

  private markCurrent(at: number | undefined, focus: boolean): void {
    for (const card of this.list.querySelectorAll<HTMLElement>(".card")) {
      const isCurrent = card.dataset["number"] === String(at);
      card.classList.toggle("current", isCurrent);
      card.tabIndex = isCurrent ? 0 : -1;
      if (!isCurrent) {
        card.removeAttribute("aria-current");
        continue;
      }
      card.setAttribute("aria-current", "true");
      if (!focus) continue;
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "start" });
    }
  }
}
