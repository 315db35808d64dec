/** On paper nothing scrolls: aligned columns that are open are set in several lines while the page is printed. */

/** The width of a line, in sizes of the letter m of the page; what a card on A4 paper can hold. */
const LINE = 38;

export function prepareForPaper(): void {
  const printed: { table: HTMLTableElement; pieces: HTMLTableElement[] }[] = [];
  window.addEventListener("beforeprint", () => {
    for (const table of document.querySelectorAll<HTMLTableElement>("details[open] table.columns")) {
      const pieces = splitColumns(table);
      table.replaceWith(...pieces);
      printed.push({ table, pieces });
    }
  });
  window.addEventListener("afterprint", () => {
    for (const { table, pieces } of printed.splice(0)) {
      pieces[0]?.before(table);
      for (const piece of pieces) piece.remove();
    }
  });
}

/** Tables that are each as wide as a line, with the headings of the rows. */
function splitColumns(table: HTMLTableElement): HTMLTableElement[] {
  const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const widths = [...(table.rows[0]?.cells ?? [])].map((_, column) => Math.max(...[...table.rows].map((row) => row.cells[column]?.offsetWidth ?? 0)) / size);
  const [heading = 0, ...columns] = widths;
  const lines: number[][] = [[]];
  let used = heading;
  columns.forEach((width, place) => {
    if (used + width > LINE && used > heading) {
      lines.push([]);
      used = heading;
    }
    lines.at(-1)?.push(place + 1);
    used += width;
  });
  return lines.map((line) => {
    const piece = table.cloneNode(true) as HTMLTableElement;
    for (const row of piece.rows) [...row.cells].forEach((cell, column) => column > 0 && !line.includes(column) && cell.remove());
    return piece;
  });
}
