// What the theme leaves without a name for screen readers: the search, groups of the navigation that are pages too, and the buttons of code.
"use strict";

document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

for (const group of document.querySelectorAll("nav.md-nav[aria-labelledby]")) {
  if (document.getElementById(group.getAttribute("aria-labelledby"))?.textContent.trim()) continue;
  group.removeAttribute("aria-labelledby");
  group.setAttribute("aria-label", group.querySelector(".md-nav__title").textContent.trim());
}

function nameButtons() {
  for (const [index, buttons] of document.querySelectorAll("nav.md-code__nav").entries()) {
    const name = `Code ${index + 1}`;
    if (buttons.getAttribute("aria-label") !== name) buttons.setAttribute("aria-label", name);
  }
}

new MutationObserver(nameButtons).observe(document.body, { childList: true, subtree: true });
nameButtons();
