// What the theme leaves without a name for screen readers: the search, and the buttons of each block of code.
"use strict";

document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

function nameButtons() {
  for (const [index, buttons] of document.querySelectorAll("nav.md-code__nav").entries()) {
    const name = `Code ${index + 1}`;
    if (buttons.getAttribute("aria-label") !== name) buttons.setAttribute("aria-label", name);
  }
}

new MutationObserver(nameButtons).observe(document.body, { childList: true, subtree: true });
nameButtons();
