// Rectangles of the parts of a table for cards of a given size: peaks in lines, reserve, and the other piles. Pure.
import { shapeOf, stockSize } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./stage.js").Size} Size */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */
/** @typedef {"below" | "top" | "bottom" | "sides"} Talon where stock, wastes, cells and the removed cards lie */
/** @typedef {{ w: number, h: number, s: number, gap: number }} Card width, height, step from row to row, and gap */

export const COUNT = 18; // below a pile, for how many cards it has
const [BETWEEN_LINES, BETWEEN_PILES, NEARLY, RESERVE_FAN, WASTE_FAN, LEAST_WASTE_FAN] = [0.2, 0.12, 0.12, 0.34, 0.54, 0.42];

/** @param {Rect} pile @param {Rect} rect @param {number} gap */
export const meet = (pile, rect, gap) =>
  pile.x < rect.x + rect.width + gap && rect.x < pile.x + pile.width + gap && pile.y < rect.y + rect.height && rect.y < pile.y + pile.height + COUNT;

/** @param {Rules} rules @param {number[][]} lines @param {Card} card @param {number} width */
export function peaksAt(rules, lines, card, width) {
  const { places } = shapeOf(rules);
  /** @type {Rect[]} */
  const rects = [];
  let top = 0;
  for (const line of lines) {
    const lefts = leftsOf(rules, line, card);
    const extent = Math.max(...line.map((peak, index) => (lefts[index] ?? 0) + peakWidth(rules, peak, card)));
    if (extent > width) return null;
    const margin = (width - extent) / 2;
    for (const { place, peak, row, column, length } of places.filter((one) => line.includes(one.peak))) {
      const inset = ((rowsOf(rules, peak) - length) * (card.w + card.gap)) / 2;
      const x = margin + (lefts[line.indexOf(peak)] ?? 0) + inset + column * (card.w + card.gap);
      rects[place] = { x, y: top + row * card.s, width: card.w, height: card.h };
    }
    const rows = Math.max(...line.map((peak) => rowsOf(rules, peak)));
    top += (rows - 1) * card.s + card.h + Math.round(BETWEEN_LINES * card.h);
  }
  return { rects, bottom: top - Math.round(BETWEEN_LINES * card.h) };
}

/** @param {Rules} rules @param {number} peak */
const rowsOf = (rules, peak) => rules.tableau[peak]?.rows ?? 0;

/** @param {Rules} rules @param {number} peak @param {Card} card */
const peakWidth = (rules, peak, card) => rowsOf(rules, peak) * (card.w + card.gap) - card.gap;

/** Push the peaks of a line together until they nearly touch, and return their left edges. @param {Rules} rules @param {number[]} line @param {Card} card */
function leftsOf(rules, line, card) {
  const lefts = [0];
  for (let index = 1; index < line.length; index += 1) {
    const clear = line.slice(0, index).map((other, at) => (lefts[at] ?? 0) + apart(rules, other, line[index] ?? 0, card));
    lefts.push(Math.max(...clear));
  }
  const least = Math.min(...lefts);
  return lefts.map((left) => left - least);
}

/** Return how far the left edge of a peak lies from that of one at its left. @param {Rules} rules @param {number} left @param {number} right @param {Card} card */
function apart(rules, left, right, card) {
  const unit = card.w + card.gap;
  const near = Math.ceil(card.h / Math.max(card.s, 1)) - 1; // rows so far from each other overlap in height
  let most = -Infinity;
  for (let row = 0; row < rowsOf(rules, left); row += 1) {
    for (let other = Math.max(0, row - near); other <= Math.min(row + near, rowsOf(rules, right) - 1); other += 1) {
      const end = ((rowsOf(rules, left) + lengthOf(rules, left, row)) * unit) / 2;
      const start = ((rowsOf(rules, right) - lengthOf(rules, right, other)) * unit) / 2;
      most = Math.max(most, end - start);
    }
  }
  return Math.ceil(most + NEARLY * card.h);
}

/** @param {Rules} rules @param {number} peak @param {number} row */
const lengthOf = (rules, peak, row) => (rules.tableau[peak]?.inverted ? rowsOf(rules, peak) - row : row + 1);

