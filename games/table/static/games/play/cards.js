// Pictures of cards, made of the symbols in the page.
import { byId } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** The pips of 1 to 10, stacked as a pyramid: the rows from above. @type {Record<string, number[]>} */
const PYRAMIDS = { 2: [1, 1], 3: [1, 2], 4: [1, 3], 5: [2, 3], 6: [1, 2, 3], 7: [3, 4], 8: [1, 3, 4], 9: [2, 3, 4], T: [1, 2, 3, 4] };
/** @type {Record<string, string>} */
const EMBLEMS = { J: "eJ", Q: "eQ", K: "eK" };
const PIP = { few: 18, some: 14, many: 12 }; // size of a pip
const BOTTOM = 45.5;

/** @param {Record<string, string | number>} attributes */
function empty(attributes) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  return svg;
}

/** The first drawing of each kind: to copy it takes a third of the time. @type {Map<string, SVGElement>} */
const drawn = new Map();

/** Copy a symbol. To refer to it by `use` would take twice as many elements, all of which the browser styles. @param {string} name @param {Record<string, string | number>} attributes */
function drawing(name, attributes) {
  const key = [name, ...Object.values(attributes)].join();
  const first = drawn.get(key) ?? copyOfSymbol(name, attributes);
  drawn.set(key, first);
  return /** @type {SVGElement} */ (first.cloneNode(true));
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function copyOfSymbol(name, attributes) {
  const symbol = byId(name);
  const svg = empty(attributes);
  for (const { name: key, value } of symbol.attributes) if (key !== "id") svg.setAttribute(key, value);
  svg.append(...[...symbol.children].map((child) => child.cloneNode(true)));
  return svg;
}

/** Make a card that shows nothing yet. @returns {HTMLElement} */
export function makeCard() {
  const card = document.createElement("i");
  card.className = "card back";
  return card;
}

/**
 * Turn a card: to a face, or to its back where the face is null. What is on it has still to be drawn. The middle of a face
 * is drawn once it can be seen: it is most of what a card costs, and hidden while other cards lie on it.
 * @param {HTMLElement} card @param {string | null} face @param {"" | "one" | "many"} emblem
 */
export function turn(card, face, emblem) {
  if (card.dataset.face !== (face ?? "")) {
    card.dataset.face = face ?? "";
    card.dataset.emblem = "";
    card.className = face ? `card ${suitOf(face)}` : "card back";
    card.replaceChildren();
  }
  if (face && emblem && card.dataset.emblem !== emblem) {
    card.dataset.emblem = emblem;
    card.querySelector(".e")?.remove();
  }
}

/** Return true if everything is drawn that a card shows. @param {HTMLElement} card */
export const isDrawn = (card) => card.firstChild !== null && (!card.dataset.emblem || card.querySelector(".e") !== null);

/** Draw what a card shows and is not drawn yet. @param {HTMLElement} card */
export function draw(card) {
  const { face = "", emblem = "" } = card.dataset;
  const rank = face[0] ?? "";
  if (!card.firstChild) card.append(...(face ? [drawing(`r${rank}`, { class: rank === "T" ? "r wide" : "r" }), drawing(suitOf(face), { class: "s" })] : [drawing("back", { class: "b" })]));
  if (emblem && !card.querySelector(".e")) card.append(emblemOf(rank, suitOf(face), /** @type {"one" | "many"} */ (emblem)));
}

/** @param {string} face */
const suitOf = (face) => (face[1] ?? "").toLowerCase();

/** Draw what stands in the middle of a face: its emblem, its pips, or one pip. @param {string} rank @param {string} suit @param {"one" | "many"} kind */
function emblemOf(rank, suit, kind) {
  if (EMBLEMS[rank]) return drawing(EMBLEMS[rank], { class: "e" });
  const emblem = kind === "many" && rank === "A" ? drawing("sun", { class: "e" }) : empty({ class: "e", viewBox: "0 0 60 46" });
  if (kind === "one") emblem.append(drawing(suit, { x: 13, y: 6, width: 34, height: 34 }));
  else if (rank === "A") emblem.append(drawing(suit, { x: 21, y: 13, width: 18, height: 18 }));
  else emblem.append(...pips(PYRAMIDS[rank] ?? [1], suit));
  return emblem;
}

/** @param {number[]} rows @param {string} suit */
function pips(rows, suit) {
  const size = Math.max(...rows) > 3 ? PIP.many : rows.length > 2 ? PIP.some : PIP.few;
  const pitch = size * 1.06;
  const top = BOTTOM - rows.length * size;
  return rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index) =>
      drawing(suit, { x: 30 + (index - count / 2) * pitch + (pitch - size) / 2, y: top + row * size, width: size, height: size }),
    ),
  );
}
