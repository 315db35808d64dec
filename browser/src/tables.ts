/** Tables whose columns sort: first best or alphabetic, then the reverse, then as they were. */

import { element } from "./element";

type Direction = "ascending" | "descending";

const COLLATOR = new Intl.Collator("en", { numeric: true });

export function makeSortable(table: HTMLTableElement): void {
  const original = [...table.tBodies].map((body) => [...body.rows]);
  const headings = [...table.querySelectorAll<HTMLTableCellElement>("thead th[data-sort]")];
  for (const heading of headings) {
    const sorting = element("button", { type: "button", class: "sort" });
    sorting.append(...heading.childNodes, element("span", { class: "direction", "aria-hidden": "true" }));
    heading.append(sorting);
    sorting.addEventListener("click", () => {
      const direction = nextDirection(heading);
      for (const other of headings) other.removeAttribute("aria-sort");
      if (direction !== undefined) heading.setAttribute("aria-sort", direction);
      [...table.tBodies].forEach((body, number) => body.append(...sortRows(original[number] ?? [], heading, direction)));
    });
  }
}

/** Numbers start with the largest. */
function nextDirection(heading: HTMLTableCellElement): Direction | undefined {
  const directions: Direction[] = heading.dataset["sort"] === "number" ? ["descending", "ascending"] : ["ascending", "descending"];
  const current = heading.getAttribute("aria-sort");
  return current === null ? directions[0] : current === directions[0] ? directions[1] : undefined;
}

function sortRows(rows: HTMLTableRowElement[], heading: HTMLTableCellElement, direction: Direction | undefined): HTMLTableRowElement[] {
  if (direction === undefined) return rows;
  const sign = direction === "ascending" ? 1 : -1;
  const column = columnOf(heading);
  const cell = (row: HTMLTableRowElement): HTMLTableCellElement | undefined => [...row.cells].find((found) => columnOf(found) === column);
  if (heading.dataset["sort"] === "text") {
    return [...rows].sort((one, other) => sign * COLLATOR.compare(cell(one)?.textContent ?? "", cell(other)?.textContent ?? ""));
  }
  const value = (row: HTMLTableRowElement): number => parseFloat(cell(row)?.dataset["value"] ?? "");
  return [...rows].sort((one, other) => {
    const [first, second] = [value(one), value(other)];
    if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
    return sign * (first - second);
  });
}

/** The column in which a cell starts; cells before it may span several. */
function columnOf(cell: HTMLTableCellElement): number {
  let column = 0;
  for (let before = cell.previousElementSibling; before !== null; before = before.previousElementSibling) {
    column += (before as HTMLTableCellElement).colSpan;
  }
  return column;
}
