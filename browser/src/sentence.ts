/** A sentence as it is stored in a block; keys are short because there are many. */

import { OUTCOMES, type Outcome } from "./index_arrays";

/** Outcome (0 right, 1 wrong, 2 missed), start, end, text, type. */
export type StoredEdit = [outcome: 0 | 1 | 2, start: number, end: number, text: string, type: string];
/** Start, end, type, alternatives. */
export type GoldEdit = [start: number, end: number, type: string, texts: string[]];

export interface SystemPart {
  /** The edits against the chosen reference. */
  e?: StoredEdit[];
  /** The chosen reference. */
  c?: string | null;
  /** Counts behind the value of the sentence. */
  k?: number[];
  /** The output, where edits do not lead to it. */
  h?: string;
  /** Reference and columns of the three-way alignment. */
  x?: [reference: string, columns: string];
  /** A picture (SVG). */
  g?: string;
}

export interface Sentence {
  n: number;
  s: string;
  d?: string;
  a?: [label: string, edits: GoldEdit[]][];
  y?: SystemPart[];
}

export function splitTokens(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

export function outcomeOf(edit: StoredEdit): Outcome {
  return OUTCOMES[edit[0]];
}

/** The output of a system: as stored, or the source with its right and wrong edits. */
export function outputOf(sentence: Sentence, part: SystemPart): string {
  if (part.h !== undefined) return part.h;
  const made = (part.e ?? []).filter((edit) => edit[0] !== 2);
  if (made.length === 0) return sentence.s;
  const tokens = splitTokens(sentence.s);
  const output: string[] = [];
  let position = 0;
  for (const [, start, end, text] of made) {
    output.push(...tokens.slice(position, start));
    if (text !== "") output.push(text);
    position = Math.max(position, end);
  }
  output.push(...tokens.slice(position));
  return output.join(" ");
}
