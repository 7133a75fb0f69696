// Where the places of a rule set lie on a stage: as large as they fit, whatever the rules. Pure.
//
// Every arrangement of peaks in lines, of the reserve in one line or two, and of the other piles below, in corners or in
// columns is tried; the one with the largest cards wins. Then rows move apart, and last the cards become taller.
import { meet, peaksAt, pilesAt, reserveAt } from "./arrange.js";
import { stockSize } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./stage.js").Size} Size */
/** @typedef {import("./arrange.js").Rect} Rect */
/** @typedef {import("./arrange.js").Talon} Talon */
/** @typedef {{ lines: number[][], reserveLines: number, talon: Talon }} Plan */
/** @typedef {import("./arrange.js").Card} Card */
/**
 * @typedef {object} Layout
 * @property {Card} card
 * @property {Plan} plan
 * @property {Rect[]} tableau by place in dealing order
 * @property {Rect[]} reserve by pile: the lowest card; those above lie `fan` further down
 * @property {number} fan
 * @property {Rect | null} stock
 * @property {Rect[]} wastes
 * @property {number} wasteFan how far a waste's cards lie apart
 * @property {number} wasteSeen how many of its cards can be seen
 * @property {Rect[]} cells
 * @property {Rect} removed
 * @property {number} spare height that is left above the cards
 */

const LARGEST = 112, SMALLEST = 12, LEAST_STEP = 24;
const STRIDE = 8; // widths are first tried so far apart
const STEP = { least: 0.36, most: 0.56 };
const ASPECT = { least: 1.4, most: 1.5 };

/**
 * Lay out a rule set on a stage.
 * @param {Rules} rules @param {Size} stage @param {{ mirrored?: boolean }} options
 * @returns {Layout}
 */
export function layOut(rules, stage, options = {}) {
  let best = null;
  for (const plan of plansFor(rules)) {
    const width = widest(rules, stage, plan, best?.score ?? 0);
    const score = width * worth(rules, plan.talon);
    if (width && score > (best?.score ?? 0)) best = { plan, width, score };
  }
  if (!best) throw new Error(`no room for a table on ${stage.width} x ${stage.height}`);
  const layout = grown(rules, stage, best.plan, best.width);
  return options.mirrored ? mirrored(layout, stage) : layout;
}

/** @param {Rules} rules @param {Talon} talon */
function worth(rules, talon) {
  if (talon === "below") return 1;
  const isOnlyRemoved = !stockSize(rules) && !rules.cells;
  return isOnlyRemoved && talon !== "sides" ? 0.999 : 0.86;
}

/** @param {Rules} rules @returns {Plan[]} */
function plansFor(rules) {
  const reserves = rules.reserve[0] > 1 ? [1, 2] : [1];
  /** @type {Talon[]} */
  const talons = ["below", "top", "bottom", "sides"];
  return linesOf(rules.tableau.length).flatMap((lines) =>
    reserves.flatMap((reserveLines) => talons.map((talon) => ({ lines, reserveLines, talon }))),
  );
}

/** Return all ways to put so many peaks, in order, into lines. @param {number} peaks @returns {number[][][]} */
function linesOf(peaks) {
  if (peaks === 1) return [[[0]]];
  const last = peaks - 1;
  return linesOf(last).flatMap((lines) => [[...lines, [last]], [...lines.slice(0, -1), [...(lines.at(-1) ?? []), last]]]);
}

/** @param {number} w @param {number} [h] @param {number} [s] @returns {Card} */
function cardOf(w, h = Math.round(w * ASPECT.least), s = Math.max(LEAST_STEP, Math.floor(h * STEP.least))) {
  return { w, h, s, gap: Math.min(10, Math.max(2, Math.round(w * 0.07))) };
}

/** Return the largest width at which a plan fits, or 0 if none beats the best score. @param {Rules} rules @param {Size} stage @param {Plan} plan @param {number} toBeat */
function widest(rules, stage, plan, toBeat) {
  const least = Math.max(SMALLEST, Math.floor(toBeat / worth(rules, plan.talon)) + 1);
  const fits = (/** @type {number} */ w) => arranged(rules, stage, plan, cardOf(w)) !== null;
  let w = LARGEST;
  while (w >= least && !fits(w)) w -= STRIDE;
  const found = largest(Math.max(w, least - 1), Math.min(LARGEST, w + STRIDE - 1), fits);
  return found >= least ? found : 0;
}

