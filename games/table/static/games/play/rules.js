// What follows from the fields of a rule set: how its tableau lies, and which cards leave together. Pure.

/** @typedef {{ rows: number, inverted: boolean }} Peak */
/**
 * The fields of a rule set as `/api/rules/` has them.
 * @typedef {object} Rules
 * @property {Peak[]} tableau
 * @property {number} decks
 * @property {"thirteen" | "dozen" | "eleven" | "adjacent"} match
 * @property {boolean} overlap
 * @property {[number, number]} reserve piles and depth
 * @property {number} cells
 * @property {number} draw
 * @property {number} wastes
 * @property {boolean} stock_open
 * @property {boolean} [stock_seen]
 * @property {number | null} passes
 * @property {"tableau" | "all"} goal
 * @property {boolean} face_down
 */
/** @typedef {{ place: number, peak: number, row: number, column: number, length: number }} Place */
/** @typedef {{ places: Place[], covers: number[][] }} Shape */

export const RANKS = "A23456789TJQK";

/** @type {WeakMap<Rules, Shape>} */
const shapes = new WeakMap();

/**
 * Return the places of the tableau in dealing order and, for each, the places that cover it at the start.
 * @param {Rules} rules
 * @returns {Shape}
 */
export function shapeOf(rules) {
  let shape = shapes.get(rules);
  if (!shape) shapes.set(rules, (shape = makeShape(rules.tableau)));
  return shape;
}

/** @param {Peak[]} peaks @returns {Shape} */
function makeShape(peaks) {
  /** @type {Place[]} */
  const places = [];
  /** @type {number[][]} */
  const covers = [];
  peaks.forEach(({ rows, inverted }, peak) => {
    for (let row = 0; row < rows; row += 1) {
      const length = inverted ? rows - row : row + 1;
      const below = row === rows - 1 ? 0 : inverted ? length - 1 : length + 1;
      for (let column = 0; column < length; column += 1) {
        const first = places.length - column + length;
        const left = inverted ? column - 1 : column;
        covers.push([left, left + 1].filter((at) => at >= 0 && at < below).map((at) => first + at));
        places.push({ place: places.length, peak, row, column, length });
      }
    }
  });
  return { places, covers };
}

/** @param {Rules} rules */
export const tableauSize = (rules) => shapeOf(rules).places.length;

/** @param {Rules} rules */
export const reserveSize = (rules) => rules.reserve[0] * rules.reserve[1];

/** @param {Rules} rules */
export const deckSize = (rules) => 52 * rules.decks;

/** @param {Rules} rules */
export const stockSize = (rules) => deckSize(rules) - tableauSize(rules) - reserveSize(rules);

/** Return the value of a card's rank, 1 to 13. @param {string} face */
export const rankOf = (face) => RANKS.indexOf(face[0] ?? "") + 1;

/**
 * Return true if cards of these two ranks leave together.
 * @param {Rules} rules @param {number} rank @param {number} other
 */
export function ranksMatch(rules, rank, other) {
  switch (rules.match) {
    case "thirteen":
      return rank + other === 13;
    case "dozen":
      return rank + other === 12 || (rank + other === 25 && Math.min(rank, other) === 12);
    case "eleven":
      return rank + other === 11 || (rank === other && rank >= 11);
    case "adjacent":
      return Math.abs(rank - other) <= 1;
  }
}

/** Return true if a card of this rank leaves alone. @param {Rules} rules @param {number} rank */
export const leavesAlone = (rules, rank) => rules.match === "thirteen" && rank === 13;

/**
 * Return the ranks that leave together, each pair once and a rank that leaves alone by itself, for people to read.
 * @param {Rules} rules
 * @returns {number[][]}
 */
export function rankPairs(rules) {
  const pairs = [];
  for (let rank = 1; rank <= 13; rank += 1) {
    if (leavesAlone(rules, rank)) pairs.push([rank]);
    for (let other = rank; other <= 13; other += 1) if (ranksMatch(rules, rank, other)) pairs.push([rank, other]);
  }
  return pairs;
}

/**
 * Return the canonical text of a pair: the lower rank first, of equal ranks the lower suit letter.
 * @param {string} one @param {string} other
 */
export function pairText(one, other) {
  const byRank = rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
  return byRank < 0 ? one + other : other + one;
}
