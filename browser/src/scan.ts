/** Looks through all sentences in pieces, so that the page answers meanwhile; it can be stopped at any time. */

import type { Blocks } from "./blocks";
import type { Filter } from "./filter";
import { turn } from "./turn";

/** Milliseconds until others may work. */
const SLICE = 20;

export interface Progress {
  /** Positions of sentences found so far, ascending. */
  found: number[];
  /** How many sentences have been looked at. */
  seen: number;
}

/** Finds the sentences that pass. After each piece it reports; `report` may take its time. */
export async function scan(
  size: number,
  blocks: Blocks,
  filter: Filter,
  signal: AbortSignal,
  report: (progress: Progress) => void | Promise<void>,
): Promise<Progress> {
  const found: number[] = [];
  const passes = filter.passes;
  let started = performance.now();
  const rest = async (seen: number): Promise<void> => {
    if (performance.now() - started < SLICE) return;
    await report({ found, seen });
    await turn();
    started = performance.now();
  };
  for (let block = 0; block < blocks.count; block++) {
    const first = blocks.starts[block] ?? 0;
    const end = blocks.starts[block + 1] ?? size;
    const candidates: number[] = [];
    for (let position = first; position < end; position++) if (filter.mayPass(position)) candidates.push(position);
    if (passes === undefined || candidates.length === 0) {
      found.push(...candidates);
    } else {
      const sentences = await blocks.load(block);
      for (const position of candidates) {
        const sentence = sentences[position - first];
        if (sentence !== undefined && passes(sentence)) found.push(position);
      }
    }
    await rest(end);
    if (signal.aborted) return { found, seen: end };
  }
  return { found, seen: size };
}