/** Return the largest number that passes, by halving: the least one is taken to pass. @param {number} least @param {number} most @param {(value: number) => boolean} passes */
function largest(least, most, passes) {
  let [low, high] = [least, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Let rows move apart, then cards become taller, as far as they fit. @param {Rules} rules @param {Size} stage @param {Plan} plan @param {number} w @returns {Layout} */
function grown(rules, stage, plan, w) {
  let card = cardOf(w);
  let layout = /** @type {Layout} */ (arranged(rules, stage, plan, card));
  const grow = (/** @type {"s" | "h"} */ side, /** @type {number} */ most) => {
    largest(card[side], Math.floor(most), (size) => {
      const larger = { ...card, [side]: size };
      const fits = arranged(rules, stage, plan, larger);
      if (fits) [card, layout] = [larger, fits];
      return Boolean(fits);
    });
  };
  grow("s", card.h * STEP.most);
  grow("h", Math.round(w * ASPECT.most));
  grow("s", card.h * STEP.most);
  return layout;
}

/** Return a plan carried out with cards of a size, or null if it does not fit. @param {Rules} rules @param {Size} stage @param {Plan} plan @param {Card} card @returns {Layout | null} */
function arranged(rules, stage, plan, card) {
  const column = plan.talon === "sides" ? card.w + 2 * card.gap : 0;
  const inner = stage.width - 2 * column;
  const tableau = peaksAt(rules, plan.lines, card, inner);
  const reserve = tableau && reserveAt(rules, plan.reserveLines, card, { width: inner, top: tableau.bottom });
  if (!tableau || !reserve) return null;
  const cards = [...tableau.rects, ...reserve.rects].map((rect) => ({ ...rect, x: rect.x + column }));
  const bottom = reserve.bottom;
  const piles = pilesAt(rules, plan.talon, card, { stage, bottom });
  const taken = [...cards, ...reserve.covered.map((rect) => ({ ...rect, x: rect.x + column }))];
  if (!piles || bottom > stage.height || piles.bottom > stage.height) return null;
  if (plan.talon !== "below" && piles.rects.some((pile) => taken.some((rect) => meet(pile, rect, card.gap)))) return null;
  const parts = settled(stage, plan, cards, { bottom, piles });
  const count = tableau.rects.length;
  return { card, plan, fan: reserve.fan, tableau: parts.cards.slice(0, count), reserve: parts.cards.slice(count), spare: parts.spare, wasteFan: piles.wasteFan, wasteSeen: piles.wasteSeen, ...named(rules, parts.piles) };
}

/**
 * Give the height that is left: some between tableau and piles, the rest around everything.
 * @param {Size} stage @param {Plan} plan @param {Rect[]} cards @param {{ bottom: number, piles: { rects: Rect[], bottom: number } }} parts
 */
function settled(stage, plan, cards, { bottom, piles }) {
  const isBelow = plan.talon === "below";
  const left = stage.height - (isBelow ? piles.bottom : bottom);
  const between = isBelow ? Math.min(56, Math.floor(left * 0.3)) : 0;
  const above = plan.talon === "bottom" ? 0 : Math.floor((left - between) * (isBelow ? 0.55 : 0.5));
  const down = (/** @type {Rect[]} */ rects, /** @type {number} */ by) => rects.map((rect) => ({ ...rect, y: rect.y + by }));
  const lower = isBelow ? above + between : plan.talon === "top" ? above : 0;
  return { cards: down(cards, above), piles: down(piles.rects, lower), spare: isBelow ? above : 0 };
}

/** Say which pile is which. @param {Rules} rules @param {Rect[]} rects */
function named(rules, rects) {
  const hasStock = stockSize(rules) > 0;
  const wastes = hasStock ? rules.wastes : 0;
  const first = Number(hasStock);
  return {
    stock: hasStock ? /** @type {Rect} */ (rects[0]) : null,
    wastes: rects.slice(first, first + wastes),
    cells: rects.slice(first + wastes, -1),
    removed: /** @type {Rect} */ (rects.at(-1)),
  };
}

/** Exchange left and right: of the piles below a tableau, or of everything. @param {Layout} layout @param {Size} stage @returns {Layout} */
function mirrored(layout, stage) {
  const flip = (/** @type {Rect} */ rect, room = 0) => ({ ...rect, x: stage.width - rect.x - rect.width - room });
  const all = (/** @type {Rect[]} */ rects, room = 0) => rects.map((rect) => flip(rect, room));
  const { stock, wastes, cells, removed, wasteFan, wasteSeen, tableau, reserve, plan } = layout;
  const cards = plan.talon === "below" ? { tableau, reserve } : { tableau: all(tableau), reserve: all(reserve) };
  return { ...layout, ...cards, stock: stock && flip(stock), wastes: all(wastes, (wasteSeen - 1) * wasteFan), cells: all(cells), removed: flip(removed) };
}
