// Dialogs: buttons that open and close them.
import { dialogOf } from "./dom.js";

/** Open a dialog at its top: where its title can be focused, it is, so that a long one does not begin at its buttons. @param {string} id */
export function openDialog(id) {
  const dialog = dialogOf(id);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector("h2[tabindex]"))?.focus();
}

/** Wire `data-opens="id"`, disabled until then where it can be seen, and `data-closes`; a tap beside a dialog closes it too. */
export function wireDialogs() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-opens]"))) {
    button.addEventListener("click", () => {
      button.closest("dialog")?.close();
      openDialog(button.dataset.opens ?? "");
    });
    button.disabled = false;
  }
  for (const button of document.querySelectorAll("[data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
}
