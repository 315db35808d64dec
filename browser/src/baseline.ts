/** A system as baseline: every number that has a key is shown as the difference to it. */

import { button, element, isolated, type Child } from "./element";
import { formatCount, formatDifference, formatPercent } from "./numbers";
import type { Summary } from "./summary";

/** Differences from which each colour starts. */
const STEPS = [0.01, 0.05, 0.1, 0.2, 0.35];

export class Baseline {
  private readonly bar = element("div", { id: "baseline-bar", role: "status", hidden: true });
  private readonly originals = new Map<HTMLElement, { text: string; heat: string[] }>();
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly hint = element("p", { class: "note hint" });
  private current: number | undefined;

  constructor(
    private readonly summary: Summary,
    private readonly choose: (system: number | undefined) => void,
  ) {
    for (const shown of document.querySelectorAll<HTMLElement>("[data-key]")) {
      const heat = [...(cellOf(shown)?.classList ?? [])].filter((name) => /^h\d+$/.test(name));
      this.originals.set(shown, { text: shown.textContent ?? "", heat });
    }
    for (const name of document.querySelectorAll<HTMLElement>("#leaderboard th.system[data-system]")) this.makeButton(name);
    document.querySelector("main")?.append(this.bar);
    if (summary.systems.length > 1) document.querySelector("#leaderboard .scroll")?.before(this.hint);
    this.showHint(undefined);
  }

  show(system: number | undefined): void {
    if (system === this.current) return;
    this.current = system;
    const values = new Map<string, number>();
    for (const shown of this.originals.keys()) {
      if (systemOf(shown) === system) values.set(shown.dataset["key"] ?? "", valueOf(shown));
    }
    for (const [shown, original] of this.originals) {
      const difference = systemOf(shown) === system ? NaN : valueOf(shown) - (values.get(shown.dataset["key"] ?? "") ?? NaN);
      shown.textContent = Number.isNaN(difference) ? original.text : formatDifference(difference, formatOf(shown));
      if (original.heat.length > 0) setHeat(shown, original.heat, difference);
    }
    for (const marked of document.querySelectorAll(".baseline")) marked.classList.remove("baseline");
    for (const marked of document.querySelectorAll(`[data-system="${system ?? "none"}"]`)) {
      marked.classList.add("baseline");
      cellOf(marked)?.classList.add("baseline");
    }
    for (const pressed of this.buttons) pressed.setAttribute("aria-pressed", String(pressed.dataset["baseline"] === String(system)));
    document.body.classList.toggle("has-baseline", system !== undefined);
    this.showBar(system);
    this.showHint(system);
  }

  private makeButton(name: HTMLElement): void {
    const system = systemOf(name);
    if (system === undefined) return;
    const title = `use ${this.summary.systems[system] ?? ""} as baseline`;
    const pressed = button("", () => this.choose(this.current === system ? undefined : system), { class: "system-name", title, "aria-pressed": "false" });
    pressed.dataset["baseline"] = String(system);
    pressed.append(...name.childNodes);
    name.append(pressed);
    this.buttons.push(pressed);
  }

  private showHint(system: number | undefined): void {
    const words: Child[] =
      system === undefined
        ? ["Choose a system’s name to see differences to it."]
        : ["Differences to ", isolated(this.summary.systems[system] ?? ""), ". Intervals are those of scores, not of differences, so they are hidden; choose the name again to see all scores."];
    this.hint.replaceChildren(element("span", {}, ...words));
  }

  private showBar(system: number | undefined): void {
    this.bar.hidden = system === undefined;
    if (system === undefined) return this.bar.replaceChildren();
    const clear = button("Show values", () => this.choose(undefined));
    this.bar.replaceChildren(element("span", {}, "Differences to ", isolated(this.summary.systems[system] ?? "")), " ", clear);
  }
}

function systemOf(shown: HTMLElement): number | undefined {
  const system = shown.dataset["system"];
  return system === undefined || !/^\d+$/.test(system) ? undefined : Number(system);
}

/** The cell of a number, which has its colour. */
function cellOf(shown: Element): Element | null {
  return shown.closest("td");
}

function valueOf(shown: HTMLElement): number {
  return parseFloat(shown.dataset["value"] ?? "");
}

function formatOf(shown: HTMLElement): (value: number) => string {
  const digits = Number(shown.dataset["percent"]);
  return shown.dataset["percent"] === undefined ? formatCount : (value) => formatPercent(value, digits);
}

function setHeat(shown: HTMLElement, heat: string[], difference: number): void {
  const classes = cellOf(shown)?.classList;
  for (const name of [...(classes ?? [])]) if (/^(h\d+|d[mp]\d|d0)$/.test(name)) classes?.remove(name);
  classes?.add(...(Number.isNaN(difference) ? heat : [heatOf(difference)]));
}

function heatOf(difference: number): string {
  const step = STEPS.filter((from) => Math.abs(difference) >= from).length;
  return step === 0 ? "d0" : `d${difference < 0 ? "m" : "p"}${step}`;
}
