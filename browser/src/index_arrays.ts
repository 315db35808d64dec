/** Numbers of every sentence, in typed arrays: filters and orders that need no text are found in them at once. */

import { gunzip } from "./gunzip";
import type { Summary } from "./summary";

export const OUTCOMES = ["right", "wrong", "missed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface IndexArrays {
  size: number;
  /** The value of each sentence: by metric, then by system. NaN is undefined. */
  values: Float32Array[][];
  /** The number of each sentence in the corpus, from 1, in ascending order. */
  numbers: Uint32Array;
  lengths: Uint16Array;
  /** How many edits are right, wrong and missed: by system, then by outcome. */
  edits: Uint8Array[][];
  /** How many different outputs the systems have. */
  outputs: Uint8Array;
}

export async function readIndex(summary: Summary): Promise<IndexArrays> {
  const bytes = await (await gunzip("index")).arrayBuffer();
  const size = summary.sentences;
  const systems = summary.systems.length;
  const expected = size * (4 * summary.metrics.length * systems + 4 + 2 + 3 * systems + 1);
  if (bytes.byteLength !== expected) throw new Error(`expected an index of ${expected} bytes, found ${bytes.byteLength}`);
  let position = 0;
  const take = <Values>(kind: { new (buffer: ArrayBuffer, offset: number, length: number): Values; BYTES_PER_ELEMENT: number }): Values => {
    const taken = new kind(bytes, position, size);
    position += size * kind.BYTES_PER_ELEMENT;
    return taken;
  };
  return {
    size,
    values: summary.metrics.map(() => summary.systems.map(() => take(Float32Array))),
    numbers: take(Uint32Array),
    lengths: take(Uint16Array),
    edits: summary.systems.map(() => OUTCOMES.map(() => take(Uint8Array))),
    outputs: take(Uint8Array),
  };
}

/** Where the sentence with a number is, or -1. */
export function findNumber(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number ? low : -1;
}
