// What every page loads: an old tab loads itself again, and the scripts of pages find what they share.
import "../dialogs.js";
import "../dom.js";
import "../http.js";
import "../offline/register.js";
import "../options.js";
import "../release.js";
import "../texts.js";

// Esc closes the menu of more pages.
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  /** @type {HTMLElement | null} */
  const summary = document.querySelector(".more[open] summary");
  summary?.click();
  summary?.focus();
});

// A form that comes back with a mistake goes on where the first one is.
/** @type {HTMLElement | null} */ (document.querySelector("main .mistake[tabindex], main [aria-invalid=true]"))?.focus();

// What a form does is done once: pressed again before the answer has come, it would do it twice.
const PATIENCE = 10_000; // milliseconds: one who presses it later believes that it was lost
/** @type {EventTarget | null} */
let sent = null;
const forget = () => void (sent = null);

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  if (sent === event.target) return event.preventDefault();
  sent = event.target;
  setTimeout(forget, PATIENCE);
});
addEventListener("pageshow", forget); // by the Back button the page is as it was left

// But a page of a visitor who has signed in since, if only as a guest, has forms that would be refused.
const cookies = document.cookie;
addEventListener("pageshow", ({ persisted }) => persisted && document.cookie !== cookies && location.reload());
