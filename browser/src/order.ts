/** The order of sentences: a key for each, undefined ones last, equal ones in the order of the corpus. */

import type { IndexArrays } from "./index_arrays";
import type { View } from "./view";

export type Compare = (first: number, second: number) => number;

/** Compares two positions; undefined if the order is that of the corpus. */
export function makeOrder(view: View, index: IndexArrays): Compare | undefined {
  const key = makeKey(view, index);
  if (key === undefined) return view.order === "asc" ? undefined : (first, second) => second - first;
  const direction = view.order === "asc" ? 1 : -1;
  return (first, second) => {
    const [one, other] = [key(first), key(second)];
    if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || first - second;
    return direction * (one - other) || first - second;
  };
}

function makeKey(view: View, index: IndexArrays): ((position: number) => number) | undefined {
  const values = index.values[view.metric] ?? [];
  const value = (system: number, position: number): number => values[system]?.[position] ?? NaN;
  const { system, better, than } = view;
  switch (view.sort) {
    case "number":
      return undefined;
    case "score":
      return system === undefined ? remembered(index.size, (position) => mean(values, position)) : (position) => value(system, position);
    case "disagreement":
      return (position) => index.outputs[position] ?? 0;
    case "length":
      return (position) => index.lengths[position] ?? 0;
    case "gap":
      if (better === undefined || than === undefined) return undefined;
      return (position) => value(better, position) - value(than, position);
  }
}

/** Each key is computed once. */
function remembered(size: number, compute: (position: number) => number): (position: number) => number {
  const keys = Float64Array.from({ length: size }, (_, position) => compute(position));
  return (position) => keys[position] ?? NaN;
}

/** The mean over systems that have a value. */
function mean(values: Float32Array[], position: number): number {
  let sum = 0;
  let count = 0;
  for (const system of values) {
    const value = system[position] ?? NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return sum / count;
}
