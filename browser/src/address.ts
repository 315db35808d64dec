/** The view in the address of the page: `#SECTION?VIEW`. A section alone keeps the view. */

/** Milliseconds between two changes: browsers refuse addresses that change too often. */
const PAUSE = 300;

/** The state of an address written here. The browser goes back to where such a page was; one that was typed has no state. */
export const OWN = "errata";

export interface Fragment {
  section: string;
  /** Undefined if the fragment has none. */
  query: string | undefined;
}

export function readFragment(fragment: string): Fragment {
  const text = fragment.replace(/^#/, "");
  const mark = text.indexOf("?");
  return mark < 0 ? { section: text, query: undefined } : { section: text.slice(0, mark), query: text.slice(mark + 1) };
}

export class Address {
  private timer = 0;
  private waiting: string | undefined;
  private written = -Infinity;

  /** Writes a fragment in place of the last: at once, or soon if the last has just been written. */
  replace(fragment: string): void {
    this.waiting = fragment;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), Math.max(0, this.written + PAUSE - performance.now()));
  }

  /** Writes a fragment now, so that the browser can go back. */
  push(fragment: string): void {
    this.flush();
    if (fragment !== location.hash) history.pushState(OWN, "", fragment);
  }

  /** Forgets what waits: the address came from elsewhere. */
  forget(): void {
    clearTimeout(this.timer);
    this.waiting = undefined;
  }

  private flush(): void {
    if (this.waiting !== undefined) {
      history.replaceState(OWN, "", this.waiting);
      this.written = performance.now();
    }
    this.forget();
  }
}
