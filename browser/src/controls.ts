/** The form above the sentences: it shows a view, and reports a new one when somebody changes it. */

import { describeWithout } from "./description";
import { button, element, isolated, type Child } from "./element";
import { OUTCOMES } from "./index_arrays";
import { labelOf, type Summary } from "./summary";
import { SORTS, usualOrder, wholeView, type Order, type Sort, type View } from "./view";

const SORT_LABELS: Record<Sort, string> = {
  number: "number",
  score: "score",
  disagreement: "disagreement",
  length: "length",
  gap: "gap between the two",
};
/** Milliseconds after a key until a search starts. */
const PAUSE = 250;

export class Controls {
  readonly form = element("form", { class: "controls", role: "search", "aria-label": "Sentences" });
  readonly search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  private readonly system: HTMLSelectElement;
  private readonly without: HTMLSelectElement;
  private readonly outcomes = OUTCOMES.map((outcome) => element("input", { type: "checkbox", value: outcome }));
  private readonly type: HTMLSelectElement;
  private readonly differ = element("input", { type: "checkbox" });
  private readonly better: HTMLSelectElement;
  private readonly than: HTMLSelectElement;
  private readonly metric: HTMLSelectElement;
  private readonly sort: HTMLSelectElement;
  private readonly order: HTMLSelectElement;
  private readonly shown: HTMLInputElement[];
  private readonly edit = element("p", { class: "asked-edit", hidden: true });
  private view = wholeView();
  private timer = 0;

