/** Tables that are wider than the page: a side with more to see fades out. */

export function showScrolling(): void {
  const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => update(target.closest(".scroll"))));
  const watch = (place: ParentNode): void => {
    for (const box of place.querySelectorAll<HTMLElement>(".scroll")) {
      observer.observe(box);
      if (box.firstElementChild !== null) observer.observe(box.firstElementChild);
    }
  };
  watch(document);
  document.addEventListener("scroll", ({ target }) => target instanceof Element && update(target.closest(".scroll")), { capture: true, passive: true });
  document.addEventListener("toggle", ({ target }) => target instanceof Element && watch(target), { capture: true });
}

function update(box: Element | null): void {
  box?.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}
