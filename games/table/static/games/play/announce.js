// What is said of a table: labels of places, and one sentence for each action. Pure, but for the language.
import { filled, gettext, ngettext } from "../texts.js";
import { cardAt } from "./choose.js";
import { cardsLeft, coversOf, exposedCards, freeCards } from "./position.js";
import { rankOf, shapeOf } from "./rules.js";

/** @typedef {import("./choose.js").Shown} Shown */
/** @typedef {import("./choose.js").Spot} Spot */

const RANK_NAMES = ["", gettext("Ace"), "2", "3", "4", "5", "6", "7", "8", "9", "10", gettext("Jack"), gettext("Queen"), gettext("King")];
/** @type {Record<string, string>} */
const CARD_NAMES = { c: gettext("{rank} of clubs"), d: gettext("{rank} of diamonds"), h: gettext("{rank} of hearts"), s: gettext("{rank} of spades") };

/** @param {string | null | undefined} face */
export function nameOf(face) {
  if (!face) return gettext("a face-down card");
  return filled(CARD_NAMES[(face[1] ?? "").toLowerCase()] ?? "{rank}", { rank: RANK_NAMES[rankOf(face)] ?? "" });
}

/** Return texts as a list: a, b and c. @param {string[]} texts */
export function listOf(texts) {
  if (texts.length < 2) return texts.join("");
  return gettext("{first} and {last}", { first: texts.slice(0, -1).join(", "), last: texts.at(-1) ?? "" });
}

/** Return what a place is called, with what lies there. @param {Shown} shown @param {Spot} spot */
export function labelOf(shown, spot) {
  const { board, faces } = shown;
  const card = cardAt(board, spot);
  const name = nameOf(faces[card]);
  switch (spot.zone) {
    case "tableau":
      return labelOfTableau(shown, spot.index, card);
    case "stock":
      return labelOfStock(shown, card);
    case "waste":
      return card < 0 ? gettext("Waste, empty") : gettext("Waste: {card}, free", { card: name });
    case "reserve":
      return gettext("{card}, reserve pile {pile}, free", { card: name, pile: spot.index + 1 });
    case "cell":
      return card < 0 ? gettext("Cell, empty: park the selected card") : gettext("Cell: {card}, free", { card: name });
    case "removed":
      return ngettext("Removed: {count} card", "Removed: {count} cards", removedCount(shown));
  }
}

/** @param {Shown} shown @param {number} place @param {number} card */
function labelOfTableau(shown, place, card) {
  const { rules, board, faces } = shown;
  const { row, peak } = shapeOf(rules).places[place] ?? { row: 0, peak: 0 };
  const covers = coversOf(rules, board, place).map((at) => nameOf(faces[board.tableau[at] ?? -1]));
  const isHidden = rules.face_down && covers.length > 0;
  const name = isHidden ? gettext("Face-down card") : nameOf(faces[card]);
  if (covers.length) return gettext("{card}, under {covers}", { card: name, covers: listOf(covers) });
  return gettext("{card}, row {row} of {rows}, free", { card: name, row: row + 1, rows: rules.tableau[peak]?.rows ?? 0 });
}

/** @param {Shown} shown @param {number} card */
function labelOfStock({ rules, board, faces }, card) {
  const count = board.stock.length;
  if (!count) return board.recycles === 0 ? gettext("Stock, empty") : gettext("Stock, empty. Turn the waste over");
  const draw = ngettext("Stock, {count} card. Draw", "Stock, {count} cards. Draw", count);
  const text = board.recycles ? `${draw}. ${ngettext("{count} more pass", "{count} more passes", board.recycles)}` : draw;
  return rules.stock_open ? gettext("{card} on the stock, free. {stock}", { card: nameOf(faces[card]), stock: text }) : text;
}

/** @param {Shown} shown */
const removedCount = ({ rules, board }) =>
  rules.decks * 52 - board.tableau.filter((card) => card >= 0).length - board.stock.length - [...board.wastes, ...board.reserve].flat().length - board.cells.length;

/** Return what is said after an action. @param {Shown} before @param {Shown} after @param {string} action */
export function sentenceOf(before, after, action) {
  const left = ngettext("{count} left.", "{count} left.", cardsLeft(after.rules, after.board));
  if (action === "D") return drawnSentence(before, after);
  if (action === "R") return gettext("The waste is the stock again. {stock} cards.", { stock: after.board.stock.length });
  if (action === "U") return `${gettext("Undone.")} ${left}`;
  if (action === "Y") return `${gettext("Redone.")} ${left}`;
  if (action.startsWith("P")) return gettext("{card} parked.", { card: nameOf(action.slice(1)) });
  const cards = listOf((action.match(/../g) ?? []).map(nameOf));
  const parts = [gettext("{cards} removed.", { cards }), freedSentence(before, after), left];
  return parts.filter(Boolean).join(" ");
}

/** @param {Shown} before @param {Shown} after */
function drawnSentence(before, after) {
  const drawn = before.board.stock.slice(0, after.rules.draw).map((card) => nameOf(after.faces[card]));
  return `${gettext("Drawn: {cards}.", { cards: listOf(drawn) })} ${ngettext("{count} in the stock.", "{count} in the stock.", after.board.stock.length)}`;
}

/** @param {Shown} before @param {Shown} after */
function freedSentence(before, after) {
  const earlier = new Set(freeCards(before.rules, before.board));
  const freed = freeCards(after.rules, after.board).filter((card) => !earlier.has(card));
  return freed.length ? gettext("Free now: {cards}.", { cards: listOf(freed.map((card) => nameOf(after.faces[card]))) }) : "";
}

/** Return what is said of a hint: the cards that it rings, or the stock, and why. @param {Shown} shown @param {string | null} move @param {string} reason */
export function hintOf(shown, move, reason) {
  if (!move) return reason;
  const isOfStock = move === "D" || move === "R";
  const rung = isOfStock ? labelOf(shown, { zone: "stock", index: 0 }) : listOf((move.replace("P", "").match(/../g) ?? []).map(nameOf));
  return `${rung}. ${reason}`;
}

/** Return what is said of a whole table when it is asked for. @param {Shown} shown */
export function statusOf(shown) {
  const free = exposedCards(shown.rules, shown.board).map((card) => nameOf(shown.faces[card]));
  return gettext("{left} left to remove, {stock} in the stock. Free: {cards}.", {
    left: cardsLeft(shown.rules, shown.board),
    stock: shown.board.stock.length,
    cards: listOf(free),
  });
}
