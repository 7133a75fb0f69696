// Swagger UI has dark colours, behind a class of the root element, and lacks some names and levels for screen readers.
const chosen = document.documentElement.dataset.options.split(" ");
const night = matchMedia("(prefers-color-scheme: dark)");
const page = document.querySelector("#swagger-ui");

function colour() {
  document.documentElement.classList.toggle("dark-mode", chosen.includes("dark") || (night.matches && !chosen.includes("light")));
}

/** @type {Record<string, (one: Element) => void>} */
const repairs = {
  ".opblock-summary-control a[href]": (one) => one.removeAttribute("href"), // a link in a button, to what the button opens
  ".information-container:not([role])": (one) => named(one, "Introduction").setAttribute("role", "region"),
  ".responses-table[role]": (one) => one.removeAttribute("role"), // a table, not one more region without a name
  ".microlight:not([tabindex])": (one) => one.setAttribute("tabindex", "0"), // it scrolls
  "h3:not([aria-level])": (one) => one.setAttribute("aria-level", "2"),
  "h4:not([aria-level])": (one) => one.setAttribute("aria-level", "3"),
  "h5:not([aria-level])": (one) => one.setAttribute("aria-level", "4"),
  "textarea.body-param__text:not([aria-label])": (one) => named(one, "Body"),
  ".examples-select-element:not([aria-label])": (one) => named(one, "Example"),
  ".content-type:not([aria-label])": (one) => named(one, "Media type"),
  "[data-param-name] :is(input, select):not([aria-label])": (one) => named(one, one.closest("[data-param-name]").dataset.paramName),
  ".close-modal:not([aria-label])": (one) => named(one, "Close"),
  ".modal-btn[aria-label]": (one) => one.removeAttribute("aria-label"), // it says something else than the button
};

/** @param {Element} one @param {string} name */
function named(one, name) {
  one.setAttribute("aria-label", name);
  return one;
}

function repair() {
  for (const [selector, repaired] of Object.entries(repairs)) page.querySelectorAll(selector).forEach(repaired);
}

colour();
night.addEventListener("change", colour);
new MutationObserver(repair).observe(page, { childList: true, subtree: true });
