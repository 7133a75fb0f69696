// Where every card lies on a laid-out table, and what it looks like there. Pure.
import { exposedCards, isFaceUp } from "./position.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Faces} Faces */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Rect} Rect */
/** @typedef {import("./choose.js").Spot} Spot */
/** @typedef {{ x: number, y: number, z: number, zone: Spot["zone"], isUp: boolean, isFree: boolean, isShown: boolean }} Lying */

const STACKED = 3; // cards of a stock that show their edge
const EDGE = 1.5;

/** Return how a card lies, by its number. @param {Rules} rules @param {Board} board @param {Layout} layout @returns {Lying[]} */
export function sceneOf(rules, board, layout) {
  const free = new Set(exposedCards(rules, board));
  /** @type {Lying[]} */
  const scene = [];
  const lay = (/** @type {number} */ card, /** @type {Rect} */ rect, /** @type {Partial<Lying> & { zone: Spot["zone"], z: number }} */ rest) => {
    scene[card] = { x: rect.x, y: rect.y, isUp: isFaceUp(rules, board, card), isFree: free.has(card), isShown: true, ...rest };
  };
  board.tableau.forEach((card, place) => card >= 0 && lay(card, at(layout.tableau, place), { zone: "tableau", z: place }));
  board.reserve.forEach((pile, index) =>
    pile.forEach((card, depth) => lay(card, down(at(layout.reserve, index), depth * layout.fan), { zone: "reserve", z: 200 + depth })),
  );
  board.wastes.forEach((pile, index) => layWaste(pile, at(layout.wastes, index), layout, lay));
  board.stock.forEach((card, index) => layout.stock && lay(card, edge(layout.stock, Math.min(index, STACKED - 1)), { zone: "stock", z: 300 - index, isShown: index < STACKED }));
  board.cells.forEach((card, index) => lay(card, at(layout.cells, index), { zone: "cell", z: 1 }));
  const all = rules.decks * 52;
  for (let card = 0; card < all; card += 1) {
    if (!scene[card]) lay(card, layout.removed, { zone: "removed", z: 1, isUp: true, isFree: false });
  }
  return scene;
}

/** @param {Rect[]} rects @param {number} index */
const at = (rects, index) => /** @type {Rect} */ (rects[index]);

/** @param {Rect} rect @param {number} by */
const down = (rect, by) => ({ ...rect, y: rect.y + by });

/** @param {Rect} rect @param {number} depth */
const edge = (rect, depth) => ({ ...rect, x: rect.x + depth * EDGE, y: rect.y + depth * EDGE });

/** @param {number[]} pile @param {Rect} rect @param {Layout} layout @param {(card: number, rect: Rect, rest: { zone: Spot["zone"], z: number, isShown: boolean }) => void} lay */
function layWaste(pile, rect, { wasteFan, wasteSeen }, lay) {
  const first = Math.max(0, pile.length - wasteSeen);
  pile.forEach((card, index) => {
    const slot = Math.max(0, index - first);
    lay(card, { ...rect, x: rect.x + slot * wasteFan }, { zone: "waste", z: 400 + index, isShown: index >= first - 1 });
  });
}

/** Return the place of a pile for its button: a waste's is as wide as its fan, a reserve pile's is its top card. @param {Layout} layout @param {Board} board @param {Spot} spot @returns {Rect} */
export function rectOf(layout, board, { zone, index }) {
  switch (zone) {
    case "tableau":
      return at(layout.tableau, index);
    case "stock":
      return /** @type {Rect} */ (layout.stock);
    case "waste": {
      const rect = at(layout.wastes, index);
      const fanned = Math.max(0, Math.min(layout.wasteSeen, board.wastes[index]?.length ?? 0) - 1);
      return { ...rect, width: rect.width + fanned * layout.wasteFan };
    }
    case "reserve":
      return down(at(layout.reserve, index), Math.max(0, (board.reserve[index]?.length ?? 0) - 1) * layout.fan);
    case "cell":
      return at(layout.cells, index);
    case "removed":
      return layout.removed;
  }
}

/** Return all places of a table in the order of Tab, the tableau's by row. @param {Layout} layout @returns {Spot[]} */
export function spotsOf(layout) {
  const spots = (/** @type {Spot["zone"]} */ zone, /** @type {unknown[]} */ rects) => rects.map((_, index) => ({ zone, index }));
  return [
    ...spots("tableau", layout.tableau),
    ...spots("reserve", layout.reserve),
    ...spots("stock", layout.stock ? [layout.stock] : []),
    ...spots("waste", layout.wastes),
    ...spots("cell", layout.cells),
    ...spots("removed", [layout.removed]),
  ];
}
