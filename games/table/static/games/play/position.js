// A position and what may happen in it. Pure: values in, values out; a board is never changed.
//
// A card is its number in dealing order, so that it stays the same thing while it moves; which face it has is known or
// not, and kept apart: a face once seen stays known through undo.
import { deckSize, leavesAlone, pairText, rankOf, ranksMatch, reserveSize, shapeOf, stockSize, tableauSize } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {(string | null)[]} Faces by number of the card; null while it has not been seen */
/**
 * The place of every card, by number. `tableau` has a card at each place or -1; the stock's next card is first, the top of
 * a waste or of a reserve pile is last.
 * @typedef {object} Board
 * @property {number[]} tableau
 * @property {number[][]} wastes
 * @property {number[]} stock
 * @property {number | null} recycles
 * @property {number[][]} reserve
 * @property {number[]} cells
 */
/** @typedef {{ text: string, cards: number[] }} Move `cards` are those that leave, or the one that is parked */

/** @param {number} from @param {number} count */
const range = (from, count) => Array.from({ length: count }, (_, index) => from + index);

/** Return the first position of a deal. @param {Rules} rules @returns {Board} */
export function dealt(rules) {
  const [piles, depth] = rules.reserve;
  const first = tableauSize(rules);
  return {
    tableau: range(0, first),
    wastes: Array.from({ length: rules.wastes }, () => []),
    stock: range(first + reserveSize(rules), stockSize(rules)),
    recycles: rules.passes === null ? null : rules.passes - 1,
    reserve: range(0, piles).map((pile) => range(0, depth).map((round) => first + round * piles + pile)),
    cells: [],
  };
}

/** Return the places that still cover a place. @param {Rules} rules @param {Board} board @param {number} place */
export const coversOf = (rules, board, place) => shapeOf(rules).covers[place]?.filter((at) => (board.tableau[at] ?? -1) >= 0) ?? [];

/** Return the cards of the tableau that nothing covers. @param {Rules} rules @param {Board} board */
export const freeCards = (rules, board) =>
  board.tableau.filter((card, place) => card >= 0 && coversOf(rules, board, place).length === 0);

/** @template T @param {T[]} list @returns {T[]} the last one, if there is one */
const top = (list) => list.slice(-1);

/** Return the exposed cards outside the tableau. @param {Rules} rules @param {Board} board */
export const topCards = (rules, board) => [
  ...board.wastes.flatMap(top),
  ...(rules.stock_open ? board.stock.slice(0, 1) : []),
  ...board.reserve.flatMap(top),
  ...board.cells,
];

/** @param {Rules} rules @param {Board} board */
export const exposedCards = (rules, board) => [...freeCards(rules, board), ...topCards(rules, board)];

/** Return how many cards the goal still asks to remove. @param {Rules} rules @param {Board} board */
export function cardsLeft(rules, board) {
  const goal = tableauSize(rules);
  const tableau = board.tableau.filter((card) => card >= 0).length;
  if (rules.goal === "tableau") return tableau + board.cells.filter((card) => card < goal).length;
  return tableau + board.stock.length + [...board.wastes, ...board.reserve].flat().length + board.cells.length;
}

/** The moves of each board that was asked for; a tap asks several times. @type {WeakMap<Board, { rules: Rules, faces: Faces, moves: Move[] }>} */
const known = new WeakMap();

/** Return all legal moves as far as faces are known, sorted by text. @param {Rules} rules @param {Board} board @param {Faces} faces @returns {Move[]} */
export function legalMoves(rules, board, faces) {
  const found = known.get(board);
  if (found && found.rules === rules && found.faces === faces) return found.moves;
  const moves = searchedMoves(rules, board, faces);
  known.set(board, { rules, faces, moves });
  return moves;
}

/** @param {Rules} rules @param {Board} board @param {Faces} faces @returns {Move[]} */
function searchedMoves(rules, board, faces) {
  if (cardsLeft(rules, board) === 0) return [];
  const moves = [...removals(rules, board, faces)];
  if (board.stock.length) moves.push({ text: "D", cards: [] });
  else if (board.recycles !== 0 && board.wastes.some((pile) => pile.length)) moves.push({ text: "R", cards: [] });
  if (board.cells.length < rules.cells) {
    const parkable = [...freeCards(rules, board), ...board.wastes.flatMap(top)];
    moves.push(...parkable.filter((card) => faces[card]).map((card) => ({ text: `P${faces[card]}`, cards: [card] })));
  }
  return moves.sort((one, other) => (one.text < other.text ? -1 : 1));
}

