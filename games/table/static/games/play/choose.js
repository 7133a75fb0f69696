// What a tap, a drag or a key means on a board. Pure.
import { coversOf, exposedCards, legalMoves } from "./position.js";
import { rankOf } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Faces} Faces */
/** @typedef {import("./position.js").Move} Move */
/** @typedef {{ rules: Rules, board: Board, faces: Faces }} Shown what lies on the table */
/** @typedef {{ zone: "tableau" | "waste" | "stock" | "reserve" | "cell" | "removed", index: number }} Spot one place on the table */
/**
 * @typedef {{ do: "move", text: string } | { do: "select", card: number } | { do: "deselect" }
 *   | { do: "refuse", why: "covered" | "no-cards" | "no-pass" | "no-cell" | "no-partner", card: number } | { do: "nothing" }} Choice
 */

/** Return the card that can be taken at a place, or -1. @param {Board} board @param {Spot} spot */
export function cardAt(board, { zone, index }) {
  const piles = { waste: board.wastes[index], reserve: board.reserve[index], cell: board.cells.slice(index, index + 1) };
  if (zone === "tableau") return board.tableau[index] ?? -1;
  if (zone === "stock") return board.stock[0] ?? -1;
  return zone === "removed" ? -1 : (piles[zone]?.at(-1) ?? -1);
}

/** Return the place where a card can be reached, or null. @param {Board} board @param {number} card @returns {Spot | null} */
export function spotOf(board, card) {
  const tops = (/** @type {number[][]} */ piles) => piles.findIndex((pile) => pile.at(-1) === card);
  /** @type {Spot[]} */
  const spots = [
    { zone: "tableau", index: board.tableau.indexOf(card) },
    { zone: "waste", index: tops(board.wastes) },
    { zone: "reserve", index: tops(board.reserve) },
    { zone: "cell", index: board.cells.indexOf(card) },
    { zone: "stock", index: board.stock.length > 0 && board.stock[0] === card ? 0 : -1 },
  ];
  return card < 0 ? null : (spots.find(({ index }) => index >= 0) ?? null);
}

/** @param {Shown} shown */
const movesOf = ({ rules, board, faces }) => legalMoves(rules, board, faces);

/** @param {Shown} shown */
const removalsOf = (shown) => movesOf(shown).filter(({ text }) => !text.startsWith("P"));

/** Return the removals that a card takes part in. @param {Shown} shown @param {number} card */
const removalsWith = (shown, card) => removalsOf(shown).filter(({ cards }) => cards.includes(card));

/** Return what a tap on a place means while a card, or -1, is selected. @param {Shown} shown @param {number} selected @param {Spot} spot @returns {Choice} */
export function choiceOfTap(shown, selected, spot) {
  const card = cardAt(shown.board, spot);
  if (selected >= 0 && card !== selected) {
    const both = moveOfDrop(shown, selected, spot);
    if (both) return { do: "move", text: both };
  }
  if (spot.zone === "stock") return choiceOfStock(shown, selected, card);
  if (spot.zone === "removed") return { do: "nothing" };
  if (spot.zone === "cell" && card < 0) return { do: "nothing" };
  if (card < 0) return selected >= 0 ? { do: "deselect" } : { do: "nothing" };
  if (!canBeTouched(shown, card)) return { do: "refuse", why: "covered", card };
  if (card === selected) return { do: "deselect" };
  return choiceOfCard(shown, card);
}

/** @param {Shown} shown @param {number} card @returns {Choice} */
function choiceOfCard(shown, card) {
  const alone = removalsWith(shown, card).find(({ cards }) => cards.length === 1);
  return alone ? { do: "move", text: alone.text } : { do: "select", card };
}

/** The open stock's card is selected where it can leave, and drawn by a second tap, or where it cannot. @param {Shown} shown @param {number} selected @param {number} card @returns {Choice} */
function choiceOfStock(shown, selected, card) {
  const next = movesOf(shown).find(({ text }) => text === "D" || text === "R");
  if (!next) return { do: "refuse", why: shown.board.wastes.some((pile) => pile.length) ? "no-pass" : "no-cards", card: -1 };
  const canLeave = shown.rules.stock_open && card >= 0 && removalsWith(shown, card).length > 0;
  return canLeave && card !== selected ? choiceOfCard(shown, card) : { do: "move", text: next.text };
}

/** Return the cards that are exposed, or covered only by a card that they can leave with. @param {Shown} shown @returns {Set<number>} */
export const touchableCards = (shown) => new Set([...exposedCards(shown.rules, shown.board), ...removalsOf(shown).flatMap(({ cards }) => cards)]);

/** @param {Shown} shown @param {number} card */
export const canBeTouched = (shown, card) => touchableCards(shown).has(card);

/** Return the move of dropping a card on a place, or of tapping both, or null. @param {Shown} shown @param {number} card @param {Spot} spot */
export function moveOfDrop(shown, card, spot) {
  const moves = movesOf(shown);
  if (spot.zone === "removed") return moves.find(({ text, cards }) => cards.length === 1 && cards[0] === card && !text.startsWith("P"))?.text ?? null;
  if (spot.zone === "cell" && cardAt(shown.board, spot) < 0) return moves.find(({ text, cards }) => text.startsWith("P") && cards[0] === card)?.text ?? null;
  const other = cardAt(shown.board, spot);
  return moves.find(({ cards }) => cards.length === 2 && cards.includes(card) && cards.includes(other))?.text ?? null;
}

/** Return the cards with which a card can leave. @param {Shown} shown @param {number} card */
export const partnersOf = (shown, card) => removalsWith(shown, card).flatMap(({ cards }) => cards.filter((other) => other !== card));

/** Return the move that parks a card, or null. @param {Shown} shown @param {number} card */
export const parkingOf = (shown, card) => movesOf(shown).find(({ text, cards }) => text.startsWith("P") && cards[0] === card)?.text ?? null;

/** Return the next exposed card of a rank behind the one that is focused, or -1. @param {Shown} shown @param {number} rank @param {number} focused */
export function nextOfRank(shown, rank, focused) {
  const cards = exposedCards(shown.rules, shown.board).filter((card) => rankOf(shown.faces[card] ?? "") === rank);
  return cards[(cards.indexOf(focused) + 1) % Math.max(1, cards.length)] ?? -1;
}

/** Return the cards that cover a card. @param {Shown} shown @param {number} card */
export const coversOfCard = ({ rules, board }, card) => coversOf(rules, board, board.tableau.indexOf(card)).map((place) => board.tableau[place] ?? -1);