/** @param {Rules} rules @param {number} lines @param {Card} card @param {{ width: number, top: number }} room */
export function reserveAt(rules, lines, card, { width, top }) {
  const [piles, depth] = rules.reserve;
  const fan = Math.round(RESERVE_FAN * card.h);
  const perLine = Math.ceil(piles / lines);
  const extent = perLine * (card.w + card.gap) - card.gap;
  if (piles && extent > width) return null;
  const height = card.h + (depth - 1) * fan;
  const pitch = height + Math.round(BETWEEN_LINES * card.h);
  const first = top + Math.round(BETWEEN_LINES * card.h);
  const rects = Array.from({ length: piles }, (_, pile) => ({
    x: (width - extent) / 2 + (pile % perLine) * (card.w + card.gap),
    y: first + Math.floor(pile / perLine) * pitch,
    width: card.w,
    height: card.h,
  }));
  return { rects, fan, covered: rects.map((rect) => ({ ...rect, height })), bottom: piles ? first + (lines - 1) * pitch + height : top };
}

/** @param {Rules} rules @param {Talon} talon @param {Card} card @param {{ stage: Size, bottom: number }} room */
export function pilesAt(rules, talon, card, { stage, bottom }) {
  const before = Number(stockSize(rules) > 0) + (stockSize(rules) ? rules.wastes : 0);
  const all = before + rules.cells + 1;
  const pile = (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y, width: card.w, height: card.h });
  if (talon === "below") return pilesBelow(rules, card, { stage, bottom, count: all });
  const pitch = talon === "sides" ? card.h + COUNT + Math.round(BETWEEN_PILES * card.h) : card.w + card.gap;
  const rects = Array.from({ length: all }, (_, index) => {
    const isLeft = index < before;
    const along = (isLeft ? index : all - 1 - index) * pitch;
    if (talon === "sides") return pile(isLeft ? 0 : stage.width - card.w, stage.height - card.h - COUNT - (isLeft ? before - 1 - index : all - 1 - index) * pitch);
    return pile(isLeft ? along : stage.width - card.w - along, talon === "top" ? 0 : stage.height - card.h - COUNT);
  });
  const isInside = rects.every(({ y }) => y >= 0) && rects.every((rect, at) => rects.every((other, to) => to <= at || !meet(rect, other, 0)));
  return isInside ? { rects, bottom: 0, wasteFan: 0, wasteSeen: 1 } : null;
}

/** @param {Rules} rules @param {Card} card @param {{ stage: Size, bottom: number, count: number }} room */
function pilesBelow(rules, card, { stage, bottom, count }) {
  const least = count * card.w + (count - 1) * card.gap;
  if (least > stage.width) return null;
  const spare = stage.width - least;
  const fans = stockSize(rules) ? rules.wastes : 0;
  const gap = card.gap + Math.min(card.w * 0.3 - card.gap, spare / Math.max(1, count + 2 * fans));
  const { wasteFan, wasteSeen } = fanned(card, fans ? (stage.width - count * card.w - (count - 1) * gap) / fans : 0);
  const width = (wasteSeen - 1) * wasteFan;
  const extent = count * card.w + (count - 1) * gap + fans * width;
  const y = bottom + Math.round(BETWEEN_PILES * card.h);
  let x = (stage.width - extent) / 2;
  const rects = Array.from({ length: count }, (_, index) => {
    const rect = { x, y, width: card.w, height: card.h };
    x += card.w + gap + (index >= 1 && index <= fans ? width : 0);
    return rect;
  });
  return { rects, bottom: y + card.h + COUNT, wasteFan, wasteSeen };
}

/** Fan a waste as far as ranks can be read: three cards, two, or only the top one. @param {Card} card @param {number} room */
function fanned(card, room) {
  const wasteSeen = [3, 2].find((seen) => room >= (seen - 1) * LEAST_WASTE_FAN * card.w) ?? 1;
  return { wasteSeen, wasteFan: wasteSeen > 1 ? Math.min(WASTE_FAN * card.w, room / (wasteSeen - 1)) : 0 };
}
