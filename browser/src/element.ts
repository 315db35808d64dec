/** Elements are made here only. Strings become text nodes and are escaped, so nothing in the data can be markup. */

import { printable } from "./printable";

export type Child = Node | string;
type Value = string | number | boolean | undefined;

/** Attributes that people see or hear. */
const READ = new Set(["alt", "aria-label", "placeholder", "title"]);

/** Makes an element. An attribute that is `true` is empty; one that is `false` or undefined is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : READ.has(name) ? printable(String(value)) : String(value));
  }
  made.append(...children.map((child) => (typeof child === "string" ? printable(child) : child)));
  return made;
}

/** A name given by strangers, whose direction does not change the text around it. */
export function isolated(name: string): HTMLElement {
  return element("bdi", {}, name);
}

/** Words for screen readers only. */
export function spoken(words: string): HTMLElement {
  return element("span", { class: "spoken" }, words);
}

export function button(label: string, action: () => void, attributes: Record<string, Value> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

/** Elements with a separator between every two. */
export function joined(children: Child[], separator: string): Child[] {
  return children.flatMap((child, index) => (index === 0 ? [child] : [separator, child]));
}
