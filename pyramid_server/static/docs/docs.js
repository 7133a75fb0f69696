// The documents: search in all of them, and a button that copies each block of code.
const MOST = 12;
const finder = document.querySelector(".finder");
const field = finder.querySelector("input");
const list = finder.querySelector("ol");
const status = finder.querySelector("[role=status]");

/** @typedef {{ page: string, title: string, address: string, text: string }} Section */

/** @type {Promise<Section[]> | undefined} */
let asked;

/** Load the sections of all documents, once they are needed. */
function sections() {
  asked ??= fetch(finder.dataset.index).then((answer) => answer.json()).then(({ sections }) => sections);
  asked.catch(() => (asked = undefined));
  return asked;
}

/** Return how well a section answers: a word counts most in a title; 0 if any word is missing. */
function worth({ page, title, text }, words) {
  const inTitle = `${page} ${title}`.toLowerCase();
  const inText = text.toLowerCase();
  const found = words.map((word) => (inTitle.includes(word) ? 10 : 0) + Math.min(3, inText.split(word).length - 1));
  return found.every(Boolean) ? found.reduce((sum, one) => sum + one) : 0;
}

/** Return the text around the first of the words. */
function around(text, words) {
  const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0));
  const from = Number.isFinite(at) ? Math.max(0, text.lastIndexOf(" ", at - 40) + 1) : 0;
  return `${from ? "… " : ""}${text.slice(from, from + 130)}`;
}

function row({ page, title, address, text }, words) {
  const link = document.createElement("a");
  const context = document.createElement("small");
  link.href = address;
  link.append(title ? `${page}: ${title}` : page);
  context.append(around(text, words));
  link.append(context);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length ? await sections().catch(() => []) : [];
  const ranked = all.map((section) => ({ section, value: worth(section, words) })).filter(({ value }) => value);
  ranked.sort((one, other) => other.value - one.value);
  list.replaceChildren(...ranked.slice(0, MOST).map(({ section }) => row(section, words)));
  status.textContent = words.length ? (ranked.length === 1 ? "1 section found." : `${ranked.length} sections found.`) : "";
}

/** Move the focus among the field and what was found. */
function step(event) {
  const places = [field, ...list.querySelectorAll("a")];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    field.value = "";
    find();
    field.focus();
  } else if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  else if (by) places[Math.max(0, places.indexOf(document.activeElement) + by)]?.focus();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  field.focus();
});
field.addEventListener("focus", () => sections().catch(() => {}));
field.addEventListener("input", find);
finder.addEventListener("keydown", step);
finder.hidden = false;

/** Scroll the contents, where they stand beside the text, to this page. */
function showPlace() {
  const contents = /** @type {HTMLElement} */ (document.querySelector(".contents"));
  const place = /** @type {HTMLElement | null} */ (contents.querySelector("[aria-current]"));
  if (place) contents.scrollTop = place.offsetTop - contents.clientHeight / 3;
}

showPlace();

/** Open the entry that the address of the page names. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = target?.closest("details");
  if (!entry || entry.open) return;
  entry.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", reveal);
reveal();
addEventListener("beforeprint", () => document.querySelectorAll("details.entry").forEach((entry) => (entry.open = true)));

for (const block of document.querySelectorAll(".listing")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent);
      button.textContent = "Copied";
    } catch {
      // Without HTTPS, or without leave, a page may not write to the clipboard.
      getSelection().selectAllChildren(block.querySelector("pre"));
      button.textContent = "Press Ctrl+C";
    }
  });
  block.append(button);
}
