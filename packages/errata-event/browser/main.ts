// The page on which annotators judge, by keyboard.  Without this script all of it works too.
import { listenToFields, openAmendment } from "./amending";
import { listenToKeys } from "./keys";

const heading = document.querySelector<HTMLElement>("#item");
const form = document.querySelector<HTMLFormElement>("main form");
const amendment = document.querySelector<HTMLDetailsElement>("#amend");
const dialog = document.querySelector<HTMLDialogElement>("#keys");
const showKeys = document.querySelector<HTMLButtonElement>("#show-keys");

/** Goes to the item, where keys judge, and from where screen readers read on. */
function goToItem(): void {
  heading?.focus();
}

if (form && amendment) {
  listenToFields(form, goToItem);
  form.addEventListener("submit", (event) => {
    // Nothing is sent twice.
    if (form.dataset["sent"]) event.preventDefault();
    form.dataset["sent"] = "yes";
  });
  window.addEventListener("pageshow", () => delete form.dataset["sent"]);
  listenToKeys((control) => {
    if (control.parentElement === amendment) openAmendment(amendment);
    else control.click();
  });
}
if (showKeys && dialog) {
  showKeys.hidden = false;
  showKeys.addEventListener("click", () => dialog.showModal());
}
if (!document.querySelector("[autofocus]")) goToItem();
