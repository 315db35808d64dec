/** Which sentences a view asks for: a first test with the numbers of the index, a second with the text. */

import { OUTCOMES, type IndexArrays } from "./index_arrays";
import { outcomeOf, outputOf, splitTokens, type Sentence, type StoredEdit, type SystemPart } from "./sentence";
import type { View } from "./view";

export interface Filter {
  /** Tests the sentence at a position with numbers only. */
  mayPass(position: number): boolean;
  /** Tests the text; undefined if numbers are enough. */
  passes: ((sentence: Sentence) => boolean) | undefined;
}

export function makeFilter(view: View, index: IndexArrays): Filter {
  const tests = [testEditCounts(view, index), testOutputs(view, index), testValues(view, index)].filter((test) => test !== undefined);
  const textTests = [testEdits(view), testSearch(view)].filter((test) => test !== undefined);
  return {
    mayPass: (position) => tests.every((test) => test(position)),
    passes: textTests.length === 0 ? undefined : (sentence) => textTests.every((test) => test(sentence)),
  };
}

/** A test of the edits of a sentence: whether each is one that a view asks for. */
export function makeEditTest(view: View, sentence: Sentence): (edit: StoredEdit) => boolean {
  let split: string[] | undefined;
  const tokens = (): string[] => (split ??= splitTokens(sentence.s));
  const others = view.without === undefined ? [] : (sentence.y?.[view.without]?.e ?? []);
  return (edit) => isAskedEdit(view, edit, tokens) && !others.some((other) => isSameEdit(edit, other));
}

function isSameEdit(one: StoredEdit, other: StoredEdit): boolean {
  return one[0] === other[0] && one[1] === other[1] && one[2] === other[2] && one[3] === other[3];
}

function isAskedEdit(view: View, edit: StoredEdit, tokens: () => string[]): boolean {
  if (view.outcomes.length > 0 && !view.outcomes.includes(outcomeOf(edit))) return false;
  if (view.types.length > 0 && !view.types.includes(edit[4])) return false;
  if (view.to !== undefined && !isText(view.to, edit[3])) return false;
  return view.from === undefined || isText(view.from, tokens().slice(edit[1], edit[2]).join(" "));
}

/** Nothing is written as an empty text or as ∅. */
function isText(asked: string, text: string): boolean {
  return asked === text || (asked === "∅" && text === "");
}

export function asksForEdits(view: View): boolean {
  return view.outcomes.length > 0 || view.types.length > 0 || view.from !== undefined || view.to !== undefined || view.without !== undefined;
}

/** A search is for any text that is equal but for case. */
export function makeMatcher(search: string, flags = ""): RegExp {
  return new RegExp(search.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), `iu${flags}`);
}

function testEditCounts(view: View, index: IndexArrays): ((position: number) => boolean) | undefined {
  if (!asksForEdits(view)) return undefined;
  const wanted = OUTCOMES.map((outcome) => view.outcomes.length === 0 || view.outcomes.includes(outcome));
  const systems = view.system === undefined ? index.edits : index.edits.slice(view.system, view.system + 1);
  const counts = systems.flatMap((outcomes) => outcomes.filter((_, outcome) => wanted[outcome]));
  return (position) => counts.some((count) => (count[position] ?? 0) > 0);
}

function testOutputs(view: View, index: IndexArrays): ((position: number) => boolean) | undefined {
  return view.differ ? (position) => (index.outputs[position] ?? 0) > 1 : undefined;
}

function testValues(view: View, index: IndexArrays): ((position: number) => boolean) | undefined {
  if (view.better === undefined || view.than === undefined) return undefined;
  const better = index.values[view.metric]?.[view.better];
  const than = index.values[view.metric]?.[view.than];
  return (position) => (better?.[position] ?? NaN) > (than?.[position] ?? NaN);
}

function testEdits(view: View): ((sentence: Sentence) => boolean) | undefined {
  if (!asksForEdits({ ...view, outcomes: [] })) return undefined;
  return (sentence) => {
    const isAsked = makeEditTest(view, sentence);
    return askedParts(view, sentence).some((part) => part.e?.some(isAsked));
  };
}

function testSearch(view: View): ((sentence: Sentence) => boolean) | undefined {
  if (view.search === "") return undefined;
  const matcher = makeMatcher(view.search);
  const isWithinTokens = !view.search.includes(" ");
  const matchesOutput = (sentence: Sentence, part: SystemPart): boolean => {
    if (part.h === undefined && part.e === undefined) return false;
    // Within a token, only tokens that the source does not have can match.
    if (part.h === undefined && isWithinTokens) return part.e?.some((edit) => edit[0] !== 2 && matcher.test(edit[3])) ?? false;
    return matcher.test(outputOf(sentence, part));
  };
  return (sentence) => matcher.test(sentence.s) || askedParts(view, sentence).some((part) => matchesOutput(sentence, part));
}

function askedParts(view: View, sentence: Sentence): SystemPart[] {
  const parts = sentence.y ?? [];
  return view.system === undefined ? parts : parts.slice(view.system, view.system + 1);
}
