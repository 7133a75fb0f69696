// Which deals can be won where the stock goes round without end: decided by how many pairs of each kind have to leave inside
// the tableau, since all other cards are at hand. The same as in docs/examples/verify_daily.py. Pure.
import { gradeOf } from "./grade.js";
import { rankOf } from "./play/rules.js";
import { deckOf } from "./verify.js";

/** True if a card and its only cover can be removed as a pair, by rule set: where no search is needed. @type {Record<string, boolean>} */
export const DECIDABLE = { standard: false, "covered-pairs": true };

const ROWS = Array.from({ length: 28 }, (_, place) => Math.floor((Math.sqrt(8 * place + 1) - 1) / 2));
const COVERS = ROWS.map((row, place) => (row < 6 ? 0b11 << (place + row + 1) : 0));
const FULL = 2 ** 28 - 1;
const KINDS = [1, 2, 3, 4, 5, 6];

/** @param {number} left the places that still have cards, as bits */
const exposed = (left) => ROWS.map((_, place) => place).filter((place) => (left >> place) & 1 && !((COVERS[place] ?? 0) & left));

/** Return whether a deal of `standard` or, with `overlap`, of `covered-pairs` can be won. @param {string} deck @param {boolean} overlap */
export function canBeWon(deck, overlap) {
  const ranks = (deck.match(/../g) ?? []).map(rankOf);
  const tableau = ranks.slice(0, 28), others = ranks.slice(28);
  const kinds = tableau.map((rank) => Math.min(rank, 13 - rank));
  const lack = (/** @type {number} */ rank) => Math.max(0, count(tableau, rank) - count(others, 13 - rank));
  /** @type {[number, number[]][]} */
  const waiting = [[FULL, [0, ...KINDS.map((kind) => Math.max(lack(kind), lack(13 - kind)))]]];
  const met = new Set();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [start, needs] = next;
    const left = withoutUnneeded(start, needs, kinds);
    if (needs.every((need) => !need)) return true;
    const still = ranks.filter((_, place) => place < 28 && (left >> place) & 1);
    const isHopeless = KINDS.some((kind) => Math.min(count(still, kind), count(still, 13 - kind)) < (needs[kind] ?? 0));
    const key = `${left} ${needs}`;
    if (isHopeless || met.has(key)) continue;
    met.add(key);
    for (const place of exposed(left)) waiting.push([left & ~(1 << place), needs]);
    for (const [place, other] of pairs(left, tableau, overlap)) {
      waiting.push([left & ~((1 << place) | (1 << other)), needs.map((need, kind) => need - Number(kind === kinds[place]))]);
    }
  }
  return false;
}

/** Return the number of the first deck of a seed that can be won and has the grade asked for, -1 if it is not one up to the revealed. @param {any} daily @param {import("./play/rules.js").Rules} fields */
export async function firstFitting(daily, fields) {
  for (let candidate = 0; candidate <= daily.reveal.candidate; candidate += 1) {
    const deck = await deckOf(daily, { ...daily.reveal, candidate });
    const isFit = canBeWon(deck, DECIDABLE[daily.rules] ?? false);
    if (isFit && (!daily.grade || (await gradeOf(daily.rules, fields, deck)) === daily.grade)) return candidate;
  }
  return -1;
}

/** Let all exposed cards go whose kind needs no more pairs inside the tableau. @param {number} left @param {number[]} needs @param {number[]} kinds @returns {number} */
function withoutUnneeded(left, needs, kinds) {
  const free = exposed(left).filter((place) => !needs[kinds[place] ?? 0]);
  return free.length ? withoutUnneeded(free.reduce((rest, place) => rest & ~(1 << place), left), needs, kinds) : left;
}

/** @param {number[]} ranks @param {number} rank */
const count = (ranks, rank) => ranks.filter((one) => one === rank).length;

/** Yield the places of two tableau cards that may leave together. @param {number} left @param {number[]} ranks @param {boolean} overlap @returns {Generator<[number, number]>} */
function* pairs(left, ranks, overlap) {
  const free = exposed(left);
  const fit = (/** @type {number} */ one, /** @type {number} */ other) => (ranks[one] ?? 0) + (ranks[other] ?? 0) === 13;
  for (const place of free) for (const other of free) if (place < other && fit(place, other)) yield [place, other];
  if (!overlap) return;
  for (const place of ROWS.keys()) {
    const on = (COVERS[place] ?? 0) & left;
    const cover = 31 - Math.clz32(on);
    const isSingle = on !== 0 && (on & (on - 1)) === 0;
    if ((left >> place) & 1 && isSingle && free.includes(cover) && fit(place, cover)) yield [place, cover];
  }
}
