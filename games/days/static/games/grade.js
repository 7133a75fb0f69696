// How hard a deal is for people, by the recipe of docs/proofs.md: what a careless and a careful player make of it on
// orders of the cards that cannot be seen at the deal. Pure, but for WebCrypto.
import { after, dealt, freeCards, isFaceUp, legalMoves } from "./play/position.js";
import { stockSize } from "./play/rules.js";
import { CARDS, bytesOfText, hashOf, shuffled } from "./verify.js";

/** @typedef {import("./play/rules.js").Rules} Rules */
/** @typedef {import("./play/position.js").Board} Board */
/** @typedef {import("./play/position.js").Move} Move */
/** @typedef {import("./verify.js").Bytes} Bytes */
/** @typedef {(board: Board, faces: string[], removals: Move[]) => Move[]} Taste those of some removals that a player likes */

const ORDERS = 24;
const OTHERS = /** @type {const} */ ([17, 11]);
/**
 * From how many wins of the careless player on a deal is easy, and below how many of the careful one it is hard.
 * @type {Record<string, readonly [number, number]>}
 */
export const LIMITS = {
  standard: [17, 11],
  "covered-pairs": [23, 20],
  relaxed: [9, 8],
  "single-pass": [1, 1],
  "king-tut": [1, 1],
  "tuts-tomb": [3, 1],
  "three-piles": [2, 1],
  giza: [1, 1],
  triangle: [7, 4],
  "seven-reserve": [1, 1],
  "par-pyramid": [4, 2],
};

/** @typedef {{ careless: number, careful: number }} Wins out of `ORDERS` */

/** Return the grade of a winnable deal: `easy`, `medium` or `hard`. @param {string} slug @param {Rules} rules @param {string} deck */
export const gradeOf = async (slug, rules, deck) => gradeFor(slug, await winsOf(slug, rules, deck));

/** @param {string} slug @param {Wins} wins */
export function gradeFor(slug, { careless, careful }) {
  const [easyFrom, hardBelow] = LIMITS[slug] ?? OTHERS;
  if (careful < hardBelow) return "hard";
  return careless >= easyFrom ? "easy" : "medium";
}

/** The wins on deals that were asked for: a check of a day asks twice. @type {Map<string, Promise<Wins>>} */
const known = new Map();

/** Return how often the two players win a deal. @param {string} slug @param {Rules} rules @param {string} deck @returns {Promise<Wins>} */
export function winsOf(slug, rules, deck) {
  const deal = `${slug} ${deck}`;
  const wins = known.get(deal) ?? countedWins(slug, rules, deck);
  known.set(deal, wins);
  return wins;
}

/** @param {string} slug @param {Rules} rules @param {string} deck @returns {Promise<Wins>} */
async function countedWins(slug, rules, deck) {
  const cards = deck.match(/../g) ?? [], board = dealt(rules);
  const unseen = cards.map((_, card) => card).filter((card) => isHidden(rules, board, card));
  const sight = cards.map((face, card) => (unseen.includes(card) ? "??" : face)).join("");
  const dice = diceOf(`pyramid/grade/1|${slug}|${sight}`);
  const sorted = unseen.map((card) => cards[card] ?? "").sort((one, other) => CARDS.indexOf(one) - CARDS.indexOf(other));
  let careless = 0, careful = 0;
  for (let order = 0; order < ORDERS; order += 1) {
    const drawn = sorted.length ? await shuffled(sorted, dice) : [];
    const faces = [...cards];
    unseen.forEach((card, index) => (faces[card] = drawn[index] ?? ""));
    careless += Number(await isWon(rules, faces, dice, (_board, _faces, removals) => removals));
    careful += Number(await isWon(rules, faces, dice, (at, _faces, removals) => mostPromising(rules, at, removals)));
  }
  return { careless, careful };
}

/** @param {Rules} rules @param {Board} board @param {number} card */
const isHidden = (rules, board, card) => (board.stock.includes(card) || rules.face_down) && !isFaceUp(rules, board, card);

/** Return a function that gives the bytes of the SHA-256 of a text, of the SHA-256 of that, and so on. @param {string} text @returns {Bytes} */
function diceOf(text) {
  let block = bytesOfText(text), next = Infinity;
  return async () => {
    if (next >= block.length) [block, next] = [await hashOf(block), 0];
    return block[next++] ?? 0;
  };
}

/** Remove what can be removed, else go on in the stock, until the win or a pass without a removal. @param {Rules} rules @param {string[]} faces @param {Bytes} dice @param {Taste} taste */
async function isWon(rules, faces, dice, taste) {
  let board = dealt(rules), idle = 0;
  for (;;) {
    const moves = legalMoves(rules, board, faces);
    const removals = moves.filter(({ text, cards }) => cards.length && !text.startsWith("P"));
    const [other] = moves.filter(({ cards }) => !cards.length);
    if (!moves.length && isCleared(rules, board)) return true;
    if (idle > stockSize(rules) + 2 || !(removals.length || other)) return false;
    idle = removals.length ? 0 : idle + 1;
    const liked = removals.length ? taste(board, faces, removals) : [];
    const move = liked.length ? liked[(await dice()) % liked.length] : other;
    if (!move) return false;
    board = after(rules, board, move);
  }
}

/** @param {Rules} rules @param {Board} board */
const isCleared = (rules, board) => {
  const rest = rules.goal === "all" ? [...board.stock, ...board.wastes.flat(), ...board.reserve.flat(), ...board.cells] : [];
  return board.tableau.every((card) => card < 0) && !rest.length;
};

/** Return the removals that take the most cards of the tableau and then leave the most of it uncovered. @param {Rules} rules @param {Board} board @param {Move[]} removals */
function mostPromising(rules, board, removals) {
  const prospects = removals.map((move) => {
    const taken = move.cards.filter((card) => board.tableau.includes(card)).length;
    return 1000 * taken + freeCards(rules, after(rules, board, move)).length;
  });
  const best = Math.max(...prospects);
  return removals.filter((_, index) => prospects[index] === best);
}
