/** What the whole page knows: names, metrics and how many sentences there are. */

export interface Metric {
  name: string;
  /** Its short name, such as F0.5; several metrics may have the same. */
  label: string;
  digits: number;
}

export interface Summary {
  systems: string[];
  metrics: Metric[];
  /** The metric whose counts and edits are shown. */
  view: { metric: string; columns: string[]; mixed: boolean; /** Whether types of wrong edits are guesses. */ guessed?: boolean };
  types: string[];
  /** How many sentences the page holds, and how many the corpus has. */
  sentences: number;
  total: number;
  /** The number of sentences in each block. */
  blocks: number[];
  /** The view of a page that is opened without one in its address. */
  start: string;
  /** How many edits only one of two systems has. */
  exclusive: Exclusive;
  /** Whether the tokens are characters of scripts without spaces. */
  characters?: boolean;
}

/** By type, system, other system. */
export type PairCounts = Record<string, number[][]>;

/** Edits that are right, or wrong, by one system and not by another; nothing if the page has one system. */
export interface Exclusive {
  right?: PairCounts;
  wrong?: PairCounts;
}

export function readSummary(): Summary {
  const holder = document.getElementById("summary");
  if (holder === null) throw new Error('expected an element "summary", found none');
  return JSON.parse(holder.textContent ?? "") as Summary;
}

/** A short name of a metric that no other metric of the page has. */
export function labelOf(metric: Metric, { metrics }: Summary): string {
  return metrics.filter(({ label }) => label === metric.label).length > 1 ? metric.name : metric.label;
}
