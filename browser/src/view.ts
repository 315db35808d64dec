/** What is shown of the sentences, and how it is written in the address: `#sentences?system=AMU&outcome=wrong`. */

import { OUTCOMES, type Outcome } from "./index_arrays";
import type { Summary } from "./summary";

export const SORTS = ["number", "score", "disagreement", "length", "gap"] as const;
export type Sort = (typeof SORTS)[number];
export type Order = "asc" | "desc";

/** Systems and metrics are positions in the lists of the summary. What is undefined does not filter. */
export interface View {
  system?: number | undefined;
  /** An edit must pass outcomes and types (any, if empty), from and to together. */
  outcomes: Outcome[];
  types: string[];
  from?: string | undefined;
  to?: string | undefined;
  /** A system that must not have this edit with this outcome. */
  without?: number | undefined;
  differ: boolean;
  better?: number | undefined;
  than?: number | undefined;
  search: string;
  sort: Sort;
  order: Order;
  metric: number;
  /** Systems that are shown; all, if undefined. */
  shown?: number[] | undefined;
  /** The number of the current sentence. */
  at?: number | undefined;
  baseline?: number | undefined;
}

export function usualOrder(sort: Sort): Order {
  return sort === "number" ? "asc" : "desc";
}

export function wholeView(): View {
  return { outcomes: [], types: [], differ: false, search: "", sort: "number", order: "asc", metric: 0 };
}

/** Reads a view; what cannot be read is named in `problems` and left out. */
export function readView(query: string, summary: Summary, problems: string[]): View {
  const fields = new Map<string, string>();
  for (const field of query.split("&")) {
    const [key = "", ...rest] = field.split("=");
    if (key !== "") fields.set(key, rest.join("="));
  }
  const text = (key: string): string | undefined => {
    const value = fields.get(key);
    return value === undefined ? undefined : decode(value);
  };
  const find = (name: string | undefined, names: readonly string[], what: string): number | undefined => {
    if (name === undefined || name === "") return undefined;
    const position = names.indexOf(name);
    if (position < 0) problems.push(`This page has no ${what} “${name}”.`);
    return position < 0 ? undefined : position;
  };
  const system = (key: string): number | undefined => find(text(key), summary.systems, "system");
  const sort = SORTS[find(text("sort"), SORTS, "order") ?? 0] ?? "number";
  const order = text("order");
  const number = Number(text("at"));
  const shown = fields.get("shown")?.split(",").map((name) => find(decode(name), summary.systems, "system"));
  const outcomes = text("outcome")?.split(",") ?? [];
  for (const outcome of outcomes) find(outcome, OUTCOMES, "outcome");
  const types = fields.get("type")?.split(",").map(decode) ?? [];
  // A link may ask for a group of types of which the page has only some.
  if (!types.some((type) => type === "" || summary.types.includes(type))) for (const type of types) find(type, summary.types, "type");
  return {
    system: system("system"),
    outcomes: OUTCOMES.filter((outcome) => outcomes.includes(outcome)),
    types,
    from: text("from"),
    to: text("to"),
    without: system("without"),
    differ: text("differ") === "1",
    better: system("better"),
    than: system("than"),
    search: text("q") ?? "",
    sort,
    order: order === "asc" || order === "desc" ? order : usualOrder(sort),
    metric: find(text("metric"), summary.metrics.map((metric) => metric.name), "metric") ?? 0,
    shown: shown?.filter((position) => position !== undefined),
    at: Number.isInteger(number) && number > 0 ? number : undefined,
    baseline: system("baseline"),
  };
}

export function writeView(view: View, summary: Summary): string {
  const name = (position: number | undefined): string | undefined => (position === undefined ? undefined : summary.systems[position]);
  const fields: [string, string | undefined][] = [
    ["system", name(view.system)],
    ["outcome", view.outcomes.join(",") || undefined],
    ["from", view.from],
    ["to", view.to],
    ["without", name(view.without)],
    ["differ", view.differ ? "1" : undefined],
    ["better", name(view.better)],
    ["than", name(view.than)],
    ["q", view.search || undefined],
    ["sort", view.sort === "number" ? undefined : view.sort],
    ["order", view.order === usualOrder(view.sort) ? undefined : view.order],
    ["metric", view.metric === 0 ? undefined : summary.metrics[view.metric]?.name],
  ];
  const written = fields.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encode(value)}`]));
  if (view.types.length > 0) written.push(`type=${view.types.map(encode).join(",")}`);
  if (view.shown !== undefined) written.push(`shown=${view.shown.map((position) => encode(name(position) ?? "")).join(",")}`);
  if (view.at !== undefined) written.push(`at=${view.at}`);
  if (view.baseline !== undefined) written.push(`baseline=${encode(name(view.baseline) ?? "")}`);
  return written.join("&");
}

/** Half a surrogate pair cannot be written in an address. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
