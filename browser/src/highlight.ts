/** Marks what was searched for, without a change of the document; browsers that cannot do this show no marks. */

import { makeMatcher } from "./filter";

export function highlight(place: HTMLElement, search: string): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("found");
  if (search === "") return;
  const matcher = makeMatcher(search, "g");
  const ranges: Range[] = [];
  for (const text of place.querySelectorAll(".source .text, .system .text, .output")) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const match of (node.nodeValue ?? "").matchAll(matcher)) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}
