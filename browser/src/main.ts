/** Brings the page to life: tables that sort, a baseline, sentences, and an address that says what is shown. */

import { Address, OWN, readFragment } from "./address";
import { Baseline } from "./baseline";
import { Blocks } from "./blocks";
import { element } from "./element";
import { Explorer } from "./explorer";
import { readIndex } from "./index_arrays";
import { useKeys } from "./keyboard";
import { showPair } from "./pair";
import { prepareForPaper } from "./paper";
import { showScrolling } from "./scrolling";
import { readSummary } from "./summary";
import { makeSortable } from "./tables";
import { readView, writeView, type View } from "./view";

async function start(place: HTMLElement): Promise<void> {
  const summary = readSummary();
  const address = new Address();
  const problems: string[] = [];
  const { section, query } = readFragment(location.hash);
  let view = readView(query ?? summary.start, summary, problems);
  /** The systems that somebody chose to see; a link that names others is for once. */
  let chosen = view.shown;

  const baseline = new Baseline(summary, (system) => {
    const bar = document.getElementById("leaderboard") ? "leaderboard" : "sentences";
    apply({ ...view, baseline: system });
    address.replace(`#${bar}?${writeView(view, summary)}`);
  });
  showPair(summary);
  showScrolling();
  const index = await readIndex(summary);
  const explorer = new Explorer(place, summary, index, new Blocks(summary.blocks), view, (changed) => {
    if (String(changed.shown) !== String(view.shown)) chosen = changed.shown;
    view = changed;
    baseline.show(view.baseline);
    address.replace(`#sentences?${writeView(view, summary)}`);
  });
  useKeys(explorer, place);

  const apply = (changed: View, remarks: string[] = [], focus = false): void => {
    view = changed;
    baseline.show(view.baseline);
    void explorer.show(view, remarks, focus);
  };
  const follow = (fragment: string, move: boolean): void => {
    const asked = readFragment(fragment);
    const remarks: string[] = [];
    if (asked.query === undefined) return;
    const next = readView(asked.query, summary, remarks);
    if (move) goTo(asked.section);
    apply(next, remarks, move);
  };

  document.addEventListener("click", (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    const fragment = link?.getAttribute("href") ?? "";
    const asked = readFragment(fragment);
    if (asked.query === undefined) return;
    event.preventDefault();
    const linked = readView(asked.query, summary, []);
    const kept: View = { ...linked, baseline: linked.baseline ?? view.baseline, shown: linked.shown ?? chosen };
    const target = `#${asked.section}?${writeView(kept, summary)}`;
    address.push(target);
    follow(target, true);
  });
  window.addEventListener("popstate", () => {
    address.forget();
    follow(location.hash, history.state !== OWN);
  });

  baseline.show(view.baseline);
  await explorer.show(view, problems, view.at !== undefined);
  document.body.dataset["ready"] = String(Math.round(performance.now()));
  if (query !== undefined && view.at === undefined) goTo(section);
  if (query === undefined && section === "" && summary.start !== "") goTo("sentences");
}

/** Moves to a section; the keyboard goes on from its heading. */
function goTo(section: string): void {
  const heading = document.querySelector<HTMLElement>(`#${CSS.escape(section)} > h2`);
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  heading?.parentElement?.scrollIntoView();
}

for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) makeSortable(table);
prepareForPaper();
const place = document.getElementById("explorer");
if (place !== null) {
  start(place)
    .then(() => document.querySelector(".needs-script")?.remove())
    .catch((problem: unknown) => {
      const reason = problem instanceof Error ? problem.message : String(problem);
      place.replaceChildren(element("p", { role: "alert" }, `The sentences cannot be shown: ${reason}.`));
    });
}
