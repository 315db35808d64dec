/** Numbers as people read them. */

/** A whole number with thousands separators. */
export function formatCount(count: number): string {
  return minus(count.toLocaleString("en-US"));
}

export function pluralise(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A fraction in percent; NaN is a dash. */
export function formatPercent(value: number, digits: number): string {
  return Number.isNaN(value) ? "–" : minus((value * 100).toFixed(digits));
}

/** A difference with its sign; none if it rounds to zero. */
export function formatDifference(difference: number, format: (value: number) => string): string {
  const size = format(Math.abs(difference));
  if (!/[1-9]/.test(size)) return size;
  return `${difference < 0 ? "−" : "+"}${size}`;
}

function minus(number: string): string {
  return /[1-9]/.test(number) ? number.replace("-", "−") : number.replace("-", "");
}
