/** Keys: next and previous sentence, search, stop. They can be switched off, and are not active in a field. */

import { element } from "./element";
import type { Explorer } from "./explorer";

export function useKeys(explorer: Explorer, place: HTMLElement): void {
  const active = element("input", { type: "checkbox", checked: true });
  const keys: [string, string][] = [
    ["j", "next sentence (also ↓ in the list)"],
    ["k", "previous sentence (also ↑ in the list)"],
    ["/", "search"],
    ["Esc", "stop a search"],
  ];
  const list = element("dl", {}, ...keys.flatMap(([key, what]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)]));
  const help = element("details", { class: "keys" }, element("summary", {}, "Keys"), list, element("label", { class: "box" }, active, " Use these keys"));
  place.append(help);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return explorer.stop();
    if (!active.checked || isField(event.target)) return;
    const step = stepOf(event);
    if (step !== undefined) void explorer.step(step);
    else if (event.key === "/") explorer.controls.search.focus();
    else return;
    event.preventDefault();
  });
}

function stepOf({ key, target }: KeyboardEvent): 1 | -1 | undefined {
  if (key === "j") return 1;
  if (key === "k") return -1;
  if (!(target instanceof Element) || !target.matches(".card")) return undefined;
  return key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : undefined;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input:not([type=checkbox]), select, textarea, [contenteditable]");
}
