// Buttons that copy what stands in a field.
import { byId, say } from "../dom.js";
import { gettext } from "../texts.js";

/** @param {HTMLElement} button */
async function copy(button) {
  const field = /** @type {HTMLInputElement} */ (byId(button.dataset.copies ?? ""));
  const status = button.parentElement?.querySelector("[role=status]") ?? null;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say(status, gettext("Copied."));
  } catch {
    // Without HTTPS, or without leave, a page may not write to the clipboard.
    say(status, gettext("The text is selected: press Ctrl+C or ⌘C."));
  }
}

for (const element of document.querySelectorAll("[data-copies]")) {
  const button = /** @type {HTMLElement} */ (element);
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