  constructor(
    private readonly summary: Summary,
    private readonly changed: (view: View) => void,
  ) {
    const { systems } = summary;
    this.system = select(["any system", ...systems]);
    this.without = select(["…", ...systems]);
    this.type = select(["any type", ...summary.types.map(nameType)]);
    this.better = select(["…", ...systems]);
    this.than = select(["…", ...systems]);
    this.better.setAttribute("aria-label", "better system");
    this.than.setAttribute("aria-label", "is better than");
    this.metric = select(summary.metrics.map((metric) => labelOf(metric, summary)));
    this.sort = select(SORTS.map((sort) => SORT_LABELS[sort]));
    this.order = select(["ascending", "descending"]);
    this.shown = systems.map((_, system) => element("input", { type: "checkbox", value: system }));
    this.form.append(...this.layOut());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.report();
    });
    this.form.addEventListener("change", (event) => {
      if (event.target !== this.search) this.report(event.target);
    });
    this.search.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.report(), PAUSE);
    });
  }

  /** Shows a view without reporting it. */
  show(view: View): void {
    this.view = view;
    clearTimeout(this.timer);
    this.system.selectedIndex = (view.system ?? -1) + 1;
    this.without.selectedIndex = (view.without ?? -1) + 1;
    for (const box of this.outcomes) box.checked = view.outcomes.some((outcome) => outcome === box.value);
    this.showTypes(view.types);
    this.showEdit(view);
    this.differ.checked = view.differ;
    this.better.selectedIndex = (view.better ?? -1) + 1;
    this.than.selectedIndex = (view.than ?? -1) + 1;
    this.metric.selectedIndex = view.metric;
    if (this.search.value !== view.search && this.search.value.trim() !== view.search) this.search.value = view.search;
    this.sort.selectedIndex = SORTS.indexOf(view.sort);
    this.order.selectedIndex = Number(view.order === "desc");
    this.shown.forEach((box, system) => (box.checked = view.shown?.includes(system) ?? true));
    const hasPair = view.better !== undefined && view.than !== undefined;
    const gap = this.sort.options[SORTS.indexOf("gap")];
    if (gap !== undefined) gap.disabled = !hasPair;
  }

  private layOut(): Node[] {
    const outcomes = this.outcomes.map((box, position) => boxed(box, OUTCOMES[position] ?? ""));
    const several = this.summary.systems.length > 1;
    const shown = element("details", { class: "shown" }, element("summary", {}, "Systems shown"));
    const boxes = this.shown.map((box, system) => boxed(box, isolated(this.summary.systems[system] ?? "")));
    shown.append(element("div", { class: "boxes", role: "group", "aria-label": "Systems shown" }, ...boxes));
    const better = [this.better, element("span", { "aria-hidden": "true" }, "is better than"), this.than];
    const parts: Node[] = [labelled("Search in source and outputs", this.search, "wide"), labelled("System", this.system)];
    if (several && this.summary.view.metric !== "") parts.push(labelled("and not by", this.without));
    if (this.summary.view.metric !== "") parts.push(gathered("Outcome of an edit", outcomes), labelled("Type of an edit", this.type));
    parts.push(this.edit);
    if (several) parts.push(gathered("Only where one system", better), boxed(this.differ, "Only where outputs differ"));
    if (this.summary.metrics.length > 1) parts.push(labelled("Score by", this.metric));
    parts.push(labelled("Sort by", this.sort), labelled("Order", this.order));
    parts.push(button("Show all sentences", () => this.clear(), { class: "clear" }));
    if (several) parts.push(shown);
    return parts;
  }

  private clear(): void {
    this.search.value = "";
    this.changed({ ...wholeView(), baseline: this.view.baseline });
  }

  /** Several types, or one that the page does not have, get an entry of their own. */
  private showTypes(types: string[]): void {
    const known = this.summary.types.length + 1;
    while (this.type.options.length > known) this.type.options[known]?.remove();
    const position = types.length === 1 ? this.summary.types.indexOf(types[0] ?? "") : -1;
    const isOther = types.length > 0 && position < 0;
    if (isOther) this.type.append(element("option", { value: known }, types.map(nameType).join(", ")));
    this.type.selectedIndex = isOther ? known : position + 1;
  }

  private readTypes(): string[] {
    const chosen = this.type.selectedIndex;
    return chosen > this.summary.types.length ? this.view.types : this.summary.types.slice(Math.max(0, chosen - 1), chosen);
  }

  /** An edit that a link asks for, which has no field of its own. */
  private showEdit(view: View): void {
    const { from, to, without } = view;
    const isText = from !== undefined || to !== undefined;
    this.edit.hidden = !isText && without === undefined;
    const show = (text: string | undefined): Child => (text === undefined ? "any text" : "∅".includes(text) ? element("em", {}, "nothing") : isolated(text));
    const what: Child[] = isText ? ["Only the edit ", show(from), " → ", show(to)] : ["Only edits"];
    if (without !== undefined) what.push(...describeWithout(view.outcomes, isolated(this.summary.systems[without] ?? "")));
    const remove = button("Any edit", () => this.changed({ ...this.view, from: undefined, to: undefined, without: undefined, at: undefined }));
    this.edit.replaceChildren(...what, " ", remove);
  }

  private report(changed?: EventTarget | null): void {
    clearTimeout(this.timer);
    const optional = (field: HTMLSelectElement): number | undefined => (field.selectedIndex > 0 ? field.selectedIndex - 1 : undefined);
    const shown = this.shown.flatMap((box, system) => (box.checked ? [system] : []));
    const better = optional(this.better);
    const than = optional(this.than);
    let sort = SORTS[this.sort.selectedIndex] ?? "number";
    if (sort === "gap" && (better === undefined || than === undefined)) sort = "number";
    const order: Order = this.order.selectedIndex === 1 ? "desc" : "asc";
    this.changed({
      ...this.view,
      system: optional(this.system),
      without: optional(this.without),
      outcomes: OUTCOMES.filter((_, position) => this.outcomes[position]?.checked),
      types: this.readTypes(),
      differ: this.differ.checked,
      better,
      than,
      search: this.search.value.trim(),
      sort,
      order: changed === this.sort || sort !== this.view.sort ? usualOrder(sort) : order,
      metric: Math.max(0, this.metric.selectedIndex),
      shown: shown.length === this.shown.length ? undefined : shown,
      at: undefined,
    });
  }
}

function nameType(type: string): string {
  return type === "" ? "no type" : type;
}

function select(labels: string[]): HTMLSelectElement {
  return element("select", {}, ...labels.map((label, value) => element("option", { value }, label)));
}

function labelled(label: string, field: HTMLElement, kind = ""): HTMLElement {
  return element("label", { class: `field ${kind}`.trim() }, element("span", {}, label), field);
}

/** Fields that belong together. */
function gathered(label: string, fields: HTMLElement[]): HTMLElement {
  const title = element("span", { "aria-hidden": "true" }, label);
  return element("div", { class: "field", role: "group", "aria-label": label }, title, element("div", { class: "boxes" }, ...fields));
}

function boxed(box: HTMLInputElement, label: Child): HTMLElement {
  return element("label", { class: "box" }, box, " ", label);
}
