// Keys press what says which key it has (aria-keyshortcuts), and never while something is typed.

const OFF = "errata-keys";
/** Milliseconds after which keys work: a key that is pressed twice must not judge an item that nobody has seen. */
const TOO_SOON = 300;

/** Whether what has the focus takes the key itself. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
}

/** The key as it is shown: on keyboards of other scripts, the one at its place. */
function nameKey(event: KeyboardEvent): string {
  if (/^[\x20-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  return /^Key[A-Z]$/.test(event.code) ? event.code.slice(-1).toLowerCase() : event.key;
}

/** Storage can be forbidden; then keys are on. */
function areKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) !== "off";
  } catch {
    return true;
  }
}

function keepKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "off");
  } catch {
    // They are as chosen until the page is left.
  }
}

/** Lets keys press what they are shown on; `press` does it. */
export function listenToKeys(press: (control: HTMLElement) => void): void {
  const root = document.documentElement;
  const box = document.querySelector<HTMLInputElement>("#keys-on");
  let on = areKeysOn();
  const show = (): void => {
    root.classList.toggle("keys", on);
    if (box) box.checked = on;
  };
  show();
  box?.addEventListener("change", () => {
    on = box.checked;
    keepKeys(on);
    show();
  });
  setTimeout(() => {
    root.dataset["keys"] = "ready";
  }, TOO_SOON);
  document.addEventListener("keydown", (event) => {
    if (!on || event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (root.dataset["keys"] !== "ready" || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const control = document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${CSS.escape(nameKey(event))}"]`);
    if (!control) return;
    event.preventDefault();
    press(control);
  });
}
