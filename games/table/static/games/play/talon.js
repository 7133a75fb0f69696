// The talon as a line of small cards, for rules under which the whole stock is known: the waste, then what comes.
import { make } from "../dom.js";
import { nameOf } from "./announce.js";

/** @typedef {import("./choose.js").Shown} Shown */

const SUITS = /** @type {Record<string, string>} */ ({ c: "♣", d: "♦", h: "♥", s: "♠" });

/** Show the talon of a table in every list that is there for it. @param {Shown} shown */
export function showTalon({ rules, board, faces }) {
  if (!rules.stock_seen) return;
  const drawn = board.wastes.flat();
  const cards = [...drawn, ...board.stock].filter((card) => faces[card]);
  for (const list of document.querySelectorAll(".talon")) {
    const before = [...list.children].map((item) => item.getAttribute("data-card")).join();
    const after = cards.map((card) => `${card}${drawn.includes(card) ? "d" : ""}`).join();
    if (before !== after) list.replaceChildren(...cards.map((card) => itemOf(card, faces[card] ?? "", drawn)));
  }
}

/** @param {number} card @param {string} face @param {number[]} drawn */
function itemOf(card, face, drawn) {
  const isDrawn = drawn.includes(card), suit = (face[1] ?? "").toLowerCase();
  const picture = make("span", "", `${face[0] === "T" ? "10" : face[0]}${SUITS[suit]}\ufe0e`);
  picture.setAttribute("aria-hidden", "true");
  const item = make("li", `${suit}${isDrawn ? " drawn" : ""}${card === drawn.at(-1) ? " last" : ""}`, picture, make("span", "unseen", nameOf(face)));
  item.dataset.card = `${card}${isDrawn ? "d" : ""}`;
  return item;
}
