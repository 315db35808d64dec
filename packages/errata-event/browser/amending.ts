// The field of an amendment: Enter sends it, Escape leaves it.

/** Opens the field and puts the cursor behind its text. */
export function openAmendment(details: HTMLDetailsElement): void {
  details.open = true;
  const field = details.querySelector("textarea");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** Lets Enter send an amended sentence, and Escape leave every field without losing what is in it. */
export function listenToFields(form: HTMLFormElement, leave: () => void): void {
  const send = form.querySelector<HTMLButtonElement>("#send");
  const sentence = form.querySelector<HTMLTextAreaElement>("#text");
  form.addEventListener("keydown", (event) => {
    if (!(event.target instanceof HTMLTextAreaElement) || event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && event.target === sentence && !event.repeat) {
      event.preventDefault(); // a sentence is one line
      send?.click();
    }
  });
}