/** @param {Rules} rules @param {Board} board @param {Faces} faces @returns {Generator<Move>} */
function* removals(rules, board, faces) {
  const exposed = exposedCards(rules, board);
  for (const [index, card] of exposed.entries()) {
    if (leavesAlone(rules, rankOf(faces[card] ?? ""))) yield { text: String(faces[card]), cards: [card] };
    for (const other of exposed.slice(index + 1)) yield* pairOf(rules, faces, card, other);
  }
  if (!rules.overlap) return;
  for (const [place, card] of board.tableau.entries()) {
    const [cover, ...more] = card >= 0 ? coversOf(rules, board, place) : [];
    if (cover === undefined || more.length || coversOf(rules, board, cover).length) continue;
    yield* pairOf(rules, faces, card, board.tableau[cover] ?? -1);
  }
}

/** @param {Rules} rules @param {Faces} faces @param {number} card @param {number} other @returns {Generator<Move>} */
function* pairOf(rules, faces, card, other) {
  const [one, two] = [faces[card], faces[other]];
  if (one && two && ranksMatch(rules, rankOf(one), rankOf(two))) yield { text: pairText(one, two), cards: [card, other] };
}

/**
 * Return the move that a text names, or null if it is not legal here.
 * @param {Rules} rules @param {Board} board @param {Faces} faces @param {string} text
 */
export const moveNamed = (rules, board, faces, text) => legalMoves(rules, board, faces).find((move) => move.text === text) ?? null;

/** Return the board after a legal move. @param {Rules} rules @param {Board} board @param {Move} move @returns {Board} */
export function after(rules, board, move) {
  if (move.text === "D") return drawn(rules, board);
  if (move.text === "R") {
    const recycles = board.recycles === null ? null : board.recycles - 1;
    return { ...board, wastes: board.wastes.map(() => []), stock: [...board.wastes].reverse().flat(), recycles };
  }
  const left = without(board, move.cards);
  return move.text.startsWith("P") ? { ...left, cells: [...left.cells, ...move.cards] } : left;
}

/** @param {Rules} rules @param {Board} board @returns {Board} */
function drawn(rules, board) {
  const cards = board.stock.slice(0, rules.draw);
  const wastes = board.wastes.map((pile, number) => [...pile, ...cards.filter((_, at) => at % rules.wastes === number)]);
  return { ...board, wastes, stock: board.stock.slice(rules.draw) };
}

/** @param {Board} board @param {number[]} cards @returns {Board} */
function without(board, cards) {
  const stay = (/** @type {number} */ card) => !cards.includes(card);
  return {
    tableau: board.tableau.map((card) => (stay(card) ? card : -1)),
    wastes: board.wastes.map((pile) => pile.filter(stay)),
    stock: board.stock.filter(stay),
    recycles: board.recycles,
    reserve: board.reserve.map((pile) => pile.filter(stay)),
    cells: board.cells.filter(stay),
  };
}

/** Return the cards that lie face up on a board and may have been turned up last, in the order in which the server tells them. @param {Rules} rules @param {Board} board */
function turnedUp(rules, board) {
  const tableau = rules.face_down ? freeCards(rules, board) : [];
  return [...tableau, ...board.wastes.flatMap((pile) => pile.slice(-rules.draw)), ...(rules.stock_open ? board.stock.slice(0, 1) : [])];
}

/** Return the cards that lie face up without their face being known: what `revealed` will tell, in its order. @param {Rules} rules @param {Board} board @param {Faces} faces */
export const unseenCards = (rules, board, faces) => turnedUp(rules, board).filter((card) => !faces[card]);

/** Return true if a card lies face up. @param {Rules} rules @param {Board} board @param {number} card */
export function isFaceUp(rules, board, card) {
  if (board.stock.includes(card)) return Boolean(rules.stock_seen) || (rules.stock_open && board.stock[0] === card);
  const place = board.tableau.indexOf(card);
  return !(rules.face_down && place >= 0 && coversOf(rules, board, place).length);
}

/** Return the faces with those that were revealed. @param {Rules} rules @param {Board} board @param {Faces} faces @param {string[]} revealed @returns {Faces} */
export function learn(rules, board, faces, revealed) {
  const learned = [...faces];
  unseenCards(rules, board, faces).forEach((card, index) => (learned[card] = revealed[index] ?? null));
  return learned;
}

/** @param {Rules} rules @returns {Faces} */
export const unknownFaces = (rules) => Array.from({ length: deckSize(rules) }, () => null);
