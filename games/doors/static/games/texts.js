// The words of the scripts. They are written in English where they are used; a catalogue in the page has those of
// another language.

/** @typedef {Record<string, string | string[]>} Catalogue */

/** Return the JSON that a page carries under an id, or null. @param {string} id */
export function dataOf(id) {
  const text = globalThis.document?.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : null;
}

/** @type {Catalogue} */
const catalogue = dataOf("texts-of-scripts") ?? {};

/** Return a text in the page's language, with values in place of `{names}`. @param {string} text @param {Record<string, string | number>} [values] */
export function gettext(text, values = {}) {
  const found = catalogue[text];
  return filled(Array.isArray(found) ? (found[0] ?? text) : (found ?? text), values);
}

/** Return the text for one or the one for several. @param {string} one @param {string} several @param {number} count @param {Record<string, string | number>} [values] */
export function ngettext(one, several, count, values = {}) {
  const found = catalogue[one];
  const forms = Array.isArray(found) ? found : [one, several];
  return filled(forms[count === 1 ? 0 : 1] ?? several, { count, ...values });
}

/** Return a text with values in place of `{names}`. @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (name, key) => String(values[key] ?? name));

/** Return a duration as minutes and seconds, with hours where there are some. @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const end = `${String(rest).padStart(2, "0")}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${end}` : `${minutes}:${end}`;
}

const ENDINGS = new Map([["one", "st"], ["two", "nd"], ["few", "rd"]]);
const orders = new Intl.PluralRules("en", { type: "ordinal" });

/** Return a rank as words count it, such as 22nd; other languages than English write 22. @param {number} rank */
export function ordinal(rank) {
  const isEnglish = (globalThis.document?.documentElement.lang || "en").startsWith("en");
  return isEnglish ? `${rank}${ENDINGS.get(orders.select(rank)) ?? "th"}` : `${rank}.`;
}
