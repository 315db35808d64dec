/** A sentence with its edits marked: by colour, by sign, and in words for screen readers. */

import type { Direction } from "./direction";
import { element, isolated, joined, spoken, type Child } from "./element";
import type { Outcome } from "./index_arrays";

/** An edit as it is shown; `gold` is one of an annotator. */
export interface Mark {
  kind: Outcome | "gold";
  start: number;
  end: number;
  /** Texts instead of the tokens; several are alternatives. */
  texts: string[];
  type: string;
  /** Whether the type is a guess. */
  guessed: boolean;
  /** Whether the view asks for this edit. */
  asked: boolean;
}

const SIGNS = { right: "+", wrong: "×", missed: "−", gold: "" } as const;

/** Said of an edit in a dotted box. */
const OVERLAPPED = "the annotator changed this instead of the edit before it";

/** The tokens with their marks. Tokens are shown once: a mark on tokens that another mark covers follows it, as a remark. */
export function markText(tokens: string[], marks: Mark[], direction: Direction): Child[] {
  const pieces: Child[] = [];
  const { inline, remarks } = arrange(marks);
  let position = 0;
  for (const mark of inline) {
    if (mark.start > position) pieces.push(tokens.slice(position, mark.start).join(" "));
    for (const shown of [mark, ...(remarks.get(mark) ?? [])]) {
      pieces.push(showMark(shown, tokens.slice(shown.start, shown.end).join(" "), shown !== mark, direction));
    }
    position = mark.end;
  }
  if (position < tokens.length) pieces.push(tokens.slice(position).join(" "));
  return joined(pieces, " ");
}

/** What a system changed is part of its text; what it missed too, except at tokens that it changed. */
function arrange(marks: Mark[]): { inline: Mark[]; remarks: Map<Mark, Mark[]> } {
  const inline: Mark[] = [];
  const remarks = new Map<Mark, Mark[]>();
  for (const mark of [...marks.filter(({ kind }) => kind !== "missed"), ...marks.filter(({ kind }) => kind === "missed")]) {
    const covering = inline.findLast((other) => overlap(mark, other));
    if (covering === undefined) inline.push(mark);
    else remarks.set(covering, [...(remarks.get(covering) ?? []), mark]);
    inline.sort((one, other) => one.start - other.start || one.end - other.end);
  }
  return { inline, remarks };
}

function overlap(one: Mark, other: Mark): boolean {
  return (one.start < other.end && other.start < one.end) || (one.start === other.start && one.end === other.end);
}

function showMark(mark: Mark, before: string, isRemark: boolean, direction: Direction): HTMLElement {
  const { kind } = mark;
  const made: Child[] = [];
  if (kind !== "gold") made.push(element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]), spoken(`${kind}: `));
  if (before !== "") made.push(element(kind === "missed" ? "span" : "del", { class: "before" }, before));
  if (before !== "" && kind === "missed") made.push(direction === "rtl" ? " ← " : " → ");
  else if (before !== "") made.push(" ");
  const after = mark.texts.map((text) => (text === "" ? element("em", {}, "delete") : element("ins", {}, text)));
  if (mark.texts.some((text) => text !== "") || kind === "missed") {
    made.push(...joined(after, " or "));
  }
  if (mark.type !== "" && mark.guessed) made.push(" ", element("small", { class: "type", title: "guessed from parts of speech" }, isolated(mark.type), "?"));
  else if (mark.type !== "") made.push(" ", element("small", { class: "type" }, isolated(mark.type)));
  const isOverlapped = isRemark && kind === "missed";
  if (isOverlapped) made.push(spoken(`; ${OVERLAPPED}`));
  const classes = `edit ${kind}${isRemark ? " remark" : ""}${mark.asked ? " asked" : ""}`;
  return element("span", { class: classes, title: isOverlapped ? OVERLAPPED : undefined }, ...made);
}
