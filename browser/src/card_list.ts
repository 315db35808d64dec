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
  /** The cards of this page by position, and the view they were made for: while a search goes on, most of them stay. */
  private cards = new Map<number, HTMLElement>();
  private made = "";
  /** Counts displays, so that an older one notices that it is late. */
  private displays = 0;

  constructor(
    private readonly summary: Summary,
    private readonly index: IndexArrays,
    private readonly blocks: Blocks,
    /** Called when cards cannot be made. */
    private readonly failed: (problem: unknown) => void,
  ) {}

  clear(): void {
    this.displays += 1;
    this.cards.clear();
    this.made = "";
    this.list.replaceChildren();
    this.list.removeAttribute("aria-busy");
  }

  /** Shows the sentences at some positions; done when the first cards and the current one are there. */
  async show(positions: number[], view: View, focus: boolean): Promise<void> {
    const display = ++this.displays;
    const made = JSON.stringify({ ...view, at: null });
    const kept = made === this.made ? this.cards : new Map<number, HTMLElement>();
    const missing = positions.filter((position) => !kept.has(position));
    const sentences = new Map<number, Sentence>();
    await Promise.all(missing.map(async (position) => sentences.set(position, await this.blocks.sentence(position))));
    if (display !== this.displays) return;
    this.made = made;
    this.cards = new Map([...kept].filter(([position]) => positions.includes(position)));
    const current = positions.findIndex((position) => this.index.numbers[position] === view.at);
    const first = Math.max(FIRST, current + 2);
    this.add(positions, sentences, view, first);
    this.markCurrent(view.at, focus);
    this.complete(positions, sentences, view, first, display).catch(this.failed);
  }

  /** Makes the other cards, a few at a time. */
  private async complete(positions: number[], sentences: Map<number, Sentence>, view: View, first: number, display: number): Promise<void> {
    this.list.setAttribute("aria-busy", "true");
    for (let end = first; this.cards.size < positions.length; end += FIRST) {
      await painted();
      if (display !== this.displays) return;
      this.add(positions, sentences, view, end + FIRST);
    }
    this.list.removeAttribute("aria-busy");
  }

  /** Makes the cards before an end, and puts all cards in order; those in place are not touched. */
  private add(positions: number[], sentences: Map<number, Sentence>, view: View, end: number): void {
    const { summary, index } = this;
    for (const position of positions.slice(0, end)) {
      const sentence = sentences.get(position);
      if (sentence !== undefined && !this.cards.has(position)) this.cards.set(position, makeCard({ sentence, position, view, summary, index }));
    }
    const cards = positions.flatMap((position) => this.cards.get(position) ?? []);
    for (const old of [...this.list.children]) if (!cards.some((card) => card === old)) old.remove();
    cards.forEach((card, place) => {
      if (this.list.children[place] !== card) this.list.insertBefore(card, this.list.children[place] ?? null);
    });
    highlight(this.list, view.search);
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
