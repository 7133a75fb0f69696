// Dialogs: buttons that open and close them.
import { dialogOf } from "./dom.js";

/** Wire `data-opens="id"` and `data-closes`; a tap beside a dialog closes it too. */
export function wireDialogs() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => {
      button.closest("dialog")?.close();
      dialogOf(/** @type {HTMLElement} */ (button).dataset.opens ?? "").showModal();
    });
  }
  for (const button of document.querySelectorAll("[data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}
