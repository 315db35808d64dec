/** What a view shows, in words. */

import { element, isolated, joined, type Child } from "./element";
import type { Outcome } from "./index_arrays";
import { formatCount } from "./numbers";
import { PAGE } from "./pager";
import { labelOf, type Summary } from "./summary";
import { usualOrder, type View } from "./view";

/** How an edit of one system is not an edit of another. */
export function describeWithout(outcomes: Outcome[], other: Child): Child[] {
  const [outcome, ...more] = outcomes;
  if (outcome === undefined || more.length > 0) return [" that ", other, " does not have with the same outcome"];
  const ends = { right: " does not have right", wrong: " does not make", missed: " does not miss" } as const;
  return [" that ", other, ends[outcome]];
}

/** Describes a page of a view: which sentences, in which order, and where they are among all that were found. */
export function describeView(view: View, summary: Summary, page: number, count: number): Child[] {
  const start = page * PAGE;
  const where = count === 0 ? "none" : `${formatCount(start + 1)}–${formatCount(Math.min(count, start + PAGE))} of ${formatCount(count)}`;
  const parts = describeFilters(view, summary);
  const whole: Child[] = parts.length === 0 ? ["All sentences"] : ["Sentences ", ...parts.flatMap((part, place) => (place === 0 ? part : [", ", ...part]))];
  const shown = view.shown === undefined ? [] : ["; shown: ", ...(view.shown.length === 0 ? ["no system"] : joined(view.shown.map((system) => name(system, summary)), ", "))];
  return [...whole, ...describeOrder(view, summary), ": ", where, ...shown];
}

export function describeEdits(view: View, summary: Summary): Child[] {
  const { from, to, outcomes, types, without } = view;
  const text = (own: string | undefined): Child => (own === undefined ? "any text" : "∅".includes(own) ? element("em", {}, "nothing") : isolated(own));
  const words: Child[] = [outcomes.length === 0 ? "edits" : `${outcomes.join(" or ")} edits`];
  if (from !== undefined || to !== undefined) words.push(" ", text(from), " → ", text(to));
  if (types.length > 0) words.push(" of type ", ...joined(types.map((type) => (type === "" ? "unknown" : isolated(type))), ", "));
  if (view.system !== undefined) words.push(" by ", name(view.system, summary));
  if (without !== undefined) words.push(...describeWithout(outcomes, name(without, summary)));
  return words;
}

function describeFilters(view: View, summary: Summary): Child[][] {
  const { better, than, outcomes, types, from, to, without } = view;
  const parts: Child[][] = [];
  if (outcomes.length > 0 || types.length > 0 || from !== undefined || to !== undefined || without !== undefined) parts.push(["with ", ...describeEdits(view, summary)]);
  if (view.differ) parts.push(["where outputs differ"]);
  if (better !== undefined && than !== undefined) {
    parts.push(["where ", name(better, summary), " is better than ", name(than, summary), ` (${metricOf(view, summary)})`]);
  }
  if (view.search !== "") parts.push(["that contain “", isolated(view.search), "”"]);
  return parts;
}

function describeOrder(view: View, summary: Summary): Child[] {
  const direction = view.order === usualOrder(view.sort) ? "" : view.order === "asc" ? ", ascending" : ", descending";
  switch (view.sort) {
    case "number":
      return direction === "" ? [] : [`, sorted by number${direction}`];
    case "score":
      return view.system === undefined
        ? [`, sorted by mean ${metricOf(view, summary)}${direction}`]
        : [`, sorted by ${metricOf(view, summary)} of `, name(view.system, summary), direction];
    default:
      return [`, sorted by ${view.sort}${direction}`];
  }
}

function metricOf(view: View, summary: Summary): string {
  const metric = summary.metrics[view.metric];
  return metric === undefined ? "" : labelOf(metric, summary);
}

function name(system: number, summary: Summary): HTMLElement {
  return isolated(summary.systems[system] ?? "");
}
