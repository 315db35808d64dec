/** Pages of sentences: only one is in the document. */

import { button, element } from "./element";
import { formatCount } from "./numbers";

export const PAGE = 20;

export class Pager {
  readonly bar: HTMLElement;
  private readonly where = element("span", { class: "where" });
  private readonly first: HTMLButtonElement;
  private readonly previous: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly last: HTMLButtonElement;
  private page = 0;
  private pages = 1;

  constructor(label: string, turn: (page: number) => void) {
    this.bar = element("nav", { class: "pager", "aria-label": label });
    this.first = button("First", () => turn(0));
    this.previous = button("Previous", () => turn(this.page - 1));
    this.next = button("Next", () => turn(this.page + 1));
    this.last = button("Last", () => turn(this.pages - 1));
    this.bar.append(this.first, this.previous, this.where, this.next, this.last);
  }

  show(page: number, count: number): void {
    this.page = page;
    this.pages = Math.max(1, Math.ceil(count / PAGE));
    this.bar.hidden = this.pages === 1;
    this.where.textContent = `Page ${formatCount(page + 1)} of ${formatCount(this.pages)}`;
    for (const earlier of [this.first, this.previous]) earlier.disabled = page === 0;
    for (const later of [this.next, this.last]) later.disabled = page >= this.pages - 1;
  }
}
