// How a pyramid fell, to show to others: shades of its places, from early to late, and nothing of its cards.
import { make } from "../dom.js";
import { gettext } from "../texts.js";

/** @typedef {{ peaks: number[][][], are_placed: boolean, picture: string }} Shades 1 early to 5 late, 0 for a card that was left */

const EMOJIS = ["🟦", "⬜", "🟨", "🟧", "🟫", "⬛"];

/** Return the rows of the peaks as text: marks of one width, so that the steps keep their shape in any font. @param {Shades} shades */
export function emojisOf({ peaks }) {
  return peaks.flat().map((row) => row.map((shade) => EMOJIS[shade]).join(""));
}

/** Draw the peaks in an element. @param {HTMLElement} root @param {Shades} shades */
export function showShades(root, { peaks }) {
  root.role = "img";
  root.ariaLabel = gettext("The pyramid as it fell, row by row: light early, dark late");
  root.replaceChildren(...peaks.map((rows) => make("div", "", ...rows.map((row) => make("div", "", ...row.map((shade) => make("i", `s${shade}`)))))));
}
