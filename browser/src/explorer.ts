/** The sentences of a view: finds them, shows one page of them, and moves through them. */

import type { Blocks } from "./blocks";
import { CardList } from "./card_list";
import { Controls } from "./controls";
import { describeView } from "./description";
import { element } from "./element";
import { makeFilter, type Filter } from "./filter";
import { findNumber, type IndexArrays } from "./index_arrays";
import { makeOrder } from "./order";
import { PAGE, Pager } from "./pager";
import { scan, type Progress } from "./scan";
import { Status } from "./status";
import type { Summary } from "./summary";
import type { View } from "./view";

/** Milliseconds between two displays of a search that goes on: the first, and the most. */
const PACE = 250;
const SLOWEST = 2000;

export class Explorer {
  readonly controls: Controls;
  private readonly status: Status;
  private readonly pager: Pager;
  private readonly lowerPager: Pager;
  private readonly cards: CardList;
  private readonly description = element("p", { class: "described" });
  private positions: number[] = [];
  private page = 0;
  /** What was found last, and what for. */
  private result: Progress | undefined;
  private found = "";
  private running: AbortController | undefined;

  constructor(
    place: HTMLElement,
    private readonly summary: Summary,
    private readonly index: IndexArrays,
    private readonly blocks: Blocks,
    private view: View,
    /** Called when the view has changed here. */
    private readonly changed: (view: View) => void,
  ) {
    this.controls = new Controls(summary, (changedView) => this.change(changedView));
    this.status = new Status(summary, () => this.stop());
    this.pager = new Pager("Pages of sentences", (page) => this.turn(page));
    this.lowerPager = new Pager("Pages of sentences, below them", (page) => this.turn(page));
    this.cards = new CardList(summary, index, blocks, (problem) => this.fail(problem));
    place.append(this.controls.form, this.status.bar, this.description, this.pager.bar, this.cards.list, this.lowerPager.bar);
  }

  /** Shows a view from elsewhere: an address, a link, the baseline. */
  async show(view: View, problems: string[] = [], focus = false): Promise<void> {
    this.view = view;
    this.controls.show(view);
    if (this.result === undefined || this.found !== describeSearch(view)) return this.find(problems, focus);
    if (await this.display(this.pageOf(view.at), focus)) this.status.done(this.result, [...problems, ...this.remarkOnCurrent()]);
  }

  stop(): void {
    this.running?.abort();
  }

  /** Goes to the next sentence, or back to the previous one, over pages. */
  async step(by: 1 | -1): Promise<void> {
    const current = this.view.at === undefined ? -1 : this.positions.indexOf(findNumber(this.index.numbers, this.view.at));
    const next = current < 0 ? this.page * PAGE : current + by;
    const position = this.positions[next];
    if (position === undefined) return;
    this.setCurrent(position);
    await this.display(Math.floor(next / PAGE), true);
  }

  /** Somebody used the form; a search that was stopped starts again. */
  private change(view: View): void {
    if (this.result !== undefined && this.result.seen < this.index.size) this.result = undefined;
    this.changed(view);
    void this.show(view);
  }

  private async turn(page: number): Promise<void> {
    const position = this.positions[page * PAGE];
    if (position === undefined) return;
    this.setCurrent(position);
    await this.display(page, true);
  }

  private setCurrent(position: number): void {
    this.view = { ...this.view, at: this.index.numbers[position] };
    this.controls.show(this.view);
    this.changed(this.view);
  }

  /** Looks for the sentences of the view; the first are shown at once. */
  private async find(problems: string[], focus: boolean): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.result = undefined;
    this.positions = [];
    let next = -Infinity;
    let pace = PACE;
    let arrange = (found: number[]): number[] => [...found];
    const report = async (progress: Progress): Promise<void> => {
      if (running !== this.running) return;
      const isFirst = this.positions.length === 0 && progress.found.length > 0;
      if (!isFirst && performance.now() < next) return;
      this.positions = arrange(progress.found);
      this.status.running(progress);
      await this.display(this.pageOf(this.view.at), false);
      next = performance.now() + pace;
      pace = Math.min(SLOWEST, 1.5 * pace);
    };
    try {
      const filter = makeFilter(this.view, this.index);
      const compare = makeOrder(this.view, this.index);
      if (compare !== undefined) arrange = (found) => [...found].sort(compare);
      const result = await scan(this.index.size, this.blocks, filter, running.signal, report);
      if (running !== this.running) return;
      this.running = undefined;
      this.positions = arrange(result.found);
      this.result = result;
      this.found = describeSearch(this.view);
      if (await this.display(this.pageOf(this.view.at), focus)) this.status.done(result, [...problems, ...this.remarkOnTypes(filter), ...this.remarkOnCurrent()]);
    } catch (problem) {
      if (running === this.running) this.fail(problem);
    }
  }

  /** Says what went wrong; nothing stays on the page as if it were the result. */
  private fail(problem: unknown): void {
    this.running?.abort();
    this.running = undefined;
    this.result = undefined;
    this.positions = [];
    this.pager.show(0, 0);
    this.lowerPager.show(0, 0);
    this.cards.clear();
    this.description.replaceChildren();
    this.status.failed(problem);
  }

  /** Says which types wrong edits have if none has the type asked for: few types of them are known. */
  private remarkOnTypes({ otherTypes }: Filter): string[] {
    const { outcomes, types, from, to, without, search, differ, better, system } = this.view;
    if (this.positions.length > 0 || types.length === 0 || outcomes.join() !== "wrong") return [];
    if (search !== "" || differ || [from, to, without, better].some((asked) => asked !== undefined)) return [];
    const known = [...otherTypes].map((type) => type || "no type").sort();
    const whose = system === undefined ? "Wrong edits" : `Wrong edits of ${this.summary.systems[system] ?? ""}`;
    const guessed = this.summary.view.guessed === true ? ", which are guessed from parts of speech" : "";
    return known.length === 0 ? [] : [`${whose} have only the types ${known.join(", ")}${guessed}.`];
  }

  private remarkOnCurrent(): string[] {
    const { at } = this.view;
    if (at === undefined) return [];
    const position = findNumber(this.index.numbers, at);
    if (position < 0) return [`Sentence ${at} is not in this page.`];
    return this.positions.includes(position) ? [] : [`Sentence ${at} is not among them.`];
  }

  private pageOf(at: number | undefined): number {
    const place = at === undefined ? -1 : this.positions.indexOf(findNumber(this.index.numbers, at));
    return place < 0 ? 0 : Math.floor(place / PAGE);
  }

  /** Shows one page of the sentences found; false if it could not. */
  private async display(page: number, focus: boolean): Promise<boolean> {
    this.page = page;
    this.pager.show(page, this.positions.length);
    this.lowerPager.show(page, this.positions.length);
    this.description.replaceChildren(element("span", {}, ...describeView(this.view, this.summary, page, this.positions.length)));
    try {
      await this.cards.show(this.positions.slice(page * PAGE, (page + 1) * PAGE), this.view, focus);
      return true;
    } catch (problem) {
      this.fail(problem);
      return false;
    }
  }
}

/** The sentence, the systems shown and the baseline do not change which sentences there are. */
function describeSearch(view: View): string {
  return JSON.stringify({ ...view, at: null, shown: null, baseline: null });
}
